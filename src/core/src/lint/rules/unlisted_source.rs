use std::collections::HashSet;

use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, sources, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unlisted-source",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds footnotes that name a page of a type for sources which the page's `sources` do not list.",
    why: "Whoever asks what a source is used for does not find this page.",
    bad: &[
        ("p.md", "---\ntype: note\nsources: []\n---\n# P\n\nSo it is.[^s]\n\n[^s]: [[S]]\n"),
        ("s.md", "---\ntype: source\n---\n# S\n\nFor [[P]].\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nlinks: {sources: [source]}\n---\n# note\n\nFor short texts.\n",
        ),
        ("types/source.md", "---\nname: source\nsummary: A source\n---\n# source\n\nFor what others wrote.\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\nsources: [S]\n---\n# P\n\nSo it is.[^s]\n\n[^s]: [[S]]\n"),
        ("s.md", "---\ntype: source\n---\n# S\n\nFor [[P]].\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nlinks: {sources: [source]}\n---\n# note\n\nFor short texts.\n",
        ),
        ("types/source.md", "---\nname: source\nsummary: A source\n---\n# source\n\nFor what others wrote.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.checked_links() {
        let listed: HashSet<usize> = sources::listed(snapshot, page).map(|(_, to)| to).collect();
        for (link, destination) in links.iter().filter(|(link, _)| sources::is_cited_by(snapshot.page(page), link)) {
            let Destination::Page(to) = destination else { continue };
            if !listed.contains(to) && sources::is_source(snapshot, page, *to) {
                report.push(
                    page,
                    link.span,
                    format!("`sources` does not list `{}`, which a footnote names", snapshot.page(*to).title),
                    format!("add `{}` to `sources`", snapshot.page(*to).title),
                );
            }
        }
    }
}
