use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "broken-heading",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links to a heading that the page does not have.",
    why: "The link still opens the page, but not the place that it was made for.",
    bad: &[("index.md", "# All\n\nSee [[q#Usage]].\n"), ("q.md", "# Q\n\n## Use\n\nText.\n")],
    good: &[("index.md", "# All\n\nSee [[q#Use]].\n"), ("q.md", "# Q\n\n## Use\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    super::broken_parts(snapshot, report, super::Part::Heading);
}
