//! What a corpus remembers between questions.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Options;
use super::reading::Reading;
use crate::ask::Differing;
use crate::snapshot::Snapshot;
use crate::source::Commit;

/// A server looks at the work tree no more often than this,
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// and spends no more than one part in so many on it.
const CHECK_SHARE: u32 = 20;
/// How many commits a server remembers to have shown.
const SERVED: usize = 100_000;

#[derive(Default)]
pub(super) struct State {
    /// The snapshot of the newest commit read.
    pub(super) current: Option<(Commit, Arc<Snapshot>)>,
    /// The commit that is being read.
    pub(super) reading: Option<Arc<Reading>>,
    /// Whether what was stored has been looked at.
    pub(super) is_loaded: bool,
    /// The commit that was last stored, or could not be.
    pub(super) kept: Option<Commit>,
    /// What the work tree was last found to differ in.
    pub(super) check: Option<Check>,
    /// The commit that it was then clean at.
    pub(super) clean: Option<Commit>,
    /// Whether it was clean, at whatever commit, when git was last not at work.
    pub(super) was_clean: bool,
    /// Since when git has been seen changing the work tree.
    pub(super) locked: Option<Instant>,
    /// The commits that were shown.
    pub(super) served: Served,
    /// What was warned of.
    pub(super) warned: HashSet<String>,
    /// Other revisions, the last asked last.
    pub(super) others: VecDeque<(Commit, Arc<Snapshot>)>,
}

/// Commits that were shown, as many as fit.
#[derive(Default)]
pub(super) struct Served {
    known: HashSet<git2::Oid>,
    order: VecDeque<git2::Oid>,
}

/// A comparison of the work tree with HEAD.
pub(super) struct Check {
    pub(super) at: Instant,
    pub(super) took: Duration,
    pub(super) seen: Differing,
}

impl State {
    /// A snapshot of that commit, which is then the last asked.
    pub(super) fn known(&mut self, commit: &Commit) -> Option<Arc<Snapshot>> {
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
    pub(super) fn is_clean(&self, head: &Commit, options: &Options) -> bool {
        options.resident && self.clean == Some(*head) && self.check.as_ref().is_some_and(Check::is_recent)
    }
}

impl Check {
    pub(super) fn is_recent(&self) -> bool {
        self.at.elapsed() < CHECK_EVERY.max(self.took * CHECK_SHARE)
    }
}

impl Served {
    pub(super) fn contains(&self, commit: &git2::Oid) -> bool {
        self.known.contains(commit)
    }

    pub(super) fn insert(&mut self, commit: git2::Oid) {
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
