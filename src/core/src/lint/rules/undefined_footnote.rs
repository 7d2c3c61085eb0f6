use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "undefined-footnote",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds footnote references without a definition.",
    why: "The reference is shown as plain brackets, and the statement has lost its source.",
    bad: &[("p.md", "# P\n\nSo it is.[^a]\n")],
    good: &[("p.md", "# P\n\nSo it is.[^a]\n\n[^a]: There.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let defined = super::footnote_keys(page.body.footnotes.iter().map(|note| &note.key));
        for reference in &page.body.footnote_refs {
            if !defined.contains(&super::footnote_key(&reference.key)) {
                report.push(
                    index,
                    reference.span,
                    format!("the footnote `{}` is not defined", reference.key),
                    format!("add a line `[^{}]: …` to the page", reference.key),
                );
            }
        }
    }
}
