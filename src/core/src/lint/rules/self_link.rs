use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "self-link",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    what: "Finds links from a page to itself as a whole; links to its headings are none.",
    why: "Whoever follows the link stays where they are; often another page was meant.",
    bad: &[("p.md", "# P\n\nMore in [[P]].\n")],
    good: &[("p.md", "# P\n\nMore in [[#Use]].\n\n## Use\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.graph().outgoing.iter().enumerate() {
        for (link, destination) in links {
            if *destination == Destination::Page(page) && link.fragment.is_none() {
                report.push(
                    page,
                    link.span,
                    "the page links to itself",
                    "link to the page that was meant, or take the link out",
                );
            }
        }
    }
}
