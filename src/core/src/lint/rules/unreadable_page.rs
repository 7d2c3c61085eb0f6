use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unreadable-page",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds pages whose bytes could not be read.",
    why: "The page exists and cannot be served.",
    bad: &[],
    good: &[("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    report.problems(snapshot, &[ProblemKind::Unreadable]);
}
