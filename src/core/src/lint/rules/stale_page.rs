use jiff::civil::Date;

use crate::lint::dates;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "stale-page",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages whose `modified` lies further back than their type's `stale_after` allows, seen from the commit.",
    why: "What the page says may no longer be so, and the type says that this matters.",
    bad: &[
        ("p.md", "---\ntype: note\nmodified: 2025-09-01\n---\n# P\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nstale_after: 90\n---\n# note\n\nFor short texts.\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\nmodified: 2026-09-01\n---\n# P\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nstale_after: 90\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let Some(today) = snapshot.stamp.as_of.as_deref().and_then(|as_of| as_of.get(..10)?.parse::<Date>().ok()) else {
        return;
    };
    for (index, page) in snapshot.checked() {
        let Some((of, days)) = snapshot.types().of(page).and_then(|of| Some((of, of.stale_after?))) else { continue };
        let Some(modified) = page.field("modified") else { continue };
        let Some(written) = modified.name().and_then(dates::read) else { continue };
        let age = (today - written.day).get_days();
        if age > i32::try_from(days).unwrap_or(i32::MAX) {
            report.push(
                index,
                modified.span,
                format!(
                    "the page was last modified {age} days ago, and a page of the type `{}` is stale after {days}",
                    of.name
                ),
                "check whether it still holds, then set `modified` to that day",
            );
        }
    }
}
