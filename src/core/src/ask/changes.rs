//! `changes`: what is not what it was at another revision.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Context, object};
use crate::answer::Body;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::lint::{self, Finding};
use crate::page::Page;
use crate::question;
use crate::renames::{self, Side};
use crate::snapshot::Snapshot;
use crate::source::{Change, Origin, as_of};
use crate::table::{GONE, Table};
use crate::yaml::Node;

/// Committers that are named.
const MAX_COMMITTERS: usize = 20;

pub(super) fn answer(context: &Context, arguments: &question::Changes) -> Result<Body, Error> {
    let now = context.snapshot;
    let before = context.revision(&arguments.since)?;
    let pairs = pairs(&before, now);
    let cursor = cursor(now, &before, arguments, pairs.len())?;
    let mut total = BTreeMap::from(["added", "removed", "renamed", "changed"].map(|status| (status, 0)));
    pairs.iter().for_each(|pair| *total.entry(pair.status()).or_default() += 1);
    let end = pairs.len().min(cursor.skips().saturating_add(arguments.limit));
    let shown = &pairs[cursor.skips()..end];
    let pages: Vec<Map<String, Value>> = shown.iter().map(|pair| entry(&before, now, pair)).collect();
    let next = (cursor.skips() + pages.len() < pairs.len()).then(|| cursor.after(pages.len()));
    let mut object = object! {
        "since": { "commit": before.stamp.commit, "as_of": before.stamp.as_of },
        "total": total,
        "pages": pages,
        "types": types(&before, now, &pairs),
        "findings": findings(&before, now, shown),
        "committers": committers(context, &before)?,
    };
    if let Some(next) = next {
        object.insert("next_cursor".into(), next.into());
    }
    let cuttable = &["findings.fixed", "findings.new", "committers", "pages", "types"];
    Ok(Body { cursor: Some(("pages", cursor)), ..Body::answered(object, cuttable) })
}

/// The place in the list that is asked for.
fn cursor(now: &Snapshot, before: &Snapshot, arguments: &question::Changes, pages: usize) -> Result<Cursor, Error> {
    let [since, commit] = [before, now].map(|snapshot| snapshot.stamp.commit.clone().unwrap_or_default());
    Cursor::new(&["changes", &since, &commit], arguments.cursor.as_deref())
        .filter(|cursor| cursor.skips() <= pages)
        .ok_or_else(|| Error::argument("changes", "cursor", "is of an answer with another commit or other arguments"))
}

/// A page that was there, one that is there, or both, and not the same.
pub(super) struct Pair {
    pub(super) before: Option<usize>,
    pub(super) now: Option<usize>,
    is_renamed: bool,
}

impl Pair {
    fn status(&self) -> &'static str {
        match (self.before, self.now) {
            (Some(_), Some(_)) if self.is_renamed => "renamed",
            (Some(_), Some(_)) => "changed",
            (None, _) => "added",
            (Some(_), None) => "removed",
        }
    }
}

/// All pages that differ, by their paths now, those that are gone by what they were.
pub(super) fn pairs(before: &Snapshot, now: &Snapshot) -> Vec<Pair> {
    let (old, new) = (before.table(), now.table());
    let mut is_same = vec![false; new.len()];
    let (mut removed, mut pairs) = (Vec::new(), Vec::new());
    let is_stored = |table: &Table, number: usize| matches!(table.origin(number), Some(Origin::Blob(_)));
    for (number, &same) in new.numbers_of(old).iter().enumerate() {
        match new.find(old.path(number)) {
            _ if same != GONE => is_same[same as usize] = true,
            Err(_) => removed.push(number),
            Ok(now_at) => {
                is_same[now_at] = true;
                // Files may have other line ends than git's and yet the same text; two blobs are two.
                if is_stored(old, number) && is_stored(new, now_at)
                    || before.page(number).text.as_str() != now.page(now_at).text.as_str()
                {
                    pairs.push(Pair { before: Some(number), now: Some(now_at), is_renamed: false });
                }
            }
        }
    }
    let added: Vec<usize> = (0..new.len()).filter(|&number| !is_same[number]).collect();
    let of = renamed(before, &removed, now, &added);
    let mut is_renamed = vec![false; removed.len()];
    for (&number, from) in added.iter().zip(of) {
        let from = from.inspect(|&from| is_renamed[from] = true).map(|from| removed[from]);
        pairs.push(Pair { before: from, now: Some(number), is_renamed: from.is_some() });
    }
    let gone = removed.iter().zip(is_renamed).filter(|(_, is_renamed)| !is_renamed);
    pairs.extend(gone.map(|(&number, _)| Pair { before: Some(number), now: None, is_renamed: false }));
    pairs.sort_by(|a, b| path(before, now, a).cmp(path(before, now, b)));
    pairs
}

fn path<'s>(before: &'s Snapshot, now: &'s Snapshot, pair: &Pair) -> &'s str {
    match (pair.now, pair.before) {
        (Some(number), _) => now.table().path(number),
        (None, Some(number)) => before.table().path(number),
        (None, None) => "",
    }
}

/// By added page: the removed one that it was.
fn renamed(before: &Snapshot, removed: &[usize], now: &Snapshot, added: &[usize]) -> Vec<Option<usize>> {
    if removed.is_empty() {
        return vec![None; added.len()];
    }
    let read = |snapshot: &Snapshot, pages: &[usize]| -> Vec<(String, Vec<u8>)> {
        pages.iter().map(|&number| (snapshot.table().path(number).to_owned(), snapshot.bytes(number))).collect()
    };
    let (old, new) = (read(before, removed), read(now, added));
    renames::find(&sides(&old), &sides(&new))
}

fn sides(files: &[(String, Vec<u8>)]) -> Vec<Side<'_>> {
    files.iter().map(|(path, bytes)| Side { path, bytes }).collect()
}

fn entry(before: &Snapshot, now: &Snapshot, pair: &Pair) -> Map<String, Value> {
    let old = pair.before.map(|number| before.page(number));
    let new = pair.now.map(|number| now.page(number));
    let mut entry = object! { "status": pair.status(), "path": path(before, now, pair) };
    if let (true, Some(number)) = (pair.is_renamed, pair.before) {
        entry.insert("from".into(), before.table().path(number).into());
    }
    if let Some(page) = new.or(old) {
        entry.insert("title".into(), page.title.as_str().into());
        entry.insert("type".into(), page.field_text("type").into());
    }
    if let (Some(old), Some(new)) = (old, new) {
        entry.insert("frontmatter".into(), json!(fields(old, new)));
        entry.insert("sections".into(), json!(sections(old, new)));
    }
    entry
}

/// Front matter fields that were added, removed or changed.
fn fields(old: &Page, new: &Page) -> Vec<Value> {
    let of = |page: &Page| -> BTreeMap<String, String> {
        let entries = page.front_matter.root.as_ref().map(Node::entries).unwrap_or_default();
        entries.iter().filter_map(|(key, value)| Some((key.text()?.to_owned(), value.to_json().to_string()))).collect()
    };
    differing(&of(old), &of(new))
        .into_iter()
        .map(|(field, status)| json!({ "field": field, "status": status }))
        .collect()
}

/// Sections, each the text up to the next heading, that were added, removed or changed; in the order of the page now, those that
/// are gone last. What stands before the first heading has none.
fn sections(old: &Page, new: &Page) -> Vec<Value> {
    let (old, new) = (texts(old), texts(new));
    let of = |texts: &[(String, usize, String)]| -> BTreeMap<(String, usize), String> {
        texts.iter().map(|(path, nth, text)| ((path.clone(), *nth), text.clone())).collect()
    };
    let differing: HashMap<(String, usize), &str> = differing(&of(&old), &of(&new)).into_iter().collect();
    let mut sections: Vec<Value> = Vec::new();
    let gone = old.iter().filter(|(path, nth, _)| differing.get(&(path.clone(), *nth)) == Some(&"removed"));
    for (path, nth, _) in new.iter().chain(gone) {
        if let Some(status) = differing.get(&(path.clone(), *nth)) {
            let heading = Some(path).filter(|path| !path.is_empty());
            sections.push(json!({ "heading": heading, "status": status }));
        }
    }
    sections
}

/// The sections of a page: the headings on the way to each, which one it is of those that have the same, and its text.
fn texts(page: &Page) -> Vec<(String, usize, String)> {
    let headings = &page.body.headings;
    let end = |next: usize| headings.get(next).map_or(page.body.span.end, |heading| heading.span.start) as usize;
    let text = |start: u32, next: usize| page.text.as_str()[start as usize..end(next)].trim().to_owned();
    let mut texts = Vec::new();
    let before = text(page.body.span.start, 0);
    if !before.is_empty() {
        texts.push((String::new(), 0, before));
    }
    let mut open: Vec<(u8, &str)> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (number, heading) in headings.iter().enumerate() {
        while open.last().is_some_and(|(level, _)| *level >= heading.level) {
            open.pop();
        }
        open.push((heading.level, &heading.text));
        let path = open.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("#");
        let nth = seen.entry(path.clone()).or_default();
        texts.push((path, *nth, text(heading.span.start, number + 1)));
        *nth += 1;
    }
    texts
}

fn differing<K: Ord + Clone, V: PartialEq>(old: &BTreeMap<K, V>, new: &BTreeMap<K, V>) -> Vec<(K, &'static str)> {
    let now = new.iter().filter_map(|(key, value)| match old.get(key) {
        None => Some((key.clone(), "added")),
        Some(before) if before != value => Some((key.clone(), "changed")),
        Some(_) => None,
    });
    now.chain(old.keys().filter(|key| !new.contains_key(key)).map(|key| (key.clone(), "removed"))).collect()
}

/// What rules that look at one page and its links find on the pages that differ and did not before, and the other way round.
fn findings(before: &Snapshot, now: &Snapshot, pairs: &[Pair]) -> Value {
    let linted = |snapshot: &Snapshot, page: fn(&Pair) -> Option<usize>| -> Vec<Finding> {
        let mut pages: Vec<usize> = pairs.iter().filter_map(page).collect();
        pages.sort_unstable();
        let is_own = |finding: &Finding| {
            snapshot.number_of(&finding.path).is_some_and(|page| pages.binary_search(&page).is_ok())
        };
        let mut found = lint::run_unhinted(&snapshot.focused(pages.clone())).listed;
        found.retain(is_own);
        found
    };
    let (old, new) = (linted(before, |pair| pair.before), linted(now, |pair| pair.now));
    let moved: HashMap<&str, &str> = pairs
        .iter()
        .filter(|pair| pair.is_renamed)
        .map(|pair| (pair.before.map_or("", |number| before.table().path(number)), path(before, now, pair)))
        .collect();
    // A fingerprint knows the page by its path.
    let key = |finding: &Finding| {
        let path = moved.get(finding.path.as_str()).copied().unwrap_or(&finding.path).to_owned();
        let is_moved = moved.values().any(|to| *to == path);
        (path, finding.rule, if is_moved { finding.message.clone() } else { finding.fingerprint.clone() })
    };
    let only = |ours: &[Finding], theirs: &[Finding]| -> Vec<Finding> {
        let theirs: HashSet<_> = theirs.iter().map(key).collect();
        ours.iter().filter(|finding| !theirs.contains(&key(finding))).cloned().collect()
    };
    let (mut introduced, mut fixed) = (only(&new, &old), only(&old, &new));
    lint::add_hints(now, &mut introduced);
    lint::add_hints(before, &mut fixed);
    json!({ "new": introduced, "fixed": fixed })
}

/// The types whose pages are among those that differ.
fn types(before: &Snapshot, now: &Snapshot, pairs: &[Pair]) -> Vec<Value> {
    let name = |snapshot: &Snapshot, number: Option<usize>| {
        let path = snapshot.table().path(number?);
        let of = snapshot.types().all().iter().find(|of| of.path.as_deref() == Some(path))?;
        Some(of.name.clone())
    };
    let mut types = Vec::new();
    for pair in pairs {
        let (old, new) = (name(before, pair.before), name(now, pair.now));
        let status = match (&old, &new) {
            (None, None) => continue,
            (None, Some(_)) => "added",
            (Some(_), None) => "removed",
            (Some(_), Some(_)) => pair.status(),
        };
        types.push(json!({ "name": new.or(old), "path": path(before, now, pair), "status": status }));
    }
    types
}

/// Who made the commits that this revision has and the other has not, those who made most first.
fn committers(context: &Context, before: &Arc<Snapshot>) -> Result<Value, Error> {
    // What lies in files has been committed by nobody.
    let (Some(before), Some(now)) = (before.commit(), context.snapshot.commit()) else { return Ok(json!([])) };
    let commits = context.repository.between(&before, &now)?;
    let mut by_name: BTreeMap<&str, (usize, &Change)> = BTreeMap::new();
    for change in &commits {
        by_name.entry(&change.committer).or_insert((0, change)).0 += 1;
    }
    let mut committers: Vec<(&str, (usize, &Change))> = by_name.into_iter().collect();
    committers.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let entry = |(name, (count, last)): (&str, (usize, &Change))| {
        json!({
            "name": name,
            "commits": count,
            "last": { "commit": last.commit.id.to_string(), "as_of": as_of(last.commit.seconds) },
        })
    };
    Ok(committers.into_iter().take(MAX_COMMITTERS).map(entry).collect())
}
