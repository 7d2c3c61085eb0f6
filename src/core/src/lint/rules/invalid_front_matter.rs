use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "invalid-front-matter",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds front matter that is not YAML, is no mapping, or is never closed.",
    why: "The page is served, but none of its fields are known: no type, no title, no tags.",
    bad: &[("p.md", "---\ntitle: Crash: memory full\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\ntitle: \"Crash: memory full\"\n---\n# Crash: memory full\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::FrontMatterInvalid, ProblemKind::FrontMatterUnclosed]);
}
