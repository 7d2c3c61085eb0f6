//! Times searches of one wiki in the core, warm, and prints medians and 99th percentiles.
//!
//! `cargo bench -p chemenu-core --bench search -- WIKI [REPEATS]`; `tests/bench/search` makes the wikis.

#[path = "../queries/mod.rs"]
mod queries;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use chemenu_core::search::{self, Ranking, snippets::Matcher};
use chemenu_core::{Corpus, Options, Request, snapshot::Snapshot};
use queries::Random;
use serde_json::{Map, Value};

/// Hits that get snippets.
const HITS: usize = 10;
/// Random queries.
const RANDOM: usize = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let Some(wiki) = arguments.first() else {
        eprintln!("usage: search WIKI [REPEATS]");
        return;
    };
    let repeats = arguments.get(1).and_then(|repeats| repeats.parse().ok()).unwrap_or(200);
    let options = Options { root: Some(PathBuf::from(wiki)), ..Options::default() };
    let corpus = Corpus::open(options).unwrap_or_else(|error| panic!("{error}"));
    let start = Instant::now();
    let snapshot = corpus.snapshot(None).unwrap_or_else(|error| panic!("{error}"));
    let read = start.elapsed();
    let start = Instant::now();
    let index = snapshot.index().unwrap_or_else(|error| panic!("{error}"));
    println!("pages={} read={:.1} ms index={:.1} ms", index.table().len(), ms(read), ms(start.elapsed()));

    println!(
        "{:<9}{:<28}{:>7}{:>20}{:>20}{:>20}",
        "kind", "query", "hits", "search p50/p99 µs", "+10 snippets", "whole answer"
    );
    for (kind, query) in queries(&snapshot) {
        let ranking = Ranking::default();
        let found = || search::search(index, &query, &ranking, &*snapshot, None).expect("any text is a query");
        let hits = found().hits.len();
        let mut times: [Vec<f64>; 3] = Default::default();
        for _ in 0..repeats {
            let start = Instant::now();
            let found = found();
            times[0].push(us(start));
            let start = Instant::now();
            let mut matcher = Matcher::new(&found.query, index.analysis());
            let snippets =
                found.hits.iter().take(HITS).map(|hit| matcher.snippets(snapshot.page(hit.page as usize)).len());
            std::hint::black_box(snippets.sum::<usize>());
            times[1].push(us(start));
            let request = request(&query);
            let start = Instant::now();
            std::hint::black_box(corpus.answer(&snapshot, &request));
            times[2].push(us(start));
        }
        let shown = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            format!("{:.0}/{:.0}", times[times.len() / 2], times[times.len() * 99 / 100])
        });
        println!("{kind:<9}{query:<28}{hits:>7}{:>20}{:>20}{:>20}", shown[0], shown[1], shown[2]);
    }
    random(&corpus, &snapshot);
}

/// One query of each kind, of words that the wiki has.
fn queries(wiki: &Snapshot) -> Vec<(&'static str, String)> {
    let mut counts: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for page in wiki.pages() {
        let words: std::collections::BTreeSet<&str> = page
            .text
            .slice(page.body.span)
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 5 && word.chars().all(char::is_alphabetic))
            .collect();
        words.into_iter().for_each(|word| *counts.entry(word.to_lowercase()).or_default() += 1);
    }
    let mut words: Vec<(usize, String)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
    words.sort();
    let rare = words[words.len() / 10].1.clone();
    let (common, second) = (words[words.len() - 1].1.clone(), words[words.len() - 2].1.clone());
    let phrase = phrase(wiki, &common);
    let prefix: String = common.chars().take(4).collect();
    let mut misspelt = common.clone();
    misspelt.insert(common.char_indices().nth(3).map_or(0, |(at, _)| at), 'x');
    vec![
        ("rare", rare.clone()),
        ("common", common.clone()),
        ("two", format!("{common} {second}")),
        ("mixed", format!("{common} {rare}")),
        ("phrase", format!("\"{phrase}\"")),
        ("prefix", format!("{prefix}*")),
        ("near", misspelt),
        ("filter", format!("{common} type:concept modified:>=2026-01")),
        ("question", "wie hängt die Größe eines Wikis mit der Suche zusammen".to_owned()),
    ]
}

/// A common word and the one that follows it somewhere.
fn phrase(wiki: &Snapshot, word: &str) -> String {
    let followed = wiki.pages().iter().find_map(|page| {
        let text = page.text.slice(page.body.span).to_lowercase();
        let at = text.find(&format!("{word} "))?;
        let next: String = text[at + word.len() + 1..].chars().take_while(|c| c.is_alphanumeric()).collect();
        (!next.is_empty()).then(|| format!("{word} {next}"))
    });
    followed.unwrap_or_else(|| word.to_owned())
}

/// Random texts as queries: the longest, and how many took long.
fn random(corpus: &Corpus, snapshot: &Arc<Snapshot>) {
    let vocabulary: Vec<&str> =
        snapshot.pages().iter().take(200).flat_map(|page| page.text.as_str().split_whitespace().take(40)).collect();
    let mut random = Random(7);
    let mut times: Vec<(f64, String)> = Vec::new();
    for _ in 0..RANDOM {
        let query = random.query(&vocabulary);
        let start = Instant::now();
        let answer = corpus.answer(snapshot, &request(&query));
        times.push((us(start), query));
        assert!(!answer.is_error, "{answer:?}");
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let slow = times.iter().filter(|(time, _)| *time > 50_000.0).count();
    let (longest, query) = &times[RANDOM - 1];
    println!(
        "{RANDOM} random queries: p50 {:.0} µs, p99 {:.0} µs, longest {:.1} ms, {slow} above 50 ms; the longest is {query:?}",
        times[RANDOM / 2].0,
        times[RANDOM * 99 / 100].0,
        longest / 1e3
    );
}

fn request(query: &str) -> Request {
    let arguments: Map<String, Value> = [("query".to_owned(), query.into())].into_iter().collect();
    Request::from_json("search", arguments).expect("any text is a query")
}

fn us(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
