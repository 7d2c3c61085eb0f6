//! Any bytes as a page.

#![no_main]

#[path = "../../invariants/mod.rs"]
mod invariants;

use chemenu_core::page::{LinkStyle, Page};

libfuzzer_sys::fuzz_target!(|stored: &[u8]| {
    for style in [LinkStyle::Obsidian, LinkStyle::Dendron] {
        invariants::check(&Page::parse("dir/page.md".into(), stored, style), stored, style);
    }
});
