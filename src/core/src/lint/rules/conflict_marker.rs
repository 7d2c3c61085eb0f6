use crate::lint::{Class, Level, Report, Rule, Source, markdown, Scope};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "conflict-marker",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds the three lines that a merge leaves around a conflict; such lines in code are left alone.",
    why: "Both versions stand on the page, and nobody decided between them.",
    bad: &[("p.md", "# P\n\n<<<<<<< HEAD\n- One text.\n=======\n- Other text.\n>>>>>>> branch\n")],
    good: &[("p.md", "# P\n\n- One text.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for at in markdown::conflicts(page) {
            let line = page.text.as_str()[at.clone()].lines().next().unwrap_or_default().len();
            report.push(
                index,
                Span::new(at.start, at.start + line),
                "a conflict of a merge is not resolved",
                "choose one of the two versions, and take out the three marked lines",
            );
        }
    }
}
