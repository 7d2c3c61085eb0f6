//! What holds for every page, whatever its bytes.

mod invariants;

use chemenu_core::page::{LinkStyle, Page};
use chemenu_core::text::{Lines, Span};
use proptest::prelude::*;

/// Pieces of pages: put together in any order they make most of what Markdown, YAML and wikis have, half broken.
const PIECES: &[&str] = &[
    "[[",
    "]]",
    "[",
    "]",
    "|",
    "\\|",
    "\\",
    "#",
    "^",
    "!",
    "[[a]]",
    "![[b#c|d]]",
    "[[#h]]",
    "[[p#^id]]",
    "[^k]",
    "[^k]: ",
    "[x](y.md)",
    "![x](y.png)",
    "[x]: y.md\n",
    "`",
    "``",
    "```\n",
    "~~~\n",
    "$",
    "$$",
    "%%",
    "<!--",
    "-->",
    "<b>",
    "</b>",
    "<div>",
    "${",
    "}",
    "{{",
    "*",
    "**",
    "_",
    "~~",
    "- ",
    "1. ",
    "> ",
    "# ",
    "## ",
    "---\n",
    "===\n",
    "|-|-|\n",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "a",
    "ß",
    "e\u{301}",
    "日",
    "🎉",
    "\u{feff}",
    "\0",
    "---\ntitle: a\n---\n",
    "related: [[a]]\n",
    "key: \"[[b]]\"\n",
    "aliases: [c, d]\n",
    "- **r:** [[a]], [b](c.md)\n",
    " ^id\n",
    "- [ ] ",
    "> [!note] ",
    "&amp;",
    "<https://x.y>",
    "<a@b.c>",
    ":",
    "@",
    "...\n",
    "%20",
    "{",
    "\"",
    "'",
    "\u{2028}",
    "\u{a0}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let raw = prop::collection::vec(any::<u8>(), 0..3);
    let piece = prop_oneof![8 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()), 1 => raw];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn parse(bytes: &[u8]) -> Page {
    Page::parse("dir/page.md".into(), bytes, LinkStyle::Obsidian)
}

fn holds(stored: &[u8]) {
    invariants::check(&parse(stored), stored, LinkStyle::Obsidian);
}

/// Everything of a page that does not count bytes.
fn shape(page: &Page) -> String {
    let lines = page.text.lines();
    let place = |span: Span| (lines.position(span.start as usize), lines.position(span.end as usize));
    let body = &page.body;
    let links = body.links.iter().map(|link| {
        (link.kind, place(link.span), &link.target, &link.fragment, &link.label, link.section, &link.relation)
    });
    let headings =
        body.headings.iter().map(|heading| (heading.level, &heading.text, &heading.anchor, place(heading.span)));
    let refs = body.footnote_refs.iter().map(|note| (&note.key, note.section, place(note.span)));
    let notes = body.footnotes.iter().map(|note| (&note.key, place(note.span)));
    let blocks = body.blocks.iter().map(|block| (&block.id, place(block.span)));
    let front = page.front_links(LinkStyle::Obsidian, |_| true);
    let front = front.iter().map(|link| (&link.target, &link.fragment, &link.label, place(link.span)));
    let problems =
        page.problems.iter().map(|problem| (problem.kind, place(problem.span), &problem.message, &problem.hint));
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}",
        page.title,
        page.front_matter.root.as_ref().map(|root| root.to_json().to_string()),
        page.front_matter.state,
        links.collect::<Vec<_>>(),
        headings.collect::<Vec<_>>(),
        refs.collect::<Vec<_>>(),
        notes.collect::<Vec<_>>(),
        blocks.collect::<Vec<_>>(),
        front.collect::<Vec<_>>(),
        problems.collect::<Vec<_>>(),
        lines.count(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_page(stored in bytes()) {
        holds(&stored);
    }

    #[test]
    fn random_bytes_are_a_page(stored in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&stored);
    }

    #[test]
    fn any_text_is_a_page(text in "(?s).{0,60}") {
        holds(text.as_bytes());
    }

    #[test]
    fn f37_line_ends_and_byte_order_mark_change_offsets_only(text in text()) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim_start_matches('\u{feff}');
        let right = shape(&parse(text.as_bytes()));
        for stored in [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}{text}"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
            mixed(text),
        ] {
            let page = parse(stored.as_bytes());
            prop_assert_eq!(&shape(&page), &right);
            invariants::check(&page, stored.as_bytes(), LinkStyle::Obsidian);
        }
    }

    #[test]
    fn places_count_code_points(text in "[a\né🎉]{0,3000}", at in 0usize..6000) {
        let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let before = &text[..at];
        let place = Lines::new(&text).position(at);
        prop_assert_eq!(place.line as usize, before.matches('\n').count() + 1);
        prop_assert_eq!(place.column as usize, before.rsplit('\n').next().unwrap().chars().count() + 1);
    }
}

/// The line ends of a text in turn as CRLF, CR and LF, where that leaves their number.
fn mixed(text: &str) -> String {
    let mut stored = String::new();
    for (nth, line) in text.split_inclusive('\n').enumerate() {
        let content = line.strip_suffix('\n');
        stored += content.unwrap_or(line);
        if content.is_some() {
            // LF right behind a lone CR would be one line end with it.
            stored += if stored.ends_with('\r') { "\r" } else { ["\r\n", "\r", "\n"][nth % 3] };
        }
    }
    stored
}

#[test]
fn f37_by_hand() {
    let text = "---\ntitle: Ä\nrelated: [b]\n---\n# H\n\n[[a]] é [[b]]\n";
    let right = shape(&parse(text.as_bytes()));
    for stored in [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")] {
        let page = parse(stored.as_bytes());
        assert_eq!(shape(&page), right);
        let link = page.body.links[1].span;
        assert_eq!(&stored[page.text.stored(link).range()], "[[b]]", "positions are the stored ones");
    }
    let page = parse(b"\xef\xbb\xbfa \xff\xfe [[b]] \xc3\r\n[[c]]");
    let spans: Vec<std::ops::Range<usize>> =
        page.body.links.iter().map(|link| page.text.stored(link.span).range()).collect();
    assert_eq!(spans, [8..13, 17..22]);
    assert_eq!(page.problems.len(), 1);
}
