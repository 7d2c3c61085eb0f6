//! The door: a corpus takes a question and gives an answer.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::answer::{Answer, Stamp};
use crate::error::Error;
use crate::question::Request;

/// Where a wiki is and how to read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The wiki's folder; else the nearest folder upwards from the current one that holds `chemenu.toml`, else the work
    /// tree's top.
    pub root: Option<PathBuf>,
    /// The revision to read instead of the work tree; a bare repository is read at `HEAD` if `None`.
    pub reference: Option<String>,
    /// The wiki's folder inside a bare repository.
    pub folder: Option<String>,
    /// What to do where the work tree differs from HEAD.
    pub dirty: Dirty,
    /// A server that stays: looks for changes at most once a second, and waits out a running `git` command.
    pub resident: bool,
}

/// What to do where the work tree differs from HEAD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dirty {
    /// Read the files, and stamp the answer with no commit.
    #[default]
    Serve,
    /// Read HEAD whatever the tree holds.
    Ignore,
    /// Refuse to answer.
    Refuse,
}

/// A wiki that can be asked. Cheap to share between threads.
#[derive(Debug)]
pub struct Corpus {
    #[allow(dead_code)]
    options: Options,
}

impl Corpus {
    /// Finds the wiki. Pages are read when the first question comes.
    ///
    /// # Errors
    /// No repository there, or one that cannot be read.
    pub fn open(options: Options) -> Result<Self, Error> {
        Ok(Self { options })
    }

    /// Answers a question. Never fails: an error is an answer with an `error` object.
    pub fn ask(&self, request: &Request) -> Answer {
        let _ = request;
        Answer::error(&Stamp::default(), &Error::Internal { message: "not built yet".into() })
    }

    /// Answers a question given by name and JSON arguments; what is wrong with them is an answer too.
    pub fn ask_json(&self, name: &str, arguments: Map<String, Value>) -> Answer {
        match Request::from_json(name, arguments) {
            Ok(request) => self.ask(&request),
            Err(error) => Answer::error(&self.stamp(), &error),
        }
    }

    /// The stamp of the snapshot that a question asked now would read; empty where there is none.
    pub fn stamp(&self) -> Stamp {
        Stamp::default()
    }
}
