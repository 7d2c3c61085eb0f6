use std::collections::BTreeMap;

use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "nonstandard-key",
    level: Level::Info,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Wiki,
    what: "Finds odd spellings of the fields `aliases` and `tags`, once for the whole wiki.",
    why: "They are understood here, other programs miss them.",
    bad: &[("p.md", "---\nAliases: [Q]\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\naliases: [Q]\n---\n# P\n\nText.\n")],
    check,
};

/// What is understood, and how it is usually spelt.
const SPELLINGS: &[(&str, &str)] = &[("alias", "aliases"), ("aliases", "aliases"), ("tag", "tags"), ("tags", "tags")];

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut odd: BTreeMap<&str, (usize, Span, &str, usize)> = BTreeMap::new();
    for (index, page) in snapshot.pages().iter().enumerate() {
        let entries = page.front_matter.root.as_ref().map_or(&[][..], |root| root.entries());
        for (key, _) in entries {
            let name = key.text().unwrap_or_default();
            let usual =
                SPELLINGS.iter().find(|(spelling, _)| name.eq_ignore_ascii_case(spelling)).map(|(_, usual)| *usual);
            if let Some(usual) = usual.filter(|usual| *usual != name) {
                odd.entry(name).or_insert((index, key.span, usual, 0)).3 += 1;
            }
        }
    }
    for (name, (page, span, usual, count)) in odd {
        report.push(
            page,
            span,
            format!("`{name}` is an odd spelling of `{usual}`"),
            format!("write `{usual}` on all {count} pages that have it"),
        );
    }
}
