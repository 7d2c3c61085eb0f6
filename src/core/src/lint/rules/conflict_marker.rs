use std::ops::Range;

use memchr::memmem;

use crate::lint::{Class, Level, Report, Rule, Source, markdown};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "conflict-marker",
    level: Level::Error,
    source: Source::Base,
    class: Class::Structure,
    what: "Finds the three lines that a merge leaves around a conflict; such lines in code are left alone.",
    why: "Both versions stand on the page, and nobody decided between them.",
    bad: &[("p.md", "# P\n\n<<<<<<< HEAD\n- One text.\n=======\n- Other text.\n>>>>>>> branch\n")],
    good: &[("p.md", "# P\n\n- One text.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.pages.iter().enumerate() {
        let conflicts = conflicts(page.text.as_str());
        if conflicts.is_empty() {
            continue;
        }
        let code = markdown::code(page);
        for at in conflicts.into_iter().filter(|at| !markdown::holds(&code, at)) {
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

/// From the first marker to the last, each at a line's start and all three in order.
fn conflicts(text: &str) -> Vec<Range<usize>> {
    let (ours, parts, theirs) = ("<<<<<<< ", "=======", ">>>>>>> ");
    if memmem::find(text.as_bytes(), ours.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        open = match open {
            _ if line.starts_with(ours) => Some((at, false)),
            Some((start, _)) if line.trim_end() == parts => Some((start, true)),
            Some((start, true)) if line.starts_with(theirs) => {
                found.push(start..at + line.trim_end().len());
                None
            }
            other => other,
        };
        at += line.len();
    }
    found
}
