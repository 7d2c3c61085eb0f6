use crate::error::list;
use crate::graph::Destination;
use crate::lint::pages::front_matter_is_known;
use crate::lint::types::{field_at, is_one_of};
use crate::lint::{Class, Level, Report, Rule, Source, relations, Scope};
use crate::page::{Link, LinkKind};
use crate::snapshot::Snapshot;
use crate::types::{Type, TypeOf};

pub(super) static RULE: Rule = Rule {
    name: "wrong-target-type",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds relations and link fields, `sources` for one, that lead to a page of another type than the page's own type declares.",
    why: "The relation says something that makes no sense of such a page, or it names the wrong one.",
    bad: &[
        ("p.md", "---\ntype: note\nsources: [Q]\n---\n# P\n\nSo it is.[^q]\n\n[^q]: [[Q]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nSee [[P]] and [[S]].\n"),
        ("s.md", "---\ntype: source\n---\n# S\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nlinks: {sources: [source]}\n---\n# note\n\nFor short texts.\n",
        ),
        ("types/source.md", "---\nname: source\nsummary: A source\n---\n# source\n\nFor what others wrote.\n"),
    ],
    good: &[
        ("p.md", "---\ntype: note\nsources: [S]\n---\n# P\n\nSo it is.[^s]\n\n[^s]: [[S]]\n"),
        ("q.md", "---\ntype: note\n---\n# Q\n\nSee [[P]].\n"),
        ("s.md", "---\ntype: source\n---\n# S\n\nText about [[Q]].\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nlinks: {sources: [source]}\n---\n# note\n\nFor short texts.\n",
        ),
        ("types/source.md", "---\nname: source\nsummary: A source\n---\n# source\n\nFor what others wrote.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for stated in relations::stated(snapshot) {
        if let (Some(of), Some(relation), Some(to)) = (stated.of, stated.declared, stated.to) {
            let declared = Declared { of, name: &relation.name, target: &relation.target };
            declared.hold(snapshot, report, stated.page, stated.link, to);
        }
    }
    for (index, links) in snapshot.checked_links() {
        let page = snapshot.page(index);
        let Some(of) = snapshot.types().of(page).filter(|of| !of.links.is_empty()) else { continue };
        for (link, destination) in links {
            if let (LinkKind::FrontMatter, Destination::Page(to)) = (link.kind, destination) {
                let field =
                    field_at(page, link.span).and_then(|name| of.links.iter().find(|field| field.field == name));
                if let Some(field) = field {
                    let declared = Declared { of, name: &field.field, target: &field.target };
                    declared.hold(snapshot, report, index, link, *to);
                }
            }
        }
    }
}

/// A relation or link field that a type declares.
struct Declared<'t> {
    of: &'t Type,
    name: &'t str,
    target: &'t [String],
}

impl Declared<'_> {
    /// Reports a link to a page that is of none of the declared types.
    fn hold(&self, snapshot: &Snapshot, report: &mut Report, page: usize, link: &Link, to: usize) {
        let target = snapshot.page(to);
        let (of, is) = match snapshot.types().type_of(target) {
            TypeOf::One(of) => (Some(of), format!("of the type `{}`", of.name)),
            TypeOf::Missing if front_matter_is_known(target) => (None, "of no type".into()),
            // What that page is, is not known; other rules say so there.
            _ => return,
        };
        if !is_one_of(snapshot, of, self.target, self.of) {
            report.push(
                page,
                link.span,
                format!("`{}` leads to `{}`, which is {is}", self.name, target.title),
                format!("name a page of the type {}, or put this one elsewhere", list(self.target, "or")),
            );
        }
    }
}
