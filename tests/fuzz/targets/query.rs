//! Any text as a query, and any JSON as a question.

#![no_main]

use std::sync::{Arc, LazyLock};

use chemenu_core::Request;
use chemenu_core::page::{LinkStyle, Page};
use chemenu_core::search::snippets::Matcher;
use chemenu_core::search::{self, Index, Ranking, Shape, Wiki};
use chemenu_core::table::Table;

static WIKI: LazyLock<(Vec<Arc<Page>>, Index)> = LazyLock::new(|| {
    let page = |path: &str, text: &str| Arc::new(Page::parse(path.into(), text.as_bytes(), LinkStyle::Obsidian));
    let pages = vec![
        page(
            "größe.md",
            "---\ntitle: Größe\ntags: [maß, size]\n---\n# Größe\n\nWie groß ein Wiki wird, and how large.\n",
        ),
        page(
            "gate.md",
            "---\ntitle: Publish-Remote Gate\ntype: concept\n---\n# Gate\n\nA multi-agent gate at 5 GB/s, don't panic.\n",
        ),
        page("日本.md", "# 日本語 ページ\n\n検索 🎉 e\u{301}\n"),
        page("empty.md", ""),
    ];
    let shape = Shape { languages: vec!["de".to_owned(), "en".to_owned()], style: LinkStyle::Obsidian };
    let index = Index::build(&Table::of_pages(&pages), &pages[..], &shape).expect("pages are indexed");
    (pages, index)
});

/// A wiki of pages without types or links.
struct Plain;

impl Wiki for Plain {
    fn type_named(&self, _: &str) -> Option<String> {
        None
    }

    fn linking_to(&self, _: &str) -> Result<Vec<u32>, Vec<String>> {
        Ok(Vec::new())
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (name, data) = data.split_first().unwrap_or((&0, data));
    let text = String::from_utf8_lossy(data);
    let (pages, index) = &*WIKI;
    let found = search::search(index, &text, &Ranking::default(), &Plain, Some(0)).expect("any text is a query");
    assert!(found.hits.len() <= pages.len());
    for pair in found.hits.windows(2) {
        assert!(pair[0].score >= pair[1].score && pair[0].page != pair[1].page);
    }
    let mut matcher = Matcher::new(&found.query, index.analysis());
    for hit in &found.hits {
        for snippet in matcher.snippets(&pages[hit.page as usize]) {
            let length = snippet.text.chars().count();
            assert!(snippet.highlights.iter().all(|&(start, end)| start < end && end <= length));
        }
    }
    if let Ok(serde_json::Value::Object(arguments)) = serde_json::from_slice(data) {
        let names = ["search", "page", "types", "describe_type", "lint", "status", &text];
        let _ = Request::from_json(names[usize::from(*name) % names.len()], arguments);
    }
});
