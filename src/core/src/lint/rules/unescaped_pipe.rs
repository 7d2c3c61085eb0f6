use memchr::memmem;

use crate::lint::{Class, Level, Report, Rule, Source, markdown};
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "unescaped-pipe",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    what: "Finds wikilinks in table cells whose pipe is not escaped.",
    why: "The pipe ends the cell, so the table has a column more and the link is none.",
    bad: &[("index.md", "# All\n\n| Page | Use |\n|---|---|\n| [[p|Page P]] | Text |\n"), ("p.md", "# P\n\nText.\n")],
    good: &[("index.md", "# All\n\n| Page | Use |\n|---|---|\n| [[p\\|Page P]] | Text |\n"), ("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.pages.iter().enumerate() {
        let suspects = suspects(page);
        if suspects.is_empty() {
            continue;
        }
        let rows = markdown::table_rows(page);
        for span in suspects.into_iter().filter(|span| markdown::holds(&rows, &span.range())) {
            let link = page.text.slice(span);
            report.push(
                index,
                span,
                format!("the pipe in `{link}` ends the table's cell"),
                format!("write `{}`", link.replacen('|', "\\|", 1)),
            );
        }
    }
}

/// `[[a|b]]` with a bare pipe on lines that begin or end with a pipe or hold several, outside of code.
fn suspects(page: &Page) -> Vec<Span> {
    let text = page.text.as_str();
    let body = page.body.span.range();
    let mut found = Vec::new();
    let mut at = body.start;
    while let Some(open) = memmem::find(&text.as_bytes()[at..], b"[[").map(|open| at + open) {
        at = open + 2;
        let rest = &text[at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let Some(close) = line.find("]]") else { continue };
        let inner = &line[..close];
        let before = &text[text[..open].rfind('\n').map_or(0, |end| end + 1)..open];
        let in_code = before.matches('`').count() % 2 == 1;
        let bare = inner.find('|').is_some_and(|pipe| !inner[..pipe].ends_with('\\'));
        if bare && !in_code && !inner.contains('[') && (before.contains('|') || line[close..].contains('|')) {
            found.push(Span::new(open, at + close + "]]".len()));
        }
        at += close;
    }
    found
}
