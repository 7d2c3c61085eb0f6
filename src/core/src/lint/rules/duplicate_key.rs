use crate::lint::{Class, Level, Report, Rule, Source};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-key",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    what: "Finds front matter keys that are given twice.",
    why: "YAML forbids it; here the first one counts, other programs take the last.",
    bad: &[("p.md", "---\nsources: []\nsources: [p]\n---\n# P\n")],
    good: &[("p.md", "---\nsources: [p]\n---\n# P\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::DuplicateKey]);
}
