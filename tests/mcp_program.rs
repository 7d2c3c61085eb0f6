//! The program `chemenu-mcp` as a client starts it: streams, exit statuses, the end of input.

#![allow(clippy::disallowed_methods, reason = "these tests start the program")]

mod mcp_support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

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
    assert_eq!(messages.len(), 3, "{messages:?}");
    let of = |id: Value| messages.iter().find(|message| message["id"] == id).unwrap();
    assert_eq!(of(json!(null))["error"]["code"], -32700);
    assert_eq!(of(json!(2))["result"]["structuredContent"]["commit"], wiki.commit);
}

#[test]
fn a_request_that_is_traced_is_in_the_log_on_one_line() {
    let wiki = Wiki::new();
    let call = |id: &str, trace: Option<&str>| {
        let mut meta = meta(MODERN);
        if let Some(trace) = trace {
            meta["traceparent"] = json!(trace);
        }
        let params = json!({ "name": "types", "arguments": {}, "_meta": meta });
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
    };
    let input = call("plain", None) + &call("a\nb", Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    for format in ["text", "json"] {
        let output = run(&["--root", wiki.root().to_str().unwrap(), "--log", format], &input);
        let log = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("tools/call")).collect();
        assert_eq!(lines.len(), 1, "{log}");
        for part in ["0af7651916cd43dd8448eb211c80319c", "types", "answered", "a\\nb"] {
            assert!(lines[0].contains(part), "{part}: {log}");
        }
    }
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
    assert!(errors.contains("\nerror: the client's first message is neither"), "{errors}");
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

/// A server over HTTP, once it has said where it listens.
struct Running {
    child: Child,
    /// What the log has said, a value for each of these keys.
    said: Vec<String>,
}

impl Running {
    fn start(wiki: &Wiki, arguments: &[&str], keys: &[&str]) -> Self {
        let http = ["--root", wiki.root().to_str().unwrap(), "--transport", "streamable-http", "--log", "json"];
        let mut child = program(&[&http, arguments].concat()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let said = keys.iter().map(|key| {
            let mut lines = errors.by_ref().lines().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
            lines.find_map(|line| line["fields"][key].as_str().map(str::to_owned)).unwrap()
        });
        Self { said: said.collect(), child }
    }

    fn stop(mut self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert!(self.child.wait().unwrap().success());
        let mut output = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert_eq!(output, "", "nothing but messages belongs on standard output");
    }
}

fn get(mut stream: impl Read + Write, path: &str) -> String {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn over_http_the_log_says_where_and_a_signal_stops() {
    let wiki = Wiki::new();
    let running = Running::start(&wiki, &["--listen", "127.0.0.1:0"], &["url"]);
    let address = running.said[0].strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
    let response = get(TcpStream::connect(address).unwrap(), "/healthz");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    running.stop();
}

#[test]
fn a_socket_file_is_its_owners_alone_and_goes_with_the_server() {
    let (wiki, folder) = (Wiki::new(), tempfile::tempdir().unwrap());
    let path = folder.path().join("mcp.sock");
    let address = format!("unix:{}", path.display());
    // What a dead server has left is replaced.
    drop(UnixListener::bind(&path).unwrap());
    for _ in 0..2 {
        let running = Running::start(&wiki, &["--listen", &address], &["url"]);
        assert_eq!(running.said[0], address);
        assert_eq!(std::fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["mcp.sock"]);
        let response = get(UnixStream::connect(&path).unwrap(), "/healthz");
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        // A second server does not take its place.
        let root = wiki.root().to_str().unwrap();
        let second = run(&["--root", root, "--transport", "streamable-http", "--listen", &address], "");
        assert_eq!(second.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&second.stderr).contains("a server listens there already"));
        running.stop();
        assert!(std::fs::symlink_metadata(&path).is_err());
    }
}

#[test]
fn sockets_in_the_wiki_or_in_place_of_something_are_refused() {
    let (wiki, folder) = (Wiki::new(), tempfile::tempdir().unwrap());
    let root = wiki.root();
    std::os::unix::fs::symlink(root, folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(root.join("new.sock"), folder.path().join("dangling.sock")).unwrap();
    std::fs::write(folder.path().join("file"), "kept").unwrap();
    std::os::unix::fs::symlink("file", folder.path().join("to-file")).unwrap();
    let name = root.file_name().unwrap().to_str().unwrap();
    let before = tree(root);
    for path in [
        root.join("x.sock"),
        root.join(".git/x.sock"),
        root.join("types/../x.sock"),
        folder.path().join("link/x.sock"),
        folder.path().join("link/.git/x.sock"),
        folder.path().join(format!("../{name}/x.sock")),
        folder.path().join("dangling.sock"),
        folder.path().join("file"),
        folder.path().join("to-file"),
        folder.path().join("no/such/folder/x.sock"),
        folder.path().to_owned(),
    ] {
        for option in ["--listen", "--metrics"] {
            let address = format!("unix:{}", path.display());
            let other = ["--listen", "127.0.0.1:0"];
            let other = if option == "--listen" { &[] } else { &other[..] };
            let root = root.to_str().unwrap();
            let arguments = [&["--root", root, "--transport", "streamable-http", option, &address], other].concat();
            let output = run(&arguments, "");
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{address}: {errors}");
            assert!(errors.contains(&format!("error: cannot listen on `{address}`")), "{errors}");
        }
    }
    assert_eq!(tree(root), before);
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "kept");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
}

/// All paths below a folder.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        match entry.file_type().unwrap().is_dir() {
            true => paths.extend(tree(&entry.path())),
            false => paths.push(entry.path()),
        }
    }
    paths.sort();
    paths
}

#[test]
fn metrics_are_told_elsewhere() {
    let wiki = Wiki::new();
    let arguments = ["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"];
    let running = Running::start(&wiki, &arguments, &["url", "address"]);
    let address = running.said[0].strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
    assert!(
        get(TcpStream::connect(&running.said[1]).unwrap(), "/metrics").contains("\n# TYPE chemenu_requests counter\n")
    );
    assert!(get(TcpStream::connect(address).unwrap(), "/metrics").starts_with("HTTP/1.1 404"));
    assert!(get(TcpStream::connect(&running.said[1]).unwrap(), "/mcp").starts_with("HTTP/1.1 404"));
    running.stop();
}

#[test]
fn what_needs_no_snapshot_is_answered_before_there_is_one() {
    let wiki = Wiki::large();
    let mut child = program(&["--root", wiki.root().to_str().unwrap(), "--no-cache"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lists = ["server/discover", "tools/list", "prompts/list", "resources/templates/list"];
    let call = ("tools/call", json!({ "name": "search", "arguments": { "query": "compost" } }));
    for (id, (method, mut params)) in [call].into_iter().chain(lists.map(|method| (method, json!({})))).enumerate() {
        params["_meta"] = meta(MODERN);
        writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).unwrap();
    }
    let mut answers = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().take(5) {
        answers.push(serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(answers.last().unwrap()["id"], 0, "the search came last, for it needs all pages");
    let discover = answers.iter().find(|answer| answer["id"] == 1).unwrap();
    let instructions = discover["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("its name is \"Garden\"") && instructions.contains("\"concept\""), "{instructions}");
}

#[test]
fn a_handshake_waits_for_no_snapshot_either() {
    let wiki = Wiki::large();
    let mut child = program(&["--root", wiki.root().to_str().unwrap(), "--no-cache"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut receive = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let client = json!({ "name": "t", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).unwrap();
    let initialized = receive();
    assert!(initialized["result"]["instructions"].as_str().unwrap().contains("\"Garden\""), "{initialized}");
    writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
    let arguments = json!({ "query": "compost" });
    let call = json!({ "name": "search", "arguments": arguments, "_meta": { "progressToken": 1 } });
    writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call })).unwrap();
    // Pages were still being read, then, when the handshake was answered.
    assert_eq!(receive()["method"], "notifications/progress");
    while receive()["id"] != 1 {}
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn who_asks_is_told_how_many_pages_have_been_read() {
    let wiki = Wiki::large();
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
