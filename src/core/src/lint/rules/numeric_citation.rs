use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, links, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "numeric-citation",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds wikilinks that are only a number, and no page's name.",
    why: "It is a citation copied from elsewhere: its list of sources stayed behind.",
    bad: &[("p.md", "# P\n\nSo it is [[1]].\n")],
    good: &[("p.md", "# P\n\nSo it is.[^1]\n\n[^1]: There.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.checked_links() {
        for (link, destination) in links {
            if *destination == Destination::Missing && links::is_numeric(link) {
                report.push(
                    page,
                    link.span,
                    format!("`{}` cites by number, and no page is named so", link.target),
                    "link to the source's page, or write a footnote that names the source",
                );
            }
        }
    }
}
