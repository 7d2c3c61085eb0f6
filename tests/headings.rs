//! Headings: which lines are some, their texts, anchors and sections.

mod memory;

use chemenu_core::page::slug;
use memory::parse;

/// Level and text of each heading.
fn headings(text: &str) -> Vec<(u8, String)> {
    parse(text).body.headings.into_iter().map(|heading| (heading.level, heading.text)).collect()
}

fn texts(text: &str) -> Vec<String> {
    parse(text).body.headings.into_iter().map(|heading| heading.text).collect()
}

fn anchors(text: &str) -> Vec<String> {
    parse(text).body.headings.into_iter().map(|heading| heading.anchor).collect()
}

fn is(level: u8, text: &str) -> (u8, String) {
    (level, text.to_owned())
}

const NONE: [&str; 0] = [];

#[test]
fn h01_repeated_headings() {
    let page = parse("## A\n\n## A\n\n# a!\n\n### *A*\n\n## A-1\n\n##\n\n##\n");
    let found: Vec<(&str, &str)> =
        page.body.headings.iter().map(|heading| (&*heading.text, &*heading.anchor)).collect();
    assert_eq!(found, [("A", "a"), ("A", "a-1"), ("a!", "a-2"), ("A", "a-3"), ("A-1", "a-1-1"), ("", ""), ("", "-1")]);
    let first = |fragment: &str| match page.body.anchor(fragment) {
        Some(chemenu_core::page::Anchor::Heading(index)) => Some(index),
        _ => None,
    };
    assert_eq!(first("A"), Some(0), "Obsidian's is the first");
    assert_eq!(first("a-1"), Some(4), "a heading of that very text is nearer than a numbered anchor");
    assert_eq!(first("a-2"), Some(2));
    assert_eq!(first("a-3"), Some(3));
    assert_eq!(first("a-4"), None);
}

#[test]
fn h02_setext_or_rule() {
    assert_eq!(headings("A\n---"), [is(2, "A")]);
    assert_eq!(headings("A\n==="), [is(1, "A")]);
    assert_eq!(headings("A\nB\n---\n"), [is(2, "A B")]);
    assert_eq!(headings("> A\n> ---\n"), [is(2, "A")]);
    assert_eq!(headings("- A\n  ---\n"), [is(2, "A")]);
    assert_eq!(headings("A\n   -\n"), [is(2, "A")]);
    for text in [
        "- A\n---",
        "A\n\n---",
        "> A\n---",
        "# A\n---",
        "```\nA\n---\n```",
        "A\n***",
        "A\n    ---",
        "---\n---\n",
        "|A|\n|---|",
    ] {
        assert!(headings(text).iter().all(|(level, _)| *level == 1), "{text}");
    }
}

#[test]
fn h06_no_headings_in_code_and_comments() {
    for text in [
        "```sh\n# x\n```",
        "~~~\n# x\n~~~",
        "```\n# x",
        "- a\n\n  ```\n  # x\n  ```",
        "    # x",
        "<!-- \n# x\n-->",
        "<!-- a --> # x",
        "%%\n\n# x\n\n%%",
        "<pre>\n# x\n</pre>",
        "$$\nx\n=\n\n# x\n$$",
        "#x",
        "\\# x",
        "####### x",
        "a # x",
        "`# x`",
    ] {
        assert_eq!(texts(text), NONE, "{text}");
    }
    assert_eq!(texts("> # x"), ["x"]);
    assert_eq!(texts("- # x"), ["x"]);
    assert_eq!(texts("%% a %%\n\n# x\n\n%% b"), ["x"]);
    assert_eq!(texts("%%\n# a\n%%\n\n# b\n\n%%\n# c\n%%\n\n# d"), ["b", "d"]);
}

#[test]
fn h07_titles() {
    let title = |path: &str, text: &str| {
        chemenu_core::page::Page::parse(path.into(), text.as_bytes(), chemenu_core::page::LinkStyle::Obsidian).title
    };
    assert_eq!(title("a/b c.md", "text"), "b c");
    assert_eq!(title("a.md", "## Two\n\n# One\n\n# Again\n"), "One");
    assert_eq!(title("a.md", "---\ntitle: Given\n---\n# One\n"), "Given");
    assert_eq!(title("a.md", "---\ntitle:\n---\n# One\n"), "One");
    assert_eq!(title("a.md", "---\ntitle: [a]\n---\n# One\n"), "One");
    assert_eq!(title("a.md", "---\ntitle: a: b\n---\n# One\n"), "One", "invalid YAML");
    assert_eq!(title("a.md", "---\ntitle: 2026-05-26\n---\n"), "2026-05-26");
    assert_eq!(title("a.md", "#\n"), "a");
    assert_eq!(title("a.md", "One\n===\n"), "One");
    assert_eq!(title("X.MD", ""), "X");
    assert_eq!(title("a.md", "# `f()` of [[b|B]] & *c*\n"), "f() of B & c");
}

#[test]
fn texts_without_markup() {
    assert_eq!(texts("# a *b* **c** ~~d~~ `e*` [f](g.md) ![h](i.png) #"), ["a b c d e* f h"]);
    assert_eq!(texts("# \\*a\\* &amp; &#65;"), ["*a* & A"]);
    assert_eq!(texts("# [[p]] and [[p|l]], [[#H]], [[p#H]]"), ["p and l, H, p"]);
    assert_eq!(texts("# `[[x]]` \\[[x]]"), ["[[x]] [[x]]"]);
    assert_eq!(texts("# a <!-- b --> c <b>d</b>"), ["a  c d"]);
    assert_eq!(texts("# a %% b %%\n\n# %% a *b* %% c"), ["a", "c"]);
    assert_eq!(texts("# $x_1$ for US$5 and US$6"), ["$x_1$ for US$5 and US$6"]);
    assert_eq!(texts("# a[^k] ^id\n\n[^k]: b"), ["a"]);
    assert_eq!(texts("# [[p|*l*]] **[[q]]**"), ["*l* q"]);
    assert_eq!(texts("# <https://example.org/[[x]]>"), ["https://example.org/[[x]]"]);
    assert_eq!(texts("# [a [[b]] c](d.md)"), ["a b c"]);
    assert_eq!(texts("#   blanks   #####   "), ["blanks"]);
    assert_eq!(texts("# ${x} and {{y}}"), ["${x} and {{y}}"]);
}

#[test]
fn anchors_of_both_conventions() {
    assert_eq!(
        anchors(
            "# Größe & Maß\n# A  B\n# a_b-c\n# 1. Zahl: x²\n# Ünï / CODE\n# 日本語 テスト\n# e\u{301}\n# 🎉 Hi\n# `f(x)`\n# v1.2\n# $x$"
        ),
        ["größe--maß", "a--b", "a_b-c", "1-zahl-x", "ünï--code", "日本語-テスト", "e\u{301}", "-hi", "fx", "v12", "x"]
    );
    let page = parse("# A: B / c? [d] | e #f (^g)\n## **Bold** `code`\n# Größe\n# Gro\u{308}ße 2\n");
    let found = |fragment: &str| page.body.anchor(fragment).is_some();
    for fragment in [
        "A: B / c? [d] | e #f (^g)",
        "A B / c? d e f ( g)",
        "a b / C? d e f ( g)",
        "a-b--c-d--e-f-g",
        "Bold code",
        "**Bold** `code`",
        "bold-code",
        "größe",
        "GRÖSSE",
        "Gro\u{308}\u{df}e",
        "größe 2",
        "A B / c? d e f ( g)#Bold code",
    ] {
        assert!(found(fragment), "{fragment}");
    }
    for fragment in ["A B c d e f g", "A", "Bold", "", "#", "größe-1", "Größe#Bold code", "^Größe"] {
        assert!(!found(fragment), "{fragment}");
    }
    assert_eq!(slug::github(" A b "), "a-b");
}

#[test]
fn sections() {
    let page =
        parse("---\nt: 1\n---\nintro\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n> ## Q\n\nq\n\nE\n=\n\ne");
    let section = |index: usize| page.text.slice(page.body.section_span(index));
    let names: Vec<&str> = page.body.headings.iter().map(|heading| &*heading.text).collect();
    assert_eq!(names, ["A", "B", "C", "D", "Q", "E"]);
    assert_eq!(section(0), "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n> ## Q\n\nq\n\n");
    assert_eq!(section(1), "## B\n\nb\n\n### C\n\nc\n\n");
    assert_eq!(section(2), "### C\n\nc\n\n");
    assert_eq!(section(5), "E\n=\n\ne");
    let spans: Vec<&str> = page.body.headings.iter().map(|heading| page.text.slice(heading.span)).collect();
    assert_eq!(spans, ["# A", "## B", "### C", "## D", "## Q", "E\n="]);
}
