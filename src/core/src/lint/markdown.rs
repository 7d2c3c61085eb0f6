//! What CommonMark makes of a page, read once more: only of the few pages on which a rule suspects something.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use crate::page::Page;

/// Where a page has code and raw HTML, in order.
pub(super) fn code(page: &Page) -> Vec<Range<usize>> {
    let is_code = |event: &Event| {
        matches!(event, Event::Code(_) | Event::InlineHtml(_) | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock))
    };
    page.events().filter(|(event, _)| is_code(event)).map(|(_, at)| at).collect()
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
