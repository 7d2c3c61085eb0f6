//! Times what a stored index is for: building it, opening it, following a commit of ten pages, and asking another revision.
//!
//! `cargo bench -p chemenu-core --bench stored -- WIKI [REPEATS]`; `tests/bench/run` sets it beside Python. Works on a bare clone
//! that shares the wiki's objects; the wiki stays as it is.

#![allow(clippy::disallowed_methods, reason = "it makes the commits that are followed")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use chemenu_core::{CacheFolder, Corpus, Dirty, Options};
use git2::{Oid, Repository};
use serde_json::{Map, Value, json};

/// As in the extension module and the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PAGES: usize = 10;
/// How long storing may take in the background.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let Some(wiki) = arguments.first() else {
        eprintln!("usage: stored WIKI [REPEATS]");
        return;
    };
    let repeats: usize = arguments.get(1).and_then(|repeats| repeats.parse().ok()).unwrap_or(9);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (bare, cache) = (folder.path().join("wiki.git"), folder.path().join("cache"));
    let cloned = Command::new("git").args(["clone", "--quiet", "--bare", "--shared", wiki]).arg(&bare).status();
    assert!(cloned.is_ok_and(|status| status.success()), "the wiki cannot be cloned");
    let repository = Repository::open(&bare).expect("a repository");
    let options = Options {
        root: Some(bare.clone()),
        dirty: Dirty::Ignore,
        cache: Some(CacheFolder::At(cache.clone())),
        ..Options::default()
    };
    let open = |resident| Corpus::open(Options { resident, ..options.clone() }).expect("a wiki");

    let start = Instant::now();
    search(&Corpus::open(Options { cache: None, ..options.clone() }).expect("a wiki"), None);
    let cold = ms(start);
    search(&open(false), None);
    let opened = median(repeats, || {
        let start = Instant::now();
        search(&open(false), None);
        ms(start)
    });

    let server = open(true);
    let first = search(&server, None);
    let mut turn = 0;
    let refresh = median(repeats, || {
        turn += 1;
        commit(&repository, turn);
        let start = Instant::now();
        search(&server, None);
        let took = ms(start);
        wait_until_stored(&repository, &open(false));
        took
    });
    let follow = median(repeats, || {
        turn += 1;
        commit(&repository, turn);
        let start = Instant::now();
        search(&open(false), None);
        ms(start)
    });
    let at = median(repeats, || {
        turn += 1;
        let before = commit(&repository, turn).to_string();
        turn += 1;
        commit(&repository, turn);
        search(&server, None);
        let start = Instant::now();
        search(&server, Some(&before));
        ms(start)
    });
    let since = repository.head().and_then(|head| head.peel_to_commit()).expect("a commit").id().to_string();
    turn += 1;
    commit(&repository, turn);
    search(&server, None);
    let changes = median(repeats, || {
        let start = Instant::now();
        // A server that has not been asked so before.
        ask(&server, "changes", json!({ "since": since }));
        ms(start)
    });
    let warm = median(repeats, || {
        let start = Instant::now();
        search(&server, None);
        ms(start)
    });
    let links = median(repeats, || {
        let start = Instant::now();
        ask(&server, "links", json!({ "name": first }));
        ms(start)
    });
    println!(
        "changes={changes:.1} ms warm={warm:.2} ms links={links:.2} ms cold={cold:.1} ms opened={opened:.2} ms refresh={refresh:.1} ms follow={follow:.1} ms at={at:.1} ms stored={} kB resident={} kB",
        size(&cache) / 1000,
        resident().unwrap_or_default()
    );
}

/// Commits other bytes of ten pages.
fn commit(repository: &Repository, turn: usize) -> Oid {
    let head = repository.head().and_then(|head| head.peel_to_commit()).expect("a commit");
    let tree = head.tree().expect("a tree");
    let mut pages = Vec::new();
    tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
        if entry.name().is_ok_and(|name| name.ends_with(".md")) {
            pages.push((format!("{folder}{}", entry.name().unwrap_or_default()), entry.id()));
        }
        git2::TreeWalkResult::Ok
    })
    .expect("a readable tree");
    let mut update = git2::build::TreeUpdateBuilder::new();
    for number in 0..PAGES {
        let (path, id) = &pages[(turn * 7919 + number * 104_729) % pages.len()];
        let mut bytes = repository.find_blob(*id).expect("a page").content().to_vec();
        bytes.extend_from_slice(format!("\nTurn {turn} of the wheel.\n").as_bytes());
        let blob = repository.blob(&bytes).expect("a blob");
        update.upsert(path.as_str(), blob, git2::FileMode::Blob);
    }
    let tree = update.create_updated(repository, &tree).and_then(|id| repository.find_tree(id)).expect("a tree");
    let author =
        git2::Signature::new("Bench", "bench@example.org", &git2::Time::new(1_790_000_000, 0)).expect("a name");
    repository.commit(Some("HEAD"), &author, &author, "turn", &tree, &[&head]).expect("a commit")
}

/// Searches, and gives the path of the first hit.
fn search(corpus: &Corpus, at: Option<&str>) -> String {
    let mut arguments = json!({ "query": "Größe Zusammenhang" });
    if let Some(at) = at {
        arguments["at"] = json!(at);
    }
    ask(corpus, "search", arguments)["hits"][0]["path"].as_str().unwrap_or_default().to_owned()
}

fn ask(corpus: &Corpus, question: &str, arguments: Value) -> Value {
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
    let answer = corpus.ask_json(question, arguments);
    assert!(!answer.is_error, "{}", String::from_utf8_lossy(&answer.json));
    serde_json::from_slice(&answer.json).expect("JSON")
}

fn wait_until_stored(repository: &Repository, corpus: &Corpus) {
    let head = repository.head().ok().and_then(|head| head.target()).expect("a commit").to_string();
    let start = Instant::now();
    loop {
        let told: Value = serde_json::from_slice(&corpus.doctor(false).json).expect("JSON");
        if told["commit"] == head.as_str() {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "nothing was stored");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn median(repeats: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..repeats).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(
            |entry| {
                if entry.path().is_dir() { size(&entry.path()) } else { entry.metadata().map_or(0, |data| data.len()) }
            },
        )
        .sum()
}

/// This process's resident memory in kB.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").parse().ok()
}
