//! What a schema is asked about: a page's front matter in both readings, or the envelope around it.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use super::documents::{child, key_span, step, steps};
use crate::page::{Heading, Link, Page};
use crate::text::Span;
use crate::yaml::{self, Node};

/// A page as an instance of a schema.
pub(super) struct Instance<'p> {
    page: &'p Page,
    /// Whether the schema asks for `{frontmatter, body, headings, links, body_dates}`.
    envelope: bool,
    /// Days written as `YYYY-MM-DD` in the body, where the schema asks for them.
    dates: Vec<Span>,
}

/// Where a JSON pointer leads.
pub(super) enum Place<'p> {
    /// A part of the front matter, the whole included.
    FrontMatter(&'p Node),
    /// A heading, a link or a date of the body.
    Item(Span),
    /// The body, or all headings, links or dates: no one place.
    Body,
}

impl<'p> Instance<'p> {
    pub(super) fn new(page: &'p Page, envelope: bool) -> Self {
        Self { page, envelope, dates: if envelope { dates(page) } else { Vec::new() } }
    }

    /// The instance, every scalar as it is typed.
    pub(super) fn value(&self) -> Value {
        let front_matter = match &self.page.front_matter.root {
            Some(root) => typed(root),
            None => Value::Object(Map::new()),
        };
        if !self.envelope {
            return front_matter;
        }
        let body = &self.page.body;
        let mut envelope = Map::new();
        envelope.insert("frontmatter".into(), front_matter);
        envelope.insert("body".into(), self.page.text.slice(body.span).into());
        envelope.insert("headings".into(), body.headings.iter().map(|heading| self.heading(heading)).collect());
        envelope.insert("links".into(), body.links.iter().map(destination).collect());
        envelope.insert("body_dates".into(), self.dates.iter().map(|&date| self.page.text.slice(date)).collect());
        Value::Object(envelope)
    }

    /// The pointer to a field of the front matter.
    pub(super) fn pointer(&self, field: &str) -> String {
        format!("{}/{}", if self.envelope { "/frontmatter" } else { "" }, step(field))
    }

    /// A heading with its hashes and its markup, whichever way it was written: `## The *text*`.
    fn heading(&self, heading: &Heading) -> String {
        let source = self.page.text.slice(heading.span).trim();
        let text = match source.strip_prefix('#') {
            Some(rest) => rest.trim_start_matches('#').trim(),
            None => &heading.text,
        };
        let text = match text.trim_end_matches('#') {
            closed if closed.is_empty() || closed.ends_with([' ', '\t']) => closed.trim_end(),
            _ => text,
        };
        format!("{} {text}", "#".repeat(heading.level.into()))
    }

    /// Where a pointer into the instance leads, and that pointer within the front matter.
    pub(super) fn place<'a>(&self, pointer: &'a str) -> (Option<Place<'p>>, &'a str) {
        match self.within_front_matter(pointer) {
            Some(inner) => (self.node(pointer).map(Place::FrontMatter), inner),
            None => (self.body_place(pointer), pointer),
        }
    }

    fn within_front_matter<'a>(&self, pointer: &'a str) -> Option<&'a str> {
        match self.envelope {
            true => pointer.strip_prefix("/frontmatter").filter(|inner| inner.is_empty() || inner.starts_with('/')),
            false => Some(pointer),
        }
    }

    /// The part of the front matter that a pointer leads to.
    fn node(&self, pointer: &str) -> Option<&'p Node> {
        let root = self.page.front_matter.root.as_ref()?;
        steps(self.within_front_matter(pointer)?).try_fold(root, |node, step| child(node, &step))
    }

    fn body_place(&self, pointer: &str) -> Option<Place<'p>> {
        let mut steps = steps(pointer);
        let part = steps.next()?;
        let Some(at) = steps.next().and_then(|at| at.parse::<usize>().ok()) else { return Some(Place::Body) };
        let span = match part.as_str() {
            "headings" => self.page.body.headings.get(at).map(|heading| heading.span),
            "links" => self.page.body.links.get(at).map(|link| link.span),
            "body_dates" => self.dates.get(at).copied(),
            _ => None,
        };
        Some(span.map_or(Place::Body, Place::Item))
    }

    /// The span to show for a place: a value, but the first line of the front matter or body where it is a whole.
    pub(super) fn span(&self, place: Option<&Place<'_>>) -> Span {
        match place {
            Some(Place::FrontMatter(node)) if !self.is_root(node) => node.span,
            Some(Place::Item(span)) => *span,
            Some(Place::Body) => match self.page.body.headings.first() {
                Some(heading) => heading.span,
                None => self.first_line(self.page.body.span),
            },
            _ => self.first_line(self.page.front_matter.span),
        }
    }

    /// Where the body matches a pattern; `None` for another place, or a pattern that needs more than this engine has.
    pub(super) fn found(&self, place: Option<&Place<'_>>, pattern: &str) -> Option<Span> {
        let body = self.page.body.span;
        let start = body.start as usize;
        let found = Regex::new(pattern)
            .ok()?
            .find(self.page.text.slice(body))
            .filter(|_| matches!(place, Some(Place::Body)))?;
        Some(Span::new(start + found.start(), start + found.end()))
    }

    fn is_root(&self, node: &Node) -> bool {
        self.page.front_matter.root.as_ref().is_some_and(|root| std::ptr::eq(root, node))
    }

    /// The span of a key below a place.
    pub(super) fn key_span(&self, place: Option<&Place<'_>>, key: &str) -> Span {
        match place {
            Some(Place::FrontMatter(node)) => key_span(node, key).unwrap_or_else(|| self.span(place)),
            _ => self.span(place),
        }
    }

    /// What a place is called in a sentence; `inner` is its pointer as [`Instance::place`] gives it.
    pub(super) fn subject(&self, place: Option<&Place<'_>>, inner: &str) -> String {
        let mut steps = steps(inner);
        match place {
            Some(Place::Body | Place::Item(_)) => {
                let part = steps.next().unwrap_or_default();
                let part = if part == "body_dates" { "dates" } else { &part };
                match (steps.next(), place) {
                    (Some(_), Some(Place::Item(_))) => format!("one of the page's {part}"),
                    _ => format!("the page's {part}"),
                }
            }
            _ if inner.is_empty() => "the front matter".into(),
            _ => {
                let mut path = String::new();
                for step in steps {
                    match step.parse::<usize>() {
                        Ok(at) if !path.is_empty() => path.push_str(&format!("[{at}]")),
                        _ if path.is_empty() => path = step,
                        _ => path.push_str(&format!(".{step}")),
                    }
                }
                quoted(&path)
            }
        }
    }

    /// A value as a sentence shows it: a scalar as it is written, anything else by its kind.
    pub(super) fn shown(&self, place: Option<&Place<'_>>, value: &Value) -> String {
        match (place, value) {
            (Some(Place::FrontMatter(Node { value: yaml::Value::Scalar(scalar), .. })), _)
                if !scalar.text.is_empty() =>
            {
                // `"8"` is a text because of its quotes.
                let is_told_by_quotes = !scalar.plain && scalar.text.parse::<f64>().is_ok();
                if !is_told_by_quotes { quoted(&scalar.text) } else { quoted(&format!("\"{}\"", scalar.text)) }
            }
            (_, value) => shown(value),
        }
    }

    fn first_line(&self, span: Span) -> Span {
        let line = self.page.text.slice(span).lines().next().unwrap_or_default();
        Span::new(span.start as usize, span.start as usize + line.trim_end().len())
    }

    /// The text that an unquoted `[[A]]` was meant to be: to YAML it is a list in a list, which a schema for names refuses.
    pub(super) fn unquoted_link(&self, pointer: &str, found: &mut BTreeMap<String, String>) {
        let Some(node) = self.node(pointer) else { return };
        let alone = pointer
            .rsplit_once('/')
            .and_then(|(outer, _)| self.node(outer))
            .is_some_and(|outer| outer.items().len() == 1);
        let scalar = match node.items() {
            [Node { value: yaml::Value::Sequence(inner), .. }] if inner.len() == 1 => inner[0].name(),
            [scalar] if alone => scalar.name(),
            _ => None,
        };
        found.extend(scalar.map(|name| (pointer.to_owned(), format!("[[{name}]]"))));
    }

    /// The plain scalars at and below `pointer` that have another reading than the typed one: their source text.
    pub(super) fn texts(&self, pointer: &str, found: &mut BTreeMap<String, String>) {
        if let Some(node) = self.node(pointer) {
            collect_texts(node, &mut pointer.to_owned(), found);
        }
    }
}

/// A value as a sentence shows it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "empty".into(),
        Value::String(text) if text.is_empty() => "empty".into(),
        Value::String(text) => quoted(text),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "a mapping".into(),
        scalar => quoted(&scalar.to_string()),
    }
}

/// Text of a page in a sentence of ours: in backticks, on one line, and not longer than a line.
pub(super) fn quoted(text: &str) -> String {
    const LENGTH: usize = 60;
    let line: String = text
        .chars()
        .map(|c| {
            if c.is_control() {
                ' '
            } else if c == '`' {
                '\''
            } else {
                c
            }
        })
        .collect();
    let line = line.trim();
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

/// The wikilink's or Markdown link's target as written, with its fragment.
fn destination(link: &Link) -> String {
    match &link.fragment {
        Some(fragment) => format!("{}#{fragment}", link.target),
        None => link.target.clone(),
    }
}

/// Days written as `YYYY-MM-DD` in the body.
fn dates(page: &Page) -> Vec<Span> {
    let body = page.body.span;
    let text = page.text.slice(body).as_bytes();
    let word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let is_date = |at: &usize| {
        let Some(date) = text.get(*at..at + 10) else { return false };
        let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
        date.iter().zip(b"0000-00-00").all(fits)
            && !word(at.checked_sub(1).and_then(|before| text.get(before)))
            && !word(text.get(at + 10))
    };
    memchr::memchr_iter(b'-', text)
        .filter_map(|hyphen| hyphen.checked_sub(4))
        .filter(is_date)
        .map(|at| Span::new(at, at + 10).shift(body.start as usize))
        .collect()
}

/// What YAML 1.2 core says a node is.
///
/// Answers give integers as strings where a number would lose digits; to a schema `020` is an `integer` all the same.
fn typed(node: &Node) -> Value {
    match &node.value {
        yaml::Value::Scalar(scalar) => {
            let json = node.to_json();
            if scalar.plain && json.is_string() { integer(&scalar.text).unwrap_or(json) } else { json }
        }
        yaml::Value::Sequence(items) => items.iter().map(typed).collect(),
        yaml::Value::Mapping(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.text().unwrap_or_default().to_owned(), typed(value)));
            Value::Object(entries.collect())
        }
    }
}

fn integer(text: &str) -> Option<Value> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

fn collect_texts(node: &Node, pointer: &mut String, found: &mut BTreeMap<String, String>) {
    let mut below = |step: &str, node: &Node| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(step);
        collect_texts(node, pointer, found);
        pointer.truncate(length);
    };
    match &node.value {
        // Nothing, and `~`, say that there is no value: they are no texts.
        yaml::Value::Scalar(scalar) => {
            if scalar.plain && !matches!(scalar.text.as_str(), "" | "~") && !typed(node).is_string() {
                found.insert(pointer.clone(), scalar.text.clone());
            }
        }
        yaml::Value::Sequence(items) => items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item)),
        yaml::Value::Mapping(entries) => {
            entries.iter().for_each(|(key, value)| below(&step(key.text().unwrap_or_default()), value));
        }
    }
}
