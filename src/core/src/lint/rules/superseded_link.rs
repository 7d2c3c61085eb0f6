use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "superseded-link",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links to a page that another one supersedes; that page itself, and superseded ones, may have them.",
    why: "The reader is sent to what does not hold any more.",
    bad: &[
        ("index.md", "# All\n\n[[New]], [[Old]]\n"),
        ("new.md", "---\ntype: note\n---\n# New\n\n- **replaces:** [[Old]]\n"),
        ("old.md", "---\ntype: note\n---\n# Old\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: replaces, role: supersedes}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("index.md", "# All\n\n[[New]]\n"),
        ("new.md", "---\ntype: note\n---\n# New\n\n- **replaces:** [[Old]]\n"),
        ("old.md", "---\ntype: note\n---\n# Old\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: replaces, role: supersedes}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let superseded = snapshot.superseded();
    if superseded.is_empty() {
        return;
    }
    for (page, links) in snapshot.checked_links().filter(|(page, _)| !superseded.contains_key(page))
    {
        for (link, destination) in links {
            let Destination::Page(to) = destination else { continue };
            if let Some(&by) = superseded.get(to).filter(|&&by| by != page) {
                let [old, new] = [*to, by].map(|page| snapshot.page(page));
                report.push(
                    page,
                    link.span,
                    format!("`{}` is superseded by `{}`", old.title, new.title),
                    format!("link to `{}`, where that says what is meant here", new.path),
                );
            }
        }
    }
}
