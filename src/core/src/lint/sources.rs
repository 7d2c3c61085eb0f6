//! The sources of a page: those that its `sources` list, and those that its footnotes name.

use super::types::{field_at, is_one_of};
use crate::graph::Destination;
use crate::page::{Link, LinkKind, Page};
use crate::snapshot::Snapshot;

/// The field that lists them.
const FIELD: &str = "sources";

/// The entries of `sources` that name a page, and that page.
pub(super) fn listed(snapshot: &Snapshot, page: usize) -> impl Iterator<Item = (&Link, usize)> {
    let links = snapshot.graph().outgoing[page].iter();
    links.filter_map(move |(link, destination)| match destination {
        Destination::Page(to)
            if link.kind == LinkKind::FrontMatter && field_at(snapshot.page(page), link.span) == Some(FIELD) =>
        {
            Some((link, *to))
        }
        _ => None,
    })
}

/// Whether a link stands in a footnote's definition.
pub(super) fn is_cited_by(page: &Page, link: &Link) -> bool {
    let footnotes = &page.body.footnotes;
    let next = footnotes.partition_point(|note| note.span.end <= link.span.start);
    link.kind != LinkKind::FrontMatter
        && footnotes.get(next).is_some_and(|note| note.span.contains(link.span.start as usize))
}

/// The types that a page's type asks of its sources.
pub(super) fn types(snapshot: &Snapshot, page: usize) -> &[String] {
    let field =
        snapshot.types().of(snapshot.page(page)).and_then(|of| of.links.iter().find(|link| link.field == FIELD));
    field.map(|field| field.target.as_slice()).unwrap_or_default()
}

/// Whether `to` is of a type that the sources of `page` have.
pub(super) fn is_source(snapshot: &Snapshot, page: usize, to: usize) -> bool {
    let (types, of) = (types(snapshot, page), snapshot.types().of(snapshot.page(page)));
    of.is_some_and(|of| !types.is_empty() && is_one_of(snapshot, snapshot.types().of(snapshot.page(to)), types, of))
}
