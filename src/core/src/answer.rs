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
                let cursor = body.cursor.as_ref().filter(|(list, _)| list == key).map(|(_, cursor)| cursor);
                cut(&mut object, key, cursor, budget);
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
    /// The keys of the lists and texts that a budget shortens, in this order; `a.b` is `b` within `a`.
    pub cuttable: &'static [&'static str],
    /// The one of these lists that goes on in another answer, and where it begins.
    pub cursor: Option<(&'static str, Cursor)>,
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
    if to_bytes(object).len() <= budget {
        return;
    }
    let Some(value) = value_at(object, key) else { return };
    let Some(sizes) = sizes(value).filter(|sizes| !sizes.is_empty()) else { return };
    let whole = value.take();
    *value = shortened(&whole, 0);
    // No number shown has more digits than all there is, so what fits beside that one fits.
    tell(object, key, cursor, sizes.len(), sizes.len());
    let room = budget.saturating_sub(to_bytes(object).len());
    let shown = sizes
        .iter()
        .scan(0, |sum, size| {
            *sum += size;
            Some(*sum)
        })
        .take_while(|&sum| sum <= room)
        .count();
    if let Some(value) = value_at(object, key) {
        *value = shortened(&whole, shown);
    }
    tell(object, key, cursor, shown, sizes.len());
}

/// The value under a key, or under a key within one.
fn value_at<'o>(object: &'o mut Map<String, Value>, key: &str) -> Option<&'o mut Value> {
    match key.split_once('.') {
        Some((outer, inner)) => object.get_mut(outer)?.get_mut(inner),
        None => object.get_mut(key),
    }
}

/// Bytes of JSON that each item, character or entry takes, its comma included; `None` for what has no parts.
fn sizes(value: &Value) -> Option<Vec<usize>> {
    let json = |value: &Value| serde_json::to_vec(value).expect("JSON values serialise").len();
    Some(match value {
        Value::Array(items) => items.iter().map(|item| json(item) + 1).collect(),
        Value::String(text) => text.chars().map(escaped).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| key.chars().map(escaped).sum::<usize>() + json(value) + r#""":,"#.len())
            .collect(),
        _ => return None,
    })
}

/// Bytes of a character in a JSON text, as `serde_json` writes it.
fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => r"\u0000".len(),
        c => c.len_utf8(),
    }
}

fn shortened(value: &Value, shown: usize) -> Value {
    match value {
        Value::Array(items) => Value::Array(items[..shown].to_vec()),
        Value::String(text) => Value::String(text.chars().take(shown).collect()),
        Value::Object(map) => Value::Object(map.iter().take(shown).map(|(k, v)| (k.clone(), v.clone())).collect()),
        other => other.clone(),
    }
}

/// Says what was cut: the first key with its counts, the names of the others that had to be cut `also`, and where a list goes on.
fn tell(object: &mut Map<String, Value>, key: &str, cursor: Option<&Cursor>, shown: usize, total: usize) {
    match cursor {
        Some(cursor) if shown > 0 => {
            object.insert("next_cursor".into(), cursor.after(shown).into());
        }
        // It would lead to the same place again, for ever.
        Some(_) => {
            object.shift_remove("next_cursor");
        }
        None => {}
    }
    match object.get_mut("truncated").filter(|told| told["what"] != key) {
        Some(told) => {
            let also = told["also"].as_array().cloned().unwrap_or_default();
            if !also.contains(&key.into()) {
                told["also"] = also.into_iter().chain([key.into()]).collect();
            }
        }
        None => {
            object.insert("truncated".into(), serde_json::json!({ "what": key, "shown": shown, "total": total }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_as_long_as_serde_json_writes_them() {
        for c in (0..0x300).filter_map(char::from_u32).chain(['\u{2028}', '語', '😀']) {
            assert_eq!(escaped(c), serde_json::to_string(&c.to_string()).unwrap().len() - 2, "{c:?}");
        }
    }
}
