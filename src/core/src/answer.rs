//! Answers: JSON bytes with the stamp of the snapshot they were computed from, cut to a budget.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::cursor::Cursor;
use crate::error::Error;
use crate::source::{Commit, as_of};

/// What an answer means for whoever asked: the exit status of the CLI, `isError` over MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Answered; nothing found is an answer too.
    Answered,
    /// The wiki or the request has a problem: findings, no such page, an ambiguous name.
    Problem,
    /// Misuse or failure.
    Failed,
}

impl Outcome {
    /// The exit status: 0, 1 or 2.
    pub fn exit_status(self) -> u8 {
        self as u8
    }
}

/// The revision that was read: part of every answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stamp {
    /// The commit's id, 40 or 64 hex digits; `None` where pages were read from files.
    pub commit: Option<String>,
    /// The commit's committer time, or when the files were read; RFC 3339, UTC. `None` where nothing was read.
    pub as_of: Option<String>,
}

impl Stamp {
    /// The stamp of a commit.
    pub(crate) fn of_commit(commit: &Commit) -> Self {
        Self { commit: Some(commit.id.to_string()), as_of: Some(as_of(commit.seconds)) }
    }

    /// The stamp of files read now, which belong to no commit.
    pub(crate) fn of_files() -> Self {
        Self { commit: None, as_of: Some(as_of(jiff::Timestamp::now().as_second())) }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One JSON object, UTF-8, without a final line end; its first keys are `commit` and `as_of`.
    pub json: Vec<u8>,
    /// What it means.
    pub outcome: Outcome,
    /// Whether the object is an error object.
    pub is_error: bool,
}

impl Answer {
    /// An answer from its object, cut to `budget` bytes where one is given.
    pub(crate) fn new(stamp: &Stamp, body: Body, budget: Option<usize>) -> Self {
        let mut object = stamped(stamp);
        object.extend(body.object);
        if let Some(budget) = budget {
            for key in body.cuttable {
                cut(&mut object, key, body.cursor.as_ref(), budget);
            }
        }
        Self { json: to_bytes(&object), outcome: body.outcome, is_error: false }
    }

    /// The answer of an operation that changes a wiki: the snapshot it was planned on, and what it did.
    pub fn of_change(stamp: &Stamp, object: Map<String, Value>) -> Self {
        Self::new(stamp, Body::answered(object, &[]), None)
    }

    /// An error as an answer. `stamp` is the snapshot's that was asked, or empty where there is none.
    pub fn error(stamp: &Stamp, error: &Error) -> Self {
        let mut object = stamped(stamp);
        object.insert(
            "error".into(),
            serde_json::json!({
                "code": error.code().code,
                "message": error.to_string(),
                "hint": error.hint(),
                "candidates": error.candidates(),
            }),
        );
        Self { json: to_bytes(&object), outcome: error.code().outcome, is_error: true }
    }
}

/// What a question's own file makes: the answer's keys after the stamp.
pub(crate) struct Body {
    pub object: Map<String, Value>,
    pub outcome: Outcome,
    /// The keys of the lists and texts that a budget shortens, in this order.
    pub cuttable: &'static [&'static str],
    /// Where the only such list begins, if it goes on in another answer.
    pub cursor: Option<Cursor>,
}

impl Body {
    /// An answered question whose `cuttable` list or text a budget may shorten.
    pub(crate) fn answered(object: Map<String, Value>, cuttable: &'static [&'static str]) -> Self {
        Self { object, outcome: Outcome::Answered, cuttable, cursor: None }
    }
}

fn stamped(stamp: &Stamp) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("commit".into(), stamp.commit.clone().into());
    object.insert("as_of".into(), stamp.as_of.clone().into());
    object
}

fn to_bytes(object: &Map<String, Value>) -> Vec<u8> {
    serde_json::to_vec(object).expect("JSON values serialise")
}

/// Shortens the value under `key` until the object fits, and says so under `truncated`.
///
/// An object that does not fit even with nothing left under `key` is given as short as it can be.
fn cut(object: &mut Map<String, Value>, key: &str, cursor: Option<&Cursor>, budget: usize) {
    let whole = to_bytes(object).len();
    if whole <= budget {
        return;
    }
    let Some(value) = object.get(key).cloned() else { return };
    let total = match &value {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        Value::Object(map) => map.len(),
        _ => return,
    };
    if total == 0 {
        return;
    }
    // The number shown is searched for: the length of the JSON grows with it, whatever escapes the text needs.
    let (mut fits, mut too_many) = (0, total);
    while fits + 1 < too_many {
        let middle = fits + (too_many - fits) / 2;
        if to_bytes(&shortened(object, key, &value, middle, total, cursor)).len() <= budget {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    *object = shortened(object, key, &value, fits, total, cursor);
}

fn shortened(
    object: &Map<String, Value>,
    key: &str,
    value: &Value,
    shown: usize,
    total: usize,
    cursor: Option<&Cursor>,
) -> Map<String, Value> {
    let mut object = object.clone();
    let part = match value {
        Value::Array(items) => Value::Array(items[..shown].to_vec()),
        Value::String(text) => Value::String(text.chars().take(shown).collect()),
        Value::Object(map) => Value::Object(map.iter().take(shown).map(|(k, v)| (k.clone(), v.clone())).collect()),
        other => other.clone(),
    };
    object.insert(key.into(), part);
    if let Some(cursor) = cursor {
        object.insert("next_cursor".into(), cursor.after(shown).into());
    }
    object.insert("truncated".into(), serde_json::json!({ "what": key, "shown": shown, "total": total }));
    object
}
