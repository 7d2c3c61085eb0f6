use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "invalid-suppression",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds `lint-disable` comments that name no rule or an unknown one, or give no reason.",
    why: "The comment disables nothing, and nobody can tell later what it was for.",
    bad: &[("p.md", "# P\n\n<!-- lint-disable broken-link -->\n\nText.\n")],
    good: &[("p.md", "# P\n\n<!-- lint-disable broken-link: that page is being written -->\n\nSee [[Later]].\n")],
    check,
};

fn check(_: &Snapshot, report: &mut Report) {
    for comment in report.suppressions() {
        for (message, hint) in comment.flaws() {
            report.push(comment.page, comment.span, message, hint);
        }
    }
}
