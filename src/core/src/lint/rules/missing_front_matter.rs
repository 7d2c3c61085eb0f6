use crate::lint::types::untyped;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::FrontMatterState;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "missing-front-matter",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages without front matter in folders where most pages have a type.",
    why: "The page has no type, no date and no summary, and is missing wherever these are asked for.",
    bad: &[
        ("o.md", "---\ntype: note\n---\n# O\n\nText.\n"),
        ("p.md", "# P\n\nText.\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n"),
    ],
    good: &[
        ("o.md", "---\ntype: note\n---\n# O\n\nText.\n"),
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, example) in untyped(snapshot) {
        if snapshot.page(index).front_matter.state == FrontMatterState::Absent {
            report.push(
                index,
                Span::default(),
                "the page has no front matter, unlike most pages of its folder",
                format!(
                    "begin the page with a block between two lines `---`, as in `{}`",
                    snapshot.page(example).path
                ),
            );
        }
    }
}
