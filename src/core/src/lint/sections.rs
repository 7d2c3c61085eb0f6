//! A page's headings held against the sections that its type declares.
//!
//! One pass, nothing tried twice: each heading takes the first declared section of its name from where the one before it
//! stood on, else the first of all. Headings that no section names are free text, wherever they stand. The sections
//! that stand out of order are those outside of the longest run in order, so that one moved section is one finding.

use std::collections::HashSet;

use crate::names::fold;
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::types::{Section, Type};

/// A heading and the section that it is.
pub(super) type Match = (usize, usize);

/// The declared sections of a page.
pub(super) struct Sections<'s> {
    /// The page's number.
    pub(super) index: usize,
    /// The page.
    pub(super) page: &'s Page,
    /// Its type.
    pub(super) of: &'s Type,
    /// Headings that a declared section names, in order.
    pub(super) found: Vec<Match>,
}

/// All pages whose type declares sections, matched.
pub(super) fn all(snapshot: &Snapshot) -> impl Iterator<Item = Sections<'_>> {
    snapshot.checked().filter_map(|(index, page)| {
        let of = snapshot.types().of(page).filter(|of| !of.sections.is_empty())?;
        Some(Sections { index, page, of, found: matched(page, &of.sections) })
    })
}

impl<'s> Sections<'s> {
    /// The declared section.
    pub(super) fn declared(&self, section: usize) -> &'s Section {
        &self.of.sections[section]
    }

    /// Matched headings that stand in order, and those that do not, each with its section. A second one of a section that
    /// may not repeat is another mistake.
    pub(super) fn placed(&self) -> (Vec<Match>, Vec<Match>) {
        let mut seen = HashSet::new();
        let repeats = |section: usize| self.of.sections[section].repeat;
        let counted = self.found.iter().copied().filter(|&(_, section)| seen.insert(section) || repeats(section));
        let counted: Vec<Match> = counted.collect();
        let mut in_order = longest_run(&counted.iter().map(|&(_, section)| section).collect::<Vec<_>>()).into_iter();
        counted.into_iter().partition(|_| in_order.next().unwrap_or(true))
    }
}

fn matched(page: &Page, sections: &[Section]) -> Vec<Match> {
    let names: Vec<Vec<String>> =
        sections.iter().map(|section| section.heading.iter().map(|name| fold(name.trim())).collect()).collect();
    let headings: Vec<(usize, u8, String)> = page
        .body
        .headings
        .iter()
        .enumerate()
        .map(|(at, heading)| (at, heading.level, fold(heading.text.trim())))
        .collect();
    let is_named = |text: &String| names.iter().any(|names| names.contains(text));
    // The title may be named as a section is. What stands deeper than the sections do is part of their text.
    let title = page.body.headings.iter().position(|heading| heading.level == 1);
    let is_section = |(at, _, text): &&(usize, u8, String)| Some(*at) != title && is_named(text);
    let Some(level) = headings.iter().filter(is_section).map(|(_, level, _)| *level).min() else { return Vec::new() };
    let mut from = 0;
    let mut taken = vec![false; sections.len()];
    let mut found: Vec<Match> = Vec::new();
    for (at, _, text) in headings.iter().filter(is_section).filter(|(_, own, _)| *own == level) {
        let named = |section: &usize| names[*section].contains(text);
        let next = (from..names.len()).find(|section| named(section) && !taken[*section]);
        let Some(section) = next.or_else(|| (0..names.len()).find(named)) else { continue };
        found.push((*at, section));
        taken[section] = !sections[section].repeat;
        from = from.max(section);
    }
    found
}

/// By item: whether it belongs to the longest run that never descends; of several the one that ends with the least.
fn longest_run(items: &[usize]) -> Vec<bool> {
    // The classic patience: of all runs of a length the one whose last item is least, and each item's predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; items.len()];
    for (at, item) in items.iter().enumerate() {
        let length = ends.partition_point(|&end| items[end] <= *item);
        before[at] = length.checked_sub(1).map(|last| ends[last]);
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut kept = vec![false; items.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept[at] = true;
        next = before[at];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moved_item_is_one_out_of_order() {
        let out = |items: &[usize]| -> Vec<usize> {
            longest_run(items).iter().enumerate().filter(|(_, kept)| !**kept).map(|(at, _)| at).collect()
        };
        assert_eq!(out(&[]), [0; 0]);
        assert_eq!(out(&[0, 1, 1, 3]), [0; 0]);
        assert_eq!(out(&[3, 0, 1, 2]), [0]);
        assert_eq!(out(&[0, 2, 3, 1]), [3]);
        assert_eq!(out(&[1, 0]), [0]);
    }
}
