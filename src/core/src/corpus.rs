//! The door: a corpus takes a question and gives an answer.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::answer::{Answer, Stamp};
use crate::ask::{self, Context};
use crate::error::Error;
use crate::question::Request;
use crate::snapshot::Snapshot;
use crate::source::{Commit, Repository};

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
    options: Options,
    repository: Repository,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The snapshot of the newest commit read.
    current: Option<(Commit, Arc<Snapshot>)>,
    /// When the work tree was last found clean, and how long looking took.
    clean: Option<Clean>,
    /// Since when git has been seen changing the work tree.
    locked: Option<Instant>,
    /// Other revisions, the last asked last.
    others: VecDeque<(Commit, Arc<Snapshot>)>,
}

struct Clean {
    commit: Commit,
    at: Instant,
    took: Duration,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus").field("options", &self.options).finish_non_exhaustive()
    }
}

/// A server looks at the work tree no more often than this,
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// and spends no more than one part in so many on it.
const CHECK_SHARE: u32 = 20;
/// A server answers from its last clean snapshot for so long while git holds its lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// How often a comparison that failed is made again, and after how long.
const COMPARISONS: usize = 10;
const COMPARE_AGAIN: Duration = Duration::from_millis(20);
/// How many other revisions are kept.
const OTHERS: usize = 4;

impl Corpus {
    /// Finds the wiki. Pages are read when the first question comes.
    ///
    /// # Errors
    /// No repository there, or one that cannot be read.
    pub fn open(options: Options) -> Result<Self, Error> {
        let repository = Repository::open(&options)?;
        Ok(Self { options, repository, state: Mutex::default() })
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
    pub fn answer(&self, snapshot: &Snapshot, request: &Request) -> Answer {
        let context = Context { snapshot, repository: &self.repository };
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
        match self.clean() {
            Ok(Some(snapshot)) => snapshot.stamp.clone(),
            Ok(None) => Stamp::of_files(),
            Err(_) => Stamp::default(),
        }
    }

    /// The repository that is read.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// As [`Corpus::ask_json`], from a snapshot that was taken before; `at` is not looked at.
    pub fn answer_json(&self, snapshot: &Snapshot, name: &str, arguments: Map<String, Value>) -> Answer {
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
            Some(revision) => self.other(&self.repository.resolve(revision)?),
            None => self.now(),
        }
    }

    /// The snapshot of what is there now.
    ///
    /// # Errors
    /// A tree that is dirty and may not be, or cannot be read as a whole.
    pub fn now(&self) -> Result<Arc<Snapshot>, Error> {
        match self.clean()? {
            Some(snapshot) => Ok(snapshot),
            // Files are read anew for every question: nothing says that they stay as they are.
            None => Snapshot::of_work_tree(&self.repository).map(Arc::new),
        }
    }

    /// The snapshot of the commit that answers for the present; `None` where the work tree's files do.
    fn clean(&self) -> Result<Option<Arc<Snapshot>>, Error> {
        let mut state = self.state();
        let Some(head) = self.repository.head()? else {
            let changes = if self.options.dirty == Dirty::Refuse { self.repository.changes()? } else { Vec::new() };
            return self.unless_refused(changes);
        };
        if self.options.dirty == Dirty::Ignore
            || !self.repository.has_work_tree()
            || state.is_clean(&head, &self.options)
        {
            return self.commit(&mut state, head).map(Some);
        }
        let started = Instant::now();
        let changes = self.relevant_changes(&mut state, head)?;
        if changes.is_empty() {
            state.clean = Some(Clean { commit: head, at: Instant::now(), took: started.elapsed() });
            state.locked = None;
            return self.commit(&mut state, head).map(Some);
        }
        state.clean = None;
        match self.while_locked(&mut state) {
            Some(last) => Ok(Some(last)),
            None => self.unless_refused(changes),
        }
    }

    /// `None`, the work tree, unless it may not be served.
    fn unless_refused(&self, changes: Vec<String>) -> Result<Option<Arc<Snapshot>>, Error> {
        if self.options.dirty == Dirty::Refuse && !changes.is_empty() {
            return Err(Error::DirtyTree { count: changes.len(), first: changes.into_iter().take(5).collect() });
        }
        Ok(None)
    }

    /// Changes that answers depend on.
    fn relevant_changes(&self, state: &mut State, head: Commit) -> Result<Vec<String>, Error> {
        let changes = self.compare()?;
        if changes.is_empty() {
            return Ok(changes);
        }
        // The settings say what is a page and the types which schemas are read: as HEAD has them, since a change of
        // either is itself a change that counts.
        let snapshot = self.commit(state, head)?;
        Ok(changes.into_iter().filter(|path| snapshot.depends_on(path)).collect())
    }

    /// Compares the work tree with HEAD; again where a file vanishes meanwhile, because git is rewriting the tree.
    fn compare(&self) -> Result<Vec<String>, Error> {
        let mut compared = self.repository.changes();
        for _ in 0..COMPARISONS {
            if !matches!(compared, Err(Error::Git { .. })) {
                break;
            }
            std::thread::sleep(COMPARE_AGAIN);
            compared = self.repository.changes();
        }
        compared
    }

    /// The last clean snapshot, while git is at work and not for longer than is likely.
    fn while_locked(&self, state: &mut State) -> Option<Arc<Snapshot>> {
        if !self.options.resident || !self.repository.locked() {
            state.locked = None;
            return None;
        }
        let since = *state.locked.get_or_insert_with(Instant::now);
        let (_, last) = state.current.as_ref()?;
        (since.elapsed() < LOCK_PATIENCE).then(|| Arc::clone(last))
    }

    fn commit(&self, state: &mut State, commit: Commit) -> Result<Arc<Snapshot>, Error> {
        if let Some((known, snapshot)) = &state.current
            && *known == commit
        {
            return Ok(Arc::clone(snapshot));
        }
        let previous = state.current.as_ref().map(|(_, snapshot)| Arc::clone(snapshot));
        let snapshot = Arc::new(Snapshot::of_commit(&self.repository, &commit, previous.as_deref())?);
        state.current = Some((commit, Arc::clone(&snapshot)));
        Ok(snapshot)
    }

    /// Another revision. Built outside the lock: whoever asks for the present does not wait for the past.
    fn other(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
        let previous = {
            let mut state = self.state();
            if let Some((known, snapshot)) = &state.current
                && known == commit
            {
                return Ok(Arc::clone(snapshot));
            }
            if let Some(index) = state.others.iter().position(|(known, _)| known == commit) {
                let found = state.others.remove(index).expect("the position is within");
                let snapshot = Arc::clone(&found.1);
                state.others.push_back(found);
                return Ok(snapshot);
            }
            state.current.as_ref().map(|(_, snapshot)| Arc::clone(snapshot))
        };
        let snapshot = Arc::new(Snapshot::of_commit(&self.repository, commit, previous.as_deref())?);
        let mut state = self.state();
        state.others.push_back((*commit, Arc::clone(&snapshot)));
        if state.others.len() > OTHERS {
            state.others.pop_front();
        }
        Ok(snapshot)
    }

    /// A panic under the lock leaves nothing half done that the next question could not read anew.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the tree was found clean at `head` so recently that a server need not look again.
    fn is_clean(&self, head: &Commit, options: &Options) -> bool {
        options.resident
            && self.clean.as_ref().is_some_and(|clean| {
                clean.commit == *head && clean.at.elapsed() < CHECK_EVERY.max(clean.took * CHECK_SHARE)
            })
    }
}
