//! Front matter as terms, so that an index can filter by it without reading pages.
//!
//! A field's value is one term: the field's name, a zero byte, what kind of value it is, and the value in a form whose order as
//! bytes is its own. A comparison is then a range of terms.

use std::ops::Bound;

use super::analysis::folded;
use super::query::exact_value;
use crate::names::{fold, folder, join};
use crate::page::{Page, stem};
use crate::yaml::{Node, Value};

/// Longer values are not told apart behind these letters.
const MAX_VALUE: usize = 128;
/// More terms than these of one field of a page are left out.
const MAX_FACTS: usize = 4096;

/// Marks the term that says only that a page has a field.
const HAS: char = '\u{1}';
const TEXT: char = '=';
const NUMBER: char = '#';
const DATE: char = '@';

/// What a query wants a field's value to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Anything.
    Any,
    /// Equal as folded text, or as a number, or a date within it (`2026-09`).
    Is(String, Option<Operand>),
    /// Folded text that begins so.
    Begins(String),
    /// Not below the first and not above the second; each with whether it may be equal.
    Between(Option<(Operand, bool)>, Option<(Operand, bool)>),
}

/// A value that has an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    number: Option<f64>,
    /// A year, month, day or time, as ISO 8601 writes it.
    date: Option<String>,
}

impl Operand {
    /// A number, a date or its beginning, or both (`2026`).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let date = is_date(text).then(|| text.to_owned());
        (number.is_some() || date.is_some()).then_some(Self { number, date })
    }
}

/// Ranges of terms, any of which fulfils a test.
pub(super) type Ranges = Vec<(Bound<String>, Bound<String>)>;

/// A field's name as terms and queries have it: in lower case, and one name for what may be spelt in several ways.
pub(super) fn key(name: &str) -> String {
    let key = fold(name);
    if key == "tags" { "tag".into() } else { key }
}

/// The terms of a page.
pub(super) fn of(page: &Page) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(of) = written_type(page) {
        push(&mut facts, "type", &of, None);
        // A path is a name of the type as its last part is; of an unknown type too.
        push(&mut facts, "type", stem(&of), None);
    }
    for (tag, _) in page.front_matter.tags() {
        push(&mut facts, "tag", tag, None);
    }
    facts.truncate(MAX_FACTS);
    for (name, value) in page.front_matter.root.iter().flat_map(Node::entries) {
        let key = key(name.text().unwrap_or_default());
        if !matches!(key.as_str(), "type" | "tag") {
            // One long list must not hide the other fields.
            let mut of_field = Vec::new();
            collect(&mut of_field, &key, value);
            facts.extend(of_field);
        }
    }
    facts.sort();
    facts.dedup();
    facts
}

fn collect(facts: &mut Vec<String>, key: &str, value: &Node) {
    match &value.value {
        Value::Scalar(scalar) if !value.is_null() => push(facts, key, &scalar.text, value.to_json().as_f64()),
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter().for_each(|item| collect(facts, key, item)),
        Value::Mapping(entries) => {
            for (name, value) in entries {
                collect(facts, &format!("{key}.{}", fold(name.text().unwrap_or_default())), value);
            }
        }
    }
}

fn push(facts: &mut Vec<String>, key: &str, text: &str, number: Option<f64>) {
    let text = text.trim();
    if facts.len() >= MAX_FACTS || key.is_empty() || key.contains('\0') {
        return;
    }
    let has = format!("{HAS}{key}");
    if !facts.contains(&has) {
        facts.push(has);
    }
    let value: String = folded(&exact_value(text)).chars().take(MAX_VALUE).collect();
    facts.push(format!("{key}\0{TEXT}{value}"));
    if let Some(number) = number {
        facts.push(format!("{key}\0{NUMBER}{}", ordered(number)));
    }
    if is_date(text) && text.len() > "2026".len() {
        facts.push(format!("{key}\0{DATE}{}", text.chars().take(MAX_VALUE).collect::<String>()));
    }
}

/// A page's `type` as it is written; a path relative to the page as one from the root, so that it means the same everywhere.
pub(super) fn written_type(page: &Page) -> Option<String> {
    let written = page.field("type")?.name()?.trim_start_matches("[[").trim_end_matches("]]");
    let is_relative = written.starts_with("./") || written.starts_with("../");
    Some(if is_relative { join(folder(&page.path), written)? } else { written.to_owned() })
}

/// Whether a text is a date, or one up to its year or month: digits as in `2026-09-01`, and then anything, the time.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits =
        |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let dash = |at: usize| bytes.get(at) == Some(&b'-');
    match bytes.len() {
        4 => digits(0..4),
        7 => digits(0..4) && dash(4) && digits(5..7),
        10.. => {
            let behind = bytes.get(10).is_none_or(|byte| matches!(byte, b'T' | b't' | b' '));
            digits(0..4) && dash(4) && digits(5..7) && dash(7) && digits(8..10) && behind
        }
        _ => false,
    }
}

/// A number as text whose order is the number's.
fn ordered(number: f64) -> String {
    // Zero has one form.
    let bits = (number + 0.0).to_bits();
    let bits = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    format!("{bits:016x}")
}

impl Test {
    /// Where the terms of `key` that fulfil it lie.
    pub(super) fn ranges(&self, key: &str) -> Ranges {
        let one = |term: String| (Bound::Included(term.clone()), Bound::Included(term));
        let beginning = |term: String| (Bound::Included(term.clone()), Bound::Excluded(after(&term)));
        match self {
            Self::Any => vec![one(format!("{HAS}{key}"))],
            Self::Begins(text) => vec![beginning(format!("{key}\0{TEXT}{}", cut(text)))],
            Self::Is(text, operand) => {
                let mut ranges = vec![one(format!("{key}\0{TEXT}{}", cut(text)))];
                let operand = operand.clone().map(|operand| (operand, true));
                ranges.extend(bounds(key, &operand, &operand));
                ranges
            }
            Self::Between(low, high) => bounds(key, low, high),
        }
    }
}

type End = Option<(Operand, bool)>;

fn bounds(key: &str, low: &End, high: &End) -> Ranges {
    let range = |kind: char, low: Option<Option<(String, bool)>>, high: Option<Option<(String, bool)>>| {
        // An end that is no value of this kind bounds nothing of it.
        let (low, high) = (low?, high?);
        low.as_ref().or(high.as_ref())?;
        let first = format!("{key}\0{kind}");
        let low = match low {
            None => Bound::Included(first.clone()),
            Some((value, true)) => Bound::Included(format!("{first}{value}")),
            // Behind the value, and behind all that is within it: no time of a day is later than the day.
            Some((value, false)) => Bound::Included(after(&format!("{first}{value}"))),
        };
        let high = match high {
            None => Bound::Excluded(after(&first)),
            Some((value, true)) => Bound::Excluded(after(&format!("{first}{value}"))),
            Some((value, false)) => Bound::Excluded(format!("{first}{value}")),
        };
        Some((low, high))
    };
    let number = |end: &End| match end {
        None => Some(None),
        Some((operand, inclusive)) => operand.number.map(|number| Some((ordered(number), *inclusive))),
    };
    let date = |end: &End| match end {
        None => Some(None),
        Some((operand, inclusive)) => operand.date.clone().map(|date| Some((date, *inclusive))),
    };
    [range(NUMBER, number(low), number(high)), range(DATE, date(low), date(high))].into_iter().flatten().collect()
}

/// The least text that is behind all that begin with `text`.
fn after(text: &str) -> String {
    format!("{text}{}", char::MAX)
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_VALUE).collect()
}

/// The range of all terms that say which fields pages have, and how to read one.
pub(super) fn fields() -> (Bound<String>, Bound<String>) {
    (Bound::Included(HAS.to_string()), Bound::Excluded(after(&HAS.to_string())))
}

/// The field's name in a term within [`fields`].
pub(super) fn field_of(term: &str) -> &str {
    term.strip_prefix(HAS).unwrap_or(term)
}

/// The range of all texts that a field has.
pub(super) fn values(key: &str) -> (Bound<String>, Bound<String>) {
    let first = format!("{key}\0{TEXT}");
    (Bound::Included(first.clone()), Bound::Excluded(after(&first)))
}

/// The text in a term within [`values`].
pub(super) fn value_of(term: &str) -> &str {
    term.split_once('\0').map_or(term, |(_, value)| value.strip_prefix(TEXT).unwrap_or(value))
}
