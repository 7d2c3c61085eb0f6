//! The program `chemenu-mcp` as a client starts it: streams, exit statuses, the end of input.

#![allow(clippy::disallowed_methods, reason = "these tests start the program")]

mod mcp_support;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};

use mcp_support::{MODERN, Wiki, meta};
use serde_json::{Value, json};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chemenu-mcp"));
    command.args(arguments).env_remove("CHEMENU_ROOT");
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = program(arguments).spawn().unwrap();
    // A program that refuses its options does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn over_stdio_there_is_nothing_but_messages_and_the_end_of_input_is_the_end() {
    let wiki = Wiki::new();
    let request = |id: u64, method: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta(MODERN);
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    };
    let input = request(1, "server/discover", json!({}))
        + "this is no message\n"
        + &request(2, "tools/call", json!({ "name": "search", "arguments": { "query": "compost" } }));
    let output = run(&["--root", wiki.root().to_str().unwrap()], &input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages: Vec<Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[1]["result"]["structuredContent"]["commit"], wiki.commit);
}

#[test]
fn input_that_ends_at_once_is_no_error() {
    let wiki = Wiki::new();
    let output = run(&["--root", wiki.root().to_str().unwrap()], "");
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
}

#[test]
fn a_client_that_does_not_begin_is_told_so() {
    let wiki = Wiki::new();
    let input = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    let output = run(&["--root", wiki.root().to_str().unwrap()], input);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("error: the client's first message is neither"), "{errors}");
}

#[test]
fn what_cannot_be_served_is_said_on_stderr() {
    let empty = tempfile::tempdir().unwrap();
    let root = empty.path().to_str().unwrap();
    for (arguments, message) in [
        (vec!["--root", root], "is no wiki"),
        (vec!["--transport", "sse"], "replaced the SSE transport"),
        (vec!["--listen", "127.0.0.1:0"], "has no meaning over stdio"),
        (vec!["--no-such-option"], "--no-such-option"),
    ] {
        let output = run(&arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.starts_with("error: ") && errors.contains(message), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn an_address_in_use_is_said() {
    let wiki = Wiki::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let root = wiki.root().to_str().unwrap();
    let output = run(&["--root", root, "--transport", "streamable-http", "--listen", &address], "");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains(&format!("error: cannot listen on `{address}`")) && errors.contains("\nhint: "),
        "{errors}"
    );
}

#[cfg(unix)]
#[test]
fn over_http_the_log_says_where_and_a_signal_stops() {
    let wiki = Wiki::new();
    let root = wiki.root().to_str().unwrap();
    let mut child =
        program(&["--root", root, "--transport", "streamable-http", "--listen", "127.0.0.1:0", "--log", "json"])
            .spawn()
            .unwrap();
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    let entry: Value = serde_json::from_str(&line).unwrap();
    let url = entry["fields"]["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(child.wait().unwrap().success());
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output, "");
}

#[test]
fn who_asks_is_told_how_many_pages_have_been_read() {
    let mut wiki = Wiki::new();
    let text = "# Page\n\n".to_owned() + &"Words of all kinds, größer and smaller, in [[Compost]] and out. ".repeat(60);
    let pages: Vec<(String, &str)> = (0..1500).map(|number| (format!("many/p{number}.md"), text.as_str())).collect();
    wiki.commit(&pages.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    let mut meta = meta(MODERN);
    meta["progressToken"] = json!("reading");
    let call = json!({ "name": "search", "arguments": { "query": "compost" }, "_meta": meta });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    let mut child = program(&["--root", wiki.root().to_str().unwrap(), "--no-cache"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{request}").unwrap();
    let mut told = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if message["id"] == 1 {
            assert_eq!(message["result"]["structuredContent"]["commit"], wiki.commit);
            break;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "reading");
        assert_eq!(message["params"]["total"], 1504.0);
        told.push(message["params"]["progress"].as_f64().unwrap());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(!told.is_empty() && told.is_sorted() && told.iter().all(|&done| done > 0.0 && done < 1504.0), "{told:?}");
}
