//! `search`: pages by their words.

use serde_json::{Map, Value, json};

use super::object;
use crate::answer::Body;
use crate::error::Error;
use crate::page::Page;
use crate::question::Search;
use crate::search::Hit;
use crate::snapshot::Snapshot;

pub(super) fn answer(snapshot: &Snapshot, arguments: &Search) -> Result<Body, Error> {
    let found = snapshot.index()?.search(&arguments.query, &snapshot.pages)?;
    let hits: Vec<Value> =
        found.hits.iter().take(arguments.limit).map(|hit| hit_json(snapshot, hit, &found.terms)).collect();
    Ok(Body::answered(
        object! {
            "query": { "text": shortened(&arguments.query), "terms": found.terms },
            "total": found.hits.len(),
            "hits": hits,
            "notes": found.notes,
        },
        &["hits"],
    ))
}

fn hit_json(snapshot: &Snapshot, hit: &Hit, terms: &[String]) -> Value {
    let page = &snapshot.pages[hit.page];
    let mut object = object! {
        "path": page.path,
        "title": page.title,
        "type": page.field_text("type"),
        "summary": page.field_text("summary"),
        "tags": page.front_matter.tags().iter().map(|(tag, _)| tag).collect::<Vec<_>>(),
        "modified": page.field_text("modified"),
    };
    optional(&mut object, page, "confidence");
    optional(&mut object, page, "provenance");
    let with = |bit: u64| -> Vec<&String> {
        terms.iter().enumerate().filter(|(number, _)| hit.matched >> number & 1 == bit).map(|(_, term)| term).collect()
    };
    object.insert("score".into(), json!(hit.score));
    object.insert("matched".into(), json!(with(1)));
    object.insert("missing".into(), json!(with(0)));
    Value::Object(object)
}

/// A field that is given only where the page sets it.
fn optional(object: &mut Map<String, Value>, page: &Page, field: &str) {
    if let Some(node) = page.field(field).filter(|node| !node.is_null()) {
        object.insert(field.into(), node.to_json());
    }
}

/// A query is repeated to who asked it, but not by the megabyte.
fn shortened(query: &str) -> String {
    const LONGEST: usize = 200;
    if query.chars().count() <= LONGEST {
        return query.to_owned();
    }
    query.chars().take(LONGEST).chain(['…']).collect()
}
