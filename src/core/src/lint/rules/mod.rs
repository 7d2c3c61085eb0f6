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

use std::collections::{HashMap, HashSet};

use super::Report;
use crate::graph::Destination;
use crate::names::fold;
use crate::nearest::{HINTS, Nearest};
use crate::page::Page;
use crate::snapshot::Snapshot;

pub(super) use leaked_secret::masked;

/// Footnote keys agree case-folded, as GitHub has it.
fn footnote_key(key: &str) -> String {
    fold(key)
}

fn footnote_keys<'k>(keys: impl Iterator<Item = &'k String>) -> HashSet<String> {
    keys.map(|key| footnote_key(key)).collect()
}

/// What a fragment may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Heading,
    Block,
}

/// Reports every link whose page exists, and whose heading or block does not.
fn broken_parts(snapshot: &Snapshot, report: &mut Report, part: Part) {
    let what = if part == Part::Block { "block" } else { "heading" };
    let mut hints = PartHints { part, known: HashMap::new(), left: HINTS };
    for (index, links) in snapshot.checked_links() {
        for (link, destination) in links {
            let (Destination::Page(to), Some(fragment)) = (destination, &link.fragment) else { continue };
            let target = snapshot.page(*to);
            // `[[C# basics]]`: the whole was the name.
            let is_name = target.title.contains('#') || target.path.contains('#');
            let is_block = fragment.rsplit('#').next().is_some_and(|last| last.trim_start().starts_with('^'));
            if is_block == (part == Part::Block) && !is_name && target.body.anchor(fragment).is_none() {
                let message = format!("`{}` has no {what} `{fragment}`", target.path);
                report.push(index, link.span, message, hints.hint(*to, target, fragment));
            }
        }
    }
}

/// Hints that name the headings or blocks that come nearest.
struct PartHints {
    part: Part,
    /// By page: its headings or blocks, made ready once for all links that miss one.
    known: HashMap<usize, (Vec<String>, Nearest)>,
    left: usize,
}

impl PartHints {
    fn hint(&mut self, index: usize, page: &Page, fragment: &str) -> String {
        let near = if self.left == 0 { Vec::new() } else { self.near(index, page, fragment) };
        if near.is_empty() {
            "link to one of its headings, or to the page as a whole".into()
        } else {
            format!("did you mean {}", crate::error::list(&near, "or"))
        }
    }

    fn near(&mut self, index: usize, page: &Page, fragment: &str) -> Vec<&str> {
        self.left -= 1;
        let (names, nearest) = self.known.entry(index).or_insert_with(|| {
            let mut names: Vec<String> = match self.part {
                Part::Block => page.body.blocks.iter().map(|block| format!("^{}", block.id)).collect(),
                Part::Heading => page.body.headings.iter().map(|heading| heading.text.clone()).collect(),
            };
            let mut seen = HashSet::new();
            names.retain(|name| seen.insert(name.clone()));
            let nearest = Nearest::new(names.iter().map(String::as_str).zip(0..));
            (names, nearest)
        });
        nearest.find(&[fragment], 3).into_iter().map(|near| names[near].as_str()).collect()
    }
}
