use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unused-suppression",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Wiki,
    what: "Finds `lint-disable` comments for rules that find nothing there.",
    why: "What was wrong has been mended, and the comment would hide the next mistake.",
    bad: &[("p.md", "# P\n\n<!-- lint-disable broken-link: that page is being written -->\n\nText.\n")],
    good: &[("p.md", "# P\n\n<!-- lint-disable broken-link: that page is being written -->\n\nSee [[Later]].\n")],
    check,
};

/// Runs after all other rules.
fn check(_: &Snapshot, report: &mut Report) {
    for (comment, rule) in report.unused_suppressions() {
        report.push(
            comment.page,
            comment.span,
            format!("`{rule}` finds nothing here that the comment could disable"),
            "take the comment out, or the rule out of it",
        );
    }
}
