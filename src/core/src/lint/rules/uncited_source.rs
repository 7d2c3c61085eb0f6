use std::collections::HashSet;

use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, sources, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "uncited-source",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds entries of `sources` that no footnote names, on pages whose type says that sources have a type, or whose footnotes name pages.",
    why: "Nobody can tell which statement rests on the source.",
    bad: &[
        ("p.md", "---\ntype: note\nsources: [S]\n---\n# P\n\nSo it is.\n"),
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
        let mut listed = sources::listed(snapshot, page).peekable();
        if listed.peek().is_none() {
            continue;
        }
        let cited: HashSet<usize> = links
            .iter()
            .filter(|(link, _)| sources::is_cited_by(snapshot.page(page), link))
            .filter_map(|(_, destination)| if let Destination::Page(to) = destination { Some(*to) } else { None })
            .collect();
        let asks = !cited.is_empty() || !sources::types(snapshot, page).is_empty();
        for (link, to) in listed.filter(|(_, to)| asks && !cited.contains(to)) {
            report.push(
                page,
                link.span,
                format!("no footnote names the source `{}`", snapshot.page(to).title),
                "cite it where it is used, or take it out of `sources`",
            );
        }
    }
}
