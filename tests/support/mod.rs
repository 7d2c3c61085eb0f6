//! Temporary wikis in real git repositories, for tests.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]
#![allow(clippy::disallowed_methods, reason = "it makes the wikis that are read")]

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A git repository in a temporary folder. Commits are dated one hour apart from 2026-09-01T10:00:00Z on.
pub struct Wiki {
    dir: TempDir,
    commits: Cell<u32>,
}

impl Wiki {
    /// An empty repository whose HEAD is the unborn `main`.
    pub fn new() -> Self {
        Self::init(&[])
    }

    /// As [`Wiki::new`], with more options for `git init`.
    pub fn init(options: &[&str]) -> Self {
        let wiki = Self { dir: TempDir::new().unwrap(), commits: Cell::new(0) };
        wiki.git(&[&["init", "-q", "-b", "main"], options].concat());
        wiki
    }

    /// A repository with one commit of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let wiki = Self::new();
        for (path, text) in files {
            wiki.write(path, text);
        }
        wiki.commit("first");
        wiki
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A path below the folder; any bytes but NUL.
    pub fn at(&self, path: impl AsRef<[u8]>) -> PathBuf {
        self.path().join(OsStr::from_bytes(path.as_ref()))
    }

    /// Writes a file, and the folders on the way.
    pub fn write(&self, path: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Runs git there and gives what it printed, without the last line end.
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Runs git there; it may fail.
    pub fn try_git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_bytes().starts_with(b"GIT_")) {
            git.env_remove(name);
        }
        let date = format!("2026-09-01T{:02}:00:00Z", 10 + self.commits.get() % 14);
        let settings = ["user.name=Test", "user.email=test@example.org", "protocol.file.allow=always", "gc.auto=0"];
        git.args(settings.iter().flat_map(|setting| ["-c", setting]))
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .expect("git runs")
    }

    /// Commits everything and gives the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.commits.set(self.commits.get() + 1);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Everything below the folder, `.git` included: name, kind, size, times, and bytes of the files.
    pub fn fingerprint(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
                let meta = entry.path().symlink_metadata().unwrap();
                let bytes = if meta.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
                found.push(format!(
                    "{:?} {:o} {} {}.{} {}.{} {:?}",
                    entry.path(),
                    meta.mode(),
                    meta.ino(),
                    meta.mtime(),
                    meta.mtime_nsec(),
                    meta.ctime(),
                    meta.ctime_nsec(),
                    bytes
                ));
                if meta.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }
}
