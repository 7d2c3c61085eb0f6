use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "broken-block",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links to a block that the page does not have.",
    why: "The link still opens the page, but not the place that it was made for.",
    bad: &[("index.md", "# All\n\nSee [[q#^b2]].\n"), ("q.md", "# Q\n\nText. ^b1\n")],
    good: &[("index.md", "# All\n\nSee [[q#^b1]].\n"), ("q.md", "# Q\n\nText. ^b1\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    super::broken_parts(snapshot, report, super::Part::Block);
}
