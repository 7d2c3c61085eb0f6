//! Behind the door: which snapshot answers, where it comes from, and what is kept of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::reading::Reading;
use super::state::{Check, State};
use super::{Dirty, Options, lock};
use crate::ask::{Differing, Revisions};
use crate::cache::Cache;
use crate::error::Error;
use crate::snapshot::Snapshot;
use crate::source::{Commit, Repository, as_of};

/// A server answers from its last clean snapshot for so long while git holds its lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// A server answers from its last snapshot where a newer one takes longer than this.
const READ_PATIENCE: Duration = Duration::from_secs(2);
/// How often a comparison that failed is made again, and after how long.
const COMPARISONS: usize = 10;
const COMPARE_AGAIN: Duration = Duration::from_millis(20);
/// How often files are read again that changed while they were read.
const READINGS: usize = 5;
/// How many bytes of other revisions are kept, about, and how many revisions.
const OTHERS_BYTES: usize = 64 << 20;
const OTHERS: usize = 64;

/// What a thread that reads a commit in the background needs.
pub(super) struct Shared {
    pub(super) options: Options,
    pub(super) repository: Arc<Repository>,
    pub(super) cache: Option<Cache>,
    pub(super) state: Mutex<State>,
    /// Other revisions are read one at a time.
    pub(super) other: Mutex<()>,
    pub(super) warnings: Mutex<Vec<String>>,
}

/// What answers for the present.
pub(super) enum Now {
    /// A commit.
    Commit(Arc<Snapshot>),
    /// The files of the work tree.
    Files(Head),
}

/// What HEAD has, and the paths of files that are not as it has them; `None` where it has nothing.
type Head = Option<(Arc<Snapshot>, Vec<String>)>;

impl Shared {
    /// What answers for the present.
    pub(super) fn present(self: &Arc<Self>) -> Result<Now, Error> {
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
        let changes = self.compare()?;
        if changes.is_empty() {
            return self.clean(head);
        }
        // The settings say what is a page and the types which schemas are read: as HEAD has them, since a change of
        // either is itself a change that counts.
        let snapshot = self.commit(head)?;
        let relevant: Vec<String> = changes.iter().filter(|path| snapshot.depends_on(path)).cloned().collect();
        if relevant.is_empty() {
            return self.clean(head);
        }
        self.state().clean = None;
        if let Some(last) = self.while_locked() {
            return Ok(Now::Commit(last));
        }
        self.state().was_clean = false;
        self.unless_refused(&relevant)?;
        Ok(Now::Files((snapshot.commit() == Some(head)).then_some((snapshot, changes))))
    }

    fn clean(self: &Arc<Self>, head: Commit) -> Result<Now, Error> {
        let mut state = self.state();
        (state.clean, state.was_clean) = (Some(head), true);
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
        let started = Instant::now();
        let mut compared = self.repository.changes();
        for _ in 0..COMPARISONS {
            if !matches!(compared, Err(Error::Git { .. })) {
                break;
            }
            std::thread::sleep(COMPARE_AGAIN);
            compared = self.repository.changes();
        }
        let changes = compared?;
        let seen = Differing { paths: changes.clone(), as_of: as_of(jiff::Timestamp::now().as_second()) };
        self.state().check = Some(Check { at: Instant::now(), took: started.elapsed(), seen });
        Ok(changes)
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
        // Where the tree was dirty before git began, it is not git that makes it so.
        let (_, last) = state.current.as_ref()?;
        (state.was_clean && since.elapsed() < LOCK_PATIENCE).then(|| Arc::clone(last))
    }

    /// The files of the work tree, those apart that HEAD has too: all as they are at one moment, unless they change again and again.
    pub(super) fn files(self: &Arc<Self>, mut head: Head) -> Result<Arc<Snapshot>, Error> {
        for _ in 0..READINGS {
            let Some((shown, changes)) = &head else { break };
            let before = self.repository.seen(changes);
            let snapshot = Snapshot::of_work_tree(&self.repository, Some((shown, changes)))?;
            snapshot.read_files();
            // What is as HEAD has it must still be, and what was read must not have changed meanwhile.
            if self.repository.head().is_ok_and(|now| now == shown.commit())
                && self.compare().is_ok_and(|now| now == *changes)
                && self.repository.seen(changes) == before
            {
                return Ok(Arc::new(snapshot));
            }
            match self.present()? {
                Now::Commit(snapshot) => return Ok(snapshot),
                Now::Files(again) => head = again,
            }
        }
        let head = head.as_ref().map(|(head, changes)| (&**head, &changes[..]));
        Snapshot::of_work_tree(&self.repository, head).map(Arc::new)
    }

    /// The snapshot of a commit that answers for the present. In a server it is the last one's where this takes long.
    fn commit(self: &Arc<Self>, commit: Commit) -> Result<Arc<Snapshot>, Error> {
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
            // Whoever comes later has waited as long, in the person of others.
            match reading.wait(patience.map(|patience| patience.saturating_sub(reading.started.elapsed()))) {
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
    pub(super) fn anew(&self, snapshot: &Snapshot) -> Result<Arc<Snapshot>, Error> {
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
    pub(super) fn count(&self, snapshot: &Snapshot) -> Option<(&Cache, Commit)> {
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
    pub(super) fn warn(&self, error: &std::io::Error) {
        let warning = format!("nothing is cached: {error}");
        let is_new = self.state().warned.insert(warning.clone());
        if is_new {
            lock(&self.warnings).push(warning);
        }
    }

    /// Stores the present commit's index, where it is new.
    pub(super) fn keep(self: &Arc<Self>, snapshot: &Arc<Snapshot>) {
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
    pub(super) fn commit_at(&self, revision: &str) -> Result<Commit, Error> {
        let commit = self.repository.resolve(revision)?;
        let is_shown = !self.options.resident || self.state().served.contains(&commit.id);
        if is_shown || self.repository.leads_to(&commit)? {
            return Ok(commit);
        }
        Err(Error::RevisionUnreachable { revision: revision.to_owned() })
    }

    /// Another revision. Whoever asks for the present does not wait for the past.
    pub(super) fn other(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
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
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Revisions for Shared {
    fn commit(&self, revision: &str) -> Result<Commit, Error> {
        self.commit_at(revision)
    }

    fn snapshot(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error> {
        self.other(commit)
    }

    fn differing(&self) -> Option<Differing> {
        if self.options.dirty == Dirty::Ignore || !self.repository.has_work_tree() {
            return None;
        }
        let recent =
            |state: &State| state.check.as_ref().filter(|check| check.is_recent()).map(|check| check.seen.clone());
        if let Some(seen) = recent(&self.state()) {
            return Some(seen);
        }
        self.compare().ok()?;
        self.state().check.as_ref().map(|check| check.seen.clone())
    }
}

fn internal(message: &str) -> Error {
    Error::Internal { message: message.to_owned() }
}
