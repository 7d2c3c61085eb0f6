use std::collections::BTreeMap;

use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, relations, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "relation-count",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages that state a relation more or less often than their type's `min` and `max` say.",
    why: "A page with two wholes that it is part of, or with none, fits into no outline.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **part of:** [[Q]]\n- **part of:** [[R]]\n"),
        ("q.md", "# Q\n\nHolds [[P]].\n"),
        ("r.md", "# R\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: part of, max: 1}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **part of:** [[Q]]\n"),
        ("q.md", "# Q\n\nHolds [[P]].\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nrelations:\n  - {name: part of, max: 1}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut links: BTreeMap<(usize, &str), Vec<crate::text::Span>> = BTreeMap::new();
    for stated in relations::stated(snapshot) {
        if let Some(relation) = stated.declared {
            links.entry((stated.page, &relation.name)).or_default().push(stated.link.span);
        }
    }
    for (index, page) in snapshot.checked() {
        let Some(of) = snapshot.types().of(page) else { continue };
        for relation in of.relations.iter().filter(|relation| relation.min.is_some() || relation.max.is_some()) {
            let found = links.get(&(index, relation.name.as_str())).map(Vec::as_slice).unwrap_or_default();
            let count = found.len() as u32;
            let (name, of) = (&relation.name, &of.name);
            if let Some(max) = relation.max.filter(|max| count > *max) {
                let message = format!("the page states `{name}` {count} times, and its type `{of}` allows {max}");
                report.push(
                    index,
                    found[max as usize],
                    message,
                    "keep the one that says most, and link to the others in the text",
                );
            }
            if let Some(min) = relation.min.filter(|min| count < *min) {
                let message = format!("the page states `{name}` {count} times, and its type `{of}` asks for {min}");
                report.push(index, top(page), message, format!("add a list item `- **{name}:** [[…]]`"));
            }
        }
    }
}
