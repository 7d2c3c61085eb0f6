use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "invalid-type",
    level: Level::Error,
    source: Source::Type,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds type pages whose schema or other declarations cannot be used.",
    why: "What they ask for is not checked on any page of that type.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  type: nonsense\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  type: object\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for problem in snapshot.types().problems(page) {
            report.push(index, problem.span, problem.message.clone(), problem.hint.clone());
        }
    }
}
