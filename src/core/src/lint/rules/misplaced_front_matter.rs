use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "misplaced-front-matter",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds front matter that does not begin on the first line, a second block included.",
    why: "Only the block that opens the page is front matter; any other is read as text.",
    bad: &[("p.md", "\n---\ntitle: P\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\ntitle: P\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::FrontMatterMisplaced]);
}
