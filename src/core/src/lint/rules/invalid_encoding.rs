use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "invalid-encoding",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds pages whose bytes are not UTF-8.",
    why: "What cannot be decoded is replaced, and cannot be searched.",
    bad: &[],
    good: &[("p.md", "# P\n\nGrün\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::InvalidEncoding]);
}
