//! What no YAML may do, whoever wrote it: panic, overflow the stack, name a place that is none, cost more than its length.

use chemenu_core::page::FrontMatter;
use chemenu_core::text::Span;
use chemenu_core::yaml::{MAX_BYTES, MAX_DEPTH, MAX_DUPLICATES, Node, Problem, ProblemKind, Value, compose};
use proptest::prelude::*;

/// Asserts that every span of a node lies on character boundaries, inside its parent's, and cuts out what it names.
fn check(text: &str, node: &Node, parent: Span) {
    let aliased = text.contains('*');
    let source = text.get(node.span.range()).unwrap_or_else(|| panic!("{:?} is no place in {text:?}", node.span));
    assert!(
        aliased || (parent.start <= node.span.start && node.span.end <= parent.end),
        "{:?} outside of {parent:?} in {text:?}",
        node.span
    );
    match &node.value {
        Value::Scalar(scalar) => {
            assert_eq!(source, source.trim_matches([' ', '\t', '\n', '\r']), "blanks around a scalar of {text:?}");
            let first = source.chars().next();
            assert!(
                match (scalar.plain, first) {
                    (true, _) => source.contains(['\n', '\r']) || scalar.text == source,
                    (false, Some('"' | '\'')) => source.len() >= 2 && source.ends_with(['"', '\'']),
                    // Tagged, a block, or both.
                    (false, _) => true,
                } || (aliased && first == Some('*')),
                "{source:?} is not the source of {scalar:?} in {text:?}"
            );
        }
        Value::Sequence(items) => items.iter().for_each(|item| check(text, item, node.span)),
        Value::Mapping(entries) => entries.iter().for_each(|(key, value)| {
            check(text, key, node.span);
            check(text, value, node.span);
        }),
    }
}

/// Composes and asserts what holds for any text.
fn composed(text: &str) -> (Option<Node>, Vec<Problem>) {
    let (root, problems) = compose(text);
    for problem in &problems {
        assert!(text.get(problem.span.range()).is_some(), "{:?} is no place in {text:?}", problem.span);
        assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}");
        assert!(!problem.message.ends_with('.') && !problem.message.contains('\n'), "{problem:?}");
    }
    let invalid = problems.iter().filter(|problem| problem.kind == ProblemKind::Invalid).count();
    assert!(invalid == 0 || (invalid == 1 && root.is_none()), "{problems:?}");
    if let Some(root) = &root {
        check(text, root, Span::new(0, text.len()));
        assert_eq!(root.to_json().is_object(), root.to_json_text().is_object());
    }
    (root, problems)
}

/// Pieces of which almost any sequence is almost YAML.
const PIECES: &[&str] = &[
    "a",
    "b: ",
    "key: value\n",
    "- ",
    "\n",
    "\n  ",
    "\n    ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "|\n  ",
    ">-\n ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "!t ",
    "!!str ",
    "#",
    " # c",
    "---\n",
    "...\n",
    "\t",
    "ü",
    "😀",
    "\u{feff}",
    "\0",
    "\u{85}",
    "\u{2028}",
    "%",
    "@",
    "`",
    "{{",
    "}}",
    "[[",
    "]]",
    "\\",
    "x y",
    "1",
    "~",
    "%YAML 1.2\n",
    "|+2\n",
    "<!--",
    "-->",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in ".*") {
        composed(&text);
    }

    #[test]
    fn almost_yaml_is_answered(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30)) {
        let text = pieces.concat();
        composed(&text);
        for page in [format!("---\n{text}\n---\n"), text] {
            let (front, problems) = FrontMatter::parse(&page);
            prop_assert!(page.get(front.span.range()).is_some() && page.get(front.content.range()).is_some());
            for span in problems.iter().map(|problem| problem.span) {
                prop_assert!(page.get(span.range()).is_some(), "{:?}", span);
            }
            for (_, span) in front.tags().into_iter().chain(front.aliases()).chain(front.title()) {
                prop_assert!(page.get(span.range()).is_some(), "{:?}", span);
            }
        }
    }
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let (root, problems) = composed(text);
    assert!(root.is_none());
    assert!(problems.last().is_some_and(|problem| problem.message.contains(message)), "{problems:?}");
}

fn block(levels: usize) -> String {
    (0..levels).map(|level| format!("{}a:\n", " ".repeat(level))).collect()
}

#[test]
fn nesting_is_bounded() {
    let deep = |levels: usize| {
        [
            "[".repeat(levels) + &"]".repeat(levels),
            "{a: ".repeat(levels) + "b" + &"}".repeat(levels),
            "- ".repeat(levels) + "b",
            "? ".repeat(levels) + "b",
            block(levels),
            "[{a: ".repeat(levels / 2) + &"}]".repeat(levels / 2),
        ]
    };
    for text in deep(MAX_DEPTH) {
        // As a key, a list or mapping is refused for another reason.
        assert!(composed(&text).0.is_some() || text.starts_with('?'), "{text:?}");
    }
    for text in deep(MAX_DEPTH + 2).into_iter().chain(deep(700)) {
        refused(&text, "nested deeper than 64 levels");
    }
    // Each alias stands one level deeper than what it names.
    let chain: String = (1..100).map(|level| format!("a{level}: &a{level} [*a{}]\n", level - 1)).collect();
    refused(&format!("a0: &a0 x\n{chain}"), "nested deeper than 64 levels");
}

#[test]
fn size_is_bounded() {
    for text in [
        "- ".repeat(200_000),
        "{a: ".repeat(9_000 * 8),
        block(9_000),
        "x".repeat(1 << 20),
        format!("a: {}", "ü".repeat(1 << 19)),
    ] {
        refused(&text, "more than the 262144 that are read");
    }
    let (root, problems) = composed(&format!("a: {}", "x ".repeat(MAX_BYTES / 2 - 2)));
    assert!(root.is_some() && problems.is_empty());
}

#[test]
fn nine_thousand_levels_in_brackets() {
    for open in ["[", "{", "{a: ", "- ", "[ "] {
        refused(&open.repeat(9_000), "nested deeper than 64 levels");
    }
}

#[test]
fn aliases_are_bounded() {
    let long = "x".repeat(100_000);
    let copies: String = (0..1000).map(|copy| format!("k{copy}: *a\n")).collect();
    refused(&format!("a: &a {long}\n{copies}"), "anchors and aliases add more than 1048576 bytes");
    let (root, problems) = composed(&format!("a: &a short\n{copies}"));
    assert_eq!((root.map(|root| root.entries().len()), problems), (Some(1001), vec![]));
}

#[test]
fn duplicates_are_bounded() {
    let (root, problems) = composed(&"a: 1\n".repeat(50_000));
    assert_eq!((root.map(|root| root.entries().len()), problems.len()), (Some(1), MAX_DUPLICATES));
}

#[test]
fn long_texts_of_one_kind() {
    for piece in [
        "a\n",
        "\n",
        " ",
        "\t",
        "#",
        "# a\n",
        "[],",
        "- a\n",
        "- - a\n",
        "- |\n  b\n",
        "? a\n: b\n",
        "'",
        "\"",
        ":",
        ": ",
        "*a ",
        "&a ",
        "!",
        "%a\n",
        "---\n",
        "...\n",
        "\\",
        "ü",
        "[[a]], ",
        "{{a}} ",
        "a, ",
        "a: b, ",
        "k:v\n",
        "a: &a 1\n",
        "- # |\n  |\n  b\n",
        "[a]: b\n",
    ] {
        for (before, after) in [("", ""), ("[", "]"), ("{", "}"), ("a: ", ""), ("a: \"", "\""), ("a: |\n  ", "")] {
            let text = piece.repeat(MAX_BYTES / 4 / piece.len());
            composed(&format!("{before}{text}{after}"));
        }
    }
}
