use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "self-link",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages that link to themselves as a whole; links to their headings are none.",
    why: "Whoever follows the link stays where they are; often another page was meant.",
    bad: &[("p.md", "# P\n\nMore in [[P]].\n")],
    good: &[("p.md", "# P\n\nMore in [[#Use]].\n\n## Use\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.checked_links() {
        let mut own = links.iter().filter(|(link, to)| *to == Destination::Page(page) && link.fragment.is_none());
        // A page that names itself often does it for one reason.
        if let Some((first, _)) = own.next() {
            let message = match own.count() {
                0 => "the page links to itself".to_owned(),
                more => format!("the page links to itself, here and {more} more times"),
            };
            report.push(page, first.span, message, "link to the page that was meant, or take the link out");
        }
    }
}
