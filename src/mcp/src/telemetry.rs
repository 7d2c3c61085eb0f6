//! Telemetry: one line of JSON for every call, where the operator wants it.

#![allow(clippy::disallowed_methods, reason = "it writes the one file that `--telemetry` names, outside of the wiki")]

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chemenu_core::source::Repository;
use rustix::fs::OFlags;
use serde::Serialize;

/// A file that lines are appended to.
pub struct Telemetry {
    path: PathBuf,
    records_queries: bool,
    state: Mutex<State>,
}

struct State {
    file: File,
    /// Whether the last line was lost; it is told once.
    is_failing: bool,
}

/// One call.
#[derive(Debug, Serialize)]
pub(crate) struct Call<'c> {
    /// When it was answered: RFC 3339, UTC, with milliseconds.
    pub(crate) time: String,
    /// The tool.
    pub(crate) tool: &'c str,
    /// The commit that the answer was read from.
    pub(crate) commit: Option<&'c str>,
    /// `answered`, or an error's code.
    pub(crate) outcome: &'c str,
    /// Milliseconds from the call to its answer.
    pub(crate) ms: f64,
    /// Bytes of the arguments' JSON.
    pub(crate) asked: usize,
    /// Bytes of the answer's JSON.
    pub(crate) answered: usize,
    /// The caller, where the proxy's headers are trusted.
    pub(crate) user: Option<&'c str>,
    /// The HTTP request's id.
    pub(crate) request: Option<&'c str>,
    /// The query of a search that found nothing, where queries are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) query: Option<&'c str>,
}

impl Telemetry {
    /// Opens or makes the file, which only its owner may read then. `records_queries`: whether to write down what found nothing.
    ///
    /// # Errors
    /// The message and the hint: it would lie in the wiki or in git's folder, is no file, or cannot be written.
    pub fn open(path: &Path, records_queries: bool, repository: &Repository) -> Result<Self, (String, &'static str)> {
        let shown = path.display();
        if repository.holds(path) {
            return Err((
                format!("the telemetry file `{shown}` lies in the wiki"),
                "name a file elsewhere with `--telemetry`",
            ));
        }
        // To open a pipe may wait for ever.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err((format!("the telemetry file `{shown}` is no regular file"), "name a file with `--telemetry`"));
        }
        // A link is followed once, here.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = open(&path).map_err(|error| {
            (format!("the telemetry file `{shown}` cannot be written: {error}"), "check its folder")
        })?;
        Ok(Self { path, records_queries, state: Mutex::new(State { file, is_failing: false }) })
    }

    /// The folder that the file lies in.
    pub fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Whether queries that found nothing are recorded.
    pub(crate) fn records_queries(&self) -> bool {
        self.records_queries
    }

    /// Appends a line. One that cannot be written is lost, and the log says so once.
    pub(crate) fn record(&self, call: &Call) {
        let mut line = serde_json::to_vec(call).expect("numbers and texts serialise");
        line.push(b'\n');
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.append(&mut state.file, &line);
        if let Err(error) = &written
            && !state.is_failing
        {
            tracing::warn!("telemetry is lost: {error}");
        }
        state.is_failing = written.is_err();
    }

    fn append(&self, file: &mut File, line: &[u8]) -> io::Result<()> {
        // Whoever rotates the file moves it away.
        let is_same = |there: &Metadata, ours: &Metadata| (there.dev(), there.ino()) == (ours.dev(), ours.ino());
        if !self.path.metadata().is_ok_and(|there| file.metadata().is_ok_and(|ours| is_same(&there, &ours))) {
            *file = open(&self.path)?;
        }
        // In one call, so that lines of several servers do not mix.
        file.write_all(line)
    }
}

fn open(path: &Path) -> io::Result<File> {
    // Whatever may have come to lie there meanwhile: a link is not followed, a pipe not waited for.
    let flags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits().cast_signed();
    let file = File::options().append(true).create(true).mode(0o600).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() && metadata.nlink() <= 1 {
        true => Ok(file),
        // Of several names one may lie in the wiki.
        false => Err(io::Error::other("it is no regular file with one name")),
    }
}
