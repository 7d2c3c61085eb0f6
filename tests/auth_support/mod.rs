//! Starting `chemenu-auth` and asking it.

#![allow(unreachable_pub, missing_docs, reason = "a part of a test")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chemenu-auth"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

/// Runs a command that must succeed in silence, and gives what it prints.
pub fn told(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with `status`, `message` and a hint, and print nothing.
pub fn refused(arguments: &[&str], status: i32, message: &str) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {errors}");
    assert!(errors.starts_with("error: ") && errors.contains(message), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty());
    errors
}

pub struct Place {
    pub folder: tempfile::TempDir,
    pub file: String,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml").to_str().unwrap().to_owned();
        Self { folder, file }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn add(&self, name: &str) -> String {
        let printed = told(&["token", "add", name, "--file", &self.file]);
        let token = printed.strip_suffix('\n').unwrap();
        assert!(token.starts_with("chemenu_") && !token.contains(char::is_whitespace), "{token}");
        token.to_owned()
    }

    pub fn mode(&self, mode: u32) {
        fs::set_permissions(&self.file, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Files in the folder, by name, the writers' lock apart.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != ".chemenu-auth.lock");
        names.sort();
        names
    }
}

/// A server that runs until it is dropped.
pub struct Server {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
    pub address: String,
}

impl Server {
    pub fn new(file: &str) -> Self {
        Self::at(file, "127.0.0.1:0")
    }

    pub fn at(file: &str, listen: &str) -> Self {
        let mut child = program(&["serve", "--file", file, "--listen", listen, "--log", "json"]).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let entry: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        let fields = &entry["fields"];
        assert_eq!(fields["message"], "listening", "{line}");
        let address = match fields["url"].as_str() {
            Some(url) => url.strip_prefix("http://").unwrap().strip_suffix("/verify").unwrap().to_owned(),
            None => fields["socket"].as_str().unwrap().to_owned(),
        };
        Self { child, log, address }
    }

    /// Sends bytes and gives all that comes until the other side closes.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // A server that has refused already may close while more is on the way.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn get(&self, path: &str, headers: &str) -> String {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    pub fn verify(&self, token: &str) -> String {
        self.get("/verify", &format!("Authorization: Bearer {token}\r\n"))
    }

    /// Whoever read the log is gone.
    pub fn lose_log(&mut self) {
        let child = program(&[]).spawn().map(|mut child| (child.stderr.take(), child));
        let (other, mut ended) = child.unwrap();
        self.log = BufReader::new(other.unwrap());
        ended.wait().unwrap();
    }

    /// Asks the process to stop, and gives its exit status and the rest of its log.
    pub fn stop(mut self) -> (Option<i32>, String) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn is_user(answer: &str, name: &str) -> bool {
    answer.starts_with("HTTP/1.1 200 ") && answer.contains(&format!("\r\nx-auth-user: {name}\r\n"))
}

pub fn is_refusal(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 401 ")
        && answer.contains("\r\nwww-authenticate: Bearer realm=\"chemenu\"")
        && !answer.contains("x-auth-user")
}
