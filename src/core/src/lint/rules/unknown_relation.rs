use std::collections::HashMap;

use crate::error::list;
use crate::lint::types::is_one_of;
use crate::lint::{Class, Level, Report, Rule, Source, relations, Scope};
use crate::names::fold;
use crate::nearest::{HINTS, Nearest};
use crate::snapshot::Snapshot;
use crate::types::{Relation, Type};

pub(super) static RULE: Rule = Rule {
    name: "unknown-relation",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds typed relations that the page's type does not declare, where it declares any; inverses that lead to it are known too.",
    why: "Whoever asks for the declared relation misses this one.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **part off:** [[Q]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\n- **part of:** [[P]]\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nrelations: [part of]\n---\n# note\n\nFor short texts.\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n- **part of:** [[Q]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\n- **part of:** [[P]]\n"),
        ("types/note.md", "---\nname: note\nsummary: A note\nrelations: [part of]\n---\n# note\n\nFor short texts.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut inverses: HashMap<String, Vec<(&Type, &Relation)>> = HashMap::new();
    for of in snapshot.types().all() {
        for relation in &of.relations {
            if let Some(inverse) = &relation.inverse {
                inverses.entry(fold(inverse)).or_default().push((of, relation));
            }
        }
    }
    let mut nearest: HashMap<*const Type, Nearest> = HashMap::new();
    let mut left = HINTS;
    for stated in relations::stated(snapshot).filter(|stated| stated.declared.is_none()) {
        let Some(of) = stated.of.filter(|of| !of.relations.is_empty()) else { continue };
        let leads_here = |(by, relation): &(&Type, &Relation)| is_one_of(snapshot, Some(of), &relation.target, by);
        if inverses.get(&fold(stated.name)).is_some_and(|known| known.iter().any(leads_here)) {
            continue;
        }
        let mut near: Vec<&str> = Vec::new();
        if left > 0 {
            left -= 1;
            let names = || of.relations.iter().map(|relation| relation.name.as_str());
            let nearest = nearest.entry(std::ptr::from_ref(of)).or_insert_with(|| Nearest::new(names().zip(0..)));
            near.extend(nearest.find(&[stated.name], 3).into_iter().map(|near| of.relations[near].name.as_str()));
        }
        let hint = if near.is_empty() {
            "use one that the type declares, or declare it there".into()
        } else {
            format!("did you mean {}", list(&near, "or"))
        };
        report.push(
            stated.page,
            stated.link.span,
            format!("the type `{}` has no relation `{}`", of.name, stated.name),
            hint,
        );
    }
}
