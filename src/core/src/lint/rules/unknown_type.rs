use crate::lint::{Class, Level, Report, Rule, Source};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unknown-type",
    level: Level::Error,
    source: Source::Type,
    class: Class::Content,
    what: "Finds pages whose `type` names no type page.",
    why: "No schema is applied, and the page is missing wherever its type is asked for.",
    bad: &[("p.md", "---\ntype: nonsense\n---\n# P\n"), ("types/note.md", "---\nname: note\nsummary: A note\nschema:\n  type: object\n  required: [summary]\n---\n# note\n")],
    good: &[("p.md", "---\ntype: note\nsummary: About P\n---\n# P\n"), ("types/note.md", "---\nname: note\nsummary: A note\nschema:\n  type: object\n  required: [summary]\n---\n# note\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let _ = (snapshot, report);
}
