use crate::lint::{Class, Level, Report, Rule, Source};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "multiple-h1",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    what: "Finds pages with several first-level headings.",
    why: "The first of them is the page's title; the others are sections at the title's level.",
    bad: &[("p.md", "# P\n\n# Q\n\nText.\n")],
    good: &[("p.md", "# P\n\n## Q\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.pages.iter().enumerate() {
        if let Some(second) = page.body.headings.iter().filter(|heading| heading.level == 1).nth(1) {
            report.push(index, second.span, "a second heading of the first level", "begin it with `##`");
        }
    }
}
