//! The stamp is the revision that was read.

mod support;

use chemenu_core::question::Request;
use chemenu_core::{Corpus, Dirty, Options};
use serde_json::{Map, Value, json};
use support::Wiki;

fn open(wiki: &Wiki, dirty: Dirty) -> Corpus {
    Corpus::open(Options { root: Some(wiki.path().to_owned()), dirty, ..Options::default() }).unwrap()
}

fn ask(corpus: &Corpus, question: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
    serde_json::from_slice(&corpus.ask_json(question, arguments).json).unwrap()
}

fn two_commits() -> (Wiki, String, String) {
    let wiki = Wiki::of(&[("p.md", "# First\n")]);
    let first = wiki.git(&["rev-parse", "HEAD"]);
    wiki.write("p.md", "# Second\n");
    let second = wiki.commit("second");
    (wiki, first, second)
}

#[test]
fn head_moves_between_reading_and_answering() {
    let (wiki, first, second) = two_commits();
    let corpus = open(&wiki, Dirty::Serve);
    let request = Request::from_json("page", Map::from_iter([("name".to_owned(), "p".into())])).unwrap();
    let read = corpus.now().unwrap();
    wiki.git(&["reset", "-q", "--hard", &first]);
    let answer: Value = serde_json::from_slice(&corpus.answer(&read, &request).json).unwrap();
    assert_eq!((&answer["commit"], &answer["title"]), (&json!(second), &json!("Second")));
    let answer = ask(&corpus, "page", json!({"name": "p"}));
    assert_eq!((&answer["commit"], &answer["title"]), (&json!(first), &json!("First")));
}

#[test]
fn a_dirty_tree_has_no_commit() {
    let (wiki, _, second) = two_commits();
    let corpus = open(&wiki, Dirty::Serve);
    wiki.write("p.md", "# Third\n");
    let answer = ask(&corpus, "page", json!({"name": "p"}));
    assert_eq!((&answer["commit"], &answer["title"]), (&Value::Null, &json!("Third")));
    assert!(answer["as_of"].is_string(), "{answer}");
    // Errors and empty results are stamped in the same way.
    for (question, arguments) in [("page", json!({"name": "nothing"})), ("search", json!({"query": "nothing"}))] {
        let answer = ask(&corpus, question, arguments);
        assert_eq!(answer["commit"], Value::Null);
        assert!(answer["as_of"].is_string(), "{answer}");
    }
    let answer = ask(&open(&wiki, Dirty::Ignore), "page", json!({"name": "p"}));
    assert_eq!((&answer["commit"], &answer["title"]), (&json!(second), &json!("Second")));
    let answer = ask(&open(&wiki, Dirty::Refuse), "page", json!({"name": "p"}));
    assert_eq!(answer["error"]["code"], "dirty_tree");
    wiki.git(&["checkout", "-q", "p.md"]);
    assert_eq!(ask(&corpus, "page", json!({"name": "p"}))["commit"], json!(second));
}

#[test]
fn files_that_no_answer_depends_on_make_no_difference() {
    let wiki = Wiki::of(&[
        ("p.md", "---\ntype: note\n---\n# P\n"),
        ("types/note.md", "---\nname: note\nschema: note.yaml\n---\n# note\n"),
        ("types/note.yaml", "type: object\n"),
        ("chemenu.toml", "exclude = [\"drafts/\"]\n"),
    ]);
    let corpus = open(&wiki, Dirty::Serve);
    let is_clean = || ask(&corpus, "status", json!({}))["commit"].is_string();
    assert!(is_clean());
    for harmless in ["picture.png", "other.yaml", "notes.txt", "drafts/d.md", ".hidden/p.md", "sub/chemenu.toml"] {
        wiki.write(harmless, "new\n");
        assert!(is_clean(), "{harmless}");
    }
    for (path, text) in [("types/note.yaml", "type: object\nrequired: [x]\n"), ("chemenu.toml", ""), ("q.md", "# Q\n")]
    {
        wiki.write(path, text);
        assert!(!is_clean(), "{path}");
        wiki.git(&["stash", "-q", "-u"]);
        assert!(is_clean(), "{path} put away");
    }
}

#[test]
fn an_earlier_answer_is_read_again_by_its_commit() {
    let (wiki, first, second) = two_commits();
    let corpus = open(&wiki, Dirty::Serve);
    let now = ask(&corpus, "page", json!({"name": "p"}));
    for at in [first.as_str(), &first[..10], "HEAD~1", "2026-09-01T10:30:00Z"] {
        let then = ask(&corpus, "page", json!({"name": "p", "at": at}));
        assert_eq!((&then["commit"], &then["title"]), (&json!(first), &json!("First")), "{at}");
    }
    wiki.git(&["reset", "-q", "--hard", &first]);
    assert_eq!(ask(&corpus, "page", json!({"name": "p", "at": second})), now);
    let unknown = ask(&corpus, "page", json!({"name": "p", "at": "no-such-branch"}));
    assert_eq!(unknown["error"]["code"], "revision_not_found");
    assert_eq!((&unknown["commit"], &unknown["as_of"]), (&Value::Null, &Value::Null));
}

/// Everything an answer says of a revision, from a corpus that has lived through `reset --hard` and from a fresh one.
#[test]
fn answers_while_head_is_reset_equal_fresh_ones() {
    let (wiki, first, second) = two_commits();
    let resident =
        Corpus::open(Options { root: Some(wiki.path().to_owned()), resident: true, ..Options::default() }).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let answers = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut answers = Vec::new();
                    while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                        answers.push(ask(&resident, "page", json!({"name": "p.md"})));
                    }
                    answers
                })
            })
            .collect();
        for round in 0..40 {
            wiki.git(&["reset", "-q", "--hard", if round % 2 == 0 { &first } else { &second }]);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect::<Vec<_>>()
    });
    let fresh = open(&wiki, Dirty::Ignore);
    let mut stamped = 0;
    for answer in &answers {
        if let Some(commit) = answer["commit"].as_str() {
            stamped += 1;
            assert_eq!(*answer, ask(&fresh, "page", json!({"name": "p.md", "at": commit})));
        }
    }
    assert!(stamped > 0, "none of {} answers bore a commit", answers.len());
}

#[test]
fn a_server_shows_what_branches_lead_to_and_what_it_has_shown() {
    let wiki = Wiki::of(&[("p.md", "# P\n")]);
    let first = wiki.git(&["rev-parse", "HEAD"]);
    wiki.write("p.md", "# Secret\n");
    let secret = wiki.commit("secret");
    wiki.write("p.md", "# Shown\n");
    let shown = wiki.commit("shown");
    let options = |resident| Options { root: Some(wiki.path().to_owned()), resident, ..Options::default() };
    let server = Corpus::open(options(true)).unwrap();
    let title = |corpus: &Corpus, at: Option<&str>| {
        corpus.snapshot(at).map(|snapshot| snapshot.page_at("p.md").unwrap().title.clone())
    };
    assert_eq!(title(&server, None).unwrap(), "Shown");
    wiki.git(&["reset", "-q", "--hard", &first]);
    assert_eq!(title(&server, Some(&first)).unwrap(), "P");
    assert_eq!(title(&server, Some(&shown)).unwrap(), "Shown", "it was the answer of a moment ago");
    assert_eq!(title(&server, Some(&secret[..10])).unwrap_err().code().code, "revision_unreachable");
    assert_eq!(title(&Corpus::open(options(false)).unwrap(), Some(&secret)).unwrap(), "Secret");
    wiki.git(&["tag", "kept", &secret]);
    assert_eq!(title(&server, Some(&secret)).unwrap(), "Secret");
}
