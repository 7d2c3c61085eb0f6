//! Walks the table of lint rules: each is named as its file, sorted, explained, and true to its own examples.

#![allow(clippy::disallowed_methods, reason = "a test unpacks the wiki beside the checkout")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chemenu_core::lint::{Finding, RULES, Rule};
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
fn names_that_differ_in_digits_are_other_findings() {
    let prints = |field: &str| -> Vec<String> {
        let of = "---\nname: note\nsummary: N\nschema: {required: [q1, q2]}\n---\n# note\n\nText.\n";
        let page = format!("---\ntype: note\n{field}: 5\n---\n# P\n\nText.\n");
        let found = findings(&Wiki::of(&[("types/note.md", of), ("p.md", &page)]));
        found.into_iter().filter(|(rule, _)| *rule == "schema-violation").map(|(_, print)| print).collect()
    };
    assert_ne!(prints("q1"), prints("q2"));
    assert_eq!(prints("q1"), prints("q1"));
}

#[test]
fn findings_that_differ_only_in_digits_have_fingerprints_of_their_own() {
    let wiki = Wiki::of(&[
        ("p.md", "---\ntype: note\n---\n# P\n"),
        ("types/note.md", "---\nname: note\nschema: {type: object, required: [h1, h2]}\n---\n# note\n"),
    ]);
    let mut found = findings(&wiki);
    found.retain(|(rule, _)| *rule == "schema-violation");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_ne!(found[0], found[1]);
}

#[test]
fn findings_on_pages_whose_names_are_not_utf8_are_listed() {
    let wiki = Wiki::of(&[]);
    // As stored the first comes last; as it is shown it comes first.
    for name in [&b"a\xFF.md"[..], "aé.md".as_bytes(), b"az.md"] {
        wiki.write(name, "# P\n\n[[Missing]]\n");
    }
    wiki.commit("names");
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let arguments = serde_json::json!({"select": ["broken-link"]}).as_object().unwrap().clone();
    let answer: serde_json::Value = serde_json::from_slice(&corpus.ask_json("lint", arguments).json).unwrap();
    assert_eq!(answer["summary"]["total"], 3, "{answer}");
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

/// Which of these pages a rule finds something on, and how often.
fn pages_with(rule: &str, files: &[(&str, &str)]) -> Vec<(String, usize)> {
    let wiki = Wiki::of(files);
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let snapshot = corpus.now().unwrap();
    let mut counts = BTreeMap::new();
    for finding in snapshot.findings().iter().filter(|finding| finding.rule == rule) {
        *counts.entry(finding.path.clone()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

/// Texts of one page each on which a rule must find something, and such on which it must not.
fn holds(rule: &str, with: &[&str], without: &[&str]) {
    holds_beside(&[], rule, with, without);
}

/// As [`holds`], in a wiki that has these files too.
fn holds_beside(files: &[(&str, &str)], rule: &str, with: &[&str], without: &[&str]) {
    let texts = with.iter().map(|text| (true, text)).chain(without.iter().map(|text| (false, text)));
    let pages: Vec<(String, bool, &str)> =
        texts.enumerate().map(|(at, (found, text))| (format!("case/{at:03}.md"), found, *text)).collect();
    let all: Vec<(&str, &str)> =
        files.iter().copied().chain(pages.iter().map(|(path, _, text)| (path.as_str(), *text))).collect();
    let found: Vec<String> = pages_with(rule, &all).into_iter().map(|(path, _)| path).collect();
    for (path, expected, text) in &pages {
        assert_eq!(found.contains(path), *expected, "{rule} on {text:?}");
    }
}

#[test]
fn links_that_work_on_one_machine() {
    holds_beside(
        &[("case/Page.md", "# Page\n"), ("case/b c.md", "# B\n")],
        "unportable-link",
        &[
            "[a](C:\\wiki\\a.md)",
            "[a](d:/wiki/a.md)",
            "[a](file:///home/me/a.md)",
            "[a](/home/me/wiki/a.md)",
            "[a](/Users/me/a.md)",
            "[a](~/wiki/a.md)",
            "[a](..\\notes\\a.md)",
            "[[C:\\wiki\\a]]",
            "[a](b c.md)",
            "see [a](b c.md#part) there",
            "[a](page.md)",
        ],
        &[
            "[a](Page.md)",
            "[a](<b c.md>)",
            "[a](b%20c.md)",
            "[a](Page.md \"a title\")",
            "`[a](b c.md)`",
            "```\n[a](b c.md)\n[a](C:\\x.md)\n```",
            "[a](https://example.org/C:/a.md)",
            "[[Page]]",
            "[a](x.md) and [b](y.md)",
            "f[a](some words, not a path)",
        ],
    );
}

#[test]
fn citations_by_number() {
    let numeric = ["[[1]]", "[[12]]", "[[1, 2]]", "[[3-5]]"];
    let other = ["[[2026]]", "[[2026-09-02]]", "[[v1]]", "[[7]]", "[1]"];
    holds_beside(&[("7.md", "# Seven\n")], "numeric-citation", &numeric, &other);
    holds_beside(&[("7.md", "# Seven\n")], "broken-link", &["[[2026]]", "[[2026-09-02]]", "[[v1]]"], &numeric);
}

#[test]
fn pipes_that_end_a_cell() {
    holds_beside(
        &[("p.md", "# P\n")],
        "unescaped-pipe",
        &[
            "| A | B |\n|---|---|\n| [[p|x]] | b |",
            "A | B\n--|--\na | [[p|x]]",
            "- list\n\n  | A | B |\n  |---|---|\n  | ![[p|x]] | b |",
        ],
        &[
            "| A | B |\n|---|---|\n| [[p\\|x]] | b |",
            "Text [[p|x]] | more",
            "```\n| A |\n|---|\n| [[p|x]] |\n```",
            "| A | B |\n|---|---|\n| `[[p|x]]` | b |",
        ],
    );
}

#[test]
fn marks_of_a_conflict() {
    holds(
        "conflict-marker",
        &[
            "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n",
            "<<<<<<< HEAD\nb\n||||||| base\nx\n=======\nc\n>>>>>>> other",
            "---\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n---\nText\n",
        ],
        &[
            "Title\n=======\n",
            "```\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n```",
            "<<<<<<< HEAD\nno more",
            "`<<<<<<< ` and `=======`",
            "a\n=======\n>>>>>>> quoted",
        ],
    );
}

#[test]
fn secrets_are_found_and_not_shown() {
    // Put together here, so that no scanner takes this file for a leak.
    let token = |prefix: &str, length: usize| {
        format!("{prefix}{}", "q7Zk2VwT4xN9rKbL5mPcD8sHfJ3gYtAeR6uXnQ1".repeat(4).split_at(length).0)
    };
    let pem = |body: &str| format!("-----BEGIN {}PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----", "RSA ");
    let secrets = [
        format!("AKIA{}", "5Q7ZJ2VWT4XN7RKB"),
        token("ghp_", 36),
        token("github_pat_", 22) + &token("_", 59),
        token("glpat-", 20),
        token("xoxb-123456789012-", 24),
        token("AIza", 35),
        token("sk_live_", 24),
        token("npm_", 36),
        pem(&token("MII", 64)),
    ];
    let no_secrets = [
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        format!("ghp_{}", "x".repeat(36)),
        token("ghp_", 12),
        token("sha256:", 64),
        pem("…"),
        "sk-learn and xoxo-hugs and the-AKIA-prefix".into(),
    ];
    let page = |text: &String| format!("# P\n\nkey: {text}\n");
    let [with, without] = [&secrets[..], &no_secrets[..]].map(|texts| texts.iter().map(page).collect::<Vec<_>>());
    let texts = |pages: &[String]| pages.iter().map(|page| page.clone().leak() as &str).collect::<Vec<_>>();
    holds("leaked-secret", &texts(&with), &texts(&without));

    let wiki = Wiki::of(&[("p.md", &page(&secrets[1]))]);
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let told = serde_json::to_string(corpus.now().unwrap().findings()).unwrap();
    assert!(told.contains("`ghp_…`") && !told.contains(&secrets[1][..8]), "{told}");
}

#[test]
fn secrets_are_not_shown_by_other_rules() {
    let secret = format!("AKIA{}", "5Q7ZJ2VWT4XN7RKB");
    let example = "AKIAIOSFODNN7EXAMPLE";
    let page = format!(
        "---\ntype: note\nstatus: {secret}\n---\n# P\n\n[[{secret}]] [[{example}]] [[#{secret}]] and[^{secret}].\n"
    );
    let note =
        "---\nname: note\nsummary: A note\nschema:\n  properties:\n    status: {enum: [open]}\n---\n# note\n\nText.\n";
    let wiki = Wiki::of(&[("p.md", &page), ("types/note.md", note)]);
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let snapshot = corpus.now().unwrap();
    let of = |rule: &str| -> Vec<String> {
        let of_rule = snapshot.findings().iter().filter(|finding| finding.rule == rule);
        of_rule.map(|finding| format!("{}; {}", finding.message, finding.hint)).collect()
    };
    for rule in ["broken-link", "broken-heading", "undefined-footnote", "schema-violation"] {
        assert!(of(rule)[0].contains("AKIA…"), "{rule}: {:?}", of(rule));
    }
    assert!(of("broken-link")[1].contains(example), "{:?}", of("broken-link"));
    let told = serde_json::to_string(snapshot.findings()).unwrap();
    assert!(!told.contains(&secret[..6]), "{told}");
}

#[test]
fn dates_and_shares() {
    let dated = |field: &str, value: &str| format!("---\n{field}: {value}\n---\n# P\n").leak() as &str;
    holds(
        "invalid-date",
        &[
            dated("created", "2.9.2026"),
            dated("modified", "2026-02-30"),
            dated("created", "[2026-09-02]"),
            dated("modified", "\"{{date}}\""),
            dated("created", "2026-09"),
        ],
        &[
            dated("created", "2026-09-02"),
            dated("modified", "2026-06-03T06:56:27.332770+00:00"),
            dated("created", "\"2026-09-02\""),
            dated("modified", ""),
            dated("date", "soon"),
        ],
    );
    holds(
        "confidence-out-of-range",
        &[dated("confidence", "1.01"), dated("confidence", "-0.1"), dated("confidence_base", "70")],
        &[dated("confidence", "0"), dated("confidence", "1.00"), dated("confidence", "high"), dated("confidence", "")],
    );
    let both = |created: &str, modified: &str| {
        format!("---\ncreated: {created}\nmodified: {modified}\n---\n# P\n").leak() as &str
    };
    holds(
        "modified-before-created",
        &[both("2026-09-02", "2026-09-01"), both("2026-09-02T10:00:00Z", "2026-09-01")],
        &[
            both("2026-09-02", "2026-09-02"),
            both("2026-09-02T12:00:00Z", "2026-09-02"),
            both("2026-09-02T01:00:00+02:00", "2026-09-01T23:30:00Z"),
            both("soon", "2026-09-01"),
        ],
    );
}

/// A type with a schema that bounds its fields; other rules must not say once more what the schema says.
#[test]
fn what_the_schema_says_is_said_once() {
    let schema = "schema:\n  properties:\n    created: {type: string, format: date}\n    confidence: {type: number, maximum: 5}\n";
    let of = format!("---\nname: note\nsummary: A note\n{schema}---\n# note\n\nFor short texts.\n");
    let page = |fields: &str| format!("---\ntype: note\n{fields}\n---\n# P\n\nText.\n");
    let rules = |fields: &str| found(&[("p.md", &page(fields)), ("types/note.md", &of)]);
    assert_eq!(rules("created: 2026-02-30"), ["schema-violation"]);
    assert_eq!(rules("confidence: 9"), ["schema-violation"]);
    assert_eq!(rules("confidence: 4"), [""; 0]);
    let closed = of
        .replace("schema:\n", "schema:\n  additionalProperties: false\n")
        .replace("properties:\n", "properties:\n    type: {}\n    summary: {}\n");
    assert_eq!(found(&[("p.md", &page("sumary: About P")), ("types/note.md", &closed)]), ["schema-violation"]);
}

#[test]
fn keys_that_are_nearly_known() {
    let of = "---\nname: note\nsummary: A note\nschema:\n  properties:\n    concept_type: {}\nlinks: {depends_on: []}\n---\n# note\n";
    let page = |key: &str| format!("---\ntype: note\n{key}: x\n---\n# P\n").leak() as &str;
    holds_beside(
        &[("types/note.md", of)],
        "unknown-key",
        &[page("concept-type"), page("conceptType"), page("depend_on"), page("sumary"), page("titel"), page("Created")],
        &[
            page("concept_type"),
            page("depends_on"),
            page("tag"),
            page("source"),
            page("status"),
            page("cSpell"),
            "---\nsumary: x\nsummary: y\n---\n# P\n",
        ],
    );
    let custom: Vec<(String, &str)> = (0..5).map(|at| (format!("{at}.md"), "---\ncreate: x\n---\n# P\n")).collect();
    let custom: Vec<(&str, &str)> = custom.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert_eq!(pages_with("unknown-key", &custom), []);
}

const CONCEPT: &str = "---\nname: concept\nsummary: A concept\nsections:\n  - {heading: [Definition, Begriff], required: true}\n  - Points\n  - {heading: Example, repeat: true}\n  - Limits\n---\n# concept\n\n## When to use\n\nFor ideas.\n";

#[test]
fn keys_of_type_pages() {
    let of = |keys: &str| {
        let page = format!("---\nname: note\nsummary: N\n{keys}\n---\n# note\n\nText.\n");
        pages_with("unknown-key", &[("types/note.md", &page), ("p.md", "---\ntype: note\n---\n# P\n\nText.\n")]).len()
    };
    for slip in ["stale_afte: 9", "section: [A]", "ownr: me", "relation: []", "schem: {}"] {
        assert_eq!(of(slip), 1, "{slip}");
    }
    for fine in ["stale_after: 9", "sections: [A]", "custom: x", "link: x\nlinks: {}"] {
        assert_eq!(of(fine), 0, "{fine}");
    }
}

#[test]
fn sections_in_order() {
    let page = |headings: &[&str]| {
        let sections: Vec<String> = headings.iter().map(|heading| format!("{heading}\n\nText.\n")).collect();
        format!("---\ntype: concept\n---\n# P\n\n{}", sections.join("\n")).leak() as &str
    };
    let types = &[("types/concept.md", CONCEPT)];
    let right = [
        page(&["## Definition", "## Points", "## Example", "## Example", "## Limits"]),
        page(&["## begriff", "## Limits"]),
        page(&[
            "## History",
            "## Definition",
            "## Free",
            "## Points",
            "### Limits",
            "### Definition",
            "## Limits",
            "## End",
        ]),
        page(&["Definition\n----------", "## **Points**"]),
    ];
    let without = |rule: &str, with: &[&str]| holds_beside(types, rule, with, &right);
    without("missing-section", &[page(&["## Points"]), page(&[]), page(&["## Points", "### Definition"])]);
    without(
        "misplaced-section",
        &[
            page(&["## Points", "## Definition"]),
            page(&["## Definition", "## Example", "## Points", "## Example"]),
            page(&["## Limits", "## Begriff"]),
        ],
    );
    without(
        "repeated-section",
        &[page(&["## Definition", "## Points", "## Points"]), page(&["## Definition", "## Begriff"])],
    );

    let moved = page(&["## Limits", "## Definition", "## Points", "## Example"]);
    assert_eq!(found(&[("p.md", moved), ("types/concept.md", CONCEPT)]), ["misplaced-section"]);
    assert_eq!(
        pages_with("misplaced-section", &[("p.md", moved), types[0]]),
        [("p.md".to_owned(), 1)],
        "one moved section is one finding"
    );
    let twice = page(&["## Definition", "## Points", "## Definition"]);
    assert_eq!(found(&[("p.md", twice), ("types/concept.md", CONCEPT)]), ["repeated-section"]);
}

#[test]
fn relations_to_other_types() {
    let task = "---\nname: task\nsummary: A task\nrelations:\n  - {name: Teil von, target: project, inverse: enthält}\n  - {name: wartet auf, target: [task], min: 1}\n---\n# task\n\nFor work.\n";
    let project = "---\nname: project\nsummary: A project\nrelations:\n  - {name: enthält, target: [task], inverse: Teil von}\n---\n# project\n\nFor goals.\n";
    let page = |of: &str, name: &str, text: &str| format!("---\ntype: {of}\n---\n# {name}\n\n{text}\n");
    let wiki = |a: &str, b: &str| -> Vec<(String, usize, &'static str)> {
        let (a, b) = (page("task", "A", a), page("project", "B", b));
        let files = [("a.md", a.as_str()), ("b.md", &b), ("types/project.md", project), ("types/task.md", task)];
        let rules = ["missing-inverse", "relation-count", "unknown-relation", "wrong-target-type"];
        rules
            .iter()
            .flat_map(|rule| pages_with(rule, &files).into_iter().map(|(path, count)| (path, count, *rule)))
            .collect()
    };
    let waits = "- **wartet auf:** [[A]]";
    let expect = |found: Vec<(String, usize, &str)>, expected: &[(&str, usize, &str)]| {
        let found: Vec<(&str, usize, &str)> =
            found.iter().map(|(path, count, rule)| (path.as_str(), *count, *rule)).collect();
        assert_eq!(found, expected);
    };
    expect(wiki(&format!("- **Teil von:** [[B]]\n{waits}"), "- **Enthält:** [[A]]"), &[]);
    expect(wiki(&format!("- **Teil von:** [[B]]\n{waits}"), "Text."), &[("a.md", 1, "missing-inverse")]);
    expect(wiki("- **wartet auf:** [[B]]", "See [[A]]."), &[("a.md", 1, "wrong-target-type")]);
    expect(wiki("See [[B]].", "Text."), &[("a.md", 1, "relation-count")]);
    expect(wiki(waits, "- **umfasst:** [[A]]\n- **Gemessen:** nothing to [[A]]"), &[("b.md", 1, "unknown-relation")]);
}

#[test]
fn a_superseded_page_is_known_from_either_side() {
    let of = "---\nname: note\nsummary: A note\nrelations:\n  - {name: replaces, role: supersedes, inverse: replaced by}\n  - replaced by\n---\n# note\n";
    let page = |name: &str, text: &str| format!("---\ntype: note\n---\n# {name}\n\n{text}\n");
    for (new, old) in [("- **replaces:** [[Old]]", "Text."), ("Text.", "- **replaced by:** [[New]]")] {
        let (new, old) = (page("New", new), page("Old", old));
        let files =
            [("new.md", new.as_str()), ("old.md", &old), ("p.md", "# P\n\nAs [[Old]] says.\n"), ("types/note.md", of)];
        assert_eq!(pages_with("superseded-link", &files), [("p.md".to_owned(), 1)]);
    }
}

#[test]
fn stale_is_counted_from_the_commit() {
    let of = "---\nname: note\nsummary: A note\nstale_after: 30\n---\n# note\n\nFor short texts.\n";
    let page = |modified: &str| format!("---\ntype: note\nmodified: {modified}\n---\n# P\n");
    let stale =
        |modified: &str| !pages_with("stale-page", &[("p.md", &page(modified)), ("types/note.md", of)]).is_empty();
    // Tests commit on 2026-09-01.
    assert!(stale("2026-08-01") && !stale("2026-08-02") && !stale("2027-01-01") && !stale("soon"));
}

#[test]
fn torn_sentences() {
    let long = "The stamp names the revision that was read, and not the one that was the latest";
    let with = [
        format!("- {long}\n  - a slip that was found.\n"),
        format!("{long}\n- a slip that was found.\n"),
        format!("1. {long},\n   + a slip.\n"),
    ];
    let without = [
        format!("- {long}:\n  - a slip that was found.\n"),
        format!("- {long}.\n  - a slip that was found.\n"),
        format!("- {long}\n  - one slip\n  - another slip\n"),
        format!("- {long}\n  - A slip\n"),
        "- Short\n  - a slip\n".into(),
        format!("- {long}\n\n  - a slip\n"),
        format!("```\n- {long}\n  - a slip\n```\n"),
    ];
    let texts = |texts: &[String]| texts.iter().map(|text| text.clone().leak() as &str).collect::<Vec<_>>();
    holds("accidental-list-item", &texts(&with), &texts(&without));
}

#[test]
fn titles_that_two_pages_have() {
    let alike = |files: &[(&str, &str)]| pages_with("duplicate-title", files).len();
    assert_eq!(alike(&[("a.md", "# Größe\n"), ("b.md", "---\ntitle: GRÖSSE\n---\nText.\n")]), 2);
    assert_eq!(alike(&[("x/a.md", "Text.\n"), ("y/a.md", "Text.\n")]), 0, "names of files");
    assert_eq!(alike(&[("x/README.md", "# Notes\n"), ("y/README.md", "# Notes\n")]), 0, "indexes");
    assert_eq!(alike(&[("a.md", "# Context\n\n# Decision\n"), ("b.md", "# Context\n\n# Decision\n")]), 0, "sections");
    assert_eq!(alike(&[("a.md", "Text.\n\n# Use\n"), ("b.md", "Text.\n\n# Use\n")]), 0, "a heading amid the text");
}

#[test]
fn folders_collide_too() {
    let collide = |paths: &[&str]| -> Vec<String> {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, "# P\n")).collect();
        pages_with("colliding-path", &files).into_iter().map(|(path, _)| path).collect()
    };
    assert_eq!(collide(&["Docs/a.md", "Docs/b.md", "docs/c.md"]), ["Docs/a.md", "docs/c.md"]);
    assert_eq!(collide(&["Gro\u{308}n.md", "gr\u{F6}n.md"]).len(), 2);
    assert_eq!(collide(&["a/x.md", "b/x.md", "a/y/x.md"]), [""; 0]);
}

#[test]
fn orphans_are_pages_that_others_would_link_to() {
    let files = |extra: &[(&'static str, &'static str)]| {
        let base = [
            ("README.md", "# All\n\n[[A]], [b](notes/b.md)\n"),
            ("a.md", "# A\n\nSelf: [[A]]\n"),
            ("notes/b.md", "# B\n"),
        ];
        let files: Vec<(&str, &str)> = base.iter().chain(extra).copied().collect();
        pages_with("orphan-page", &files).into_iter().map(|(path, _)| path).collect::<Vec<_>>()
    };
    assert_eq!(files(&[]), [""; 0]);
    assert_eq!(files(&[("c.md", "# C\n\nSelf: [[C]], out: [[A]]\n")]), ["c.md"]);
    assert_eq!(
        files(&[("chemenu.toml", "guide = \"c.md\"\n"), ("c.md", "# C\n"), ("types/t.md", "---\nname: t\n---\n# T\n")]),
        [""; 0]
    );
    let unlinked = [("d.md", "# D\n"), ("e.md", "# E\n"), ("f.md", "# F\n")];
    assert_eq!(files(&unlinked), [""; 0], "where most pages are not linked, none is an orphan");
    // A folder that is read as a catalogue, in a wiki of pages that are linked.
    let linked: Vec<(String, String)> =
        (0..6).map(|number| (format!("n{number}.md"), format!("# N{number}\n\n[[n{}]]\n", (number + 1) % 6))).collect();
    let gates = |count: usize| (0..count).map(|number| (format!("gates/g{number}.md"), format!("# G{number}\n")));
    let orphans = |count: usize| {
        let files: Vec<(String, String)> = linked.iter().cloned().chain(gates(count)).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        pages_with("orphan-page", &files).len()
    };
    assert_eq!((orphans(4), orphans(5)), (4, 0));
}

#[test]
fn files_that_are_not_there() {
    let files = [
        ("img/Drawing 1.png", "x"),
        ("docs/guide.pdf", "x"),
        (".github/logo.png", "x"),
        ("chemenu.toml", "exclude = [\"old/**\"]\n"),
        ("old/page.md", "# Old\n"),
    ];
    let with = [
        "![](img/none.png)\n",
        "![](img/Drawing%201.png)\n",
        "[x](../docs/none.pdf?raw=1)\n",
        "[x](../none/)\n",
        "![[none.png]]\n",
        "---\nrelated: [\"[[none.pdf]]\"]\n---\nText.\n",
    ];
    let without = [
        "![](../img/Drawing%201.png)\n",
        "![](/img/Drawing%201.png)\n",
        "![[drawing 1.PNG]]\n",
        "![[Drawing 1.png|300]]\n",
        "[x](../docs/guide.pdf#page=2)\n",
        "[x](../docs)\n[y](../docs/)\n[z](/)\n[w](.)\n",
        "![](../.github/logo.png)\n",
        "[x](../old/)\n[y](../../outside.png)\n",
        "![](https://example.org/none.png)\n",
        "`![](none.png)`\n",
    ];
    holds_beside(&files, "missing-file", &with, &without);
}

#[test]
fn a_wikis_way_is_no_slip() {
    let count = |rule: &str, odd: usize, even: usize, page: &str| {
        let odd = (0..odd).map(|number| (format!("odd{number}.md"), page.to_owned()));
        let even = (0..even).map(|number| (format!("even{number}.md"), format!("# E{number}\n\nText.\n")));
        let files: Vec<(String, String)> = odd.chain(even).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        pages_with(rule, &files).len()
    };
    for (rule, page) in [("missing-title", "Text.\n"), ("multiple-h1", "# A\n\nText.\n\n# B\n\nText.\n")] {
        assert_eq!(count(rule, 4, 0, page), 4, "{rule}: too few to be a way");
        assert_eq!(count(rule, 5, 20, page), 5, "{rule}: a fifth");
        assert_eq!(count(rule, 5, 19, page), 0, "{rule}: more than a fifth");
    }
    let gate = |template: &str| {
        let of = format!("---\nname: gate\nsummary: G\n---\n# gate\n\nText.\n\n## Template\n\n```\n{template}\n```\n");
        pages_with("missing-title", &[("types/gate.md", &of), ("p.md", "---\ntype: gate\n---\nText.\n")]).len()
    };
    assert_eq!((gate("# Title"), gate("## Check")), (1, 0), "the type's template decides");
    let links = "# P\n\n[[P]] and [[p]]\n\n[again](p.md), [[#P]]\n";
    assert_eq!(pages_with("self-link", &[("p.md", links)]), [("p.md".to_owned(), 1)], "said once");
}

#[test]
fn what_a_type_is_for_may_stand_below_its_first_heading() {
    let unexplained = |body: &str| {
        let of = format!("---\nname: note\nsummary: N\n---\n{body}");
        pages_with("unexplained-type", &[("types/note.md", &of), ("p.md", "---\ntype: note\n---\n# P\n\nText.\n")])
            .len()
    };
    assert_eq!(unexplained("# note\n\n## Authoring instructions\n\nFor short texts.\n"), 0);
    assert_eq!(unexplained("## Authoring instructions\n\nFor short texts.\n"), 0);
    assert_eq!(unexplained("# note\n\n## Template\n\n```\n# T\n```\n"), 1);
    assert_eq!(unexplained("# note\n\n## Fields\n\n## More\n\nText.\n"), 1);
}

#[test]
fn hints_name_pages_that_may_be_meant() {
    let hint = |from: &str, target: &str, others: &[(&'static str, &'static str)]| {
        let text = format!("# Here\n\n[x]({target})\n");
        let files: Vec<(&str, &str)> = others.iter().copied().chain([(from, text.as_str())]).collect();
        let wiki = Wiki::of(&files);
        let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
        let snapshot = corpus.now().unwrap();
        snapshot.findings().iter().find(|finding| finding.rule == "broken-link").unwrap().hint.clone()
    };
    let templates = [("library/slash-templates.md", "# S\n"), ("library/website-templates.md", "# W\n")];
    let moved = hint("a.md", "docs/slash-templates.md", &templates);
    assert!(moved.starts_with("did you mean `library/slash-templates.md`"), "{moved}");
    assert_eq!(hint("angel.md", "angle.md", &[]), "write that page, or take the link out", "not the page itself");
    assert_eq!(hint("a.md", "Angela.md", &[("changelog.md", "# C\n")]), "write that page, or take the link out");
}

#[test]
fn the_golden_wiki_has_findings_only_where_it_says_so() {
    let wiki = Wiki::new();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/wiki");
    let copied = std::process::Command::new("cp").arg("-R").arg(golden.join(".")).arg(wiki.path()).status().unwrap();
    assert!(copied.success());
    wiki.commit("golden");
    let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
    let snapshot = corpus.now().unwrap();
    let (defects, others): (Vec<_>, Vec<_>) =
        snapshot.findings().iter().partition(|finding| finding.path.starts_with("defects/"));
    assert_eq!(others, Vec::<&Finding>::new());
    let pages =
        |findings: &[&Finding]| findings.iter().map(|finding| finding.path.clone()).collect::<BTreeSet<_>>().len();
    assert_eq!(defects.len(), pages(&defects), "one mistake each: {defects:?}");
}

#[test]
fn hints_name_the_nearest_headings_blocks_and_relations() {
    let hints = |rule: &str, files: &[(&str, &str)]| -> Vec<String> {
        let wiki = Wiki::of(files);
        let corpus = Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap();
        let snapshot = corpus.now().unwrap();
        snapshot.findings().iter().filter(|finding| finding.rule == rule).map(|finding| finding.hint.clone()).collect()
    };
    let q = "# Q\n\n## Usage\n\nText. ^first-block\n\n## Usages\n\n## Usage\n\n## Limits\n";
    let none = "link to one of its headings, or to the page as a whole";
    let p = "# P\n\n[[q#Usaeg]]\n[[q#Nothing of that]]\n[[q#^frist-block]]\n[[q#^x]]\n";
    let headings = hints("broken-heading", &[("p.md", p), ("q.md", q)]);
    assert_eq!(headings, ["did you mean `Usage` or `Usages`", none]);
    let blocks = hints("broken-block", &[("p.md", p), ("q.md", q)]);
    assert_eq!(blocks, ["did you mean `^first-block`", none]);

    let note = "---\nname: note\nsummary: A note\nrelations: [part of, cites]\n---\n# note\n\nText.\n";
    let stated = "---\ntype: note\n---\n# P\n\n- **prat of:** [[q]]\n- **owned by:** [[q]]\n";
    let relations = hints("unknown-relation", &[("p.md", stated), ("q.md", "# Q\n"), ("types/note.md", note)]);
    assert_eq!(relations, ["did you mean `part of`", "use one that the type declares, or declare it there"]);
}

#[test]
fn comments_are_no_words_of_a_section() {
    let note = "---\nname: note\nsummary: A note\nsections:\n  - {heading: Use, min_words: 3, max_words: 3}\n---\n# note\n\nText.\n";
    let page =
        |text: &str| format!("---\ntype: note\n---\n# P\n\n## Use\n\n{text}\n\n## Other\n\nText.\n").leak() as &str;
    holds_beside(
        &[("types/note.md", note)],
        "section-length",
        &[
            page("One two <!-- three -->."),
            page("<!-- One two three -->"),
            page("One two <!-- three\nfour --> five six."),
            // Code shows a comment, and does not make one.
            page("One two three `<!-- four -->`."),
        ],
        &[
            page("One <!-- and --> two three."),
            page("<!-- What to write:\na sentence -->\n\nOne two three."),
            page("One two three.\n\n<!-- more words to come -->"),
            page("One two th<!-- a word -->ree."),
        ],
    );
}

#[test]
fn one_mistake_is_told_once() {
    let conflict = "# P\n\nBefore.\n\n<<<<<<< HEAD\nOne text.\n=======\nOther text.\n>>>>>>> branch\n";
    assert_eq!(found(&[("p.md", conflict)]), ["conflict-marker"]);
    let titles = "<<<<<<< HEAD\n# P\n=======\n# Q\n>>>>>>> branch\n\nText.\n";
    assert_eq!(found(&[("p.md", titles)]), ["conflict-marker"]);
    let both = format!("{conflict}\n# Q\n\nText.\n");
    assert_eq!(found(&[("p.md", &both)]), ["conflict-marker", "multiple-h1"]);

    let typed = "---\ntype: note\n---\n# P\n\nText.\n";
    let broken = "---\nname: note\nsummary: [A note\n---\n# note\n";
    assert_eq!(found(&[("p.md", typed), ("types/note.md", broken)]), ["invalid-front-matter"]);

    let note = "---\nname: note\nsummary: A note\n---\n# note\n\nText.\n";
    let unquoted = "---\ntype: [[note]]\n---\n# P\n\nText.\n";
    assert_eq!(found(&[("p.md", unquoted), ("types/note.md", note)]), ["unquoted-link"]);
    let quoted = unquoted.replace("[[note]]", "\"[[note]]\"");
    assert_eq!(found(&[("p.md", &quoted), ("types/note.md", note)]), [""; 0]);
}

#[test]
fn an_unknown_rule_is_told_with_its_line() {
    let told = |settings: &str| {
        let error = chemenu_core::config::Config::parse(settings.as_bytes()).unwrap_err();
        let chemenu_core::Error::ConfigInvalid { line, message, .. } = error else { panic!("{error}") };
        (line, message)
    };
    let message = "unknown lint rule `long`".to_owned();
    assert_eq!(
        told("# long\nname = \"long\"\n[lint.rules]\nlong-page = \"off\"\nlong = \"off\"\n"),
        (5, message.clone())
    );
    assert_eq!(told("[lint.rules]\nlong-page = \"off\"\n\"long\" = \"off\"\n"), (3, message.clone()));
    assert_eq!(told("[lint]\nrules.long-page = \"off\"\nrules.long = \"off\"\n"), (3, message.clone()));
    let by_path = "[lint.paths.\"long/**\"]\nlong-page = \"off\"\n\n[lint.paths.\"long\"]\nlong = \"off\"\n";
    assert_eq!(told(by_path), (5, message));
}
