//! How each question is answered: one file a question, a function from snapshot and arguments to the answer's keys.

mod changes;
mod citation;
mod describe_type;
mod links;
mod lint;
mod page;
mod search;
mod status;
mod types;

use std::sync::Arc;

use crate::answer::Body;
use crate::error::Error;
use crate::question::Question;
use crate::snapshot::Snapshot;
use crate::source::{Commit, Repository};

/// What a question may look at.
pub(crate) struct Context<'a> {
    /// The revision it is asked of.
    pub snapshot: &'a Snapshot,
    /// The repository, for what is true of it right now.
    pub repository: &'a Repository,
    /// Who has other revisions.
    pub revisions: &'a dyn Revisions,
}

/// Whoever has other revisions of a wiki.
pub(crate) trait Revisions {
    /// The commit that a revision names, if whoever asks may see it.
    fn commit(&self, revision: &str) -> Result<Commit, Error>;

    /// The snapshot of a commit that was named so.
    fn snapshot(&self, commit: &Commit) -> Result<Arc<Snapshot>, Error>;

    /// What the work tree differs from HEAD in; `None` where nobody looks.
    fn differing(&self) -> Option<Differing>;
}

/// What a work tree was found to differ from HEAD in.
#[derive(Clone)]
pub(crate) struct Differing {
    /// All such paths, pages or not, sorted.
    pub paths: Vec<String>,
    /// When it was looked at: RFC 3339, UTC.
    pub as_of: String,
}

impl Context<'_> {
    /// The snapshot of another revision.
    fn revision(&self, revision: &str) -> Result<Arc<Snapshot>, Error> {
        self.revisions.snapshot(&self.revisions.commit(revision)?)
    }
}

/// Answers a question.
pub(crate) fn answer(context: &Context, question: &Question) -> Result<Body, Error> {
    let snapshot = context.snapshot;
    match question {
        Question::Search(arguments) => search::answer(snapshot, arguments),
        Question::Page(arguments) => page::answer(context, arguments),
        Question::Links(arguments) => links::answer(snapshot, arguments),
        Question::Types(_) => Ok(types::answer(snapshot)),
        Question::DescribeType(arguments) => describe_type::answer(snapshot, arguments),
        Question::Lint(arguments) => lint::answer(context, arguments),
        Question::Status(_) => Ok(status::answer(context)),
        Question::Changes(arguments) => changes::answer(context, arguments),
    }
}

/// A JSON object literal as a map.
macro_rules! object {
    ($($tokens:tt)*) => {
        match serde_json::json!({ $($tokens)* }) {
            serde_json::Value::Object(map) => map,
            _ => unreachable!("braces make an object"),
        }
    };
}
use object;
