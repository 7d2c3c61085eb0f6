//! A commit that one thread reads and others wait for.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::lock;
use crate::error::Error;
use crate::snapshot::Snapshot;
use crate::source::Commit;

/// A commit that a thread reads and others wait for.
pub(super) struct Reading {
    pub(super) commit: Commit,
    pub(super) started: Instant,
    pub(super) result: Mutex<Option<Result<Arc<Snapshot>, Error>>>,
    pub(super) is_done: Condvar,
}

impl Reading {
    pub(super) fn new(commit: Commit) -> Self {
        Self { commit, started: Instant::now(), result: Mutex::default(), is_done: Condvar::new() }
    }

    pub(super) fn finish(&self, result: Result<Arc<Snapshot>, Error>) {
        *lock(&self.result) = Some(result);
        self.is_done.notify_all();
    }

    /// What was read; `None` where it takes longer than `patience`.
    pub(super) fn wait(&self, patience: Option<Duration>) -> Option<Result<Arc<Snapshot>, Error>> {
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
