//! The composer against serde_yaml, an implementation of its own: on valid documents both read the same values.

use chemenu_core::yaml::{Node, compose};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use serde_yaml::Value as Yaml;

/// What serde_yaml reads, as JSON; `None` if it reads nothing or there is no such JSON.
fn oracle(text: &str) -> Option<Json> {
    serde_yaml::from_str::<Yaml>(text).ok().and_then(|value| serde_json::to_value(value).ok())
}

fn ours(text: &str) -> Option<Json> {
    let (root, problems) = compose(text);
    if problems.is_empty() { Some(root.as_ref().map_or(Json::Null, Node::to_json)) } else { None }
}

/// Documents that both read, and read alike.
const SAME: &[&str] = &[
    "",
    "# only a comment",
    "a: 1",
    "a: 1\n",
    "\na: 1\n\n",
    "---\na: 1\n",
    "a: 1\n...\n",
    "a: b c d",
    "a:    b   # comment",
    "a: b#c",
    "a: 'b # c'",
    "a:",
    "a: ~",
    "a: null\nb: Null\nc: NULL",
    "a: true\nb: True\nc: FALSE",
    "a: yes\nb: no\nc: on\nd: Off\ne: y",
    "a: -7\nb: 0\nc: -0.5\nd: 1.5e3\ne: .5\nf: 6.02e+23",
    "a: 0x1F\nb: 0o17",
    "a: 1.0\nb: 0.50\nc: 1.",
    "a: 1_000\nb: 12:30\nc: 1:2:3",
    "a: 2026-09-02\nb: 2026-09-02T10:00:00Z",
    "a: 1.2.3\nb: v1\nc: 1a",
    "a: -\nb: --\nc: -x",
    "a: \"x\"\nb: 'y'\nc: \"\"\nd: ''",
    "a: \"1\"\nb: 'true'\nc: \"~\"",
    "a: \"x\\n\\t\\\"\\\\\\u00fc\\x41\\/\"",
    "a: 'it''s'",
    "a: \"one\n  two\n\n  three\"",
    "a: 'one\n  two'",
    "a: \"one \\\n  two\"",
    "a: one\n  two\n  three",
    "a: one\n\n  two",
    "a: |\n  one\n  two\n",
    "a: |\n  one\n\n  two\n\n\nb: 1\n",
    "a: |-\n  one\n  two\nb: 1\n",
    "a: |+\n  one\n\nb: 1\n",
    "a: |2\n   one\n  two\n",
    "a: >\n  one\n  two\n\n  three\n",
    "a: >-\n  one\n    more\n  two\n",
    "a: | # comment\n  one\n",
    "a: >\n\n  one\n",
    "a: |\nb: 1\n",
    "- a\n- b",
    "- a\n-\n- c",
    "a:\n- b\n- c\nd: e",
    "a:\n  - b\n  - c",
    "a:\n  - b: 1\n    c: 2\n  - d: 3",
    "- - a\n  - b\n- - c",
    "-   a: 1\n    b: 2",
    "a:\n  b:\n    c: d\n  e: f",
    "[]",
    "{}",
    "a: []\nb: {}",
    "a: [1, two, 'three', \"four\"]",
    "a: [ 1 , 2 , ]",
    "a: [1,\n  2,\n  3]",
    "a: [[b], [c, [d]]]",
    "a: [[X]]",
    "a: [b: c, d]",
    "a: {b: 1, c: [2]}",
    "a: {b: , c: d}",
    "a: {\"b\":1,\"c\":2}",
    "{a: {b: {c: d}}}",
    "a: [x y, z: w]",
    "a: http://example.org:80/x?y=z#w",
    "a: [http://example.org]",
    "a: C:\\x\\y",
    "a: human:x@y",
    "a:b: c",
    "a b: c d",
    "\"a: b\": c",
    "'a': b",
    "? a\n: b",
    "? a\n? b\n: c",
    "äöü: ßÄ",
    "日本: 語\n😀: [😀]",
    "a: &x 1\nb: *x",
    "a: &x {b: c}\nd: *x",
    "a: &x [1, 2]\nb: [*x, *x]",
    "&x a: 1\nb: *x",
    "a: &x 1\nb: &x 2\nc: *x",
    "<<: {a: 1}\nb: 2",
    "a: !!str 5\nb: !!str true",
    "%YAML 1.2\n---\na: 1\n",
    "plain",
    "'quoted'",
    "5",
    "a: \u{a0}x",
    "a : b",
    "a:\tb",
    "a: b\t# c",
    "- [a, b]: c",
];

/// Texts that both refuse.
const REFUSED: &[&str] = &[
    "a: b: c",
    "a: \"b\" c",
    "a: 'it's'",
    "a: \"b",
    "a: [b",
    "a: {b: c",
    "a: ]",
    "a: [b}",
    "a: @b",
    "a: `b`",
    "a: %b",
    "a: *b",
    "a: [[A]], [[B]]",
    "a: - b",
    "a: 1\nb",
    "a: 1\n b: 2",
    "a:\n  b: 1\n c: 2",
    "a:\n\tb: 1",
    "- a\nb: 1",
    "a: | x",
    "a: \"\\q\"",
    "a: !x!y z",
    "a: 1\n--- b",
    "a: 1\n---\nb: 2",
    "a: x\0y",
];

/// Where the two differ, with the reason: text, what we read, what serde_yaml reads (`None`: refused).
fn different() -> Vec<(&'static str, &'static str, Option<Json>, Option<Json>)> {
    vec![
        ("integers beyond ±2^53 keep their digits", "2061907337154367865", Some(json!("2061907337154367865")), Some(json!(2061907337154367865_i64))),
        ("infinity has no JSON number", "[.inf]", Some(json!([".inf"])), Some(json!([null]))),
        ("not-a-number has no JSON number", "[.nan]", Some(json!([".nan"])), Some(json!([null]))),
        ("digits beyond a double are kept", "0.12345678901234567890", Some(json!("0.12345678901234567890")), Some(json!(0.123_456_789_012_345_68))),
        ("numbers beyond a double are kept", "[1e999]", Some(json!(["1e999"])), Some(json!(["1e999"]))),
        ("leading zeros are kept in fractions too", "01.10", Some(json!("01.10")), Some(json!("01.10"))),
        ("YAML 1.2 core has no binary numbers", "0b11", Some(json!("0b11")), Some(json!(3))),
        ("YAML 1.2 core has no signed octal or hexadecimal numbers", "-0x10", Some(json!("-0x10")), Some(json!(-16))),
        ("the first of duplicate keys stands, with a problem", "a: 1\na: 2", None, None),
        ("keys are scalars, so that JSON can hold them", "[a]: 1", None, None),
        ("tags but `!!str` say nothing", "!!int 5", Some(json!(5)), Some(json!(5))),
        ("an own tag says nothing", "!own x", Some(json!("x")), None),
    ]
}

#[test]
fn valid_documents_are_read_alike() {
    for text in SAME {
        assert_eq!(ours(text), oracle(text), "{text:?}");
    }
}

#[test]
fn both_refuse() {
    for text in REFUSED {
        assert_eq!((ours(text), oracle(text)), (None, None), "{text:?}");
    }
}

#[test]
fn known_differences() {
    for (reason, text, composed, read) in different() {
        assert_eq!((ours(text), oracle(text)), (composed, read), "{reason}: {text:?}");
    }
}
