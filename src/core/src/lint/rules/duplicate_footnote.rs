use std::collections::HashSet;

use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-footnote",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds footnotes that are defined twice.",
    why: "Only the first definition is shown; the other one is lost.",
    bad: &[("p.md", "# P\n\nSo it is.[^a]\n\n[^a]: There.\n\n[^a]: Here.\n")],
    good: &[("p.md", "# P\n\nSo it is.[^a] And so.[^b]\n\n[^a]: There.\n\n[^b]: Here.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let mut seen = HashSet::new();
        for note in &page.body.footnotes {
            if !seen.insert(super::footnote_key(&note.key)) {
                report.push(
                    index,
                    note.span,
                    format!("the footnote `{}` is defined again", note.key),
                    "give it a key of its own, or take it out",
                );
            }
        }
    }
}
