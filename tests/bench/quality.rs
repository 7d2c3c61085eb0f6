//! How well search finds the pages that answer questions: recall, MRR and nDCG of the first ten hits.
//!
//! `cargo bench -p chemenu-core --bench quality -- QUESTIONS NAME=WIKI …`; `tests/bench/quality` calls it. Each question names the
//! pages that answer it, as somebody wrote them down who had read the pages and seen no results. Ours is set beside the same
//! search with exact words only, with stems only, and BM25 over whole pages, where a title is text like any other.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use chemenu_core::page::Page;
use chemenu_core::search::analysis::{Analysis, exact};
use chemenu_core::search::words::words;
use chemenu_core::search::{self, Index, Ranking};
use chemenu_core::{Corpus, Options, snapshot::Snapshot};
use serde_json::Value;

/// Hits that are looked at.
const TOP: usize = 10;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let Some((questions, wikis)) = arguments.split_first() else {
        eprintln!("usage: quality QUESTIONS NAME=WIKI …");
        return;
    };
    let questions: Vec<Value> = serde_json::from_slice(&std::fs::read(questions).expect("questions")).expect("JSON");
    let wikis: HashMap<&str, Arc<Snapshot>> =
        wikis.iter().filter_map(|wiki| wiki.split_once('=')).map(opened).collect();
    let whole: HashMap<&str, WholePages> = wikis.iter().map(|(name, wiki)| (*name, WholePages::new(wiki))).collect();
    let only = |stemmed, exact| Ranking { stemmed, exact, ..Ranking::default() };
    let methods: [(&str, Option<Ranking>); 4] = [
        ("exact only", Some(only(0.0, 1.0))),
        ("stemmed only", Some(only(1.0, 0.0))),
        ("whole pages", None),
        ("ours", Some(Ranking::default())),
    ];
    println!("{:<14}{:<13}{:>5}{:>10}{:>7}{:>9}", "method", "questions", "n", "recall@10", "MRR", "nDCG@10");
    for (method, ranking) in &methods {
        let mut measured: Vec<(String, [f64; 3])> = Vec::new();
        for question in &questions {
            let name = question["wiki"].as_str().unwrap_or_default();
            let Some(wiki) = wikis.get(name) else { continue };
            let text = question["question"].as_str().unwrap_or_default();
            let pages: HashSet<&str> =
                question["pages"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let index = wiki.index().expect("an index");
            let hits = match ranking {
                Some(ranking) => ours(index, text, ranking, wiki),
                None => whole[name].search(index, text),
            };
            let found: Vec<bool> = hits.iter().map(|&page| pages.contains(index.table().path(page as usize))).collect();
            let result = metrics(&found, pages.len());
            if std::env::var_os("QUALITY_VERBOSE").is_some() && *method == "ours" {
                println!("{result:.2?} {name}: {text}");
            }
            for group in [name, question["words"].as_str().unwrap_or_default(), "all"] {
                measured.push((group.to_owned(), result));
            }
        }
        for group in ["commonplace", "silverbullet", "golden", "page", "other", "all"] {
            let of: Vec<&[f64; 3]> =
                measured.iter().filter(|(name, _)| name == group).map(|(_, result)| result).collect();
            if of.is_empty() {
                continue;
            }
            let mean = |metric: usize| of.iter().map(|result| result[metric]).sum::<f64>() / of.len() as f64;
            println!("{method:<14}{group:<13}{:>5}{:>10.3}{:>7.3}{:>9.3}", of.len(), mean(0), mean(1), mean(2));
        }
    }
}

fn opened<'a>((name, path): (&'a str, &str)) -> (&'a str, Arc<Snapshot>) {
    let options = Options { root: Some(PathBuf::from(path)), ..Options::default() };
    let corpus = Corpus::open(options).unwrap_or_else(|error| panic!("{path}: {error}"));
    (name, corpus.snapshot(None).unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn ours(index: &Index, text: &str, ranking: &Ranking, wiki: &Snapshot) -> Vec<u32> {
    let found = search::search(index, text, ranking, wiki, None).expect("any text is a query");
    found.hits.iter().take(TOP).map(|hit| hit.page).collect()
}

/// Recall, reciprocal rank and nDCG of the first ten; `found` says of each hit whether it answers the question.
fn metrics(found: &[bool], relevant: usize) -> [f64; 3] {
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let hits = || found.iter().enumerate().filter(|(_, answers)| **answers).map(|(rank, _)| rank);
    let ideal: f64 = (0..relevant.min(TOP)).map(gain).sum();
    [
        hits().count() as f64 / relevant.clamp(1, TOP) as f64,
        hits().next().map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)),
        hits().map(gain).sum::<f64>() / ideal.max(f64::MIN_POSITIVE),
    ]
}

/// Okapi BM25 over the stems of whole files, any of the words, at Robertson's usual values.
struct WholePages {
    /// By page: how often each stem, and how many words.
    pages: Vec<(HashMap<String, f64>, f64)>,
    holders: HashMap<String, f64>,
    mean: f64,
}

impl WholePages {
    fn new(wiki: &Snapshot) -> Self {
        let index = wiki.index().expect("an index");
        let read = |page: &Arc<Page>| {
            let mut stems: HashMap<String, f64> = HashMap::new();
            let mut count = 0.0;
            for word in words(page.text.as_str()) {
                count += 1.0;
                stems_of(index.analysis(), word.text).for_each(|stem| *stems.entry(stem).or_default() += 1.0);
            }
            (stems, count)
        };
        let pages: Vec<_> = wiki.pages().iter().map(read).collect();
        let mut holders: HashMap<String, f64> = HashMap::new();
        for stem in pages.iter().flat_map(|(stems, _)| stems.keys()) {
            *holders.entry(stem.clone()).or_default() += 1.0;
        }
        let mean = pages.iter().map(|(_, count)| count).sum::<f64>() / pages.len().max(1) as f64;
        Self { pages, holders, mean }
    }

    fn search(&self, index: &Index, text: &str) -> Vec<u32> {
        let query: Vec<Vec<String>> =
            words(text).map(|word| stems_of(index.analysis(), word.text).collect::<Vec<_>>()).collect();
        let score = |(stems, count): &(HashMap<String, f64>, f64)| {
            let of = |word: &Vec<String>| {
                let best = word.iter().filter_map(|stem| Some((*stems.get(stem)?, self.holders.get(stem)?)));
                let Some((times, holders)) = best.max_by(|a, b| a.0.total_cmp(&b.0)) else { return 0.0 };
                let rarity = (1.0 + (self.pages.len() as f64 - holders + 0.5) / (holders + 0.5)).ln();
                rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * count / self.mean))
            };
            query.iter().map(of).sum::<f64>()
        };
        let mut ranked: Vec<(f64, u32)> =
            self.pages.iter().map(score).zip(0..).filter(|(score, _)| *score > 0.0).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked.into_iter().take(TOP).map(|(_, page)| page).collect()
    }
}

fn stems_of(analysis: &Analysis, word: &str) -> impl Iterator<Item = String> {
    analysis.stems(&exact(word)).into_iter()
}
