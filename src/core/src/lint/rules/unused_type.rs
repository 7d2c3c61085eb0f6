use crate::lint::pages::top;
use crate::lint::types::{declared, used};
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unused-type",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds types that no page has.",
    why: "Whoever chooses a type has one more to read, for nothing.",
    bad: &[("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n")],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let used = used(snapshot);
    for (of, page) in declared(snapshot) {
        if !of.path.as_deref().is_some_and(|path| used.contains(path)) {
            report.push(
                page,
                top(snapshot.page(page)),
                format!("no page has the type `{}`", of.name),
                "take the type out, or give it to the pages that it is for",
            );
        }
    }
}
