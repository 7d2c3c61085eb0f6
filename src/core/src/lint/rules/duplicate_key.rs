use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-key",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds front matter keys that are given twice.",
    why: "YAML forbids it; here the first one counts, other programs take the last.",
    bad: &[("p.md", "---\ntags: []\ntags: [a]\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\ntags: [a]\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::DuplicateKey]);
}
