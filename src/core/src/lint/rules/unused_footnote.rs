use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unused-footnote",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds footnotes that nothing refers to.",
    why: "Nobody can tell which statement the note is for.",
    bad: &[("p.md", "# P\n\nSo it is.\n\n[^a]: There.\n")],
    good: &[("p.md", "# P\n\nSo it is.[^a]\n\n[^a]: There.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let used = super::footnote_keys(page.body.footnote_refs.iter().map(|reference| &reference.key));
        for note in &page.body.footnotes {
            if !used.contains(&super::footnote_key(&note.key)) {
                report.push(
                    index,
                    note.span,
                    format!("nothing refers to the footnote `{}`", note.key),
                    format!("write `[^{}]` behind the statement it is for, or take it out", note.key),
                );
            }
        }
    }
}
