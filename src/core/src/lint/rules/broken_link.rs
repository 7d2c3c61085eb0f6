use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "broken-link",
    level: Level::Error,
    source: Source::Base,
    class: Class::Content,
    what: "Finds links whose page does not exist.",
    why: "A reader who follows the link finds nothing, and the page that was meant gets no backlink.",
    bad: &[("p.md", "# P\n\nSee [[Missing]].\n")],
    good: &[("missing.md", "# Missing\n"), ("p.md", "# P\n\nSee [[Missing]].\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.graph().outgoing.iter().enumerate() {
        for (link, destination) in links {
            if *destination == Destination::Missing {
                report.push_missing(page, link.span, format!("no page is named `{}`", link.target), &link.target);
            }
        }
    }
}
