use crate::lint::pages::{front_matter_is_known, top};
use crate::lint::types::declared;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "unexplained-type",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds type pages that have no summary, or neither a section on when to use the type nor a text below the title.",
    why: "Whoever is about to write a page chooses its type by these.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\n---\n# note\n\n## When to use\n\nFor a thought that stands alone.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (of, index) in declared(snapshot) {
        let page = snapshot.page(index);
        // Other rules say why it could not be read.
        if !front_matter_is_known(page) {
            continue;
        }
        if of.summary.is_none() {
            report.push(
                index,
                Span { end: page.front_matter.content.start, ..page.front_matter.span },
                format!("the type `{}` has no summary", of.name),
                "add `summary`, one sentence about what such a page is",
            );
        }
        if of.when_to_use.is_none() {
            report.push(
                index,
                top(page),
                format!("the page of the type `{}` has no section that says when to use it", of.name),
                "write a section `## When to use`",
            );
        }
    }
}
