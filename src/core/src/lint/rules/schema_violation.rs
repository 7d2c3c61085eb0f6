use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "schema-violation",
    level: Level::Error,
    source: Source::Schema,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages that do not satisfy their type's schema.",
    why: "Whoever asks for pages of that type relies on what the schema promises.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  type: object\n  required: [summary]\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\nsummary: About P\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  type: object\n  required: [summary]\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for violation in snapshot.types().violations(page) {
            match violation.level {
                Some(level) => report.push_at(level, index, violation.span, violation.message, violation.hint),
                None => report.push(index, violation.span, violation.message, violation.hint),
            }
        }
    }
}
