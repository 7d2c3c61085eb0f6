use std::collections::BTreeMap;

use crate::lint::pages::top;
use crate::lint::types::declared;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "unused-field",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds fields that a schema describes and no page has, of five pages or more that might.",
    why: "Whoever writes a page has one more field to think about, for nothing.",
    bad: &[
        ("a.md", "---\ntype: note\n---\n# A\n\nText.\n"),
        ("b.md", "---\ntype: note\n---\n# B\n\nText.\n"),
        ("c.md", "---\ntype: note\n---\n# C\n\nText.\n"),
        ("d.md", "---\ntype: note\n---\n# D\n\nText.\n"),
        ("e.md", "---\ntype: note\n---\n# E\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  properties:\n    mood: {type: string}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("a.md", "---\ntype: note\nmood: calm\n---\n# A\n\nText.\n"),
        ("b.md", "---\ntype: note\n---\n# B\n\nText.\n"),
        ("c.md", "---\ntype: note\n---\n# C\n\nText.\n"),
        ("d.md", "---\ntype: note\n---\n# D\n\nText.\n"),
        ("e.md", "---\ntype: note\n---\n# E\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  properties:\n    mood: {type: string}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

/// Of fewer pages it says little that none has the field yet.
const PAGES: usize = 5;

/// How a field is used by the pages whose types know it.
#[derive(Default)]
struct Use {
    pages: usize,
    set: bool,
}

fn check(snapshot: &Snapshot, report: &mut Report) {
    // Types that inherit a field share it: it is of use where the pages of any of them have it.
    let mut fields: BTreeMap<&str, Use> = BTreeMap::new();
    for page in snapshot.pages() {
        for (name, ..) in snapshot.types().of(page).into_iter().flat_map(|of| of.fields()) {
            let used = fields.entry(name).or_default();
            used.pages += 1;
            used.set |= page.field(name).is_some();
        }
    }
    for (of, index) in declared(snapshot) {
        for (name, ..) in of.fields() {
            // Said once, on the first type's page.
            let Some(used) = fields.remove(name) else { continue };
            if !used.set && used.pages >= PAGES {
                let page = snapshot.page(index);
                report.push(
                    index,
                    declaration(page, name).unwrap_or_else(|| top(page)),
                    format!("no page has the field `{name}`, of {} that might", used.pages),
                    "take it out of the schema, or fill it in where it is known",
                );
            }
        }
    }
}

/// The field's key in a schema that stands on the type page itself.
fn declaration(page: &Page, name: &str) -> Option<Span> {
    let properties = page.field("schema")?.get("properties")?;
    properties.entries().iter().find(|(key, _)| key.text() == Some(name)).map(|(key, _)| key.span)
}
