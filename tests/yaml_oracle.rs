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
    "a: !!str 5\nb: !!str true\nc: !!int 5",
    "a: 1e999\nb: 020\nc: -01",
    "%YAML 1.2\n---\na: 1\n",
    "plain",
    "'quoted'",
    "5",
    "a: \u{a0}x",
    "a : b",
    "a:\tb",
    "a: b\t# c",
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
    "a: 1\na: 2",
    "[a, b]: c",
    "{{date}}: x",
];

/// Where the two differ: the reason, the text, what we read, what serde_yaml reads.
fn different() -> Vec<(&'static str, &'static str, Json, Json)> {
    vec![
        ("long integers keep their digits", "9007199254740993", json!("9007199254740993"), json!(9007199254740993_i64)),
        (
            "more digits than a double has are kept",
            "0.12345678901234567",
            json!("0.12345678901234567"),
            json!(0.12345678901234567),
        ),
        ("leading zeros are kept in fractions too", "01.10", json!("01.10"), json!(1.1)),
        ("infinity is no JSON number", "[.inf]", json!([".inf"]), json!([null])),
        ("not-a-number is no JSON number", "[.nan]", json!([".nan"]), json!([null])),
        ("YAML 1.2 core has no binary numbers", "0b11", json!("0b11"), json!(3)),
        ("YAML 1.2 core has no signed hexadecimal numbers", "-0x10", json!("-0x10"), json!(-16)),
        ("a tag of its own says nothing", "!own x", json!("x"), json!({"!own": "x"})),
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
        assert_ne!(composed, read, "{reason} is no difference");
        assert_eq!((ours(text), oracle(text)), (Some(composed), Some(read)), "{reason}: {text:?}");
    }
}

/// A value, and how to write it.
#[derive(Clone, Debug)]
enum Tree {
    Null,
    Bool(bool),
    Integer(i32),
    Float(i16),
    Word(String),
    Single(String),
    Double(String),
    Lines(Vec<String>),
    List(bool, Vec<Tree>),
    Map(bool, Vec<(String, Tree)>),
}

impl Tree {
    fn json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => json!(value),
            Self::Integer(value) => json!(value),
            Self::Float(value) => json!(f64::from(*value) / 8.0),
            Self::Word(text) | Self::Single(text) | Self::Double(text) => json!(text),
            Self::Lines(lines) => json!(lines.join("\n")),
            Self::List(_, items) => items.iter().map(Self::json).collect(),
            Self::Map(_, entries) => entries.iter().map(|(key, value)| (key.clone(), value.json())).collect(),
        }
    }

    /// In one line, as it stands in brackets.
    fn flow(&self) -> String {
        match self {
            Self::Null => "~".into(),
            Self::Bool(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => format!("{:?}", f64::from(*value) / 8.0),
            Self::Word(text) => text.clone(),
            Self::Single(text) => format!("'{}'", text.replace('\'', "''")),
            // A string of JSON is one of YAML.
            Self::Double(_) | Self::Lines(_) => self.json().to_string(),
            Self::List(_, items) => format!("[{}]", items.iter().map(Self::flow).collect::<Vec<_>>().join(", ")),
            Self::Map(_, entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{key}: {}", value.flow()));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Behind a key's colon or an item's dash, whose line is indented by `indent`.
    fn block(&self, indent: usize) -> String {
        let margin = " ".repeat(indent + 2);
        match self {
            Self::Lines(lines) => format!(" |-\n{margin}{}\n", lines.join(&format!("\n{margin}"))),
            Self::List(false, items) if !items.is_empty() => {
                items.iter().fold("\n".into(), |text, item| text + &format!("{margin}-{}", item.block(indent + 2)))
            }
            Self::Map(false, entries) if !entries.is_empty() => entries
                .iter()
                .fold("\n".into(), |text, (key, value)| text + &format!("{margin}{key}:{}", value.block(indent + 2))),
            other => format!(" {}\n", other.flow()),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let word = "[a-z]{2,6}x( [a-z#:]{1,4}x){0,2}";
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i32>().prop_map(Tree::Integer),
        any::<i16>().prop_map(Tree::Float),
        word.prop_filter("a comment", |text| !text.contains(" #")).prop_map(Tree::Word),
        "[ -~äß😀]{0,12}".prop_map(Tree::Single),
        "[ -~äß😀\n\t]{0,12}".prop_map(Tree::Double),
        prop::collection::vec("[a-zß#:-]{1,5}", 1..4).prop_map(Tree::Lines),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            (any::<bool>(), prop::collection::vec(inner.clone(), 0..5))
                .prop_map(|(flow, items)| Tree::List(flow, items)),
            (any::<bool>(), prop::collection::btree_map("k[a-zü]{1,4}", inner, 0..5))
                .prop_map(|(flow, entries)| Tree::Map(flow, entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_values_are_read_back(tree in tree()) {
        let text = format!("---{}", tree.block(0));
        prop_assert_eq!(oracle(&text), Some(tree.json()), "the oracle on {:?}", text);
        prop_assert_eq!(ours(&text), Some(tree.json()), "{:?}", text);
    }
}
