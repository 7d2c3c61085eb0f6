use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "ambiguous-link",
    level: Level::Error,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links that name several pages.",
    why: "Nobody can say where the link leads, so it leads nowhere.",
    bad: &[("a/x.md", "# X of A\n\nText.\n"), ("b/x.md", "# X of B\n\nText.\n"), ("index.md", "# All\n\n[[x]]\n")],
    good: &[
        ("a/x.md", "# X of A\n\nText.\n"),
        ("b/x.md", "# X of B\n\nText.\n"),
        ("index.md", "# All\n\n[[a/x]], [[b/x]]\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.checked_links() {
        for (link, destination) in links {
            if let Destination::Ambiguous(pages) = destination {
                // Not more than are told: there may be as many such links as pages.
                let paths = snapshot.paths(&pages[..pages.len().min(crate::error::LISTED)]);
                report.push(
                    page,
                    link.span,
                    format!("`{}` names {} pages", link.target, pages.len()),
                    format!("link to one of {} by its path", crate::error::list(&paths, "or")),
                );
            }
        }
    }
}
