//! Search: every spelling, every query, every shape of the index, and what an answer says of itself.

mod queries;
mod support;

use std::collections::HashMap;
use std::sync::Arc;

use chemenu_core::page::{LinkStyle, Page};
use chemenu_core::search::{self, Hit, Index, Query, Ranking, Shape, snippets::Matcher};
use chemenu_core::table::Table;
use chemenu_core::{Corpus, Options};
use proptest::prelude::*;
use queries::Random;
use serde_json::{Value, json};
use support::Wiki;

fn open(wiki: &Wiki) -> Corpus {
    Corpus::open(Options { root: Some(wiki.path().to_owned()), ..Options::default() }).unwrap()
}

/// A wiki of these files, and who answers from it; the former must live as long.
fn served(files: &[(&str, &str)]) -> (Wiki, Corpus) {
    let wiki = Wiki::of(files);
    let corpus = open(&wiki);
    (wiki, corpus)
}

fn ask(corpus: &Corpus, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("{arguments} are no arguments") };
    serde_json::from_slice(&corpus.ask_json("search", arguments).json).unwrap()
}

fn find(corpus: &Corpus, query: &str) -> Value {
    let answer = ask(corpus, json!({ "query": query, "limit": 100 }));
    assert!(answer["error"].is_null(), "{query}: {answer}");
    answer
}

fn paths(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["path"].as_str().unwrap()).collect()
}

fn sorted(answer: &Value) -> Vec<&str> {
    let mut paths = paths(answer);
    paths.sort_unstable();
    paths
}

/// The files of a small wiki, German and English.
fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("types/concept.md", "---\nname: concept\nsummary: Ideas\n---\n# concept\n"),
        (
            "types/entity.md",
            "---\nname: entity\nsummary: Things\nrelations:\n  - {name: ersetzt, role: supersedes}\n---\n# entity\n",
        ),
        (
            "größe.md",
            "---\ntitle: Größe\ntype: concept\ntags: [Maß, size]\nmodified: 2026-09-02\nconfidence: 0.9\n---\n# Größe\n\nWie groß ein Wiki wird.\n",
        ),
        (
            "old.md",
            "---\ntitle: old\ntype: types/concept.md\nmodified: 2026-08-15\nconfidence: 0.25\nstatus: \"in review\"\n---\nAn old page, see [[größe]].\n",
        ),
        (
            "gate.md",
            "---\ntitle: Publish-Remote Gate\ntype: entity\ntags: size, multi-agent\naliases: [Sperre]\nsummary: What stops a publish.\nmodified: 2026-09-30T12:00:00Z\nnested: {owner: Ada}\n---\n# Gate\n\n## When it closes\n\nA multi-agent gate at 5 GB/s, don't panic.\n\n## Writing\n\nIt runs C++ code and the code of a C compiler.\n\n- **ersetzt:** [[old]]\n",
        ),
        ("日本.md", "# 日本語 ページ\n\n検索の機能 🎉 e\u{301}t\u{e9}\n"),
        ("empty.md", ""),
        ("notes [2026].md", "# Notizen\n"),
        ("odd.md", "---\ntype: types/odd.md\n---\n"),
        ("broken.md", "---\ntitle: Crash: memory full\n---\nServed all the same.\n"),
    ]
}

#[test]
fn s1_any_text_is_a_query() {
    let (_wiki, corpus) = served(&files());
    let long = "gate ".repeat(200_000);
    let one_word = "x".repeat(1 << 20);
    let colons = "a:".repeat(1 << 19);
    for query in [
        "a:(^",
        "\"unclosed",
        "https://x.org",
        "-foo",
        ">>>",
        "multi-agent",
        "GB/s",
        "don't",
        "",
        "\"\"",
        "-",
        "--",
        "-\"\"",
        "OR",
        "OR OR OR",
        "* ** a*",
        ":",
        "::",
        "type:",
        "type:\"",
        "modified:>=",
        "modified:>=..",
        "path:[",
        "path:{a",
        "links:",
        "\0",
        "-type:-x",
        "a:b:c:d:e:f",
        "\u{200d}",
        "🎉",
        "title:\"",
        "- a",
        "--flag",
        "..",
        "1..",
        "confidence:..1",
        &long,
        &one_word,
        &colons,
    ] {
        let answer = find(&corpus, query);
        assert!(answer["hits"].is_array() && answer["total"].is_u64(), "{query:.40}: {answer}");
        assert!(answer.to_string().len() < 20_000, "{query:.40}");
    }
    assert_eq!(paths(&find(&corpus, "multi-agent")), ["gate.md"]);
    assert_eq!(paths(&find(&corpus, "GB/s")), ["gate.md"]);
    assert_eq!(paths(&find(&corpus, "don't")), ["gate.md"]);
    assert_eq!(paths(&find(&corpus, "dont")), ["gate.md"]);
    assert_eq!(paths(&find(&corpus, "a:(^ gate")), ["gate.md"]);
    let cut = find(&corpus, &(0..100).map(|number| format!("w{number} ")).collect::<String>());
    assert_eq!(cut["query"]["terms"].as_array().unwrap().len(), 64);
    assert!(cut["notes"].to_string().contains("only the first 64 terms"), "{cut}");
}

#[test]
fn s1_ten_thousand_random_queries() {
    let pages = parsed(&files());
    let index = Index::build(&Table::of_pages(&pages), &pages[..], &shape()).unwrap();
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..10_000 {
        let query = random.query(&[]);
        let answer = search::search(&index, &query, &Ranking::default(), &NoWiki, None).unwrap();
        let mut matcher = Matcher::new(&answer.query, index.analysis());
        for hit in &answer.hits {
            found += 1;
            matcher.snippets(&pages[hit.page as usize]).iter().for_each(assert_sound);
        }
    }
    // The control: they are queries that find something.
    assert!(found > 1000, "{found}");
}

#[test]
fn s2_every_spelling_finds_the_page_first() {
    let (_wiki, corpus) = served(&files());
    for query in ["Größe", "Groesse", "groesse", "grosse", "größen", "GRÖSSE", "Größen", "Grösse", "Gro\u{308}ße"]
    {
        let answer = find(&corpus, query);
        assert_eq!(paths(&answer).first(), Some(&"größe.md"), "{query}: {answer}");
    }
    // The other way round, and umlauts part no words.
    let (_wiki, written_out) = served(&[("a.md", "Die Groesse der Haeuser"), ("b.md", "Gr e, H user, ß, ö")]);
    for query in ["Größe", "Häuser", "Haus Größe"] {
        assert_eq!(paths(&find(&written_out, query)), ["a.md"], "{query}");
    }
}

#[test]
fn s3_an_umlaut_too_many() {
    let (_wiki, corpus) = served(&files());
    assert_eq!(paths(&find(&corpus, "Öld"))[0], "old.md");
    assert_eq!(find(&corpus, "Öld")["total"], find(&corpus, "old")["total"]);
}

#[test]
fn s4_what_is_missing_is_named() {
    let (_wiki, corpus) = served(&files());
    let answer = find(&corpus, "panic unknownword");
    assert_eq!(paths(&answer), ["gate.md"]);
    assert_eq!(answer["hits"][0]["matched"], json!(["panic"]));
    assert_eq!(answer["hits"][0]["missing"], json!(["unknownword"]));
    assert!(answer["notes"].to_string().contains("no page has all"), "{answer}");
    // A page that has all is given alone.
    let all = find(&corpus, "panic gate");
    assert_eq!(all["hits"][0]["missing"], json!([]));
    assert_eq!(all["total"], 1);
    assert_eq!(all["notes"], json!([]));
    // Stop words are not missed.
    let answer = find(&corpus, "what is the panic about");
    assert_eq!(paths(&answer), ["gate.md"]);
    assert_eq!(answer["hits"][0]["missing"], json!([]));
    assert_eq!(answer["query"]["optional"], json!(["what", "is", "the", "about"]));
    assert!(!paths(&find(&corpus, "the")).is_empty());
}

#[test]
fn s5_a_deleted_page_is_gone_and_a_changed_one_changed() {
    let wiki = Wiki::of(&files());
    let corpus = open(&wiki);
    assert_eq!(paths(&find(&corpus, "panic")), ["gate.md"]);
    wiki.git(&["rm", "-q", "gate.md"]);
    wiki.write("old.md", "# old\n\nNow with panic.\n");
    wiki.write("new.md", "# new\n\nNo panics.\n");
    wiki.commit("second");
    let updated = corpus.ask_json("search", arguments("panic"));
    assert_eq!(sorted(&serde_json::from_slice(&updated.json).unwrap()), ["new.md", "old.md"]);
    // What was indexed with the help of the last commit's index is what a fresh one says.
    assert_eq!(updated, open(&wiki).ask_json("search", arguments("panic")));
    assert_eq!(find(&corpus, "Sperre")["total"], 0);
    let earlier = ask(&corpus, json!({ "query": "Sperre", "at": "HEAD~1" }));
    assert_eq!(paths(&earlier), ["gate.md"]);
}

fn arguments(query: &str) -> serde_json::Map<String, Value> {
    [("query".to_owned(), query.into())].into_iter().collect()
}

#[test]
fn s6_a_budget_and_a_cursor_give_all_hits_once() {
    let wiki = Wiki::new();
    for number in 0..25 {
        wiki.write(
            format!("p{number:02}.md"),
            format!("# Page {number}\n\n{}\n", "A long text on compost. ".repeat(400)),
        );
    }
    wiki.commit("first");
    let corpus = open(&wiki);
    let mut seen: Vec<String> = Vec::new();
    let mut cursor = None;
    loop {
        let mut question = json!({ "query": "compost", "limit": 20, "budget": 4096 });
        if let Some(cursor) = &cursor {
            question["cursor"] = json!(cursor);
        }
        let Value::Object(question) = question else { unreachable!() };
        let bytes = corpus.ask_json("search", question).json;
        assert!(bytes.len() <= 4096, "{}", bytes.len());
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(answer["total"], 25);
        assert!(!paths(&answer).is_empty());
        seen.extend(paths(&answer).iter().map(|path| (*path).to_owned()));
        cursor = answer["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
        assert!(answer["truncated"]["what"] == "hits" || paths(&answer).len() == 20, "{answer}");
    }
    assert_eq!(seen.len(), 25);
    let mut unique = seen.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), 25);
    // A cursor is good for its query and its commit only.
    let first = ask(&corpus, json!({ "query": "compost" }));
    let cursor = first["next_cursor"].clone();
    let with = |query: &str| ask(&corpus, json!({ "query": query, "cursor": cursor.clone() }));
    assert_eq!(with("compost")["hits"].as_array().unwrap().len(), 10);
    assert_eq!(with("text")["error"]["code"], "argument_invalid");
    wiki.write("p00.md", "# gone\n");
    wiki.commit("second");
    assert_eq!(with("compost")["error"]["code"], "argument_invalid");
}

#[test]
fn quoted_search_is_exact() {
    let (_wiki, corpus) = served(&[
        ("a.md", "Die Größe der Gates"),
        ("b.md", "Die Groesse des Gate"),
        ("c.md", "gate, publish; then a publish gate"),
    ]);
    assert_eq!(sorted(&find(&corpus, "Größe")), ["a.md", "b.md"]);
    assert_eq!(paths(&find(&corpus, "\"Größe\"")), ["a.md"]);
    assert_eq!(paths(&find(&corpus, "\"größe\"")), ["a.md"]);
    assert_eq!(paths(&find(&corpus, "\"groesse\"")), ["b.md"]);
    assert_eq!(sorted(&find(&corpus, "\"gate\"")), ["b.md", "c.md"]);
    assert_eq!(paths(&find(&corpus, "\"publish gate\"")), ["c.md"]);
    assert_eq!(find(&corpus, "\"gates publish\"")["total"], 0);
    assert_eq!(paths(&find(&corpus, "-\"publish gate\" gate")).len(), 2);
}

#[test]
fn operators() {
    let (_wiki, corpus) = served(&files());
    for (query, expected) in [
        ("gate -panic", vec![]),
        ("page -type:concept", vec![]),
        (
            "-type:concept -gate -served",
            vec!["empty.md", "notes [2026].md", "odd.md", "types/concept.md", "types/entity.md", "日本.md"],
        ),
        ("panic OR groß", vec!["gate.md", "größe.md", "old.md"]),
        ("panic OR groß -tag:Maß", vec!["gate.md", "old.md"]),
        ("pan*", vec!["gate.md"]),
        ("groess*", vec!["größe.md", "old.md"]),
        ("größ*", vec!["größe.md", "old.md"]),
        ("title:gate", vec!["gate.md"]),
        ("title:panic", vec![]),
        ("title:\"publish remote\"", vec!["gate.md"]),
        ("alias:sperre", vec!["gate.md"]),
        ("heading:closes", vec!["gate.md"]),
        ("summary:stop", vec!["gate.md"]),
        ("type:concept", vec!["größe.md", "old.md"]),
        ("type:types/concept.md", vec!["größe.md", "old.md"]),
        ("type:Concept", vec!["größe.md", "old.md"]),
        ("type:odd", vec!["odd.md"]),
        ("tag:size", vec!["gate.md", "größe.md"]),
        ("tags:#multi-agent", vec!["gate.md"]),
        ("tag:agent", vec![]),
        ("tag:multi*", vec!["gate.md"]),
        ("tag:maß", vec!["größe.md"]),
        ("path:types", vec!["types/concept.md", "types/entity.md"]),
        ("path:/types/", vec!["types/concept.md", "types/entity.md"]),
        ("path:types/con*", vec!["types/concept.md"]),
        ("path:GATE", vec!["gate.md"]),
        ("path:\"notes [2026]\"", vec!["notes [2026].md"]),
        ("path:notes*", vec!["notes [2026].md"]),
        ("links:größe", vec!["old.md"]),
        ("links:Größe", vec!["old.md"]),
        ("links:\"Publish-Remote Gate\"", vec![]),
        ("status:*", vec!["old.md"]),
        ("status:\"in review\"", vec!["old.md"]),
        ("status:review", vec![]),
        ("nested.owner:ada", vec!["gate.md"]),
        ("modified:2026-09", vec!["gate.md", "größe.md"]),
        ("modified:2026", vec!["gate.md", "größe.md", "old.md"]),
        ("modified:>=2026-09-02", vec!["gate.md", "größe.md"]),
        ("modified:>2026-09-02", vec!["gate.md"]),
        ("modified:>2026-09", vec![]),
        ("modified:<=2026-09", vec!["gate.md", "größe.md", "old.md"]),
        ("modified:<=2026-09-30", vec!["gate.md", "größe.md", "old.md"]),
        ("modified:<2026-09", vec!["old.md"]),
        ("modified:2026-08..2026-09-02", vec!["größe.md", "old.md"]),
        ("confidence:0.90", vec!["größe.md"]),
        ("confidence:>0.25", vec!["größe.md"]),
        ("confidence:>=.25", vec!["größe.md", "old.md"]),
        ("confidence:-1..0.5", vec!["old.md"]),
        ("-confidence:* type:concept", vec![]),
        ("C++", vec!["gate.md"]),
        ("検索", vec!["日本.md"]),
        ("語", vec!["日本.md"]),
        ("\"日本語 ページ\"", vec!["日本.md"]),
        ("ete", vec!["日本.md"]),
        ("memory", vec!["broken.md"]),
    ] {
        let answer = find(&corpus, query);
        assert_eq!(sorted(&answer), expected, "{query}: {answer}");
    }
}

#[test]
fn what_is_not_understood_is_text_and_said() {
    let (_wiki, corpus) = served(&files());
    let answer = find(&corpus, "panic:gate");
    assert_eq!(paths(&answer), ["gate.md"]);
    let note = answer["notes"][0].as_str().unwrap();
    assert!(note.starts_with("no page has a field `panic`, so it was taken for text; fields are `type`"), "{note}");
    assert!(note.contains("`confidence`") && !note.contains("nested"), "{note}");
    let answer = find(&corpus, "modified:>=yesterday");
    assert!(answer["notes"].to_string().contains("`yesterday` is neither a number nor a date"), "{answer}");
    assert_eq!(find(&corpus, "https://gate.org")["notes"].to_string().matches("no page has a field").count(), 0);
    let answer = find(&corpus, "type:concpt");
    assert_eq!(answer["notes"], json!(["no page passes `type:concpt`; near: `concept`, `entity` and `odd`"]));
    let answer = find(&corpus, "links:gat");
    assert!(
        answer["notes"][0].as_str().unwrap().starts_with("no page passes `links:gat`; near: `gate.md`"),
        "{answer}"
    );
    assert!(find(&corpus, "…")["notes"].to_string().contains("no word to look for"));
}

#[test]
fn every_spelling_means_the_umlaut_before_the_plain_letter() {
    let (_wiki, corpus) = served(&[("grosse.md", "# grosse\n\nText.\n"), ("größe.md", "# Größe\n\nText.\n")]);
    for query in ["Größe", "groesse", "GRÖSSE", "Grösse", "Groeße"] {
        assert_eq!(paths(&find(&corpus, query)), ["größe.md", "grosse.md"], "{query}");
    }
    assert_eq!(paths(&find(&corpus, "grosse")), ["grosse.md", "größe.md"]);
    assert_eq!(paths(&find(&corpus, "\"groesse\"")), [""; 0], "quoted search is exact");
}

#[test]
fn a_long_list_hides_no_other_field() {
    let list: Vec<String> = (0..500).map(|number| format!("s{number}")).collect();
    let page = format!("---\ntags: [{0}]\nsources: [{0}]\nstatus: done\n---\n# P\n", list.join(", "));
    let (_wiki, corpus) = served(&[("p.md", &page), ("q.md", "---\nstatus: open\n---\n# Q\n")]);
    for query in ["status:done", "sources:s499", "tag:s499", "sources:s0 status:done"] {
        assert_eq!(paths(&find(&corpus, query)), ["p.md"], "{query}");
    }
}

#[test]
fn a_word_as_long_as_a_page_hides_no_hit() {
    let (_wiki, corpus) = served(&[
        ("long.md", &format!("# Long\n\nzebra {} end\n", "a".repeat(300_000))),
        ("zebra.md", "# Zebra\n\nStripes.\n"),
    ]);
    let query = format!("{} OR zebra", "a".repeat(70));
    let answer = ask(&corpus, json!({ "query": query, "budget": 32_768 }));
    assert_eq!((&answer["total"], paths(&answer).len()), (&json!(2), 2), "{answer}");
    // What is echoed is bounded too.
    for query in
        [format!("status:{}", "x".repeat(200_000)), format!("confidence:{}", "9".repeat(200_000)), "\"".repeat(200_000)]
    {
        let answer = corpus.ask_json("search", arguments_with_budget(&query, 4096));
        assert!(answer.json.len() <= 4096, "{}", answer.json.len());
    }
}

fn arguments_with_budget(query: &str, budget: usize) -> serde_json::Map<String, Value> {
    json!({ "query": query, "budget": budget }).as_object().unwrap().clone()
}

#[test]
fn a_word_of_many_pieces_is_one_word() {
    let (_wiki, corpus) = served(&[
        ("all.md", "# A\n\n検索エンジンは速い\n\nfoo_bar_baz_qux\n"),
        ("some.md", "# B\n\n検索 索エ エン\n\nfoo and bar and baz\n"),
    ]);
    assert_eq!(paths(&find(&corpus, "検索エンジン")), ["all.md"]);
    assert_eq!(paths(&find(&corpus, "foo_bar_baz_qux")), ["all.md"]);
}

#[test]
fn a_snippet_shows_the_word_that_is_rare() {
    let (_wiki, corpus) = served(&[
        ("cat.md", &format!("# Cat\n\n{}\n\nhere is the zebra at last\n", "the cat sat on the mat. ".repeat(400))),
        ("gate.md", &format!("# Gate\n\n{}\n\nthe zulu gate\n", "gate ".repeat(20_000))),
    ]);
    for (query, word) in [("the zebra", "zebra"), ("zulu gate", "zulu")] {
        let answer = find(&corpus, query);
        let snippets = answer["hits"][0]["snippets"].as_array().unwrap();
        assert!(snippets.iter().flat_map(marked).any(|shown| shown == word), "{query}: {answer}");
    }
}

#[test]
fn paths_and_ranges_as_people_write_them() {
    let (_wiki, corpus) = served(&[
        ("A\u{308}rger/tu\u{308}r.md", "---\nconfidence: 0.6\n---\n# Tür\n"),
        ("größe.md", "---\nconfidence: 0.9\n---\n# Größe\n\n[[a|x]]\n"),
        ("a.md", "# A\n"),
    ]);
    for (query, path) in [
        ("path:Ärger", "A\u{308}rger/tu\u{308}r.md"),
        ("path:ärger/TÜR.md", "A\u{308}rger/tu\u{308}r.md"),
        ("path:GRÖßE.md", "größe.md"),
        ("confidence:0.7..", "größe.md"),
        ("confidence:..0.7", "A\u{308}rger/tu\u{308}r.md"),
        ("links:\"[[a|x]]\"", "größe.md"),
    ] {
        assert_eq!(paths(&find(&corpus, query)), [path], "{query}");
    }
    assert_eq!(paths(&find(&corpus, "oe*")), [""; 0], "one letter once it is folded");
    find(&corpus, &format!("path:{}", "*".repeat(1_000_000)));
}

#[test]
fn near_spellings_are_offered_and_not_applied() {
    let (_wiki, corpus) = served(&files());
    let answer = find(&corpus, "pannic");
    assert_eq!(answer["total"], 0);
    assert_eq!(answer["suggestions"], json!([{ "term": "pannic", "words": ["panic"] }]));
    let answer = find(&corpus, "gate compilre");
    assert_eq!(answer["suggestions"], json!([{ "term": "compilre", "words": ["compiler"] }]));
    assert_eq!(find(&corpus, "xylophon")["suggestions"], json!([]));
    assert_eq!(find(&corpus, "panic")["suggestions"], json!([]));
}

#[test]
fn a_hit_says_what_an_agent_needs() {
    let (_wiki, corpus) = served(&files());
    let answer = find(&corpus, "closes gate");
    let hit = &answer["hits"][0];
    let keys: Vec<&str> = hit.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["path", "title", "type", "summary", "tags", "modified", "score", "matched", "missing", "snippets"];
    assert_eq!(keys, expected);
    assert_eq!(hit["tags"], json!(["size", "multi-agent"]));
    assert_eq!(hit["summary"], "What stops a publish.");
    assert_eq!(answer["query"]["terms"], json!(["closes", "gate"]));
    let old = &find(&corpus, "title:old")["hits"][0];
    assert_eq!((&old["superseded_by"], &old["confidence"]), (&json!("gate.md"), &json!(0.25)));
    assert!(old["provenance"].is_null() && !old.as_object().unwrap().contains_key("provenance"));
}

#[test]
fn facets_count_all_matches() {
    let (_wiki, corpus) = served(&files());
    let answer = ask(&corpus, json!({ "query": "-xylophon", "limit": 1 }));
    assert_eq!(answer["total"], 10);
    assert_eq!(
        answer["facets"],
        json!({
            "type": [{ "value": "concept", "count": 2 }, { "value": "entity", "count": 1 }, { "value": "types/odd.md", "count": 1 }],
            "tag": [{ "value": "size", "count": 2 }, { "value": "Maß", "count": 1 }, { "value": "multi-agent", "count": 1 }],
        })
    );
}

#[test]
fn explain_adds_up() {
    let (_wiki, corpus) = served(&files());
    let answer = ask(&corpus, json!({ "query": "gate code panic", "explain": true }));
    let hit = &answer["hits"][0];
    let parts = hit["explain"].as_array().unwrap();
    let sum: f64 = parts.iter().map(|part| part["score"].as_f64().unwrap()).sum();
    assert!((sum - hit["score"].as_f64().unwrap()).abs() < 0.001, "{hit}");
    assert_eq!(parts[0]["term"], "gate");
    assert_eq!(parts[0]["fields"]["title"], json!({ "exact": 1, "stemmed": 1 }));
    assert!(answer["explained"].is_null());
    assert!(ask(&corpus, json!({ "query": "gate", "explain": false }))["hits"][0]["explain"].is_null());
}

#[test]
fn explain_says_why_a_page_is_no_hit() {
    let wiki = Wiki::of(&files());
    wiki.write("chemenu.toml", "exclude = [\"templates\"]\n");
    wiki.write("templates/t.md", "gate\n");
    wiki.write(".hidden/h.md", "gate\n");
    wiki.commit("second");
    let corpus = open(&wiki);
    let why = |query: &str, page: &str| ask(&corpus, json!({ "query": query, "explain": page }))["explained"].clone();
    let reason = |query: &str, page: &str| why(query, page)["reason"].as_str().unwrap().to_owned();
    assert_eq!(reason("gate", "gate"), "it is hit 1 of 1");
    assert_eq!(why("gate", "gate")["explain"][0]["term"], "gate");
    assert_eq!(reason("gate type:concept", "gate"), "it does not pass `type:concept`");
    assert_eq!(why("gate type:concept", "gate")["filtered_by"], json!(["type:concept"]));
    assert_eq!(reason("gate -panic", "gate"), "it has `panic`, which the query excludes");
    assert_eq!(reason("gate", "old"), "it has none of the terms");
    let lacking = why("see closes gate panic", "old");
    assert_eq!(lacking["missing"], json!(["closes", "gate", "panic"]));
    assert_eq!(lacking["matches"], false);
    assert_eq!(reason("gate", "templates/t.md"), "`exclude` in `chemenu.toml` leaves it out");
    assert!(reason("gate", ".hidden/h.md").starts_with("it is no page"));
    let unknown = ask(&corpus, json!({ "query": "gate", "explain": "gat" }));
    assert_eq!(unknown["error"]["code"], "page_not_found");
    assert_eq!(
        ask(&corpus, json!({ "query": "gate", "explain": 5 }))["error"]["message"],
        "the argument `explain` of `search` must be true, false or the name of a page"
    );
}

#[test]
fn highlights_cut_out_what_matched() {
    let text = "# Ä 🎉\n\nEin 🎉 Größenvergleich: die Größe, die GROESSE.\n\n## Später\n\nNichts.\n\nDer Vergleich der größen 🎉🎉 endet\nhier mit don’t und 日本語.\n";
    let (_wiki, corpus) = served(&[("a.md", text)]);
    let cut = |query: &str| -> Vec<String> {
        let answer = find(&corpus, query);
        let snippets = answer["hits"][0]["snippets"].as_array().unwrap().clone();
        snippets.iter().flat_map(marked).collect()
    };
    assert_eq!(cut("größe"), ["Größe", "GROESSE", "größen"]);
    assert_eq!(cut("\"größe\""), ["Größe"]);
    assert_eq!(cut("\"der größen\""), ["der größen"]);
    assert_eq!(cut("größenv*"), ["Größenvergleich"]);
    assert_eq!(cut("don't"), ["don’t"]);
    assert_eq!(cut("日本語"), ["日本語"]);
    assert_eq!(cut("title:ä"), Vec::<String>::new());
    let answer = find(&corpus, "endet hier");
    let snippet = &answer["hits"][0]["snippets"][0];
    assert_eq!((&snippet["heading"], &snippet["line"]), (&json!("Später"), &json!(9)));
    assert_eq!(snippet["text"], "Der Vergleich der größen 🎉🎉 endet hier mit don’t und 日本語.");
}

fn marked(snippet: &Value) -> Vec<String> {
    let text: Vec<char> = snippet["text"].as_str().unwrap().chars().collect();
    let range = |range: &Value| {
        let (start, end) = (range[0].as_u64().unwrap() as usize, range[1].as_u64().unwrap() as usize);
        text[start..end].iter().collect()
    };
    snippet["highlights"].as_array().unwrap().iter().map(range).collect()
}

#[test]
fn a_page_may_name_its_language_and_a_wiki_its_languages() {
    let files = [
        ("a.md", "---\nlang: en\n---\nThe wiki's houses\n"),
        ("b.md", "---\nlang: de\n---\nDie Häuser des Wikis\n"),
        ("c.md", "Les chevaux\n"),
    ];
    let wiki = Wiki::of(&files);
    let corpus = open(&wiki);
    assert_eq!(paths(&find(&corpus, "house")), ["a.md"]);
    assert_eq!(paths(&find(&corpus, "Haus")), ["b.md"]);
    assert_eq!(find(&corpus, "cheval")["total"], 0);
    wiki.write("chemenu.toml", "languages = [\"fr\"]\n");
    wiki.commit("French");
    assert_eq!(paths(&find(&corpus, "cheval")), ["c.md"]);
}

// The index's shape is no part of an answer.

struct NoWiki;

impl search::Wiki for NoWiki {
    fn type_named(&self, _: &str) -> Option<String> {
        None
    }

    fn linking_to(&self, _: &str) -> Result<Vec<u32>, Vec<String>> {
        Ok(Vec::new())
    }
}

fn shape() -> Shape {
    Shape { languages: vec!["de".into(), "en".into()], style: LinkStyle::Obsidian }
}

fn parsed(files: &[(&str, &str)]) -> Vec<Arc<Page>> {
    let mut pages: Vec<_> = files.iter().map(|(path, text)| parse(path, text)).collect();
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    pages
}

fn parse(path: &str, text: &str) -> Arc<Page> {
    Arc::new(Page::parse(path.to_owned(), text.as_bytes(), LinkStyle::Obsidian))
}

/// Everything that an index says on a query, as text.
fn everything(index: &Index, query: &str) -> String {
    let ranking = Ranking::default();
    let found = search::search(index, query, &ranking, &NoWiki, Some(0)).unwrap();
    let pages: Vec<u32> = found.hits.iter().map(|hit| hit.page).collect();
    let parts = search::parts(index, &found.query, &ranking, &NoWiki, &pages).unwrap();
    let facets = search::facets(index, &found.hits, &NoWiki).unwrap();
    let hit =
        |hit: &Hit| format!("{} {:x} {:x}", index.table().path(hit.page as usize), hit.score.to_bits(), hit.matched);
    let hits: Vec<String> = found.hits.iter().map(hit).collect();
    format!("{hits:?} {parts:?} {facets:?} {:?} {:?} {:?}", found.suggestions, found.notes, found.verdict)
}

const WORDS: &[&str] = &[
    "gate",
    "gates",
    "Größe",
    "groesse",
    "publish",
    "publishing",
    "old",
    "öld",
    "agent",
    "日本語",
    "don't",
    "C++",
    "the",
    "und",
    "remote",
    "Haus",
    "Häuser",
    "5",
    "2026-09-01",
];

fn page_text() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(prop::sample::select(WORDS), 0..30).prop_map(|words| words.join(" "));
    let title = prop::sample::select(WORDS);
    let number = 0..20u32;
    (title, body, number, prop::option::of(prop::sample::select(&["de", "en"][..]))).prop_map(
        |(title, body, number, lang)| {
            let lang = lang.map_or(String::new(), |lang| format!("lang: {lang}\n"));
            format!(
                "---\ntitle: {title}\ntype: t{}\ntags: [a{}, b]\nrank: {number}\n{lang}---\n# {title}\n\n{body}\n",
                number % 3,
                number % 4
            )
        },
    )
}

const QUERIES: &[&str] = &[
    "gate",
    "Größe gate",
    "publish remote agent",
    "\"publish gate\"",
    "gat*",
    "the gate",
    "gate OR haus",
    "gate -old",
    "rank:>=5 gate",
    "tag:a1",
    "type:t1 häuser",
    "-gate",
    "日本語",
    "title:old",
    "gaate",
    "publishd remot xyz",
    "C++ 5",
    "rank:3..9",
    "nofield:x gate",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn one_segment_or_eight_give_the_same_answers(texts in prop::collection::vec(page_text(), 1..24)) {
        let pages: Vec<_> = texts.iter().enumerate().map(|(n, text)| parse(&format!("p{n:02}.md"), text)).collect();
        let one = Index::in_segments(&Table::of_pages(&pages), &pages[..], &shape(), 1).unwrap();
        let eight = Index::in_segments(&Table::of_pages(&pages), &pages[..], &shape(), 8).unwrap();
        for query in QUERIES {
            prop_assert_eq!(everything(&one, query), everything(&eight, query), "{}", query);
        }
    }

    #[test]
    fn deletions_and_additions_give_the_same_answers_as_a_fresh_index(
        texts in prop::collection::vec(page_text(), 8..24),
        changes in prop::collection::vec((0..30usize, prop::option::weighted(0.8, page_text())), 1..40),
    ) {
        let mut wiki: HashMap<String, Arc<Page>> = HashMap::new();
        for (n, text) in texts.iter().enumerate() {
            let path = format!("p{n:02}.md");
            wiki.insert(path.clone(), parse(&path, text));
        }
        let sorted = |wiki: &HashMap<String, Arc<Page>>| {
            let mut pages: Vec<_> = wiki.values().cloned().collect();
            pages.sort_by(|a, b| a.path.cmp(&b.path));
            pages
        };
        let pages = sorted(&wiki);
        let mut index = Index::build(&Table::of_pages(&pages), &pages[..], &shape()).unwrap();
        for (n, text) in &changes {
            let path = format!("p{n:02}.md");
            match text {
                Some(text) => wiki.insert(path.clone(), parse(&path, text)),
                None => wiki.remove(&path),
            };
            let pages = sorted(&wiki);
            let table = Table::of_pages(&pages);
            index = match index.updated(&table, &pages[..]).unwrap() {
                Some(updated) => updated,
                None => Index::build(&table, &pages[..], &shape()).unwrap(),
            };
        }
        let pages = sorted(&wiki);
        let fresh = Index::in_segments(&Table::of_pages(&pages), &pages[..], &shape(), 1).unwrap();
        for query in QUERIES {
            prop_assert_eq!(everything(&index, query), everything(&fresh, query), "{}", query);
        }
    }

    #[test]
    fn snippets_are_sound_whatever_the_page(text in "\\PC{0,80}", query in "\\PC{0,20}", glue in prop::sample::select(&[" ", "\n\n", "🎉", "ä"][..])) {
        let page = parse("a.md", &[text.as_str(), &query, "gate größe", &text].join(glue));
        let pages = vec![page];
        let index = Index::build(&Table::of_pages(&pages), &pages[..], &shape()).unwrap();
        let query = Query::parse(&format!("{query} gate"), index.analysis(), &index);
        Matcher::new(&query, index.analysis()).snippets(&pages[0]).iter().for_each(assert_sound);
    }
}

/// Highlights are in order, apart, not empty and within the text.
fn assert_sound(snippet: &search::snippets::Snippet) {
    let length = snippet.text.chars().count();
    let mut at = 0;
    assert!(!snippet.highlights.is_empty(), "{snippet:?}");
    for &(start, end) in &snippet.highlights {
        assert!(at <= start && start < end && end <= length, "{snippet:?}");
        at = end;
    }
}
