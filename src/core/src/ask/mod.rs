//! How each question is answered: one file a question, a function from snapshot and arguments to the answer's keys.

mod describe_type;
mod links;
mod lint;
mod page;
mod search;
mod status;
mod types;

use crate::answer::Body;
use crate::error::Error;
use crate::question::Question;
use crate::snapshot::Snapshot;
use crate::source::Repository;

/// What a question may look at.
pub(crate) struct Context<'a> {
    /// The revision it is asked of.
    pub snapshot: &'a Snapshot,
    /// The repository, for what is true of it right now.
    pub repository: &'a Repository,
}

/// Answers a question.
pub(crate) fn answer(context: &Context, question: &Question) -> Result<Body, Error> {
    let snapshot = context.snapshot;
    match question {
        Question::Search(arguments) => search::answer(snapshot, arguments),
        Question::Page(arguments) => page::answer(snapshot, arguments),
        Question::Links(arguments) => links::answer(snapshot, arguments),
        Question::Types(_) => Ok(types::answer(snapshot)),
        Question::DescribeType(arguments) => describe_type::answer(snapshot, arguments),
        Question::Lint(arguments) => lint::answer(context, arguments),
        Question::Status(_) => Ok(status::answer(context)),
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
