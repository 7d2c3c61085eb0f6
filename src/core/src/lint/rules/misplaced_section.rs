use crate::lint::{Class, Level, Report, Rule, Source, sections, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "misplaced-section",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds sections that stand in another order than their type has them; other sections may stand between.",
    why: "Pages of one type are read side by side, and a section is looked for where the others have it.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Limits\n\nText.\n\n## Use\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections: [Use, Limits]\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nText.\n\n## Limits\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections: [Use, Limits]\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for page in sections::all(snapshot) {
        let (right, misplaced) = page.placed();
        let text = |&(heading, _): &(usize, usize)| page.page.body.headings[heading].text.as_str();
        for (heading, section) in misplaced {
            // What stands in order is sorted by section: its neighbours there are where it belongs.
            let before = right[..right.partition_point(|(_, other)| *other < section)].last().map(text);
            let behind = right.get(right.partition_point(|(_, other)| *other <= section)).map(text);
            let hint = match (before, behind) {
                (Some(before), _) => format!("move it behind `{before}`"),
                (None, Some(behind)) => format!("move it before `{behind}`"),
                (None, None) => "move it to its place".into(),
            };
            let heading = &page.page.body.headings[heading];
            report.push(
                page.index,
                heading.span,
                format!("the section `{}` is not where the type `{}` has it", heading.text, page.of.name),
                hint,
            );
        }
    }
}
