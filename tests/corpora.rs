//! The two real wikis beside the checkout, where they are: every question is answered, and links are read right.

#![allow(clippy::disallowed_methods, reason = "tests unpack archives")]

mod support;

use std::path::PathBuf;
use std::process::Command;

use chemenu_core::{Corpus, Options};
use serde_json::{Value, json};
use support::Wiki;

/// The folder of the real wikis; `None`, with a word on it, where it is absent.
fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    if !folder.is_dir() {
        println!("left out: ../shared/corpora is absent");
        return None;
    }
    folder.canonicalize().ok()
}

fn commonplace() -> Option<Wiki> {
    let bundle = shared()?.join("commonplace.bundle");
    let wiki = Wiki::new();
    wiki.git(&["pull", "-q", bundle.to_str().unwrap(), "HEAD"]);
    Some(wiki)
}

fn silverbullet() -> Option<Wiki> {
    let archive = shared()?.join("silverbullet-docs.tar.xz");
    let wiki = Wiki::new();
    let unpacked = Command::new("tar").arg("xJf").arg(archive).arg("-C").arg(wiki.path()).status().unwrap();
    assert!(unpacked.success());
    wiki.commit("docs");
    Some(wiki)
}

fn ask(corpus: &Corpus, question: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
    let answer: Value = serde_json::from_slice(&corpus.ask_json(question, arguments).json).unwrap();
    assert!(answer["error"].is_null() && answer["commit"].is_string(), "{question}: {answer}");
    answer
}

fn open(root: PathBuf) -> Corpus {
    Corpus::open(Options { root: Some(root), ..Options::default() }).unwrap()
}

#[test]
fn commonplace_answers_all_questions() {
    let Some(wiki) = commonplace() else { return };
    let corpus = open(wiki.path().to_owned());
    assert_eq!(
        ask(&corpus, "search", json!({"query": "agent memory", "limit": 3}))["hits"].as_array().unwrap().len(),
        3
    );
    assert_eq!(ask(&corpus, "page", json!({"name": "kb/types/note.md"}))["type"], "kb/types/type-spec.md");
    let types = ask(&corpus, "types", json!({}));
    assert!(types["types"].as_array().unwrap().len() > 10, "{types}");
    let note = ask(&corpus, "describe_type", json!({"type": "kb/types/note.md"}));
    assert!(!note["fields"].as_array().unwrap().is_empty(), "{note}");
    ask(&corpus, "status", json!({}));

    // What was left out of the bundle is broken, two generated indexes and a page above the wiki are, and nothing else.
    let lint = ask(&corpus, "lint", json!({"limit": 100_000, "select": ["broken-link"]}));
    for finding in lint["findings"].as_array().unwrap() {
        let message = finding["message"].as_str().unwrap();
        let left_out = ["sources/", "work/", "reports/", "definitions/dir-index.md", "../AGENTS.md"]
            .iter()
            .any(|folder| message.contains(folder));
        assert!(left_out, "{}: {message}", finding["path"]);
    }
}

#[test]
fn silverbullet_answers_all_questions() {
    let Some(wiki) = silverbullet() else { return };
    let corpus = open(wiki.path().join("docs"));
    assert!(ask(&corpus, "search", json!({"query": "space lua"}))["total"].as_u64().unwrap() > 10);
    assert_eq!(ask(&corpus, "page", json!({"name": "Space Lua"}))["path"], "Space Lua.md");
    for question in ["types", "status"] {
        ask(&corpus, question, json!({}));
    }
    let lint = ask(&corpus, "lint", json!({"limit": 100_000, "select": ["broken-link"]}));
    // Code, queries and pages that the program itself brings (`^Library/Std`) are no broken links.
    let broken = lint["findings"].as_array().unwrap();
    assert!(broken.len() < 20, "{broken:?}");
    for finding in broken {
        let message = finding["message"].as_str().unwrap();
        assert!(!message.contains("from ") && !message.contains('^'), "{message}");
    }
}
