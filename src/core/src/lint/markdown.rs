//! What CommonMark makes of a page, read once more: only of the few pages on which a rule suspects something.

use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::{Event, Tag};

use crate::page::Page;

/// What an HTML comment begins and ends with.
pub(super) const COMMENT: (&str, &str) = ("<!--", "-->");

/// Where a page has code and raw HTML, in order.
pub(super) fn code(page: &Page) -> Vec<Range<usize>> {
    let is_code = |event: &Event| {
        matches!(event, Event::Code(_) | Event::InlineHtml(_) | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock))
    };
    page.events().filter(|(event, _)| is_code(event)).map(|(_, at)| at).collect()
}

/// The HTML comments of a page, in order.
pub(super) fn comments(page: &Page) -> Vec<Range<usize>> {
    let text = page.text.as_str();
    let (open, close) = COMMENT;
    if memmem::find(text.as_bytes(), open.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let is_html = |event: &Event| matches!(event, Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock));
    for (_, within) in page.events().filter(|(event, _)| is_html(event)) {
        let mut at = within.start;
        while let Some(start) = text[at..within.end].find(open).map(|start| at + start) {
            let Some(end) = text[start + open.len()..within.end].find(close) else { break };
            at = start + open.len() + end + close.len();
            found.push(start..at);
        }
    }
    found
}

/// What a merge left of conflicts that nobody resolved, from the first marker to the last, in order; not in code.
pub(super) fn conflicts(page: &Page) -> Vec<Range<usize>> {
    let conflicts = marked(page.text.as_str());
    if conflicts.is_empty() {
        return conflicts;
    }
    let code = code(page);
    conflicts.into_iter().filter(|at| !holds(&code, at)).collect()
}

/// Each marker at a line's start and all three in order.
fn marked(text: &str) -> Vec<Range<usize>> {
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

/// Where a page has table rows, in order.
pub(super) fn table_rows(page: &Page) -> Vec<Range<usize>> {
    let is_row = |event: &Event| matches!(event, Event::Start(Tag::TableHead | Tag::TableRow));
    page.events().filter(|(event, _)| is_row(event)).map(|(_, at)| at).collect()
}

/// Whether one of `ranges`, which are in order, holds the whole of `at`.
pub(super) fn holds(ranges: &[Range<usize>], at: &Range<usize>) -> bool {
    let next = ranges.partition_point(|range| range.end <= at.start);
    ranges.get(next).is_some_and(|range| range.start <= at.start && at.end <= range.end)
}

/// Whether one of `ranges`, which are in order, has a part of `at`.
pub(super) fn touches(ranges: &[Range<usize>], at: &Range<usize>) -> bool {
    let next = ranges.partition_point(|range| range.end <= at.start);
    ranges.get(next).is_some_and(|range| range.start < at.end)
}
