use crate::lint::{Class, Level, Report, Rule, Source};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "second-front-matter",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    what: "Finds a second block of front matter below the first.",
    why: "Only the first block is front matter; the second one is read as text.",
    bad: &[("p.md", "---\ntitle: P\n---\n---\ntags: a\n---\n\n# P\n")],
    good: &[("p.md", "---\ntitle: P\ntags: a\n---\n\n# P\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::FrontMatterSecond]);
}
