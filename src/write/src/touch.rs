//! `touch`: sets `modified` of pages.

use std::collections::BTreeSet;
use std::path::PathBuf;

use chemenu_core::page::{FrontMatterState, LinkStyle, Page};
use chemenu_core::yaml::{Node, Value};
use chemenu_core::{Answer, Corpus, Error, Options, Stamp};
use jiff::civil::Date;
use serde_json::{Map, Value as Json, json};

use crate::plan::{Change, Plan};

/// The field that is set.
const FIELD: &str = "modified";

/// Which pages to touch, and how.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// The wiki's folder, as [`Options::root`].
    pub root: Option<PathBuf>,
    /// Names of the pages.
    pub pages: Vec<String>,
    /// The date to set, such as `2026-09-02`; today's in UTC if `None`.
    pub date: Option<String>,
    /// Only tell the plan.
    pub dry_run: bool,
}

impl Touch {
    /// Plans, applies unless it is a dry run, and tells what was changed: `changed`, `unchanged`, `dry_run`.
    ///
    /// All pages are planned before the first is written; an error then means that none was.
    pub fn run(&self) -> Answer {
        let corpus = match Corpus::open(Options { root: self.root.clone(), ..Options::default() }) {
            Ok(corpus) => corpus,
            Err(error) => return Answer::error(&Stamp::default(), &error),
        };
        let stamp = corpus.stamp();
        match self.plan(&corpus).and_then(|plan| self.apply(plan)) {
            Ok(object) => Answer::of_change(&stamp, object),
            Err(error) => Answer::error(&stamp, &error),
        }
    }

    fn plan(&self, corpus: &Corpus) -> Result<(Plan, Vec<Json>, Vec<String>), Error> {
        if self.pages.is_empty() {
            return Err(Error::argument("touch", "pages", "is missing"));
        }
        let date = match &self.date {
            Some(date) => date.parse::<Date>().map_err(|_| {
                Error::argument("touch", "date", format!("must be a date such as `2026-09-02`, not `{date}`"))
            })?,
            None => jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date(),
        };
        let snapshot = corpus.now()?;
        let mut paths = BTreeSet::new();
        for name in &self.pages {
            paths.insert(snapshot.table().path(snapshot.resolve(name)?.0).to_owned());
        }
        let repository = corpus.repository();
        let listing = repository.list_work_tree()?;
        let (mut plan, mut changed, mut unchanged) = (Plan::default(), Vec::new(), Vec::new());
        for path in paths {
            let not_changed = |message: &str| Error::NotChanged { path: path.clone(), message: message.into() };
            let found = listing.files.iter().find(|file| file.path == path);
            let (Some(listed), Some(file)) = (found, found.and_then(|file| repository.path_on_disk(file))) else {
                return Err(not_changed("it is not in the work tree"));
            };
            let before = repository.read(listed)?;
            let page = Page::parse(path.clone(), &before, snapshot.config.link_style);
            let edit = edit(&page, &before, date).map_err(|message| not_changed(&message))?;
            if edit.bytes == before {
                unchanged.push(path);
                continue;
            }
            check(&page, &edit, snapshot.config.link_style)?;
            changed.push(json!({ "path": path, "before": page.field(FIELD).map(Node::to_json), "after": edit.value }));
            plan.changes.push(Change { path, file, before, after: edit.bytes });
        }
        Ok((plan, changed, unchanged))
    }

    fn apply(&self, (plan, changed, unchanged): (Plan, Vec<Json>, Vec<String>)) -> Result<Map<String, Json>, Error> {
        if !self.dry_run {
            plan.apply()?;
        }
        let mut object = Map::new();
        object.insert("changed".into(), changed.into());
        object.insert("unchanged".into(), unchanged.into());
        object.insert("dry_run".into(), self.dry_run.into());
        Ok(object)
    }
}

/// A page with its field set.
struct Edit {
    bytes: Vec<u8>,
    value: String,
}

fn edit(page: &Page, bytes: &[u8], date: Date) -> Result<Edit, String> {
    let front = &page.front_matter;
    match front.state {
        FrontMatterState::Present => {}
        FrontMatterState::Absent => return Err("it has no front matter".into()),
        FrontMatterState::Invalid => return Err("its front matter cannot be read; see `lint`".into()),
    }
    let entries = front.root.as_ref().map_or(&[][..], Node::entries);
    let text = &page.text;
    let flow = text.slice(front.content).trim_start().starts_with('{');
    let position = entries.iter().position(|(key, _)| key.text() == Some(FIELD));
    let value = date.to_string();
    let (start, end, replacement) = match position.map(|index| &entries[index]) {
        Some((key, node)) => match &node.value {
            Value::Scalar(scalar) if node.span.start < node.span.end => {
                let span = text.stored(node.span);
                // A quoted value stays quoted in its own way; a block scalar has no single place for a date.
                let source = text.slice(node.span);
                let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''));
                if source.contains('\n') || (!scalar.plain && quote.is_none()) {
                    return Err(format!("its `{FIELD}` is a text of several lines"));
                }
                let quote = quote.map(String::from).unwrap_or_default();
                (span.start, span.end, format!("{quote}{value}{quote}"))
            }
            Value::Scalar(_) => {
                // `modified:` with nothing behind it; what stands before a comment is kept.
                let after_key = key.span.end as usize;
                let colon = text.as_str()[after_key..].find(':').map(|at| after_key + at + 1);
                let colon = colon.ok_or_else(|| format!("its `{FIELD}` has no colon"))?;
                let at = text.stored(chemenu_core::text::Span::new(colon, colon)).start;
                (at, at, format!(" {value}"))
            }
            _ => return Err(format!("its `{FIELD}` is not one value")),
        },
        None if flow => return Err(format!("its front matter is in braces and has no `{FIELD}`")),
        None => {
            let at = text
                .stored(chemenu_core::text::Span::new(front.content.end as usize, front.content.end as usize))
                .start;
            let line_end = line_end(&bytes[..at as usize]);
            (at, at, format!("{FIELD}: {value}{line_end}"))
        }
    };
    let mut after = Vec::with_capacity(bytes.len() + replacement.len());
    after.extend_from_slice(&bytes[..start as usize]);
    after.extend_from_slice(replacement.as_bytes());
    after.extend_from_slice(&bytes[end as usize..]);
    Ok(Edit { bytes: after, value })
}

/// The line end that the text before the insertion uses.
fn line_end(before: &[u8]) -> &'static str {
    match before {
        [.., b'\r', b'\n'] => "\r\n",
        [.., b'\r'] => "\r",
        _ => "\n",
    }
}

/// Reads the edited page again: exactly the field has changed, or nothing is written.
fn check(page: &Page, edit: &Edit, style: LinkStyle) -> Result<(), Error> {
    let fields = |page: &Page| -> Vec<(String, Json)> {
        let entries = page.front_matter.root.as_ref().map_or(&[][..], Node::entries);
        entries
            .iter()
            .map(|(key, value)| (key.text().unwrap_or_default().to_owned(), value.to_json_text()))
            .filter(|(key, _)| key != FIELD)
            .collect()
    };
    let edited = Page::parse(page.path.clone(), &edit.bytes, style);
    let set = edited.field_text(FIELD) == Some(edit.value.as_str());
    let body = |page: &Page| page.text.slice(page.body.span).to_owned();
    if set && fields(page) == fields(&edited) && body(page) == body(&edited) {
        return Ok(());
    }
    Err(Error::NotChanged { path: page.path.clone(), message: format!("setting `{FIELD}` would change other fields") })
}
