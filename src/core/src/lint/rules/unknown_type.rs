use crate::error::list;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::types::TypeOf;

pub(super) static RULE: Rule = Rule {
    name: "unknown-type",
    level: Level::Error,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages whose `type` names no type page.",
    why: "No schema is applied, and the page is missing wherever its type is asked for.",
    bad: &[
        ("o.md", "---\ntype: note\nsummary: About O\n---\n# O\n\nText.\n"),
        ("p.md", "---\ntype: nonsense\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  type: object\n  required: [summary]\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("o.md", "---\ntype: note\nsummary: About O\n---\n# O\n\nText.\n"),
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
        let span = page.field("type").map(|node| node.span).unwrap_or_default();
        match snapshot.types().type_of(page) {
            TypeOf::Missing | TypeOf::One(_) => {}
            TypeOf::Ambiguous(written, paths) => {
                let hint = format!("write the path of one of them: {}", list(&paths, "or"));
                report.push(index, span, format!("the type `{written}` names {} types", paths.len()), hint);
            }
            TypeOf::Unknown(written, near) => {
                let hint = match near.as_slice() {
                    [] => "this wiki has no types".into(),
                    near => format!("did you mean {}", list(near, "or")),
                };
                report.push(index, span, format!("no type is named `{written}`"), hint);
            }
        }
    }
}
