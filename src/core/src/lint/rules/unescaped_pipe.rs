use memchr::{memchr, memmem, memrchr};

use crate::lint::{Class, Level, Report, Rule, Source, markdown, Scope};
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "unescaped-pipe",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds wikilinks in table cells whose pipe is not escaped.",
    why: "The pipe ends the cell, so the table has a column more and the link is none.",
    bad: &[("index.md", "# All\n\n| Page | Use |\n|---|---|\n| [[p|Page P]] | Text |\n"), ("p.md", "# P\n\nText.\n")],
    good: &[
        ("index.md", "# All\n\n| Page | Use |\n|---|---|\n| [[p\\|Page P]] | Text |\n"),
        ("p.md", "# P\n\nText.\n"),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
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
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = page.body.span.start as usize;
    while let Some(pipe) = memchr(b'|', &bytes[at..]).map(|offset| at + offset) {
        let start = memrchr(b'\n', &bytes[at..pipe]).map_or(at, |offset| at + offset + 1);
        at = memchr(b'\n', &bytes[pipe..]).map_or(bytes.len(), |offset| pipe + offset + 1);
        // One pipe is the link's own, another one makes a cell of it.
        if memchr(b'|', &bytes[pipe + 1..at]).is_some() {
            found.extend(in_line(&text[start..at]).into_iter().map(|span| span.shift(start)));
        }
    }
    found
}

/// The suspects of one line, in one pass: a line may be long.
fn in_line(line: &str) -> Vec<Span> {
    let last_pipe = line.rfind('|').unwrap_or_default();
    let mut found = Vec::new();
    // What stands before `at`: a pipe, and an odd number of backticks.
    let (mut at, mut piped, mut in_code) = (0, false, false);
    while let Some(open) = memmem::find(&line.as_bytes()[at..], b"[[").map(|open| at + open) {
        let Some(close) = line[open..].find("]]").map(|close| open + close) else { break };
        piped |= line[at..open].contains('|');
        in_code ^= line[at..open].matches('`').count() % 2 == 1;
        let inner = &line[open + 2..close];
        let bare = inner.find('|').is_some_and(|pipe| !inner[..pipe].ends_with('\\'));
        if bare && !in_code && !inner.contains('[') && (piped || last_pipe > close) {
            found.push(Span::new(open, close + "]]".len()));
        }
        piped |= inner.contains('|');
        in_code ^= inner.matches('`').count() % 2 == 1;
        at = close;
    }
    found
}
