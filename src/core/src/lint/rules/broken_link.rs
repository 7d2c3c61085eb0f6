use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, links, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "broken-link",
    level: Level::Error,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links whose page does not exist.",
    why: "A reader who follows the link finds nothing, and the page that was meant gets no backlink.",
    bad: &[("index.md", "# All\n\nSee [[Missing]].\n")],
    good: &[("index.md", "# All\n\nSee [[Missing]].\n"), ("missing.md", "# Missing\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.checked_links() {
        for (link, destination) in links.iter().filter(|(_, destination)| *destination == Destination::Missing) {
            // Other rules say what is wrong with these.
            let known = links::is_numeric(link)
                || links::unportable(snapshot.page(page), link, destination, snapshot).is_some();
            if !known {
                report.push_missing(page, link.span, format!("no page is named `{}`", link.target), &link.target);
            }
        }
    }
}
