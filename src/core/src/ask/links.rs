//! `links`: what a page links to, and what links to it.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value, json};

use super::object;
use crate::answer::Body;
use crate::error::Error;
use crate::graph::Destination;
use crate::page::{Anchor, Link, Page};
use crate::question;
use crate::snapshot::Snapshot;
use crate::text::Lines;

pub(super) fn answer(snapshot: &Snapshot, arguments: &question::Links) -> Result<Body, Error> {
    let (number, via, form) = snapshot.resolve(&arguments.name)?;
    let page = snapshot.page(number);
    let links = snapshot.links_of(number);
    let lines = page.text.lines();
    let missing: Vec<&str> =
        links.iter().filter(|(_, to)| *to == Destination::Missing).map(|(link, _)| link.target.as_str()).collect();
    let mut nearest = if missing.is_empty() { Vec::new() } else { snapshot.nearest(&missing) }.into_iter();
    let (mut outgoing, mut unresolved, mut relations) = (Vec::new(), Vec::new(), Vec::new());
    let mut elsewhere: BTreeMap<&str, usize> = ["file", "folder", "foreign"].map(|class| (class, 0)).into();
    for (link, destination) in links.iter() {
        match destination {
            Destination::Page(to) => {
                let mut entry = led(snapshot, *to);
                entry.extend(stated(page, &lines, link));
                if let Some(name) = &link.relation {
                    relations.push(related(name, "outgoing", &entry));
                }
                if let Some(reason) = broken_fragment(snapshot.page(*to), link) {
                    unresolved.push(missed(page, &lines, link, reason, vec![snapshot.table().path(*to).to_owned()]));
                }
                outgoing.push(entry);
            }
            Destination::Ambiguous(pages) => {
                unresolved.push(missed(page, &lines, link, "ambiguous", snapshot.paths(pages)));
            }
            Destination::Missing => {
                let near = snapshot.paths(&nearest.next().unwrap_or_default());
                unresolved.push(missed(page, &lines, link, "missing", near));
            }
            Destination::Outside => unresolved.push(missed(page, &lines, link, "outside", Vec::new())),
            Destination::Foreign => *elsewhere.entry("foreign").or_default() += 1,
            Destination::File => *elsewhere.entry("file").or_default() += 1,
            Destination::Folder => *elsewhere.entry("folder").or_default() += 1,
        }
    }
    let incoming = incoming(snapshot, number);
    for entry in &incoming {
        if let Some(name) = entry["relation"].as_str() {
            relations.push(related(name, "incoming", entry));
        }
    }
    let mut object = object! {
        "path": page.path,
        "via": via,
        "form": form,
        "title": page.title,
        "total": { "outgoing": outgoing.len(), "incoming": incoming.len(), "unresolved": unresolved.len() },
        "outgoing": outgoing,
        "incoming": incoming,
        "relations": relations,
        "unresolved": unresolved,
        "elsewhere": elsewhere,
    };
    if arguments.depth > 1 {
        object.insert("reached".into(), reached(snapshot, number, arguments.depth));
    }
    Ok(Body::answered(object, &["reached", "incoming", "outgoing", "unresolved", "relations"]))
}

/// All links of other pages to one, by their pages and in their order.
fn incoming(snapshot: &Snapshot, number: usize) -> Vec<Map<String, Value>> {
    let mut incoming = Vec::new();
    for (from, links) in snapshot.linking_to(&HashSet::from([number])) {
        let page = snapshot.page(from);
        let lines = page.text.lines();
        for link in &links {
            let mut entry = led(snapshot, from);
            entry.extend(stated(page, &lines, link));
            incoming.push(entry);
        }
    }
    incoming
}

fn led(snapshot: &Snapshot, page: usize) -> Map<String, Value> {
    object! { "path": snapshot.table().path(page), "title": snapshot.page(page).title }
}

/// Where and how a page states a link.
fn stated(page: &Page, lines: &Lines, link: &Link) -> Map<String, Value> {
    let at = lines.position(link.span.start as usize);
    let heading = link.section.and_then(|section| page.body.headings.get(section as usize));
    let note = page.body.footnotes.iter().find(|note| note.span.contains(link.span.start as usize));
    object! {
        "kind": link.kind,
        "fragment": link.fragment,
        "label": link.label,
        "relation": link.relation,
        "footnote": note.map(|note| &note.key),
        "section": heading.map(|heading| &heading.text),
        "line": at.line,
        "column": at.column,
    }
}

fn related(name: &str, direction: &str, entry: &Map<String, Value>) -> Value {
    json!({
        "name": name,
        "direction": direction,
        "path": entry["path"],
        "title": entry["title"],
        "line": entry["line"],
    })
}

fn missed(page: &Page, lines: &Lines, link: &Link, reason: &str, candidates: Vec<String>) -> Map<String, Value> {
    let mut entry = object! { "target": link.target, "reason": reason, "candidates": candidates };
    entry.extend(stated(page, lines, link));
    entry
}

/// Why a link to a place on a page leads to the page alone.
fn broken_fragment(page: &Page, link: &Link) -> Option<&'static str> {
    let fragment = link.fragment.as_deref().filter(|fragment| !fragment.is_empty())?;
    match page.body.anchor(fragment) {
        Some(Anchor::Heading(_) | Anchor::Block(_)) => None,
        None if fragment.starts_with('^') => Some("block"),
        None => Some("heading"),
    }
}

/// The pages that are more than one link away, in either direction, each with the page that it was reached from.
fn reached(snapshot: &Snapshot, start: usize, depth: usize) -> Value {
    let outgoing = &snapshot.graph().outgoing;
    let mut neighbours: Vec<Vec<(usize, &str)>> = vec![Vec::new(); outgoing.len()];
    for (from, links) in outgoing.iter().enumerate() {
        for (_, to) in links {
            if let Destination::Page(to) = *to
                && to != from
            {
                neighbours[from].push((to, "outgoing"));
                neighbours[to].push((from, "incoming"));
            }
        }
    }
    let mut seen = HashSet::from([start]);
    let mut last = vec![start];
    let mut reached = Vec::new();
    for distance in 1..=depth {
        let mut found = Vec::new();
        for &from in &last {
            neighbours[from].sort_unstable();
            for &(page, direction) in &neighbours[from] {
                if seen.insert(page) {
                    found.push(page);
                    if distance > 1 {
                        let mut entry = led(snapshot, page);
                        entry.extend(object! {
                            "distance": distance,
                            "from": snapshot.table().path(from),
                            "direction": direction,
                        });
                        reached.push(entry);
                    }
                }
            }
        }
        last = found;
        last.sort_unstable();
    }
    json!(reached)
}
