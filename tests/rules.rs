//! Walks the table of lint rules: each is named as its file, sorted, explained, and true to its own examples.

mod support;

use std::path::Path;

use chemenu_core::lint::{RULES, Rule};
use chemenu_core::{Corpus, Options};
use support::Wiki;

/// Rules whose defect no text can show; they have tests of their own, which stand beside the name.
const WITHOUT_BAD_EXAMPLE: [(&str, &str); 3] = [
    ("invalid-encoding", "invalid_encoding_is_found"),
    ("long-page", "long_pages_are_found"),
    ("unreadable-page", "e05_missing_objects"),
];

/// The rules that find something in a wiki of these files.
fn found(files: &[(&str, &str)]) -> Vec<&'static str> {
    let wiki = Wiki::of(files);
    let mut rules: Vec<&str> = findings(&wiki).into_iter().map(|(rule, _)| rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn findings(wiki: &Wiki) -> Vec<(&'static str, String)> {
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let snapshot = corpus.now().unwrap();
    snapshot.findings().iter().map(|finding| (finding.rule, finding.fingerprint.clone())).collect()
}

#[test]
fn rules_are_sorted_and_named_as_their_files() {
    let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint/rules");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "mod.rs")
        .map(|name| name.trim_end_matches(".rs").replace('_', "-"))
        .collect();
    files.sort();
    assert_eq!(names, files);
}

#[test]
fn rules_are_explained() {
    for rule in RULES {
        for sentence in [rule.what, rule.why] {
            assert!(sentence.ends_with('.') && sentence.len() > 20, "{}: {sentence}", rule.name);
        }
        assert!(!rule.good.is_empty(), "{}", rule.name);
        let without = WITHOUT_BAD_EXAMPLE.iter().any(|(name, _)| *name == rule.name);
        assert_eq!(rule.bad.is_empty(), without, "{}", rule.name);
    }
}

#[test]
fn long_pages_are_found() {
    let page = |lines: usize, line: &str| format!("# P\n\n{}", line.repeat(lines));
    assert_eq!(found(&[("p.md", &page(2_998, "Text.\n"))]), [""; 0]);
    assert_eq!(found(&[("p.md", &page(2_999, "Text.\n"))]), ["long-page"]);
    assert_eq!(found(&[("p.md", &page(199, &format!("{}\n", "x".repeat(1_000))))]), [""; 0]);
    assert_eq!(found(&[("p.md", &page(200, &format!("{}\n", "x".repeat(1_000))))]), ["long-page"]);
}

#[test]
fn bad_examples_yield_their_rule_and_good_ones_nothing() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let Rule { name, bad, good, .. } = **rule;
        let expected = if bad.is_empty() { &[][..] } else { &[name][..] };
        for (example, files, expected) in [("bad", bad, expected), ("good", good, &[])] {
            let found = found(files);
            if found != expected {
                wrong.push(format!("the {example} example of {name} yields {found:?}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn invalid_encoding_is_found() {
    let wiki = Wiki::of(&[]);
    wiki.write("p.md", b"# P\n\nGr\xFCn\n");
    wiki.commit("latin");
    assert_eq!(findings(&wiki).into_iter().map(|(rule, _)| rule).collect::<Vec<_>>(), ["invalid-encoding"]);
}

#[test]
fn fingerprints_survive_moved_lines() {
    let page =
        |above: &str| format!("---\ntags: a\ntags: b\n---\n# P\n{above}\n[[Missing]] and [[Missing]] and [^x]\n");
    let wiki = Wiki::of(&[("p.md", &page(""))]);
    let before = findings(&wiki);
    assert_eq!(before.len(), 4, "{before:?}");
    let mut each = before.clone();
    each.dedup();
    assert_eq!(each.len(), 4, "equal findings of one line are told apart: {before:?}");
    wiki.write("p.md", page(&"\nText.\n".repeat(10)));
    wiki.commit("ten lines above");
    assert_eq!(findings(&wiki), before);
    wiki.write("p.md", page("").replace("tags: a", "x: 1\ntags: a"));
    wiki.commit("a key above");
    assert_eq!(findings(&wiki), before);
}

#[test]
fn levels_follow_the_settings() {
    let page = "# P\n\n[[Missing]]\n";
    let at = |settings: &str| found(&[("chemenu.toml", settings), ("drafts/p.md", page)]);
    assert_eq!(at(""), ["broken-link"]);
    assert_eq!(at("[lint.rules]\nbroken-link = \"off\"\n"), [""; 0]);
    assert_eq!(at("[lint.paths.\"drafts/**\"]\nbroken-link = \"off\"\n"), [""; 0]);
    assert_eq!(at("[lint.paths.\"other/**\"]\nbroken-link = \"off\"\n"), ["broken-link"]);
    let over = "[lint.rules]\nbroken-link = \"off\"\n[lint.paths.\"drafts/**\"]\nbroken-link = \"info\"\n";
    assert_eq!(at(over), ["broken-link"]);
}
