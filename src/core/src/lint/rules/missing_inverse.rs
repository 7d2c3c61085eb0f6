use std::collections::HashSet;

use crate::lint::{Class, Level, Report, Rule, Source, relations, Scope};
use crate::names::fold;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "missing-inverse",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds relations whose other side does not state the inverse, or the same relation where it is symmetric, though the types declare it.",
    why: "Whoever reads the other page does not learn of the relation.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **near:** [[Q]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nSee [[P]].\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: near, symmetric: true}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **near:** [[Q]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\n- **near:** [[P]]\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: near, symmetric: true}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let all: Vec<_> = relations::stated(snapshot).filter_map(|stated| Some((stated.to?, stated))).collect();
    let known: HashSet<(usize, usize, String)> =
        all.iter().map(|(to, stated)| (stated.page, *to, fold(stated.name))).collect();
    let declared = relations::Declared::new(snapshot);
    for (to, stated) in all {
        let Some(relation) = stated.declared.filter(|_| to != stated.page) else { continue };
        let inverse = if relation.symmetric { Some(&relation.name) } else { relation.inverse.as_ref() };
        let Some(inverse) = inverse.filter(|inverse| !known.contains(&(to, stated.page, fold(inverse)))) else {
            continue;
        };
        // Where the other type declares relations, and not this one, the page may not state it.
        let may = snapshot.types().of(snapshot.page(to)).is_some_and(|of| declared.get(of, inverse).is_some());
        if may {
            let [own, other] = [stated.page, to].map(|page| snapshot.page(page));
            report.push(
                stated.page,
                stated.link.span,
                format!("`{}` does not state the other side of `{}`", other.title, relation.name),
                format!("add `- **{inverse}:** [[{}]]` to `{}`", own.title, other.path),
            );
        }
    }
}
