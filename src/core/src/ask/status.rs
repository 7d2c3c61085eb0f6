//! `status`: what this wiki is, and how it is; and what is true of its repository right now.

use serde_json::{Value, json};

use super::{Context, object};
use crate::answer::Body;
use crate::snapshot::count;
use crate::source::{Reason, as_of};

pub(super) fn answer(context: &Context) -> Body {
    let snapshot = context.snapshot;
    let summary = snapshot.summary();
    let [errors, warnings, infos] = summary.findings;
    Body::answered(
        object! {
            "version": crate::VERSION,
            "name": snapshot.config.name,
            "guide": snapshot.config.guide,
            "languages": snapshot.config.languages,
            "pages": { "total": snapshot.table().len(), "types": summary.types, "untyped": summary.untyped },
            "excluded": {
                "config": snapshot.excluded,
                "hidden": count(&snapshot.skipped, Reason::Hidden),
                "symlink": count(&snapshot.skipped, Reason::Symlink),
                "submodule": count(&snapshot.skipped, Reason::Submodule),
            },
            "unreadable": summary.unreadable,
            "links": { "total": summary.links, "broken": summary.broken },
            "findings": { "error": errors, "warn": warnings, "info": infos },
            "orphans": summary.orphans,
            "stale": summary.stale,
            "source": source(context),
        },
        &["excluded"],
    )
}

fn source(context: &Context) -> Value {
    const SHOWN: usize = 5;
    let facts = context.repository.facts();
    let dirty = context.revisions.differing().map(|found| {
        let paths: Vec<&String> = found.paths.iter().filter(|path| context.snapshot.depends_on(path)).collect();
        json!({
            "count": paths.len(),
            "first": paths.iter().take(SHOWN).collect::<Vec<_>>(),
            "checked": found.as_of,
        })
    });
    json!({
        "head": facts.head,
        "branch": facts.branch,
        "dirty": dirty,
        "upstream": facts.upstream,
        "behind": facts.behind,
        "last_fetch": facts.last_fetch.map(as_of),
    })
}
