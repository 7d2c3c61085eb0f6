use crate::lint::types::untyped;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::FrontMatterState;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "missing-type",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages whose front matter has no `type` in folders where most pages have one.",
    why: "No schema is applied, and the page is missing wherever its type is asked for.",
    bad: &[
        ("o.md", "---\ntype: note\n---\n# O\n\nText.\n"),
        ("p.md", "---\ntags: [a]\n---\n# P\n\nText.\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n"),
    ],
    good: &[
        ("o.md", "---\ntype: note\n---\n# O\n\nText.\n"),
        ("p.md", "---\ntype: note\ntags: [a]\n---\n# P\n\nText.\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, example) in untyped(snapshot) {
        let page = snapshot.page(index);
        if page.front_matter.state != FrontMatterState::Absent {
            let written = snapshot.page(example).field_text("type").unwrap_or_default();
            report.push(
                index,
                Span { end: page.front_matter.content.start, ..page.front_matter.span },
                "the page has no `type`, unlike most pages of its folder",
                format!("add `type`, such as `type: {written}` in `{}`", snapshot.page(example).path),
            );
        }
    }
}
