//! What a confined process can still do; in threads of their own, for there is no way back.

#![allow(clippy::disallowed_methods, reason = "these tests do what is to fail")]

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use chemenu_mcp::confine;

fn write(folder: &Path) -> std::io::Result<()> {
    fs::write(folder.join("file"), "text")
}

#[test]
fn nothing_is_written_but_below_its_own_folders_and_nothing_is_started() {
    let [own, other] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // The control: without confinement all of it works.
    for folder in [&own, &other] {
        write(folder.path()).unwrap();
    }
    assert!(Command::new("true").status().unwrap().success());
    TcpStream::connect(address).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let missing = own.path().join("missing");
            if let Err(reason) = confine(&[own.path().to_owned(), missing]) {
                // A kernel without it is no defect of ours, and said in the log.
                assert!(reason.contains("Landlock"), "{reason}");
                return;
            }
            let is_refused = |result: std::io::Result<()>, what: &str| {
                assert_eq!(result.map_err(|error| error.kind()), Err(ErrorKind::PermissionDenied), "{what}");
            };
            write(own.path()).unwrap();
            fs::create_dir(own.path().join("folder")).unwrap();
            fs::rename(own.path().join("file"), own.path().join("folder/file")).unwrap();
            fs::remove_file(own.path().join("folder/file")).unwrap();
            assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "text");
            is_refused(write(other.path()), "a file that is there");
            is_refused(fs::write(other.path().join("new"), ""), "a new file");
            is_refused(fs::create_dir(other.path().join("folder")), "a folder");
            is_refused(fs::remove_file(other.path().join("file")), "removing");
            is_refused(fs::rename(other.path().join("file"), other.path().join("moved")), "moving");
            is_refused(std::os::unix::fs::symlink("x", other.path().join("link")), "a link");
            is_refused(Command::new("true").status().map(drop), "a program");
            is_refused(TcpStream::connect(address).map(drop), "a connection");
            let inherited = std::thread::scope(|scope| scope.spawn(|| write(other.path())).join().unwrap());
            is_refused(inherited, "a thread of its own");
        });
    });
}
