//! Any bytes as the front matter of a page.

#![no_main]

#[path = "../../invariants/mod.rs"]
mod invariants;

use chemenu_core::page::{LinkStyle, Page};

libfuzzer_sys::fuzz_target!(|yaml: &[u8]| {
    let stored = [b"---\n", yaml, b"\n---\n# Body\n\n[[x]]\n"].concat();
    let page = Page::parse("dir/page.md".into(), &stored, LinkStyle::Obsidian);
    invariants::check(&page, &stored, LinkStyle::Obsidian);
    assert!(
        page.body.links.iter().any(|link| link.target == "x") || page.text.as_str().contains(['<', '`', '%', '$', '~']),
        "the body is served"
    );
    page.front_matter.tags();
    page.front_matter.aliases();
    if let Some(root) = &page.front_matter.root {
        assert!(root.to_json().is_object());
    }
});
