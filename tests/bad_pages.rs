//! No page, however bad, fails a question: every shape of front matter in the table of cases, asked in every way.

mod support;

use chemenu_core::question::NAMES;
use chemenu_core::{Corpus, Options};
use serde_json::{Value, json};
use support::Wiki;

/// Shapes by the id of their row: the page's bytes, and the rule that says what is wrong, if anything is.
const SHAPES: &[(&str, &[u8], Option<&str>)] = &[
    ("F1", b"---\ncreated: {{date}}\n---\n# Bad\n", Some("invalid-front-matter")),
    ("F3", b"---\ntitle: Crash: memory full\n---\n# Bad\n", Some("invalid-front-matter")),
    ("F4", b"---\ntitle: \"Above \"The Pit\"\"\n---\n# Bad\n", Some("invalid-front-matter")),
    ("F9", b"---\na: 1\n--- extra ---\nb: 2\n---\n# Bad\n", Some("invalid-front-matter")),
    ("F10", b"---\nid: 1\n...\n# Bad\n", None),
    ("F11", b"---\na: 1\n# Bad\n", Some("invalid-front-matter")),
    ("F12", b"---\na: 1\n---\n---\n## D\n\n# Bad\n", None),
    ("F14", b"--- \na: 1\n---  \n# Bad\n", None),
    ("F15", b"\n---\na: 1\n---\n# Bad\n", Some("misplaced-front-matter")),
    ("F15 comment", b"<!-- x -->\n---\na: 1\n---\n# Bad\n", Some("misplaced-front-matter")),
    ("F17", b"---\n---\n# Bad\n", None),
    ("F19", b"---\nsources: []\nsources: [bad]\n---\n# Bad\n", Some("duplicate-key")),
    ("F20", b"---\ntags:\n- \n---\n# Bad\n", None),
    ("F21", b"---\ntags: a,b, c\n---\n# Bad\n", None),
    ("F23", b"---\nAliases: [x]\n---\n# Bad\n", Some("nonstandard-key")),
    ("F24", b"---\ntitle: [a]\n---\n# Bad\n", Some("invalid-title")),
    ("F25", b"---\nslug: 001\n---\n# Bad\n", None),
    ("F26", b"---\nid: 2061907337154367865\n---\n# Bad\n", None),
    ("F27", b"---\ncreated: 2026-02-30\n---\n# Bad\n", None),
    ("F29", b"---\nrelated: [[bad]]\n---\n# Bad\n", Some("unquoted-link")),
    ("F29 list", b"---\na: [[A]], [[B]]\n---\n# Bad\n", Some("invalid-front-matter")),
    ("F30", b"---\nbelongs_to: \"[[bad]]\"\n---\n# Bad\n", None),
    ("F31", b"---\ncSpell:ignore: a b\nexternal help file: x\n---\n# Bad\n", None),
    ("F32", b"---\na: &a [x,x]\nb: &b [*a,*a]\nc: *b\n---\n# Bad\n", None),
    (
        "F32 bomb",
        b"---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
          d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n\
          g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n---\n# Bad\n",
        Some("invalid-front-matter"),
    ),
    ("F35", b"---\ngenerated: { by: human:x@y }\n---\n# Bad\n", None),
    ("F37 BOM", b"\xEF\xBB\xBF---\na: 1\n---\n# Bad\n", None),
    ("F37 CRLF", b"---\r\na: 1\r\n---\r\n# Bad\r\n", None),
    ("F37 CR", b"---\ra: 1\r---\r# Bad\r", None),
    ("link of wide letters", "# Bad\n\n[[ÄÄÄ]] [x](ÄÄÄ.md)\n".as_bytes(), Some("broken-link")),
    ("not UTF-8", b"---\na: \xFF\n---\n# Bad\n", Some("invalid-encoding")),
    ("NUL", b"---\na: \0\n---\n# Bad\n", Some("invalid-front-matter")),
    ("empty", b"", None),
    ("fence alone", b"---", None),
    ("list", b"---\n- a\n---\n# Bad\n", Some("invalid-front-matter")),
];

#[test]
fn every_question_is_answered_whatever_a_page_holds() {
    for (id, bytes, rule) in SHAPES {
        let wiki = Wiki::of(&[("good.md", "---\ntitle: Good\n---\nOnly pearls.\n")]);
        wiki.write("bad.md", bytes);
        let commit = wiki.commit("bad");
        let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
        let ask = |question: &str, arguments: Value| -> Value {
            let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
            let answer: Value = serde_json::from_slice(&corpus.ask_json(question, arguments).json).unwrap();
            assert!(answer["error"].is_null() || question == "describe_type", "{id}, {question}: {answer}");
            assert_eq!(answer["commit"], json!(commit), "{id}, {question}");
            answer
        };
        for question in NAMES {
            match *question {
                "search" => assert_eq!(ask("search", json!({"query": "pearls"}))["hits"][0]["path"], "good.md", "{id}"),
                "page" => {
                    for name in ["bad", "good"] {
                        assert_eq!(ask("page", json!({"name": name}))["path"], format!("{name}.md"), "{id}");
                    }
                }
                "links" => {
                    for name in ["bad", "good"] {
                        assert_eq!(ask("links", json!({"name": name}))["path"], format!("{name}.md"), "{id}");
                    }
                }
                "changes" => {
                    let answer = ask("changes", json!({"since": "HEAD~1"}));
                    assert_eq!(answer["total"]["added"], 1, "{id}: {answer}");
                }
                "describe_type" => {
                    ask("describe_type", json!({"type": "nothing"}));
                }
                "lint" => {
                    let answer = ask("lint", json!({"paths": ["bad.md"]}));
                    let found: Vec<&str> = answer["findings"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|found| found["rule"].as_str().unwrap())
                        .collect();
                    match rule {
                        Some(rule) => assert!(found.contains(rule), "{id}: {found:?}"),
                        None => assert!(
                            answer["summary"]["error"] == 0 && !found.contains(&"invalid-front-matter"),
                            "{id}: {found:?}"
                        ),
                    }
                }
                _ => {
                    ask(question, json!({}));
                }
            }
        }
    }
}

#[test]
fn a_budget_bounds_the_answer_whatever_is_long_in_it() {
    let long = "x".repeat(50);
    let pages = [
        format!("# P\n\n{}", format!("{long}\n").repeat(2_000)),
        "# P\n".repeat(2_000),
        format!("---\n{}---\n# P\n", (0..2_000).map(|n| format!("k{n}: {long}\n")).collect::<String>()),
    ];
    for page in pages {
        let wiki = Wiki::of(&[("p.md", &page)]);
        let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
        let Value::Object(arguments) = json!({"name": "p", "budget": 4096}) else { unreachable!() };
        let answer = corpus.ask_json("page", arguments).json;
        assert!(answer.len() <= 4096, "{} bytes", answer.len());
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        let cut = &answer["truncated"];
        let also = |key: &str| cut["also"].as_array().is_some_and(|keys| keys.contains(&key.into()));
        // Nothing is shortened in silence: each key that is shorter than on the page is named.
        for (key, whole) in [("body", 4), ("outline", 1), ("frontmatter", 0)] {
            let shown = match &answer[key] {
                Value::String(text) => text.len(),
                Value::Array(items) => items.len(),
                Value::Object(map) => map.len(),
                _ => whole,
            };
            assert!(shown >= whole || cut["what"] == key || also(key), "{key}: {answer}");
        }
        assert!(also("outline") || also("frontmatter") || cut["shown"].as_u64() > Some(1_000), "{answer}");
    }
}

#[test]
fn a_name_that_begins_with_a_blank_is_found() {
    let wiki = Wiki::of(&[(" lead.md", "# Lead\n"), ("p.md", "# P\n\n[[ p ]]\n")]);
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    for (name, path) in [(" lead.md", " lead.md"), (" p ", "p.md")] {
        let Value::Object(arguments) = json!({"name": name}) else { unreachable!() };
        let answer: Value = serde_json::from_slice(&corpus.ask_json("page", arguments).json).unwrap();
        assert_eq!(answer["path"], path, "{answer}");
    }
}
