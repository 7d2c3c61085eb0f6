//! Typed relations as pages state them, held against what the types declare.

use std::collections::{HashMap, HashSet};

use crate::graph::Destination;
use crate::names::fold;
use crate::page::Link;
use crate::snapshot::Snapshot;
use crate::types::{Relation, Type};

/// A link that states a relation.
pub(super) struct Stated<'s> {
    /// The page that states it.
    pub(super) page: usize,
    /// The link.
    pub(super) link: &'s Link,
    /// The relation's name, as written.
    pub(super) name: &'s str,
    /// The page that it leads to, where that is one.
    pub(super) to: Option<usize>,
    /// The type of the page that states it.
    pub(super) of: Option<&'s Type>,
    /// What that type declares about the relation.
    pub(super) declared: Option<&'s Relation>,
}

/// All relations that pages state.
pub(super) fn stated(snapshot: &Snapshot) -> impl Iterator<Item = Stated<'_>> {
    snapshot.graph().outgoing.iter().enumerate().flat_map(move |(page, links)| {
        links.iter().filter_map(move |(link, destination)| {
            let name = link.relation.as_deref()?;
            let of = snapshot.types.of(&snapshot.pages[page]);
            let declared = of.and_then(|of| declared(of, name));
            let to = if let Destination::Page(to) = destination { Some(*to) } else { None };
            Some(Stated { page, link, name, to, of, declared })
        })
    })
}

/// What a type declares about the relation of that name, whatever its case.
pub(super) fn declared<'t>(of: &'t Type, name: &str) -> Option<&'t Relation> {
    let exact = of.relations.iter().find(|relation| relation.name == name);
    exact.or_else(|| {
        let name = fold(name);
        of.relations.iter().find(|relation| fold(&relation.name) == name)
    })
}

/// Pages that another one replaces, and that page: by a relation of the role `supersedes`, or by its inverse.
pub(crate) fn superseded(snapshot: &Snapshot) -> HashMap<usize, usize> {
    let superseding = || {
        let relations = snapshot.types.all().iter().flat_map(|of| &of.relations);
        relations.filter(|relation| relation.role.as_deref() == Some("supersedes"))
    };
    if superseding().next().is_none() {
        return HashMap::new();
    }
    let inverses: HashSet<String> =
        superseding().filter_map(|relation| Some(fold(relation.inverse.as_ref()?))).collect();
    let pairs = stated(snapshot).filter_map(|stated| {
        let to = stated.to.filter(|to| *to != stated.page)?;
        if stated.declared.is_some_and(|relation| relation.role.is_some()) {
            Some((to, stated.page))
        } else {
            inverses.contains(&fold(stated.name)).then_some((stated.page, to))
        }
    });
    pairs.collect()
}
