//! All rules, by name.

use super::Rule;

macro_rules! rules {
    ($($rule:ident,)*) => {
        $(mod $rule;)*

        /// Every rule, sorted by name.
        pub static RULES: &[&Rule] = &[$(&$rule::RULE,)*];
    };
}

rules! {
    accidental_list_item,
    ambiguous_link,
    broken_block,
    broken_heading,
    broken_link,
    colliding_path,
    confidence_below_base,
    confidence_out_of_range,
    conflict_marker,
    duplicate_footnote,
    duplicate_key,
    duplicate_title,
    empty_page,
    invalid_date,
    invalid_encoding,
    invalid_front_matter,
    invalid_suppression,
    invalid_title,
    invalid_type,
    invisible_character,
    leaked_secret,
    long_page,
    misplaced_front_matter,
    misplaced_section,
    missing_file,
    missing_front_matter,
    missing_inverse,
    missing_section,
    missing_title,
    missing_type,
    modified_before_created,
    multiple_h1,
    near_duplicate,
    non_nfc_path,
    nonstandard_key,
    numeric_citation,
    orphan_page,
    relation_count,
    repeated_section,
    schema_violation,
    section_length,
    self_link,
    stale_page,
    superseded_link,
    title_mismatch,
    uncited_source,
    undefined_footnote,
    unescaped_pipe,
    unexplained_type,
    unknown_key,
    unknown_relation,
    unknown_type,
    unlisted_source,
    unportable_link,
    unquoted_link,
    unreadable_page,
    unused_field,
    unused_footnote,
    unused_suppression,
    unused_type,
    wrong_target_type,
}

use std::collections::HashSet;

use crate::graph::Destination;
use crate::names::fold;
use crate::page::{Link, Page};
use crate::snapshot::Snapshot;

/// Footnote keys agree case-folded, as GitHub has it.
fn footnote_key(key: &str) -> String {
    fold(key)
}

fn footnote_keys<'k>(keys: impl Iterator<Item = &'k String>) -> HashSet<String> {
    keys.map(|key| footnote_key(key)).collect()
}

/// Visits every link whose page exists and whose fragment does not: linking page, link, linked page, fragment.
fn fragments(snapshot: &Snapshot, mut visit: impl FnMut(usize, &Link, &Page, &str)) {
    for (index, links) in snapshot.graph().outgoing.iter().enumerate() {
        for (link, destination) in links {
            let (Destination::Page(target), Some(fragment)) = (destination, &link.fragment) else { continue };
            let target = &snapshot.pages[*target];
            // `[[C# basics]]`: the whole was the name.
            let is_name = target.title.contains('#') || target.path.contains('#');
            if !is_name && target.body.anchor(fragment).is_none() {
                visit(index, link, target, fragment);
            }
        }
    }
}

fn names_block(fragment: &str) -> bool {
    fragment.rsplit('#').next().is_some_and(|last| last.trim_start().starts_with('^'))
}

/// A hint that names the headings or blocks that come nearest.
fn near_fragment(page: &Page, fragment: &str) -> String {
    let names: Vec<String> = if names_block(fragment) {
        page.body.blocks.iter().map(|block| format!("^{}", block.id)).collect()
    } else {
        page.body.headings.iter().map(|heading| heading.text.clone()).collect()
    };
    let near: Vec<String> = crate::nearest::among(fragment, &names, 3)
        .into_iter()
        .filter(|name| strsim::normalized_damerau_levenshtein(&fold(fragment), &fold(name)) >= crate::nearest::LEAST)
        .collect();
    if near.is_empty() {
        "link to one of its headings, or to the page as a whole".into()
    } else {
        format!("did you mean {}", crate::error::list(&near, "or"))
    }
}
