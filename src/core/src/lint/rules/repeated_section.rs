use std::collections::HashMap;

use crate::lint::{Class, Level, Report, Rule, Source, sections, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "repeated-section",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds a section that a page has several times, though its type does not let it `repeat`.",
    why: "Who cuts out the section by its name gets the first and misses the rest.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nText.\n\n## Use\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nsections: [Use]\n---\n# note\n\nFor short texts.\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nText.\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nsections: [Use]\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for page in sections::all(snapshot) {
        let mut first: HashMap<usize, usize> = HashMap::new();
        for &(heading, section) in page.found.iter().filter(|(_, section)| !page.of.sections[*section].repeat) {
            let first = *first.entry(section).or_insert(heading);
            if first != heading {
                let [first, second] = [first, heading].map(|heading| &page.page.body.headings[heading]);
                let message = if first.text == second.text {
                    format!("the page has a second section `{}`", second.text)
                } else {
                    format!("the page has a section `{}` besides `{}`, which is the same", second.text, first.text)
                };
                report.push(page.index, second.span, message, "make one section of them");
            }
        }
    }
}
