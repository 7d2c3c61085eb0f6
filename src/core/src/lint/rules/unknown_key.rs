use std::collections::HashMap;

use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::names::fold;
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::types::Type;
use crate::yaml::Node;

pub(super) static RULE: Rule = Rule {
    name: "unknown-key",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Wiki,
    what: "Finds front matter keys that are known neither here nor to the page's type, and nearly like one that is and that the page lacks.",
    why: "The key is read as one more field, and the one that was meant is missing.",
    bad: &[("p.md", "---\nsumary: About P\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\nsummary: About P\n---\n# P\n\nText.\n")],
    check,
};

/// Fields that are understood on every page.
const FIELDS: &[&str] = &[
    "aliases",
    "confidence",
    "created",
    "modified",
    "provenance",
    "related",
    "sources",
    "summary",
    "tags",
    "title",
    "type",
];

/// Fields that are understood on a type's page besides.
const OF_TYPES: &[&str] = &["description", "links", "name", "owner", "relations", "schema", "sections", "stale_after"];

/// A key that so many pages have is a field of this wiki, and no slip.
const CUSTOM: usize = 5;

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut pages: HashMap<&str, usize> = HashMap::new();
    for key in snapshot.pages().iter().flat_map(|page| keys(page)).filter_map(|(key, _)| key.text()) {
        *pages.entry(key).or_default() += 1;
    }
    for (index, page) in snapshot.pages().iter().enumerate() {
        let is_type_page = snapshot.types().is_type_page(&page.path);
        // Of a type that allows no other fields the schema says so.
        let of = snapshot.types().of(page).filter(|_| !is_type_page);
        if of.is_some_and(Type::is_closed) {
            continue;
        }
        for (key, _) in keys(page) {
            let Some(name) = key.text().filter(|name| pages[name] < CUSTOM) else { continue };
            if let Some(meant) = meant(name, of, page, if is_type_page { OF_TYPES } else { &[] }) {
                report.push(index, key.span, format!("`{name}` is no known field"), format!("did you mean `{meant}`"));
            }
        }
    }
}

fn keys(page: &Page) -> &[(Node, Node)] {
    page.front_matter.root.as_ref().map(|root| root.entries()).unwrap_or_default()
}

/// The known field that `name` is nearly like, where it is not known itself.
fn meant<'t>(name: &str, of: Option<&'t Type>, page: &Page, more: &'static [&'static str]) -> Option<&'t str> {
    let declared = || of.into_iter().flat_map(Type::fields).map(|(field, ..)| field);
    let linked = || of.into_iter().flat_map(|of| &of.links).map(|link| link.field.as_str());
    // Odd spellings of `aliases` and `tags` are understood, and have a rule of their own.
    let is_odd = ["alias", "aliases", "tag", "tags"].iter().any(|odd| name.eq_ignore_ascii_case(odd));
    let understood = || FIELDS.iter().chain(more).copied();
    if is_odd || understood().any(|field| field == name) || declared().chain(linked()).any(|field| field == name) {
        return None;
    }
    let folded = fold(name);
    let is_near = |field: &&str| {
        let allowed = match field.len() {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        folded.len().abs_diff(field.len()) <= allowed && strsim::damerau_levenshtein(&folded, &fold(field)) <= allowed
    };
    // One and many are two fields where nobody has declared either.
    let is_number = |field: &&str| folded.strip_suffix('s') == Some(field) || field.strip_suffix('s') == Some(&folded);
    let near = declared()
        .chain(linked())
        .filter(is_near)
        .chain(understood().filter(|field| is_near(field) && (more.contains(field) || !is_number(field))));
    near.filter(|field| page.field(field).is_none())
        .min_by_key(|field| strsim::damerau_levenshtein(&folded, &fold(field)))
}
