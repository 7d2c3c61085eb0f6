//! The program `chemenu-auth` as an operator and a proxy see it.

#![allow(clippy::disallowed_methods, reason = "these tests start the program and write token files")]

mod auth_support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Child, Command};

use auth_support::{Place, Server, is_refusal, is_user, program, refused, run, told};

#[test]
fn tokens_come_and_go_while_the_server_runs() {
    let place = Place::new();
    let ada = place.add("ada");
    let server = Server::new(&place.file);
    assert!(is_user(&server.verify(&ada), "ada"));
    let bob = place.add("bob");
    assert_ne!(ada, bob);
    assert!(is_user(&server.verify(&bob), "bob"));
    assert!(is_user(
        &server.get("/verify?x=1", &format!("authorization: bearer {bob}\r\nX-Auth-User: root\r\n")),
        "bob"
    ));
    assert_eq!(told(&["token", "revoke", "ada", "--file", &place.file]), "");
    let answer = server.verify(&ada);
    assert!(is_refusal(&answer) && answer.contains("error=\"invalid_token\""), "{answer}");
    assert!(is_user(&server.verify(&bob), "bob"));
    let answer = server.get("/verify", "");
    assert!(is_refusal(&answer) && !answer.contains("error="), "{answer}");
    assert!(is_refusal(&server.get("/verify", &format!("X-Auth-User: bob\r\nCookie: token={bob}\r\n"))));
    assert!(is_refusal(&server.get(&format!("/verify?access_token={bob}"), "")));
    let two = format!("Authorization: Bearer {bob}\r\nAuthorization: Bearer {bob}\r\n");
    let answer = server.get("/verify", &two);
    assert!(is_refusal(&answer) && answer.contains("error=\"invalid_request\""), "{answer}");
}

#[test]
fn an_expired_token_is_refused_and_listed_so() {
    let place = Place::new();
    let ada = place.add("ada");
    place.add("bob");
    let text = fs::read_to_string(&place.file).unwrap();
    let mut entries: Vec<String> = text.split("[[token]]").map(str::to_owned).collect();
    entries[1] = entries[1]
        .lines()
        .map(|line| match line.split_once(" = ") {
            Some(("created", _)) => "created = 2020-01-01T00:00:00Z\n".to_owned(),
            Some(("expires", _)) => "expires = 2020-01-02T00:00:00Z\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    let server = Server::new(&place.file);
    assert!(is_user(&server.verify(&ada), "ada"));
    fs::write(&place.file, entries.join("[[token]]")).unwrap();
    let answer = server.verify(&ada);
    assert!(is_refusal(&answer) && answer.contains("has expired"), "{answer}");
    let list = told(&["token", "list", "--file", &place.file]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 2, "{list}");
    assert_eq!(lines[0], "ada  2020-01-01T00:00:00Z  2020-01-02T00:00:00Z  expired");
    assert!(lines[1].starts_with("bob  ") && lines[1].ends_with("  good"), "{list}");
}

#[test]
fn neither_token_nor_hash_is_in_the_list_or_the_log() {
    let place = Place::new();
    let ada = place.add("ada");
    let text = fs::read_to_string(&place.file).unwrap();
    let hash = text.split("sha256 = \"").nth(1).unwrap()[..64].to_owned();
    assert!(!text.contains(&ada[8..]));
    let list = told(&["token", "list", "--file", &place.file]);
    assert!(!list.contains(&ada[8..]) && !list.contains(&hash));
    let server = Server::new(&place.file);
    server.verify(&ada);
    server.verify(&format!("{ada}x"));
    server.get("/verify", &format!("Authorization: Basic {ada}\r\nX-Forwarded-For: {ada}\r\n"));
    server.get("/verify", "X-Forwarded-For: 10.0.0.1, 192.0.2.7\r\n");
    for _ in 0..100 {
        server.verify("wrong");
    }
    let (status, log) = server.stop();
    assert_eq!(status, Some(0));
    assert!(!log.contains(&ada[8..]) && !log.contains(&hash), "{log}");
    assert!(log.contains("nobody has such a token") && log.contains("192.0.2.7") && !log.contains("10.0.0.1"), "{log}");
    assert!(log.lines().filter(|line| line.contains("\"refused\"")).count() < 100, "{log}");
}

#[test]
fn a_file_that_others_can_use_lets_nobody_in() {
    let place = Place::new();
    let ada = place.add("ada");
    assert_eq!(fs::metadata(&place.file).unwrap().permissions().mode() & 0o7777, 0o600);
    let server = Server::new(&place.file);
    for mode in [0o640, 0o604, 0o660, 0o601, 0o622] {
        place.mode(mode);
        assert!(is_refusal(&server.verify(&ada)));
        assert!(server.get("/healthz", "").starts_with("HTTP/1.1 503 "));
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["token", "list"],
            &["token", "add", "bob"],
            &["token", "revoke", "ada"],
        ] {
            let errors = refused(&[command, &["--file", &place.file]].concat(), 2, "others can use the token file");
            assert!(errors.contains("\nhint: run `chmod 600 "), "{errors}");
        }
    }
    for mode in [0o600, 0o400] {
        place.mode(mode);
        assert!(is_user(&server.verify(&ada), "ada"));
        assert!(server.get("/healthz", "").starts_with("HTTP/1.1 200 "));
    }
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o770)).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    refused(&["token", "list", "--file", &place.file], 2, "others can replace files in the folder");
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    assert!(is_user(&server.verify(&ada), "ada"));
}

#[test]
fn a_file_that_is_gone_or_wrong_lets_nobody_in_and_the_log_says_why() {
    let place = Place::new();
    let ada = place.add("ada");
    let good = fs::read(&place.file).unwrap();
    let server = Server::new(&place.file);
    fs::remove_file(&place.file).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    fs::write(&place.file, b"").unwrap();
    place.mode(0o600);
    assert!(is_refusal(&server.verify(&ada)));
    fs::write(&place.file, &good[..good.len() / 2]).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    fs::write(&place.file, [&good[..], b"\xff"].concat()).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    fs::remove_file(&place.file).unwrap();
    fs::create_dir(&place.file).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    fs::remove_dir(&place.file).unwrap();
    assert!(Command::new("mkfifo").args(["-m", "600", &place.file]).status().unwrap().success());
    assert!(is_refusal(&server.verify(&ada)));
    fs::remove_file(&place.file).unwrap();
    fs::write(&place.file, &good).unwrap();
    place.mode(0o600);
    assert!(is_user(&server.verify(&ada), "ada"));
    let (_, log) = server.stop();
    for reason in ["No such file", "is not valid", "is no file"] {
        assert!(log.contains(reason), "{log}");
    }
}

#[test]
fn a_file_of_somebody_else_is_refused() {
    let place = Place::new();
    place.add("ada");
    // Only root can give a file away.
    if std::os::unix::fs::chown(&place.file, Some(54_321), None).is_ok() {
        refused(&["token", "list", "--file", &place.file], 2, "belongs to somebody else");
        // A service's folder, kept by root: what root writes there is the service's.
        std::os::unix::fs::chown(place.path(), Some(54_321), Some(54_321)).unwrap();
        place.add("bob");
        use std::os::unix::fs::MetadataExt;
        assert_eq!(fs::metadata(&place.file).unwrap().uid(), 54_321);
        let new = Place { file: place.file.replace("tokens", "new"), ..place };
        new.add("ada");
        assert_eq!(fs::metadata(&new.file).unwrap().uid(), 54_321);
    }
}

#[test]
fn links_are_followed_and_stay() {
    let place = Place::new();
    let ada = place.add("ada");
    let link = place.path().join("link.toml");
    symlink("tokens.toml", &link).unwrap();
    let link = link.to_str().unwrap();
    told(&["token", "add", "bob", "--file", link]);
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    assert!(told(&["token", "list", "--file", &place.file]).contains("bob"));
    let server = Server::new(link);
    assert!(is_user(&server.verify(&ada), "ada"));
    place.mode(0o644);
    assert!(is_refusal(&server.verify(&ada)));
    let nowhere = place.path().join("nowhere.toml");
    symlink("gone/tokens.toml", &nowhere).unwrap();
    refused(&["token", "add", "eve", "--file", nowhere.to_str().unwrap()], 2, "leads nowhere");
    assert_eq!(place.files(), ["link.toml", "nowhere.toml", "tokens.toml"]);
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let place = Place::new();
    let file = place.file.as_str();
    for (arguments, status, message) in [
        (vec!["token", "list", "--file", file], 2, "No such file"),
        (vec!["token", "revoke", "ada", "--file", file], 2, "No such file"),
        (vec!["serve", "--file", file], 2, "No such file"),
        (vec!["token", "add", "a b", "--file", file], 2, "a name is"),
        (vec!["token", "add", "", "--file", file], 2, "a name is"),
        (vec!["token", "add", "ada", "--file", file, "--days", "91"], 2, "91"),
        (vec!["token", "add", "ada", "--file", file, "--days", "0"], 2, "0"),
        (vec!["token", "add", "ada", "--file", file, "--days", "-1"], 2, "-1"),
        (vec!["token", "add", "ada"], 2, "--file"),
        (vec!["serve", "--file", file, "--listen", "8320"], 2, "ADDRESS:PORT"),
    ] {
        refused(&arguments, status, message);
        assert!(place.files().is_empty(), "{arguments:?}");
    }
    let nowhere = place.path().join("no/tokens.toml");
    refused(&["token", "add", "ada", "--file", nowhere.to_str().unwrap()], 2, "leads nowhere");
    place.add("ada");
    let before = fs::read(file).unwrap();
    refused(&["token", "add", "ada", "--file", file], 1, "there is one of that name already");
    refused(&["token", "revoke", "bob", "--file", file], 1, "`bob` has no token");
    assert_eq!(fs::read(file).unwrap(), before);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let held = std::net::TcpListener::bind(&taken).unwrap();
    let output = run(&["serve", "--file", file, "--listen", &held.local_addr().unwrap().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: cannot listen on"));
}

#[test]
fn a_token_that_cannot_be_printed_is_told() {
    let place = Place::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(&["token", "add", "ada", "--file", &place.file]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\nhint: revoke it with `chemenu-auth token revoke ada`"));
}

#[test]
fn writers_wait_for_each_other_and_leave_one_file() {
    let place = Place::new();
    let names: Vec<String> = (0..20).map(|number| format!("user{number}")).collect();
    let writers: Vec<Child> =
        names.iter().map(|name| program(&["token", "add", name, "--file", &place.file]).spawn().unwrap()).collect();
    let tokens: Vec<String> = writers
        .into_iter()
        .map(|writer| {
            let output = writer.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
        })
        .collect();
    let server = Server::new(&place.file);
    for (token, name) in tokens.iter().zip(&names) {
        assert!(is_user(&server.verify(token), name));
    }
    assert_eq!(place.files(), ["tokens.toml"]);
}

#[test]
fn other_paths_and_methods_let_nobody_in() {
    let place = Place::new();
    let ada = place.add("ada");
    let server = Server::new(&place.file);
    let authorization = format!("Host: x\r\nConnection: close\r\nAuthorization: Bearer {ada}\r\n\r\n");
    for (line, status) in [
        ("GET /verify HTTP/1.1", 200),
        ("POST /verify HTTP/1.1", 405),
        ("HEAD /verify HTTP/1.1", 405),
        ("OPTIONS /verify HTTP/1.1", 405),
        ("GET / HTTP/1.1", 404),
        ("GET /verify/ HTTP/1.1", 404),
        ("GET //verify HTTP/1.1", 404),
        ("GET /%76erify HTTP/1.1", 404),
        ("GET /Verify HTTP/1.1", 404),
        ("GET /verify HTTP/2.0", 400),
        ("GET", 400),
    ] {
        let answer = server.raw(format!("{line}\r\n{authorization}").as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{line}: {answer}");
        assert_eq!(answer.contains("x-auth-user"), status == 200, "{line}");
    }
}

#[test]
fn heads_are_bounded_and_bodies_are_not_read() {
    let place = Place::new();
    let ada = place.add("ada");
    let server = Server::new(&place.file);
    let filler = |bytes: usize| format!("X-Filler: {}\r\nAuthorization: Bearer {ada}\r\n", "x".repeat(bytes));
    assert!(is_user(&server.get("/verify", &filler(30_000)), "ada"));
    assert!(server.get("/verify", &"X-Many: 1\r\n".repeat(200)).starts_with("HTTP/1.1 431 "));
    // The refusal may be lost on the way while more is still being sent.
    let answer = server.get("/verify", &filler(1_000_000));
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let body = format!("Authorization: Bearer {ada}\r\nContent-Length: 100000000\r\n");
    assert!(is_user(&server.get("/verify", &body), "ada"));
    assert!(is_user(&server.verify(&ada), "ada"));
}

#[test]
fn ten_thousand_random_requests_get_nobody_in() {
    use sha2::{Digest, Sha256};
    let place = Place::new();
    let ada = place.add("ada");
    let server = Server::new(&place.file);
    let mut stream = BufReader::new(TcpStream::connect(&server.address).unwrap());
    let mut answers = 0;
    for seed in 0_u32..10_000 {
        let noise: Vec<u8> =
            (0..3_u32).flat_map(|block| Sha256::digest([seed, block].map(u32::to_le_bytes).concat())).collect();
        let value = &noise[1..2 + usize::from(noise[0]) % 90];
        let request = match seed % 3 {
            // Anything at all, up to the line ends.
            0 => [b"GET /verify HTTP/1.1\r\nAuthorization: ", value, b"\r\nHost: x\r\n\r\n"].concat(),
            1 => [b"GET /verify HTTP/1.1\r\nAuthorization: Bearer ", value, b"\r\nHost: x\r\n\r\n"].concat(),
            // A token of the right form.
            _ => {
                let letters: String = noise[..43].iter().map(|byte| char::from(b'a' + byte % 26)).collect();
                format!("GET /verify HTTP/1.1\r\nAuthorization: Bearer chemenu_{letters}\r\nHost: x\r\n\r\n")
                    .into_bytes()
            }
        };
        stream.get_mut().write_all(&request).unwrap();
        let answer = head(&mut stream);
        assert!(answer.starts_with("HTTP/1.1 401 ") || answer.starts_with("HTTP/1.1 400 "), "{seed}: {answer}");
        answers += 1;
        if answer.starts_with("HTTP/1.1 400 ") {
            stream = BufReader::new(TcpStream::connect(&server.address).unwrap());
        }
    }
    assert_eq!(answers, 10_000);
    assert!(is_user(&server.verify(&ada), "ada"));
    let (status, log) = server.stop();
    assert_eq!(status, Some(0));
    assert!(!log.contains("panicked"), "{log}");
}

/// The head of an answer; its body is read, too, and thrown away.
fn head(stream: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(stream.read_line(&mut head).unwrap(), 0, "closed after {head:?}");
    }
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
    stream.read_exact(&mut vec![0; length]).unwrap();
    head
}

#[test]
fn a_unix_socket_is_for_its_owner_and_goes_with_the_process() {
    let place = Place::new();
    let ada = place.add("ada");
    let socket: PathBuf = place.path().join("socket");
    let listen = format!("unix:{}", socket.display());
    // What a process that was killed has left behind makes room.
    drop(UnixListener::bind(&socket).unwrap());
    let server = Server::at(&place.file, &listen);
    assert_eq!(fs::symlink_metadata(&socket).unwrap().permissions().mode() & 0o7777, 0o600);
    let mut stream = UnixStream::connect(&socket).unwrap();
    let request =
        format!("GET /verify HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {ada}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(is_user(&answer, "ada"), "{answer}");
    refused_to_listen(&place.file, &listen, "another process listens there");
    assert_eq!(server.stop().0, Some(0));
    assert!(!socket.exists());
    fs::write(&socket, "not a socket").unwrap();
    refused_to_listen(&place.file, &listen, "no socket");
    assert_eq!(fs::read(&socket).unwrap(), b"not a socket");
}

fn refused_to_listen(file: &str, listen: &str, message: &str) {
    let output = run(&["serve", "--file", file, "--listen", listen]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("error: cannot listen on") && errors.contains(message), "{errors}");
}

/// The workspace's crates that a crate is built from, itself included.
fn ours(name: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", name, "-e", "normal,build", "--all-features", "--prefix", "none", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').next()).filter(|name| name.starts_with("chemenu"));
    names.map(str::to_owned).collect()
}

#[test]
fn it_is_linked_with_nothing_that_reads_wikis() {
    assert_eq!(ours("chemenu-auth"), ["chemenu-auth"]);
    assert!(ours("chemenu-mcp").len() > 1, "the same question finds crates where they are");
}

#[test]
fn a_log_that_cannot_be_written_keeps_nobody_waiting() {
    let place = Place::new();
    place.add("ada");
    let mut server = Server::new(&place.file);
    server.lose_log();
    for number in 0..20 {
        // Each of these is told of in the log.
        let token = place.add(&format!("user{number}"));
        assert!(is_refusal(&server.verify("wrong")));
        assert!(is_user(&server.verify(&token), &format!("user{number}")));
    }
    assert_eq!(server.stop().0, Some(0));
}

#[test]
fn a_token_is_shown_to_somebody_and_is_no_name() {
    let place = Place::new();
    let ada = place.add("ada");
    let nowhere = fs::OpenOptions::new().write(true).open("/dev/null").unwrap();
    let output = program(&["token", "add", "bob", "--file", &place.file]).stdout(nowhere).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("shown to nobody"));
    assert!(!told(&["token", "list", "--file", &place.file]).contains("bob"));
    refused(&["token", "add", &ada, "--file", &place.file], 2, "that is a token and no name");
    refused(&["token", "revoke", &ada, "--file", &place.file], 2, "that is a token and no name");
}

#[test]
fn a_second_name_lets_nobody_in_and_leavings_are_taken_away() {
    let place = Place::new();
    let ada = place.add("ada");
    let server = Server::new(&place.file);
    let second = place.path().join("second.toml");
    fs::hard_link(&place.file, &second).unwrap();
    assert!(is_refusal(&server.verify(&ada)));
    refused(&["token", "revoke", "ada", "--file", &place.file], 2, "has 2 names");
    fs::remove_file(&second).unwrap();
    assert!(is_user(&server.verify(&ada), "ada"));
    fs::write(place.path().join(".chemenu-auth-killed"), "half").unwrap();
    place.add("bob");
    assert_eq!(place.files(), ["tokens.toml"]);
}

#[test]
fn a_socket_of_another_process_stays() {
    let place = Place::new();
    place.add("ada");
    let path = place.path().join("socket");
    let first = Server::at(&place.file, &format!("unix:{}", path.display()));
    fs::remove_file(&path).unwrap();
    let _other = UnixListener::bind(&path).unwrap();
    assert_eq!(first.stop().0, Some(0));
    assert!(path.exists());
}
