use crate::error::list;
use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, sections, Scope};
use crate::names::fold;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "missing-section",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages without a section that their type requires.",
    why: "Readers of such pages look for it, and a program that cuts it out gets nothing.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections:\n  - {heading: Use, required: true}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections:\n  - {heading: Use, required: true}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for page in sections::all(snapshot) {
        for (section, declared) in page.of.sections.iter().enumerate().filter(|(_, section)| section.required) {
            if page.found.iter().any(|(_, found)| *found == section) {
                continue;
            }
            let names: Vec<String> = declared.heading.iter().map(|name| format!("## {name}")).collect();
            let is_named = |text: &str| declared.heading.iter().any(|name| fold(name) == fold(text));
            let elsewhere = page.page.body.headings.iter().find(|heading| heading.level > 1 && is_named(&heading.text));
            let hint = match elsewhere {
                Some(heading) => format!(
                    "`{}` is a part of another section here, move it up to the level of the others",
                    heading.text
                ),
                None => format!("add {}", list(&names, "or")),
            };
            report.push(
                page.index,
                top(page.page),
                format!(
                    "the page has no section {}, which its type `{}` requires",
                    list(&declared.heading, "or"),
                    page.of.name
                ),
                hint,
            );
        }
    }
}
