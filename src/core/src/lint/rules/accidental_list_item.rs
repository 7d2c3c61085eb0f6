use std::collections::HashSet;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "accidental-list-item",
    level: Level::Info,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds lines that go on with a sentence, and begin with a dash and a blank by where the text was wrapped.",
    why: "To Markdown they begin a list item, and the sentence is torn in two.",
    bad: &[(
        "p.md",
        "# P\n\n- The stamp names the revision that was read, and not the latest one\n  - a slip that the test found.\n",
    )],
    good: &[(
        "p.md",
        "# P\n\n- The stamp names the revision that was read, and not the latest one -\n  a slip that the test found.\n",
    )],
    check,
};

/// Shorter lines were not wrapped.
const WRAPPED: usize = 50;

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let suspects = suspects(page);
        if suspects.is_empty() {
            continue;
        }
        let lists = single_items(page);
        for at in suspects {
            if lists.contains(&at) {
                report.push(
                    index,
                    Span::new(at, at + 1),
                    "this line begins a list item, and seems to go on with the sentence before it",
                    "wrap the text elsewhere, so that the dash ends the line before or stands within one",
                );
            }
        }
    }
}

/// Where a line begins with a marker and a small letter, below a long line that ends no sentence.
fn suspects(page: &Page) -> Vec<usize> {
    let text = page.text.as_str();
    let mut found = Vec::new();
    let start = page.body.span.start as usize;
    let mut before = "";
    let mut at = start;
    let ends = memchr::memchr_iter(b'\n', &text.as_bytes()[start..]).map(|offset| start + offset + 1);
    for end in ends.chain([text.len()]) {
        let line = &text[at..end];
        let marked = line.trim_start_matches([' ', '\t']);
        let goes_on = || marked[2..].trim_start().starts_with(char::is_lowercase);
        let is_marked = matches!(marked.as_bytes(), [b'-' | b'+' | b'*', b' ', ..]);
        if is_marked && is_torn(before.trim_end()) && goes_on() {
            found.push(at + line.len() - marked.len());
        }
        at = end;
        before = line;
    }
    found
}

/// Whether a line was wrapped within a sentence.
fn is_torn(line: &str) -> bool {
    let ends =
        |c: char| c.is_alphanumeric() || matches!(c, ',' | ')' | '`' | '*' | '_' | ']' | '"' | '“' | '”' | '’' | '\'');
    line.ends_with(ends) && line.chars().count() >= WRAPPED && !line.trim_start().starts_with(['#', '|', '>'])
}

/// Where lists of one item only begin: whoever lists, lists several.
fn single_items(page: &Page) -> HashSet<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = HashSet::new();
    for (event, at) in page.events() {
        match event {
            Event::Start(Tag::List(_)) => open.push((at.start, 0)),
            Event::Start(Tag::Item) => open.last_mut().into_iter().for_each(|(_, items)| *items += 1),
            Event::End(TagEnd::List(_)) => {
                found.extend(open.pop().filter(|(_, items)| *items == 1).map(|(list, _)| list))
            }
            _ => {}
        }
    }
    found
}
