//! The door: a corpus takes a question and gives an answer.

mod about;
mod complete;
mod reading;
mod shared;
mod state;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use crate::answer::{Answer, Body, Stamp};
use crate::ask::{self, Context};
use crate::cache::{self, Cache};
use crate::error::Error;
use crate::question::{Question, Request};
use crate::snapshot::Snapshot;
use crate::source::Repository;
use shared::{Now, Shared};

pub use about::{About, AboutType};
pub use complete::{Beginning, Completions, Named};

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
    /// Where indexes of wikis are kept; nowhere if `None`.
    pub cache: Option<CacheFolder>,
}

/// A folder for indexes of wikis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheFolder {
    /// The user's own; where that cannot be used, nothing is cached.
    Default,
    /// The one that the user names.
    At(PathBuf),
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

impl std::str::FromStr for Dirty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "serve" => Ok(Self::Serve),
            "ignore" => Ok(Self::Ignore),
            "refuse" => Ok(Self::Refuse),
            _ => Err(format!("`{text}` is not `serve`, `ignore` or `refuse`")),
        }
    }
}

/// A wiki that can be asked, from any number of threads.
pub struct Corpus {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

impl Corpus {
    /// Finds the wiki. Pages are read when the first question comes.
    ///
    /// # Errors
    /// No repository there, or one that cannot be read; a cache that would lie in it.
    pub fn open(options: Options) -> Result<Self, Error> {
        let repository = Arc::new(Repository::open(&options)?);
        let mut warnings = Vec::new();
        let cache = match &options.cache {
            None => None,
            Some(CacheFolder::At(folder)) => Some(Cache::new(folder, &repository)?),
            Some(CacheFolder::Default) => match cache::default_folder() {
                None => {
                    warnings.push("nothing is cached: neither `XDG_CACHE_HOME` nor `HOME` names a folder".to_owned());
                    None
                }
                Some(folder) => {
                    let cache = Cache::new(&folder, &repository);
                    cache.map_err(|error| warnings.push(format!("nothing is cached: {error}"))).ok()
                }
            },
        };
        let shared = Shared {
            options,
            repository,
            cache,
            state: Mutex::default(),
            other: Mutex::default(),
            warnings: Mutex::new(warnings),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Answers a question. Never fails: an error is an answer with an `error` object.
    pub fn ask(&self, request: &Request) -> Answer {
        match self.snapshot(request.at.as_deref()) {
            Ok(snapshot) => self.answer(&snapshot, request),
            Err(error) => Answer::error(&Stamp::default(), &error),
        }
    }

    /// Answers a question from a snapshot that was taken before, whatever has become of the repository since; `at` is
    /// not looked at.
    pub fn answer(&self, snapshot: &Arc<Snapshot>, request: &Request) -> Answer {
        if request.question.is_about_few() && self.shared.cache.is_some() && snapshot.commit().is_some() {
            // Made once, it serves every later question; what goes wrong with it the question itself will tell.
            _ = snapshot.index();
        }
        let counted = matches!(request.question, Question::Status(_)).then(|| self.shared.count(snapshot)).flatten();
        let answered = catch_unwind(AssertUnwindSafe(|| self.try_answer(snapshot, request)));
        if let Some((cache, commit)) = counted
            && let Some(summary) = snapshot.known_summary()
            && let Err(error) = cache.save_summary(&commit, summary)
        {
            self.shared.warn(&error);
        }
        match answered {
            Ok(answer) if !snapshot.is_damaged() => {
                self.shared.keep(snapshot);
                answer
            }
            Err(panic) if !snapshot.is_stored() => resume_unwind(panic),
            // What was stored is not what was written.
            _ => match self.shared.anew(snapshot) {
                Ok(fresh) => self.try_answer(&fresh, request),
                Err(error) => Answer::error(&snapshot.stamp, &error),
            },
        }
    }

    fn try_answer(&self, snapshot: &Snapshot, request: &Request) -> Answer {
        let context = Context { snapshot, repository: &self.shared.repository, revisions: &*self.shared };
        match ask::answer(&context, &request.question) {
            Ok(body) => Answer::new(&snapshot.stamp, body, request.budget),
            Err(error) => Answer::error(&snapshot.stamp, &error),
        }
    }

    /// Answers a question given by name and JSON arguments; what is wrong with them is an answer too.
    pub fn ask_json(&self, name: &str, arguments: Map<String, Value>) -> Answer {
        match Request::from_json(name, arguments) {
            Ok(request) => self.ask(&request),
            Err(error) => Answer::error(&self.stamp(), &error),
        }
    }

    /// The stamp that a question asked now would get; empty where there is nothing to read.
    pub fn stamp(&self) -> Stamp {
        match self.shared.present() {
            Ok(Now::Commit(snapshot)) => snapshot.stamp.clone(),
            Ok(Now::Files(_)) => Stamp::of_files(),
            Err(_) => Stamp::default(),
        }
    }

    /// The repository that is read.
    pub fn repository(&self) -> &Repository {
        &self.shared.repository
    }

    /// As [`Corpus::ask_json`], from a snapshot that was taken before; `at` is not looked at.
    pub fn answer_json(&self, snapshot: &Arc<Snapshot>, name: &str, arguments: Map<String, Value>) -> Answer {
        match Request::from_json(name, arguments) {
            Ok(request) => self.answer(snapshot, &request),
            Err(error) => Answer::error(&snapshot.stamp, &error),
        }
    }

    /// The snapshot of a revision, or of what is there now.
    ///
    /// # Errors
    /// There is no such revision, or it cannot be read as a whole; as [`Corpus::now`].
    pub fn snapshot(&self, at: Option<&str>) -> Result<Arc<Snapshot>, Error> {
        match at {
            Some(revision) => self.shared.other(&self.shared.commit_at(revision)?),
            None => self.now(),
        }
    }

    /// The snapshot of what is there now.
    ///
    /// # Errors
    /// A tree that is dirty and may not be, or cannot be read as a whole.
    pub fn now(&self) -> Result<Arc<Snapshot>, Error> {
        match self.shared.present()? {
            Now::Commit(snapshot) => Ok(snapshot),
            // Files are read anew for every question: nothing says that they stay as they are.
            Now::Files(head) => self.shared.files(head),
        }
    }

    /// How many pages have been read, of how many, by a question that must read most of them; `None` where there is none.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.shared.repository.progress()
    }

    /// The only folder that is written below, made if it is not there; `None` where nothing is kept.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        self.shared.cache.as_ref()?.folder().map(PathBuf::from)
    }

    /// What went wrong beside the answers since this was asked last, for people; a sentence each, no period.
    pub fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared.warnings))
    }

    /// What is stored of this wiki on this machine, after taking it away if `clear`. Stamped with the commit that is stored.
    pub fn doctor(&self, clear: bool) -> Answer {
        let cache = self.shared.cache.as_ref();
        if let Some(cache) = cache.filter(|_| clear) {
            cache.discard();
        }
        let (stamp, cache) = cache.map(|cache| cache.describe(&self.shared.repository)).unwrap_or_default();
        let object = Map::from_iter([("version".into(), crate::VERSION.into()), ("cache".into(), cache)]);
        Answer::new(&stamp, Body::answered(object, &[]), None)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
