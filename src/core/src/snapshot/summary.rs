//! What `status` counts, which takes reading, linking and linting all pages: worth being kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Snapshot;
use crate::graph::Destination;
use crate::lint::Level;
use crate::page::ProblemKind;

/// The numbers of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many pages each type has.
    pub types: BTreeMap<String, usize>,
    /// Pages whose type is not known.
    pub untyped: usize,
    /// Pages whose bytes could not be read.
    pub unreadable: usize,
    /// All links.
    pub links: usize,
    /// Links to pages that are not there.
    pub broken: usize,
    /// Findings of the levels error, warn and info.
    pub findings: [usize; 3],
    /// Pages that no other links to, as `orphan-page` finds them.
    pub orphans: usize,
    /// Pages that nobody has looked at for too long, as `stale-page` finds them.
    pub stale: usize,
}

impl Summary {
    /// Counts.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut types: BTreeMap<String, usize> = BTreeMap::new();
        for of in snapshot.pages().iter().filter_map(|page| snapshot.types().of(page)) {
            *types.entry(of.name.clone()).or_default() += 1;
        }
        let is_unreadable = |kind: ProblemKind| kind == ProblemKind::Unreadable;
        let pages = snapshot.pages().iter();
        let unreadable = pages.filter(|page| page.problems.iter().any(|problem| is_unreadable(problem.kind))).count();
        let destinations = || snapshot.graph().outgoing.iter().flatten().map(|(_, to)| to);
        let findings = |level: Level| snapshot.findings().iter().filter(|finding| finding.level == level).count();
        let found = |rule: &str| snapshot.findings().iter().filter(|finding| finding.rule == rule).count();
        Self {
            untyped: snapshot.table().len() - types.values().sum::<usize>(),
            types,
            unreadable,
            links: destinations().count(),
            broken: destinations().filter(|to| **to == Destination::Missing).count(),
            findings: [Level::Error, Level::Warn, Level::Info].map(findings),
            orphans: found("orphan-page"),
            stale: found("stale-page"),
        }
    }
}
