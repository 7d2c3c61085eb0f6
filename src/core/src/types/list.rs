//! `types`: the types, and the pages that have none.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{TypeOf, Types};
use crate::page::Page;

/// The answer's keys: `types` (name, path, summary, number of pages), `untyped` (paths of pages without `type`), and
/// `unknown` (path, `type` and candidates of pages whose `type` means no one type).
///
/// Type pages need no type; a page whose front matter cannot be read has none.
pub fn list(types: &Types, pages: &[Arc<Page>]) -> Map<String, Value> {
    let (mut untyped, mut unknown) = (Vec::new(), Vec::new());
    for page in pages {
        match types.type_of(page) {
            TypeOf::Missing if !types.is_type_page(&page.path) => untyped.push(page.path.as_str()),
            TypeOf::Missing | TypeOf::One(_) => {}
            TypeOf::Ambiguous(written, candidates) | TypeOf::Unknown(written, candidates) => {
                unknown.push(json!({ "path": page.path, "type": written, "candidates": candidates }));
            }
        }
    }
    let entries = types.all().iter().zip(types.counts(pages)).map(|(of, count)| {
        let mut entry = Map::new();
        entry.insert("name".into(), of.name.as_str().into());
        entry.insert("path".into(), of.path.as_deref().into());
        entry.insert("summary".into(), of.summary.as_deref().into());
        entry.insert("pages".into(), count.into());
        if of.path.is_none() {
            entry.insert("inferred".into(), true.into());
        }
        Value::Object(entry)
    });
    Map::from_iter([
        ("types".to_owned(), entries.collect()),
        ("untyped".to_owned(), untyped.into()),
        ("unknown".to_owned(), unknown.into()),
    ])
}
