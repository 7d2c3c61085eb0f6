//! The list of resources: the fixed ones, the types, then all pages, in parts.

use std::sync::Arc;

use chemenu_core::Cursor;
use chemenu_core::snapshot::Snapshot;
use rmcp::model::Resource as Definition;

use super::{ALL, page, type_page, uri};
use crate::instructions::quote;
use crate::problem::Problem;
use crate::wiki::Wiki;

/// Characters of a type's summary.
const SUMMARY: usize = 160;
/// How many resources one part has.
pub(crate) const PART: usize = 500;

/// A part of the list.
pub(crate) struct Part {
    /// What it was read from.
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) resources: Vec<Definition>,
    /// Where the next part begins.
    pub(crate) next: Option<String>,
}

/// The part of the list that begins at a cursor.
pub(crate) fn list(wiki: &Wiki, cursor: Option<&str>) -> Result<Part, Problem> {
    let wrong = || {
        let message = format!("no part of the list of resources begins at the cursor `{}`", cursor.unwrap_or_default());
        Problem::new(
            message,
            "ask without a cursor, and for each further part with the `nextCursor` of the one before",
            Vec::new(),
        )
    };
    // A list goes on in the commit that it began in, whatever has become of HEAD.
    let (commit, place) = match cursor {
        None => (None, None),
        Some(cursor) => cursor.split_once('.').map(|(commit, place)| (Some(commit), Some(place))).ok_or_else(wrong)?,
    };
    let snapshot = match commit.filter(|commit| *commit != FILES) {
        // A cursor holds a full id, and nothing else that names a revision.
        Some(commit) if !matches!(commit.len(), 40 | 64) => return Err(wrong()),
        commit => {
            wiki.corpus.snapshot(commit).map_err(|error| if cursor.is_some() { wrong() } else { error.into() })?
        }
    };
    let stamp = snapshot.stamp.commit.as_deref();
    // Files belong to no commit: all that is known of their list is the list.
    let files = if stamp.is_none() { snapshot.table().paths().collect::<Vec<_>>().join("\n") } else { String::new() };
    let start = Cursor::new(&["resources", stamp.unwrap_or(FILES), &files], place).ok_or_else(wrong)?;

    let mut resources: Vec<Definition> = Vec::new();
    let types = snapshot.types().all();
    let fixed: Vec<Definition> = ALL.iter().filter_map(super::Resource::fixed).collect();
    let total = fixed.len() + types.len() + snapshot.table().len();
    if start.skips() >= total && cursor.is_some() {
        return Err(wrong());
    }
    for number in (start.skips()..total).take(PART) {
        resources.push(if let Some(fixed) = fixed.get(number) {
            fixed.clone()
        } else if let Some(of) = types.get(number - fixed.len()) {
            let is_unique = types.iter().filter(|other| other.name == of.name).count() == 1;
            let name = of.path.as_ref().filter(|_| !is_unique).unwrap_or(&of.name);
            let resource = Definition::new(uri::of(&type_page::RESOURCE, name), name)
                .with_mime_type(type_page::RESOURCE.mime_type);
            match &of.summary {
                Some(summary) => {
                    resource.with_description(format!("A type of pages; its page says {}", quote(summary, SUMMARY)))
                }
                None => resource,
            }
        } else {
            let path = snapshot.table().path(number - fixed.len() - types.len());
            Definition::new(uri::of(&page::RESOURCE, path), path).with_mime_type(page::RESOURCE.mime_type)
        });
    }
    let is_more = start.skips() + resources.len() < total;
    let next = is_more.then(|| format!("{}.{}", stamp.unwrap_or(FILES), start.after(resources.len())));
    Ok(Part { snapshot, resources, next })
}

/// Stands for a commit where files were listed.
const FILES: &str = "files";
