//! Reads and parses every page of a wiki from git objects on one thread and prints the median time.
//!
//! `cargo bench -p chemenu-core --bench parse -- WIKI [REPEATS]`; `tests/bench/run` sets it beside Python.

use std::path::PathBuf;
use std::time::Instant;

use chemenu_core::Options;
use chemenu_core::page::{LinkStyle, Page, is_page};
use chemenu_core::source::Repository;

/// As in the extension module and the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(wiki) = arguments.first() else {
        eprintln!("usage: parse WIKI [REPEATS]");
        return;
    };
    let repeats = arguments.get(1).and_then(|repeats| repeats.parse().ok()).unwrap_or(5);
    let options = Options { root: Some(PathBuf::from(wiki)), ..Options::default() };
    let repository = Repository::open(&options).unwrap_or_else(|error| panic!("{error}"));
    let mut times = Vec::new();
    let mut pages = 0;
    let mut links = 0;
    for _ in 0..repeats {
        let start = Instant::now();
        let head = repository.head().ok().flatten().expect("a commit");
        let listing = repository.list_commit(&head).expect("a readable tree");
        let reader = repository.reader().expect("a readable repository");
        (pages, links) = (0, 0);
        for file in listing.files.iter().filter(|file| is_page(&file.path)) {
            let bytes = reader.read(file).expect("a readable page");
            let page = Page::parse(file.path.clone(), &bytes, LinkStyle::Obsidian);
            pages += 1;
            links += page.body.links.len();
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!(
        "pages={pages} links={links} total={median:.1} ms per_page={:.0} us",
        median / f64::from(pages.max(1)) * 1e3
    );
}
