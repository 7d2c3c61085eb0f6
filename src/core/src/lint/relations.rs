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
    let declared = Declared::new(snapshot);
    let links = snapshot
        .checked_links()
        .flat_map(|(page, links)| links.iter().map(move |(link, destination)| (page, link, destination)));
    links.filter_map(move |(page, link, destination)| declared.stated(snapshot, page, link, destination))
}

/// The relations that types declare, by type and name: a page may state as many as its type declares.
pub(super) struct Declared<'s> {
    exact: HashMap<(*const Type, &'s str), &'s Relation>,
    folded: HashMap<(*const Type, String), &'s Relation>,
}

impl<'s> Declared<'s> {
    /// Of all types.
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let mut declared = Self { exact: HashMap::new(), folded: HashMap::new() };
        for of in snapshot.types().all() {
            for relation in &of.relations {
                let of = std::ptr::from_ref(of);
                declared.exact.entry((of, &relation.name)).or_insert(relation);
                declared.folded.entry((of, fold(&relation.name))).or_insert(relation);
            }
        }
        declared
    }

    /// The relation that a link of a page states, if it does.
    fn stated<'l>(
        &self,
        snapshot: &'l Snapshot,
        page: usize,
        link: &'l Link,
        destination: &Destination,
    ) -> Option<Stated<'l>>
    where
        's: 'l,
    {
        let name = link.relation.as_deref()?;
        let of = snapshot.types().of(snapshot.page(page));
        let declared = of.and_then(|of| self.get(of, name));
        let to = if let Destination::Page(to) = destination { Some(*to) } else { None };
        Some(Stated { page, link, name, to, of, declared })
    }

    /// What a type declares about the relation of that name, whatever its case.
    pub(super) fn get(&self, of: &Type, name: &str) -> Option<&'s Relation> {
        let of = std::ptr::from_ref(of);
        self.exact.get(&(of, name)).or_else(|| self.folded.get(&(of, fold(name)))).copied()
    }
}

/// Pages that another one replaces, and that page: by a relation of the role `supersedes`, or by its inverse.
pub(crate) fn superseded(snapshot: &Snapshot) -> HashMap<usize, usize> {
    let relations = || snapshot.types().all().iter().flat_map(|of| &of.relations);
    let superseding = || relations().filter(|relation| relation.role.as_deref() == Some("supersedes"));
    let inverses: HashSet<String> =
        superseding().filter_map(|relation| Some(fold(relation.inverse.as_ref()?))).collect();
    let names: HashSet<String> =
        superseding().map(|relation| fold(&relation.name)).chain(inverses.iter().cloned()).collect();
    if names.is_empty() {
        return HashMap::new();
    }
    let declared = Declared::new(snapshot);
    let mut pairs = HashMap::new();
    for page in snapshot.relating(&names) {
        for (link, destination) in snapshot.links_of(page).iter() {
            let Some(stated) = declared.stated(snapshot, page, link, destination) else { continue };
            let Some(to) = stated.to.filter(|to| *to != page) else { continue };
            if stated.declared.is_some_and(|relation| relation.role.as_deref() == Some("supersedes")) {
                pairs.insert(to, page);
            } else if inverses.contains(&fold(stated.name)) {
                pairs.insert(page, to);
            }
        }
    }
    pairs
}
