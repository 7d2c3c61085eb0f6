//! `lint` as a question: what changed since, drafts, pages of findings, comments that suppress.

mod support;

use chemenu_core::{Answer, Corpus, Options, Outcome};
use serde_json::{Map, Value, json};
use support::Wiki;

fn corpus(wiki: &Wiki) -> Corpus {
    Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// What these tests are about, whatever else there is to find on such pages.
const RULES: [&str; 8] = [
    "ambiguous-link",
    "broken-heading",
    "broken-link",
    "duplicate-key",
    "invalid-suppression",
    "schema-violation",
    "undefined-footnote",
    "unused-suppression",
];

fn ask(wiki: &Wiki, mut arguments: Value) -> Answer {
    if arguments.get("select").is_none() {
        arguments["select"] = json!(RULES);
    }
    corpus(wiki).ask_json("lint", object(arguments))
}

fn lint(wiki: &Wiki, arguments: Value) -> Value {
    let answer = ask(wiki, arguments);
    let value: Value = serde_json::from_slice(&answer.json).unwrap();
    assert!(!answer.is_error, "{value}");
    value
}

/// The message of an error about one argument.
fn refusal(wiki: &Wiki, arguments: Value) -> String {
    let value: Value = serde_json::from_slice(&ask(wiki, arguments).json).unwrap();
    assert_eq!(value["error"]["code"], "argument_invalid", "{value}");
    value["error"]["message"].as_str().unwrap().to_owned()
}

/// `path:line rule` of each finding.
fn told(findings: &Value) -> Vec<String> {
    let one = |finding: &Value| {
        format!("{}:{} {}", finding["path"].as_str().unwrap(), finding["line"], finding["rule"].as_str().unwrap())
    };
    findings.as_array().unwrap().iter().map(one).collect()
}

fn suppressed(page: &str) -> (Vec<String>, Value) {
    let answer = lint(&Wiki::of(&[("p.md", page)]), json!({}));
    (told(&answer["findings"]), answer["summary"]["suppressed"].clone())
}

#[test]
fn changed_since_a_revision_or_a_date() {
    let broken = "# P\n\n[[Missing]]\n";
    let wiki = Wiki::of(&[("a.md", broken), ("b.md", broken), ("c.md", broken)]);
    wiki.git(&["tag", "first"]);
    wiki.write("b.md", "# P\n\nMore.\n\n[[Missing]]\n");
    wiki.write("d.md", broken);
    wiki.git(&["mv", "c.md", "e.md"]);
    wiki.commit("second");
    let since = |revision: &str| lint(&wiki, json!({ "changed_since": revision }));
    let expected = ["b.md:5 broken-link", "d.md:3 broken-link", "e.md:3 broken-link"];
    for revision in ["first", "HEAD~1", "2026-09-01T10:30:00Z"] {
        let answer = since(revision);
        assert_eq!(told(&answer["findings"]), expected, "{revision}");
        assert_eq!(answer["checked"]["pages"], 3);
    }
    assert_eq!(told(&since("HEAD")["findings"]), [""; 0]);
    assert_eq!(since("HEAD")["checked"]["pages"], 0);

    // Of two revisions, the one that is asked and the one that it is compared with.
    let back = lint(&wiki, json!({ "at": "first", "changed_since": "HEAD" }));
    assert_eq!(told(&back["findings"]), ["b.md:3 broken-link", "c.md:3 broken-link"]);
    let narrow = lint(&wiki, json!({ "changed_since": "first", "paths": ["a.md", "d.md"] }));
    assert_eq!(told(&narrow["findings"]), ["d.md:3 broken-link"]);

    let unknown: Value = serde_json::from_slice(&ask(&wiki, json!({ "changed_since": "never" })).json).unwrap();
    assert_eq!(unknown["error"]["code"], "revision_not_found");
}

#[test]
fn changed_since_in_a_dirty_tree() {
    let broken = "# P\n\n[[Missing]]\n";
    let wiki = Wiki::of(&[("a.md", broken), ("b.md", broken), ("c.md", broken)]);
    wiki.write("b.md", "# P\n\nMore.\n\n[[Missing]]\n");
    // The same text with other line ends is the same text.
    wiki.write("c.md", broken.replace('\n', "\r\n"));
    wiki.write("new.md", broken);
    let answer = lint(&wiki, json!({ "changed_since": "HEAD" }));
    assert_eq!(answer["commit"], Value::Null);
    assert_eq!(told(&answer["findings"]), ["b.md:5 broken-link", "new.md:3 broken-link"]);
}

#[test]
fn changed_since_before_the_wiki_was_there() {
    let wiki = Wiki::of(&[("readme.txt", "No wiki yet.\n")]);
    wiki.write("docs/p.md", "# P\n\n[[Missing]]\n");
    wiki.commit("the wiki");
    let corpus = Corpus::open(Options { root: Some(wiki.path().join("docs")), ..Options::default() }).unwrap();
    let answer = corpus.ask_json("lint", object(json!({ "changed_since": "HEAD~1" })));
    let answer: Value = serde_json::from_slice(&answer.json).unwrap();
    assert_eq!(told(&answer["findings"]), ["p.md:3 broken-link"]);
}

#[test]
fn cursors_give_every_finding_once() {
    let page = (0..7).map(|number| format!("[[Missing {number}]]\n\n")).collect::<String>();
    let wiki = Wiki::of(&[("p.md", &format!("# P\n\n{page}"))]);
    let whole = lint(&wiki, json!({}));
    assert_eq!(whole["findings"].as_array().unwrap().len(), 7);
    assert!(whole.get("next_cursor").is_none(), "nothing follows");
    let pages = |wiki: &Wiki, arguments: Value| {
        let (mut found, mut cursor, mut answers) = (Vec::new(), Value::Null, 0);
        loop {
            let mut arguments = arguments.clone();
            if cursor.is_string() {
                arguments["cursor"] = cursor;
            }
            let answer = lint(wiki, arguments);
            assert_eq!(answer["summary"]["total"], 7);
            found.extend(told(&answer["findings"]));
            answers += 1;
            cursor = answer.get("next_cursor").cloned().unwrap_or_default();
            if cursor.is_null() {
                return (found, answers);
            }
        }
    };
    let all = told(&whole["findings"]);
    assert_eq!(pages(&wiki, json!({ "limit": 3 })), (all.clone(), 3));
    assert_eq!(pages(&wiki, json!({ "limit": 7 })), (all.clone(), 1));
    // What a budget cuts comes in the next answer.
    let (found, answers) = pages(&wiki, json!({ "limit": 6, "budget": 1100 }));
    assert_eq!(found, all);
    assert!(answers > 2, "{answers}");
    // A dirty tree too has pages, as long as they stay as they are.
    wiki.write("q.md", "# Q\n");
    assert_eq!(pages(&wiki, json!({ "limit": 3 })), (all, 3));
}

#[test]
fn a_cursor_is_good_for_its_commit_and_its_arguments() {
    let wiki = Wiki::of(&[("p.md", "# P\n\n[[A]] [[B]] [[C]]\n")]);
    let answer = lint(&wiki, json!({ "limit": 1 }));
    let (cursor, commit) = (answer["next_cursor"].as_str().unwrap(), answer["commit"].clone());
    let message = "the argument `cursor` of `lint` is of an answer with another commit or other arguments";
    for arguments in [
        json!({ "cursor": cursor, "select": ["broken-link"] }),
        json!({ "cursor": cursor, "changed_since": "HEAD" }),
        json!({ "cursor": cursor, "paths": ["p.md"] }),
        json!({ "cursor": format!("{cursor}0") }),
        json!({ "cursor": "" }),
        json!({ "cursor": "x" }),
    ] {
        assert_eq!(refusal(&wiki, arguments.clone()), message, "{arguments}");
    }
    wiki.write("q.md", "# Q\n");
    wiki.commit("second");
    assert_eq!(refusal(&wiki, json!({ "cursor": cursor })), message);
    let again = lint(&wiki, json!({ "cursor": cursor, "at": commit, "limit": 5 }));
    assert_eq!(again["findings"].as_array().unwrap().len(), 2);
}

const TYPE: &str = "---\nname: note\nsummary: A note.\nschema:\n  type: object\n  required: [type, summary, status]\n  \
    properties:\n    status: {enum: [open, done]}\n---\n# note\n";

fn typed() -> Wiki {
    Wiki::of(&[
        ("index.md", "---\ntype: note\nsummary: All.\nstatus: open\n---\n# All\n\n[[P]] [[P#Use]] [[Later]]\n"),
        ("p.md", "---\ntype: note\nsummary: About P.\nstatus: maybe\n---\n# P\n\n## Use\n\n[[index]] [[Gone]]\n"),
        ("types/note.md", TYPE),
    ])
}

fn draft(wiki: &Wiki, path: &str, text: &str) -> Value {
    lint(wiki, json!({ "draft": { "path": path, "text": text } }))
}

#[test]
fn a_bad_draft_of_a_new_page_lists_what_to_fix() {
    let wiki = typed();
    let answer = draft(&wiki, "new.md", "---\ntype: note\nstatus: never\n---\n# New\n\n[[Nowhere]] and [^1]\n");
    let expected = [
        "new.md:1 schema-violation",
        "new.md:3 schema-violation",
        "new.md:7 broken-link",
        "new.md:7 undefined-footnote",
    ];
    assert_eq!(told(&answer["findings"]), expected);
    assert_eq!(answer["summary"]["total"], 4);
    assert_eq!(answer["checked"]["pages"], 1);
    assert!(answer.get("new").is_none());
    let status = ask(&wiki, json!({ "draft": { "path": "new.md", "text": "[[Nowhere]]" } })).outcome;
    assert_eq!(status, Outcome::Problem);
}

#[test]
fn a_good_draft_of_a_new_page_lists_nothing() {
    let wiki = typed();
    let good = "---\ntype: note\nsummary: New.\nstatus: open\n---\n# New\n\n[[P]] and [[new]] in [[drafts/]].\n";
    let answer = draft(&wiki, "drafts/new.md", good);
    assert_eq!(told(&answer["findings"]), [""; 0]);
    assert_eq!(answer["commit"], wiki.git(&["rev-parse", "HEAD"]));
    // The draft is nowhere afterwards.
    assert_eq!(lint(&wiki, json!({}))["checked"]["pages"], 3);
}

#[test]
fn a_draft_is_blamed_for_what_it_breaks_elsewhere() {
    let wiki = typed();
    let good = "---\ntype: note\nsummary: New.\nstatus: open\n---\n# Other\n";
    assert_eq!(told(&draft(&wiki, "new.md", good)["findings"]), [""; 0]);
    // A second page of that title: the links to the first no longer tell which is meant.
    let answer = draft(&wiki, "new.md", &good.replace("# Other", "# P"));
    assert_eq!(told(&answer["findings"]), ["index.md:8 ambiguous-link", "index.md:8 ambiguous-link"]);
}

#[test]
fn a_new_page_is_not_blamed_for_what_others_do_not_say_yet() {
    let page = |title: &str, more: &str| format!("---\ntype: note\n---\n# {title}\n\n{more}\n");
    let note = "---\nname: note\nsummary: A note.\nrelations:\n  - {name: part of, inverse: has}\n  - {name: has, inverse: part of}\n---\n# note\n";
    let related = page("P", "- **part of:** [[Index]]");
    let wiki = Wiki::of(&[("index.md", &page("Index", "[[Q]]")), ("q.md", &page("Q", "")), ("types/note.md", note)]);
    let rules = json!(["missing-inverse", "orphan-page"]);
    let found = |path: &str| {
        let answer = lint(&wiki, json!({ "draft": { "path": path, "text": related }, "select": rules }));
        told(answer.get("findings").unwrap_or(&answer["new"]))
    };
    assert_eq!(found("p.md"), [""; 0]);
    wiki.write("p.md", &related);
    wiki.commit("saved");
    let saved = lint(&wiki, json!({ "select": rules }));
    assert_eq!(told(&saved["findings"]), ["p.md:4 orphan-page", "p.md:6 missing-inverse"]);
}

#[test]
fn a_draft_of_a_page_tells_new_fixed_and_unchanged_apart() {
    let wiki = typed();
    let text = "---\ntype: note\nsummary: About P.\nstatus: open\n---\n# P\n\nTen lines.\n\n## Usage\n\n[[index]] [[Gone]] [[Nowhere]]\n";
    let answer = draft(&wiki, "p.md", text);
    assert_eq!(told(&answer["new"]), ["index.md:8 broken-heading", "p.md:12 broken-link"]);
    assert_eq!(told(&answer["fixed"]), ["p.md:4 schema-violation"]);
    assert_eq!(told(&answer["unchanged"]), ["p.md:12 broken-link"]);
    assert_eq!(answer["unchanged"][0]["message"], "no page is named `Gone`");
    let count = |key: &str| answer["summary"][key].as_u64().unwrap();
    assert_eq!((count("new"), count("fixed"), count("unchanged"), count("total")), (2, 1, 1, 3));
    assert!(answer.get("findings").is_none());

    let same = draft(&wiki, "p.md", &std::fs::read_to_string(wiki.at("p.md")).unwrap());
    assert_eq!((told(&same["new"]), told(&same["fixed"])), (vec![], vec![]));
    assert_eq!(told(&same["unchanged"]), ["p.md:4 schema-violation", "p.md:10 broken-link"]);
    let narrow =
        lint(&wiki, json!({ "draft": { "path": "p.md", "text": text }, "ignore": ["broken-link"], "paths": ["p.md"] }));
    assert_eq!((told(&narrow["new"]), told(&narrow["unchanged"])), (vec![], vec![]));
}

#[test]
fn a_draft_may_be_a_type_or_what_a_type_needs() {
    let wiki = typed();
    let stricter = TYPE.replace("[type, summary, status]", "[type, summary, status, owner]");
    let answer = draft(&wiki, "types/note.md", &stricter);
    assert_eq!(told(&answer["new"]), ["index.md:1 schema-violation", "p.md:1 schema-violation"]);
}

#[test]
fn the_first_lint_of_a_wiki_waits_for_no_thread_of_its_own() {
    let pages: Vec<(String, String)> = (0..300)
        .map(|number| (format!("p{number}.md"), format!("# P{number}\n\n[[p{}]]\n", (number + 1) % 300)))
        .collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let wiki = Wiki::of(&pages);
    let (done, all) = std::sync::mpsc::channel();
    for _ in 0..20 {
        let corpus = std::sync::Arc::new(corpus(&wiki));
        for question in ["lint", "status", "lint", "describe_type"] {
            let (corpus, done) = (std::sync::Arc::clone(&corpus), done.clone());
            let arguments = if question == "describe_type" { json!({ "type": "note" }) } else { json!({}) };
            std::thread::spawn(move || done.send(corpus.ask_json(question, object(arguments)).json.len()));
        }
    }
    for _ in 0..80 {
        all.recv_timeout(std::time::Duration::from_secs(60)).expect("an answer");
    }
}

/// As many mistakes as there are names that may have been meant, or comments that may suppress them: what looked at each of
/// these for each of those would not end in time.
#[test]
fn lint_is_linear() {
    let many = |count: usize, unit: &dyn Fn(usize) -> String| (0..count).map(unit).collect::<String>();
    let page = |text: String| vec![("p.md".to_owned(), format!("# P\n\n{text}"))];
    let pages = |count: usize, text: &dyn Fn(usize) -> String| -> Vec<(String, String)> {
        (0..count).map(|nth| (format!("p{nth}.md"), text(nth))).collect()
    };
    let comment = "<!-- lint-disable broken-link: later -->";
    let relations = many(9000, &|nth| format!("- {{name: leads to {nth}}}\n"));
    let stated = many(9000, &|nth| format!("- **leeds to {nth}:** [[note]]\n"));
    let wikis = [
        page(many(10_000, &|nth| format!("## Hi {nth}\n\n[[#Qi {nth}]]\n\n"))),
        page(many(10_000, &|nth| format!("Hi ^hi{nth}\n\n[[#^qi{nth}]]\n\n"))),
        page(many(10_000, &|nth| format!("{comment}\n\n[[x{nth}]]\n\n"))),
        page(many(30_000, &|_| format!("a {comment} "))),
        page(many(30_000, &|_| format!("a [[x]] {comment} "))),
        vec![
            ("p.md".to_owned(), format!("---\ntype: note\n---\n# P\n\n{stated}")),
            ("types/note.md".to_owned(), format!("---\nname: note\nrelations:\n{relations}---\n# note\n")),
        ],
        pages(2000, &|_| "# T\n\n[[T]]\n".into()),
        pages(6000, &|nth| format!("# Page {nth}\n\n[[Paje {nth}]]\n")),
    ];
    for (nth, files) in wikis.into_iter().enumerate() {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let wiki = Wiki::of(&files);
        let corpus = corpus(&wiki);
        let (done, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || done.send(corpus.ask_json("lint", Map::new()).is_error));
        let is_error = ended.recv_timeout(std::time::Duration::from_secs(40));
        assert_eq!(is_error, Ok(false), "wiki {nth}");
    }
}

#[test]
fn a_new_type_has_no_pages_yet() {
    let wiki = typed();
    let answer = draft(&wiki, "types/claim.md", "---\nname: claim\nsummary: A claim\n---\n# claim\n\nFor claims.\n");
    assert_eq!(told(&answer["findings"]), [""; 0]);
}

#[test]
fn a_cursor_never_stands_still() {
    let long = format!("# A\n\n[[{}]]\n", "z".repeat(40_000));
    let wiki = Wiki::of(&[("a.md", &long), ("b.md", "# B\n\n[[Nope]]\n")]);
    let whole = lint(&wiki, json!({ "budget": 32_768 }));
    assert_eq!(told(&whole["findings"]), ["a.md:3 broken-link", "b.md:3 broken-link"]);
    let message = whole["findings"][0]["message"].as_str().unwrap();
    assert!(message.chars().count() < 600 && message.ends_with("…`"), "{message}");
    let least = lint(&wiki, json!({ "budget": 1024 }));
    assert_eq!((&least["truncated"]["shown"], least.get("next_cursor")), (&json!(0), None));
}

#[test]
fn what_was_checked_is_cut_too() {
    let pages: Vec<(String, String)> =
        (0..100).map(|n| (format!("p{n}.md"), format!("---\ntype: kind-{n}\n---\n# P{n}\n\nText.\n"))).collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let answer = ask(&Wiki::of(&pages), json!({ "budget": 1024 }));
    assert!(answer.json.len() <= 1024, "{}", answer.json.len());
    let value: Value = serde_json::from_slice(&answer.json).unwrap();
    assert_eq!((&value["truncated"]["what"], value.get("next_cursor")), (&json!("checked"), None));
}

#[test]
fn drafts_are_cut_to_the_budget() {
    let wiki = typed();
    let text = format!("{}[[Gone]]\n", (0..40).map(|number| format!("[[Nowhere {number}]]\n")).collect::<String>());
    let arguments = json!({ "draft": { "path": "p.md", "text": text }, "budget": 8000 });
    let answer = ask(&wiki, arguments.clone());
    assert!(answer.json.len() <= 8000, "{}", answer.json.len());
    let answer = lint(&wiki, arguments);
    let shown = answer["new"].as_array().unwrap().len();
    assert!(shown > 5, "{answer}");
    assert_eq!(answer["truncated"], json!({ "what": "fixed", "shown": 0, "total": 1, "also": ["unchanged", "new"] }));
    assert_eq!((&answer["fixed"], &answer["unchanged"]), (&json!([]), &json!([])));
    assert_eq!(answer["summary"]["unchanged"], 1);
}

#[test]
fn a_draft_cannot_lie_below_a_file_or_have_a_name_that_no_file_has() {
    let wiki = Wiki::of(&[("p.md", "# P\n"), ("data", "x")]);
    for path in ["p.md/x.md".to_owned(), "data/x.md".into(), "a\nb.md".into(), format!("{}.md", "x".repeat(300))] {
        refusal(&wiki, json!({ "draft": { "path": path, "text": "# X\n" } }));
    }
    assert_eq!(told(&draft(&wiki, &format!("{}.md", "x".repeat(252)), "# X\n")["findings"]), [""; 0]);
}

#[test]
fn drafts_that_are_none_are_refused() {
    let wiki = Wiki::of(&[("p.md", "# P\n"), ("chemenu.toml", "exclude = [\"templates/**\"]\n")]);
    for (path, candidate) in [
        ("p", "p.md"),
        ("./p.md", "p.md"),
        ("/p.md", "p.md"),
        ("", ""),
        ("../p.md", ""),
        ("a/../p.md", ""),
        (".hidden/p.md", ""),
        ("a//p.md", ""),
        ("templates/p.md", ""),
    ] {
        let answer = ask(&wiki, json!({ "draft": { "path": path, "text": "x" } }));
        let error = &serde_json::from_slice::<Value>(&answer.json).unwrap()["error"];
        assert_eq!(error["code"], "argument_invalid", "{path}: {error}");
        let candidates: Vec<&str> = candidate.split_terminator('\n').collect();
        assert_eq!(error["candidates"], json!(candidates), "{path}");
    }
    let draft = json!({ "path": "q.md", "text": "# Q\n" });
    let message = refusal(&wiki, json!({ "draft": draft, "changed_since": "HEAD" }));
    assert_eq!(message, "the argument `changed_since` of `lint` does not go with `draft`");
    let message = refusal(&wiki, json!({ "draft": draft, "cursor": "x" }));
    assert_eq!(message, "the argument `cursor` of `lint` does not go with `draft`");
    assert_eq!(
        refusal(&wiki, json!({ "draft": { "path": "q.md" } })),
        "the argument `draft.text` of `lint` is missing"
    );
    let wrong: Value =
        serde_json::from_slice(&ask(&wiki, json!({ "draft": { "path": "q.md", "txt": "" } })).json).unwrap();
    assert_eq!(wrong["error"]["code"], "argument_unknown");
    assert_eq!(wrong["error"]["message"], "`lint` has no argument `draft.txt`");
    assert_eq!(wrong["error"]["candidates"][0], "text");
}

#[test]
fn arguments_are_plain_for_every_client() {
    let schema = chemenu_core::question::schema("lint").unwrap();
    let text = schema.to_string();
    for word in ["\"null\"", "anyOf", "oneOf", "allOf", "$ref", "$defs"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let draft = &schema["properties"]["draft"];
    assert_eq!((&draft["type"], &draft["additionalProperties"]), (&json!("object"), &json!(false)));
    assert_eq!(draft["required"], json!(["path", "text"]));
}

#[test]
fn a_comment_with_a_reason_suppresses_from_its_line_on() {
    let (found, count) =
        suppressed("# P\n\n[[A]]\n\n<!-- lint-disable broken-link: they come later -->\n\n[[B]]\n\n## H\n\n[[C]]\n");
    assert_eq!(found, ["p.md:3 broken-link"]);
    assert_eq!(count, 2);
}

#[test]
fn a_comment_behind_text_is_for_its_line() {
    let (found, count) = suppressed("# P\n\n[[A]] <!-- lint-disable broken-link: it comes later -->\n[[B]]\n");
    assert_eq!(found, ["p.md:4 broken-link"]);
    assert_eq!(count, 1);
}

#[test]
fn a_comment_before_all_text_is_for_the_page() {
    let page = "---\ntags: a\ntags: b\n---\n<!-- a word -->\n<!-- lint-disable duplicate-key, broken-link: as it was: old -->\n\n# P\n\n[[A]]\n";
    assert_eq!(suppressed(page), (vec![], json!(2)));
    // Behind the title it is too late for what stands above.
    let later = page.replace("<!-- a word -->", "# Title");
    let (found, _) = suppressed(&later);
    assert!(found.contains(&"p.md:3 duplicate-key".to_owned()), "{found:?}");
}

#[test]
fn a_comment_without_a_reason_suppresses_nothing() {
    for comment in ["lint-disable broken-link", "lint-disable broken-link:", "lint-disable broken-link :  \n"] {
        let (found, count) = suppressed(&format!("# P\n\n<!-- {comment} -->\n\n[[A]]\n"));
        assert!(
            found[0].ends_with(":3 invalid-suppression") && found[1].ends_with("broken-link"),
            "{comment}: {found:?}"
        );
        assert_eq!((found.len(), count), (2, json!(0)), "{comment}");
    }
}

#[test]
fn a_comment_that_names_no_rule_is_told() {
    let message = |comment: &str| {
        let answer = lint(&Wiki::of(&[("p.md", &format!("# P\n\n<!-- {comment} -->\n"))]), json!({}));
        assert_eq!(told(&answer["findings"]), ["p.md:3 invalid-suppression"], "{comment}");
        let finding = &answer["findings"][0];
        format!("{}; {}", finding["message"].as_str().unwrap(), finding["hint"].as_str().unwrap())
    };
    assert_eq!(message("lint-disable: why"), "the comment names no rule; write `<!-- lint-disable RULE: reason -->`");
    assert!(
        message("lint-disable broken-lnk: why")
            .starts_with("no rule is named `broken-lnk`; did you mean `broken-link`")
    );
    assert!(
        message("lint-disable unused-suppression: why")
            .starts_with("`unused-suppression` cannot be disabled in a page")
    );
}

#[test]
fn a_comment_that_suppresses_nothing_is_told() {
    let (found, count) = suppressed("# P\n\n<!-- lint-disable broken-link, duplicate-key: why -->\n\n[[A]]\n");
    assert_eq!((found, count), (vec!["p.md:3 unused-suppression".to_owned()], json!(1)));
}

#[test]
fn only_comments_are_comments() {
    for text in [
        "`<!-- lint-disable broken-link: why -->` [[A]]",
        "```\n<!-- lint-disable broken-link: why -->\n```\n\n[[A]]",
        "    <!-- lint-disable broken-link: why -->\n\n[[A]]",
        "\\<!-- lint-disable broken-link: why -->\n\n[[A]]",
        "<!-- lint-disabled broken-link: why -->\n\n[[A]]",
        "<!-- see lint-disable broken-link: why -->\n\n[[A]]",
    ] {
        let (found, count) = suppressed(&format!("# P\n\nText.\n\n{text}\n"));
        assert_eq!((found.len(), count), (1, json!(0)), "{text}: {found:?}");
        assert!(found[0].ends_with("broken-link"), "{found:?}");
    }
    for text in [
        "- item\n  <!-- lint-disable broken-link: why -->\n- [[A]]",
        "> <!-- lint-disable broken-link: why --> [[A]]",
        "<div>\n<!-- lint-disable broken-link:\nwhy -->\n</div>\n\n[[A]]",
    ] {
        let (found, count) = suppressed(&format!("# P\n\nText.\n\n{text}\n"));
        assert_eq!((found, count), (vec![], json!(1)), "{text}");
    }
}

#[test]
fn suppressed_findings_are_counted_as_selected() {
    let wiki = Wiki::of(&[("p.md", "# P\n\n<!-- lint-disable broken-link: why -->\n\n[[A]]\n"), ("q.md", "# Q\n")]);
    let count = |arguments: Value| lint(&wiki, arguments)["summary"]["suppressed"].clone();
    assert_eq!(count(json!({})), 1);
    assert_eq!(count(json!({ "paths": ["q.md"] })), 0);
    assert_eq!(count(json!({ "ignore": ["broken-link"] })), 0);
    assert_eq!(ask(&wiki, json!({})).outcome, Outcome::Answered);
}

#[test]
fn a_suppression_changes_no_other_fingerprint() {
    let prints = |page: &str| {
        let answer = lint(&Wiki::of(&[("p.md", page)]), json!({}));
        answer["findings"].as_array().unwrap().iter().map(|finding| finding["fingerprint"].clone()).collect::<Vec<_>>()
    };
    let before = prints("# P\n\n[[A]]\n\n[[A]]\n");
    let after = prints("# P\n\n[[A]] <!-- lint-disable broken-link: why -->\n\n[[A]]\n");
    assert_eq!(before[1..], after[..]);
}

#[test]
fn findings_on_names_that_are_not_utf8_are_told() {
    let wiki = Wiki::of(&[("b.md", "# B\n")]);
    for name in [&b"a\xff.md"[..], b"\\a.md", b"\xffz.md"] {
        wiki.write(name, "# P\n\n[[Missing]]\n");
    }
    wiki.commit("odd names");
    let mut found = told(&lint(&wiki, json!({}))["findings"]);
    found.retain(|finding| finding.ends_with("broken-link"));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn several_comments_in_a_line_stand_alone_too() {
    let two = "<!-- lint-disable duplicate-key: old --> <!-- lint-disable broken-link: later -->";
    let page = |body: &str| format!("---\ntags: a\ntags: b\n---\n{body}\n");
    let body = "\n# P\n\n[[A]]\n";
    assert_eq!(suppressed(&page(&format!("{two}\n{body}"))), (vec![], json!(2)));
    assert_eq!(suppressed(&page(&format!("<!-- a word -->{two}\n{body}"))), (vec![], json!(2)));
    // In the page each is from its line on, and beside text for its line.
    let (found, count) = suppressed(&page(&format!("# P\n\n[[A]]\n\n{two}\n\n[[B]]\n")));
    assert_eq!(found, ["p.md:3 duplicate-key", "p.md:7 broken-link", "p.md:9 unused-suppression"]);
    assert_eq!(count, 1);
    let (found, count) = suppressed(&page(&format!("[[A]] {two}\n[[B]]\n")));
    assert_eq!(found, ["p.md:3 duplicate-key", "p.md:5 unused-suppression", "p.md:6 broken-link"]);
    assert_eq!(count, 1);
}

#[test]
fn scopes_that_overlap_reach_as_far_as_the_furthest() {
    let comment = "<!-- lint-disable broken-link: later -->";
    let (found, count) =
        suppressed(&format!("# P\n\n[[A]]\n\n{comment}\n\n[[B]] {comment}\n\n[[C]]\n\nText. {comment}\n"));
    assert_eq!(found, ["p.md:3 broken-link", "p.md:11 unused-suppression"]);
    assert_eq!(count, 2);
}
