//! What holds for every page, whatever its bytes.

use chemenu_core::page::{Anchor, LinkKind, LinkStyle, Page, wikilink};
use chemenu_core::text::{Span, Text};

/// Panics where something does not hold of a page that was parsed from `stored`.
pub(crate) fn check(page: &Page, stored: &[u8], style: LinkStyle) {
    spans(page, stored, style);
    links(page, style);
    sections(page);
}

/// Every span lies on character boundaries, cuts out what it names, and maps to stored bytes of the same text.
fn spans(page: &Page, stored: &[u8], style: LinkStyle) {
    let text = page.text.as_str();
    for (span, start, end) in all_spans(page, style) {
        let range = span.range();
        assert!(range.start <= range.end && range.end <= text.len(), "{span:?} in {} bytes", text.len());
        assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end), "{span:?}");
        let cut = page.text.slice(span);
        assert!(cut.starts_with(start) && cut.ends_with(end), "{cut:?}");
        let there = page.text.stored(span).range();
        assert!(there.start <= there.end && there.end <= stored.len(), "{there:?} of {} stored bytes", stored.len());
        // The letter keeps a byte order mark within the text what it is.
        let decoded = Text::decode(&[b"x", &stored[there]].concat());
        assert_eq!(&decoded.as_str()[1..], cut);
    }
}

/// Every span with what it must begin and end with.
fn all_spans(page: &Page, style: LinkStyle) -> Vec<(Span, &'static str, &'static str)> {
    let body = &page.body;
    let links = body.links.iter().map(|link| match link.kind {
        LinkKind::Wikilink => (link.span, "[[", "]]"),
        LinkKind::Embed => (link.span, "![[", "]]"),
        LinkKind::Image => (link.span, "![", ""),
        LinkKind::Markdown => (link.span, "", ""),
        LinkKind::FrontMatter => panic!("the body has none"),
    });
    let front = page.front_links(style, |_| true).into_iter().map(|link| (link.span, "", ""));
    links
        .chain(front)
        .chain(body.headings.iter().map(|heading| (heading.span, "", "")))
        .chain(body.footnote_refs.iter().map(|note| (note.span, "[^", "]")))
        .chain(body.footnotes.iter().map(|note| (note.span, "[^", "")))
        .chain(body.blocks.iter().map(|block| (block.span, "^", "")))
        .chain(page.problems.iter().map(|problem| (problem.span, "", "")))
        .chain([(body.span, "", ""), (page.front_matter.span, "", ""), (page.front_matter.content, "", "")])
        .collect()
}

/// What a link says of itself is what its source says.
fn links(page: &Page, style: LinkStyle) {
    let body = &page.body;
    for link in body.links.iter().filter(|link| matches!(link.kind, LinkKind::Wikilink | LinkKind::Embed)) {
        let cut = page.text.slice(link.span);
        assert!(!cut.contains('\n'), "{cut:?}");
        let inner = cut.trim_start_matches('!').strip_prefix("[[").and_then(|cut| cut.strip_suffix("]]"));
        let parts = inner.and_then(|inner| wikilink(inner, style));
        assert_eq!(parts, Some((link.target.clone(), link.fragment.clone(), link.label.clone())), "{cut:?}");
    }
    for reference in &body.footnote_refs {
        assert_eq!(page.text.slice(reference.span), format!("[^{}]", reference.key));
    }
    for block in &body.blocks {
        assert_eq!(page.text.slice(block.span), format!("^{}", block.id));
    }
}

/// Everything stands in order, in the section it says.
fn sections(page: &Page) {
    let body = &page.body;
    let sections = body.links.iter().map(|link| (link.span.start, link.section));
    let refs = body.footnote_refs.iter().map(|note| (note.span.start, note.section));
    for (start, section) in sections.chain(refs) {
        let before = body.headings.partition_point(|heading| heading.span.start <= start);
        assert_eq!(section.map_or(0, |index| index as usize + 1), before, "at {start}");
    }
    assert!(body.links.is_sorted_by_key(|link| link.span.start));
    assert!(body.headings.is_sorted_by_key(|heading| heading.span.start));
    assert!(body.footnote_refs.is_sorted_by_key(|note| note.span.start));
    assert!(body.blocks.is_sorted_by_key(|block| block.span.start));
    for (index, heading) in body.headings.iter().enumerate().take(100) {
        assert!(page.text.slice(body.section_span(index)).starts_with(page.text.slice(heading.span)));
        if let Some(Anchor::Heading(found)) = body.anchor(&heading.text) {
            assert!(found <= index, "the first of that text");
        }
        assert!(heading.anchor.is_empty() || body.anchor(&heading.anchor).is_some(), "{}", heading.anchor);
    }
}
