//! What rules ask about types.

use std::collections::{HashMap, HashSet};

use super::pages::{front_matter_is_known, is_entry};
use crate::names::folder;
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;
use crate::types::{Type, TypeOf};

/// The types that a page declares, and that page.
pub(super) fn declared(snapshot: &Snapshot) -> impl Iterator<Item = (&Type, usize)> {
    snapshot.types().all().iter().filter_map(|of| {
        let path = of.path.as_deref()?;
        let page = snapshot.number_of(path)?;
        Some((of, page))
    })
}

/// Paths of the types that pages have.
pub(super) fn used(snapshot: &Snapshot) -> HashSet<&str> {
    snapshot.pages().iter().filter_map(|page| snapshot.types().of(page)?.path.as_deref()).collect()
}

/// Pages without a type in folders where most pages have one, each with one that has.
pub(super) fn untyped(snapshot: &Snapshot) -> Vec<(usize, usize)> {
    #[derive(Default)]
    struct Folder {
        typed: usize,
        example: usize,
        untyped: Vec<usize>,
    }
    let mut folders: HashMap<&str, Folder> = HashMap::new();
    for (index, page) in snapshot.checked() {
        if is_entry(snapshot, page) || snapshot.types().is_type_page(&page.path) || !front_matter_is_known(page) {
            continue;
        }
        let of = folders.entry(folder(&page.path)).or_default();
        match snapshot.types().type_of(page) {
            TypeOf::Missing => of.untyped.push(index),
            TypeOf::One(_) => {
                of.typed += 1;
                of.example = index;
            }
            TypeOf::Ambiguous(..) | TypeOf::Unknown(..) => {}
        }
    }
    let most = folders.into_values().filter(|folder| folder.typed > folder.untyped.len());
    most.flat_map(|folder| folder.untyped.into_iter().map(move |page| (page, folder.example))).collect()
}

/// Whether `of` is one of the types that `declaring` names as `targets`; no name at all means any.
pub(super) fn is_one_of(snapshot: &Snapshot, of: Option<&Type>, targets: &[String], declaring: &Type) -> bool {
    let is = |target: &String| {
        // Mostly the name itself is written; looking it up is for the other forms.
        of.is_some_and(|of| of.name == *target)
            || snapshot
                .types()
                .named(target, declaring.path.as_deref())
                .is_some_and(|named| of.is_some_and(|of| std::ptr::eq(named, of)))
    };
    targets.is_empty() || targets.iter().any(is)
}

/// The front matter field that a place stands in.
pub(super) fn field_at(page: &Page, at: Span) -> Option<&str> {
    let entries = page.front_matter.root.as_ref()?.entries();
    let next = entries.partition_point(|(key, _)| key.span.start <= at.start);
    entries[next.checked_sub(1)?].0.text()
}
