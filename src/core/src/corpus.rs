//! The door: a corpus takes a question and gives an answer.

mod about;
mod complete;

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::answer::{Answer, Body, Stamp};
use crate::ask::{self, Context, Revisions};
use crate::cache::{self, Cache};
use crate::error::Error;
use crate::question::{Question, Request};
use crate::snapshot::Snapshot;
use crate::source::{Commit, Repository};

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

/// What a thread that reads a commit in the background needs.
struct Shared {
    options: Options,
    repository: Arc<Repository>,
    cache: Option<Cache>,
    state: Mutex<State>,
    /// Other revisions are read one at a time.
    other: Mutex<()>,
    warnings: Mutex<Vec<String>>,
}

#[derive(Default)]
struct State {
    /// The snapshot of the newest commit read.
    current: Option<(Commit, Arc<Snapshot>)>,
    /// The commit that is being read.
    reading: Option<Arc<Reading>>,
    /// Whether what was stored has been looked at.
    is_loaded: bool,
    /// The commit that was last stored, or could not be.
    kept: Option<Commit>,
    /// When the work tree was last found clean, and how long looking took.
    clean: Option<Clean>,
    /// Since when git has been seen changing the work tree.
    locked: Option<Instant>,
    /// The commits that were shown.
    served: Served,
    /// What was warned of.
    warned: HashSet<String>,
    /// Other revisions, the last asked last.
    others: VecDeque<(Commit, Arc<Snapshot>)>,
}

/// Commits that were shown, as many as fit.
#[derive(Default)]
struct Served {
    known: HashSet<git2::Oid>,
    order: VecDeque<git2::Oid>,
}

/// A commit that a thread reads and others wait for.
struct Reading {
    commit: Commit,
    result: Mutex<Option<Result<Arc<Snapshot>, Error>>>,
    is_done: Condvar,
}

struct Clean {
    commit: Commit,
    at: Instant,
    took: Duration,
}

/// What answers for the present.
enum Now {
    /// A commit.
    Commit(Arc<Snapshot>),
    /// The files of the work tree; those apart that HEAD has too, of which the paths of the others are given.
    Files(Option<(Arc<Snapshot>, Vec<String>)>),
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

/// A server looks at the work tree no more often than this,
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// and spends no more than one part in so many on it.
const CHECK_SHARE: u32 = 20;
/// A server answers from its last clean snapshot for so long while git holds its lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// A server answers from its last snapshot where a newer one takes longer than this.
const READ_PATIENCE: Duration = Duration::from_secs(2);
/// How often a comparison that failed is made again, and after how long.
const COMPARISONS: usize = 10;
const COMPARE_AGAIN: Duration = Duration::from_millis(20);
/// How many commits a server remembers to have shown.
const SERVED: usize = 100_000;
/// How many bytes of other revisions are kept, about, and how many revisions.
const OTHERS_BYTES: usize = 64 << 20;
const OTHERS: usize = 64;

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
            Now::Files(head) => {
                let head = head.as_ref().map(|(head, changes)| (&**head, &changes[..]));
                Snapshot::of_work_tree(&self.shared.repository, head).map(Arc::new)
            }
        }
    }

    /// How many pages have been read, of how many, by a question that must read most of them; `None` where there is none.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.shared.repository.progress()
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

impl Shared {
    /// What answers for the present.
    fn present(self: &Arc<Self>) -> Result<Now, Error> {
        let Some(head) = self.repository.head()? else {
            let changes = if self.options.dirty == Dirty::Refuse { self.repository.changes()? } else { Vec::new() };
            self.unless_refused(&changes)?;
            return Ok(Now::Files(None));
        };
        if self.options.dirty == Dirty::Ignore
            || !self.repository.has_work_tree()
            || self.state().is_clean(&head, &self.options)
        {
            return self.commit(head).map(Now::Commit);
        }
        let started = Instant::now();
        let changes = self.compare()?;
        if changes.is_empty() {
            return self.clean(head, started);
        }
        // The settings say what is a page and the types which schemas are read: as HEAD has them, since a change of
        // either is itself a change that counts.
        let snapshot = self.commit(head)?;
        let relevant: Vec<String> = changes.iter().filter(|path| snapshot.depends_on(path)).cloned().collect();
        if relevant.is_empty() {
            return self.clean(head, started);
        }
        self.state().clean = None;
        if let Some(last) = self.while_locked() {
            return Ok(Now::Commit(last));
        }
        self.unless_refused(&relevant)?;
        Ok(Now::Files((snapshot.commit() == Some(head)).then_some((snapshot, changes))))
    }

    fn clean(self: &Arc<Self>, head: Commit, started: Instant) -> Result<Now, Error> {
        let mut state = self.state();
        state.clean = Some(Clean { commit: head, at: Instant::now(), took: started.elapsed() });
        state.locked = None;
        drop(state);
        self.commit(head).map(Now::Commit)
    }

    fn unless_refused(&self, changes: &[String]) -> Result<(), Error> {
        if self.options.dirty == Dirty::Refuse && !changes.is_empty() {
            return Err(Error::DirtyTree { count: changes.len(), first: changes.iter().take(5).cloned().collect() });
        }
        Ok(())
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
    fn while_locked(&self) -> Option<Arc<Snapshot>> {
        let is_locked = self.options.resident && self.repository.locked();
        let mut state = self.state();
        if !is_locked {
            state.locked = None;
            return None;
        }
        let since = *state.locked.get_or_insert_with(Instant::now);
        let (_, last) = state.current.as_ref()?;
        (since.elapsed() < LOCK_PATIENCE).then(|| Arc::clone(last))
    }

    /// The snapshot of a commit that answers for the present. In a server it is the last one's where this takes long.
    fn commit(self: &Arc<Self>, commit: Commit) -> Result<Arc<Snapshot>, Error> {
        let started = Instant::now();
        loop {
            let (reading, previous, is_mine) = {
                let mut state = self.state();
                if let Some((known, snapshot)) = &state.current
                    && *known == commit
                {
                    return Ok(Arc::clone(snapshot));
                }
                let previous = state.current.as_ref().map(|(_, snapshot)| Arc::clone(snapshot));
                match &state.reading {
                    Some(reading) => (Arc::clone(reading), previous, false),
                    None => {
                        let reading = Arc::new(Reading::new(commit));
                        state.reading = Some(Arc::clone(&reading));
                        (reading, previous, true)
                    }
                }
            };
            let patience = previous.as_ref().filter(|_| self.options.resident).map(|_| READ_PATIENCE);
            if is_mine {
                self.start(&reading, patience.is_some());
            }
            match reading.wait(patience.map(|patience| patience.saturating_sub(started.elapsed()))) {
                Some(result) if reading.commit == commit => return result,
                // Somebody waited for another commit; now it is this one's turn.
                Some(_) => {}
                None => return previous.ok_or_else(|| internal("nothing was read before")),
            }
        }
    }

    /// Reads a commit, in a thread of its own if somebody may tire of waiting.
    fn start(self: &Arc<Self>, reading: &Arc<Reading>, in_background: bool) {
        let (shared, task) = (Arc::clone(self), Arc::clone(reading));
        let work = move || {
            let read = catch_unwind(AssertUnwindSafe(|| shared.read(&task.commit)));
            let result = read.unwrap_or_else(|_| Err(internal("the commit could not be read")));
            let mut state = shared.state();
            state.reading = None;
            if let Ok(snapshot) = &result {
                state.served.insert(task.commit.id);
                state.current = Some((task.commit, Arc::clone(snapshot)));
            }
            drop(state);
            task.finish(result);
        };
        if !in_background {
            return work();
        }
        let thread = std::thread::Builder::new().name("chemenu-read".into());
        if let Err(error) = thread.spawn(work) {
            self.state().reading = None;
            reading.finish(Err(internal(&format!("no thread could be started: {error}"))));
        }
    }

    /// Reads a commit, from the last one or from what is stored.
    fn read(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
        let base = self.base();
        let snapshot = match base {
            Some(base) if base.commit() == Some(*commit) => base,
            base => Arc::new(Snapshot::of_commit(&self.repository, commit, base.as_deref())?),
        };
        if !self.options.resident {
            return Ok(snapshot);
        }
        // Whoever stays is going to need it.
        let made = catch_unwind(AssertUnwindSafe(|| snapshot.index().map(|_| ())));
        if (made.is_err() && snapshot.is_stored()) || snapshot.is_damaged() {
            return self.anew(&snapshot);
        }
        Ok(snapshot)
    }

    /// A snapshot to read another one from: the last one, or what is stored.
    fn base(&self) -> Option<Arc<Snapshot>> {
        let mut state = self.state();
        if let Some((_, snapshot)) = &state.current {
            return Some(Arc::clone(snapshot));
        }
        if std::mem::replace(&mut state.is_loaded, true) {
            return None;
        }
        drop(state);
        let cache = self.cache.as_ref()?;
        let load = || cache.load(&self.repository, self.options.resident);
        catch_unwind(AssertUnwindSafe(load)).ok().flatten().map(Arc::new)
    }

    /// The same as a snapshot, from git alone.
    fn anew(&self, snapshot: &Snapshot) -> Result<Arc<Snapshot>, Error> {
        if let Some(cache) = &self.cache {
            cache.discard();
        }
        let mut state = self.state();
        (state.current, state.is_loaded) = (None, true);
        state.others.clear();
        drop(state);
        let fresh = match snapshot.commit() {
            Some(commit) => Snapshot::of_commit(&self.repository, &commit, None)?,
            None => Snapshot::of_work_tree(&self.repository, None)?,
        };
        if self.options.resident {
            fresh.index()?;
        }
        Ok(Arc::new(fresh))
    }

    /// Looks whether somebody has counted a commit's pages, links and findings before; else where to store what will be counted.
    fn count(&self, snapshot: &Snapshot) -> Option<(&Cache, Commit)> {
        let (cache, commit) = (self.cache.as_ref()?, snapshot.commit()?);
        if snapshot.known_summary().is_some() {
            return None;
        }
        match cache.load_summary(&commit) {
            Some(summary) => {
                snapshot.know(summary);
                None
            }
            // Other revisions leave no trace.
            None => {
                let is_current = self.state().current.as_ref().is_some_and(|(current, _)| *current == commit);
                is_current.then_some((cache, commit))
            }
        }
    }

    /// Says, once for each reason, that something could not be stored.
    fn warn(&self, error: &std::io::Error) {
        let warning = format!("nothing is cached: {error}");
        let is_new = self.state().warned.insert(warning.clone());
        if is_new {
            lock(&self.warnings).push(warning);
        }
    }

    /// Stores the present commit's index, where it is new.
    fn keep(self: &Arc<Self>, snapshot: &Arc<Snapshot>) {
        let is_new = snapshot.made_index().is_some_and(|index| !index.is_all_stored());
        if self.cache.is_none() || !is_new || snapshot.commit().is_none() {
            return;
        }
        let is_current = {
            let mut state = self.state();
            let is_current = state.current.as_ref().is_some_and(|(_, current)| Arc::ptr_eq(current, snapshot));
            is_current && std::mem::replace(&mut state.kept, snapshot.commit()) != snapshot.commit()
        };
        if !is_current {
            return;
        }
        let (shared, snapshot) = (Arc::clone(self), Arc::clone(snapshot));
        let work = move || {
            if let Some(Err(error)) = shared.cache.as_ref().map(|cache| cache.save(&snapshot)) {
                shared.warn(&error);
            }
        };
        if self.options.resident {
            // Nobody waits for it; where no thread can be started, the next commit is another chance.
            _ = std::thread::Builder::new().name("chemenu-store".into()).spawn(work);
        } else {
            work();
        }
    }

    /// The commit that a revision names. A server shows what branches and tags lead to, and what it has shown before: other objects
    /// may be what somebody wanted to be gone.
    fn commit_at(&self, revision: &str) -> Result<Commit, Error> {
        let commit = self.repository.resolve(revision)?;
        let is_shown = !self.options.resident || self.state().served.contains(&commit.id);
        if is_shown || self.repository.leads_to(&commit)? {
            return Ok(commit);
        }
        Err(Error::RevisionUnreachable { revision: revision.to_owned() })
    }

    /// Another revision. Whoever asks for the present does not wait for the past.
    fn other(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
        if let Some(known) = self.state().known(commit) {
            return Ok(known);
        }
        let _one_at_a_time = lock(&self.other);
        if let Some(known) = self.state().known(commit) {
            return Ok(known);
        }
        let base = self.base();
        let snapshot = match base {
            Some(base) if base.commit() == Some(*commit) => base,
            base => Arc::new(Snapshot::of_commit(&self.repository, commit, base.as_deref())?),
        };
        let mut state = self.state();
        state.served.insert(commit.id);
        state.others.push_back((*commit, Arc::clone(&snapshot)));
        let mut bytes: usize = state.others.iter().map(|(_, snapshot)| snapshot.own_bytes()).sum();
        while state.others.len() > OTHERS || (bytes > OTHERS_BYTES && state.others.len() > 1) {
            let Some((_, oldest)) = state.others.pop_front() else { break };
            bytes -= oldest.own_bytes();
        }
        Ok(snapshot)
    }

    /// A panic under the lock leaves nothing half done that the next question could not read anew.
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Served {
    fn contains(&self, commit: &git2::Oid) -> bool {
        self.known.contains(commit)
    }

    fn insert(&mut self, commit: git2::Oid) {
        if self.known.insert(commit) {
            self.order.push_back(commit);
        }
        if self.order.len() > SERVED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

impl Revisions for Shared {
    fn commit(&self, revision: &str) -> Result<Commit, Error> {
        self.commit_at(revision)
    }

    fn snapshot(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
        self.other(commit)
    }
}

impl Reading {
    fn new(commit: Commit) -> Self {
        Self { commit, result: Mutex::default(), is_done: Condvar::new() }
    }

    fn finish(&self, result: Result<Arc<Snapshot>, Error>) {
        *lock(&self.result) = Some(result);
        self.is_done.notify_all();
    }

    /// What was read; `None` where it takes longer than `patience`.
    fn wait(&self, patience: Option<Duration>) -> Option<Result<Arc<Snapshot>, Error>> {
        let result = lock(&self.result);
        match patience {
            None => {
                let done = self.is_done.wait_while(result, |result| result.is_none());
                done.unwrap_or_else(PoisonError::into_inner).clone()
            }
            Some(patience) => {
                let done = self.is_done.wait_timeout_while(result, patience, |result| result.is_none());
                done.unwrap_or_else(PoisonError::into_inner).0.clone()
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn internal(message: &str) -> Error {
    Error::Internal { message: message.to_owned() }
}

impl State {
    /// A snapshot of that commit, which is then the last asked.
    fn known(&mut self, commit: &Commit) -> Option<Arc<Snapshot>> {
        if let Some((known, snapshot)) = &self.current
            && known == commit
        {
            return Some(Arc::clone(snapshot));
        }
        let found = self.others.iter().position(|(known, _)| known == commit)?;
        let found = self.others.remove(found)?;
        let snapshot = Arc::clone(&found.1);
        self.others.push_back(found);
        Some(snapshot)
    }

    /// Whether the tree was found clean at `head` so recently that a server need not look again.
    fn is_clean(&self, head: &Commit, options: &Options) -> bool {
        options.resident
            && self.clean.as_ref().is_some_and(|clean| {
                clean.commit == *head && clean.at.elapsed() < CHECK_EVERY.max(clean.took * CHECK_SHARE)
            })
    }
}
