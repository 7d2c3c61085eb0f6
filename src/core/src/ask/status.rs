//! `status`: what this wiki is, and how it is; and what is true of its repository right now.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Context, object};
use crate::answer::Body;
use crate::graph::Destination;
use crate::lint::Level;
use crate::page::ProblemKind;
use crate::snapshot::count;
use crate::source::{Reason, as_of};

pub(super) fn answer(context: &Context) -> Body {
    let snapshot = context.snapshot;
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for page in snapshot.pages() {
        if let Some(of) = snapshot.types().of(page) {
            *types.entry(&of.name).or_default() += 1;
        }
    }
    let typed: usize = types.values().sum();
    let findings = |level: Level| snapshot.findings().iter().filter(|finding| finding.level == level).count();
    let destinations = || snapshot.graph().outgoing.iter().flatten().map(|(_, to)| to);
    let unreadable = snapshot
        .pages()
        .iter()
        .filter(|page| page.problems.iter().any(|problem| problem.kind == ProblemKind::Unreadable));
    Body::answered(
        object! {
            "version": crate::VERSION,
            "name": snapshot.config.name,
            "guide": snapshot.config.guide,
            "languages": snapshot.config.languages,
            "pages": { "total": snapshot.pages().len(), "types": types, "untyped": snapshot.pages().len() - typed },
            "excluded": {
                "config": snapshot.excluded,
                "hidden": count(&snapshot.skipped, Reason::Hidden),
                "symlink": count(&snapshot.skipped, Reason::Symlink),
                "submodule": count(&snapshot.skipped, Reason::Submodule),
            },
            "unreadable": unreadable.count(),
            "links": { "total": destinations().count(), "broken": destinations().filter(|to| **to == Destination::Missing).count() },
            "findings": { "error": findings(Level::Error), "warn": findings(Level::Warn), "info": findings(Level::Info) },
            "source": source(context),
        },
        &["excluded"],
    )
}

fn source(context: &Context) -> Value {
    const SHOWN: usize = 5;
    let facts = context.repository.facts();
    let changes = context.repository.changes().unwrap_or_default();
    let changes: Vec<&String> = changes.iter().filter(|path| context.snapshot.depends_on(path)).collect();
    json!({
        "head": facts.head,
        "branch": facts.branch,
        "dirty": { "count": changes.len(), "first": changes.iter().take(SHOWN).collect::<Vec<_>>() },
        "upstream": facts.upstream,
        "behind": facts.behind,
        "last_fetch": facts.last_fetch.map(as_of),
    })
}
