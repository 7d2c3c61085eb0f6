//! The places on a page that links can name.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::body::{Block, Heading};
use super::slug;

/// The place on a page that a fragment names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Index of a heading.
    Heading(usize),
    /// Index of a block.
    Block(usize),
}

type Table<V> = HashMap<String, V, RandomState>;

/// The headings and blocks of a page, ready to be looked up: a page may have as many links as headings.
#[derive(Clone, Debug)]
pub(super) struct Anchors {
    /// By their text as Obsidian compares it, in order.
    texts: Table<Vec<u32>>,
    /// By GitHub's anchor.
    anchors: Table<u32>,
    /// Ids are lower-case.
    blocks: Table<u32>,
    /// The heading that each stands below.
    parents: Vec<Option<u32>>,
}

impl Anchors {
    pub(super) fn new(headings: &[Heading], blocks: &[Block]) -> Self {
        let mut texts: Table<Vec<u32>> = Table::with_capacity_and_hasher(headings.len(), RandomState::default());
        let mut anchors = Table::with_capacity_and_hasher(headings.len(), RandomState::default());
        let mut parents = Vec::with_capacity(headings.len());
        let mut open: Vec<u32> = Vec::new();
        for (index, heading) in headings.iter().enumerate() {
            texts.entry(slug::obsidian(&heading.text)).or_default().push(index as u32);
            anchors.entry(heading.anchor.clone()).or_insert(index as u32);
            while open.last().is_some_and(|&above| headings[above as usize].level >= heading.level) {
                open.pop();
            }
            parents.push(open.last().copied());
            open.push(index as u32);
        }
        let mut ids = Table::with_capacity_and_hasher(blocks.len(), RandomState::default());
        for (index, block) in blocks.iter().enumerate() {
            ids.entry(block.id.to_ascii_lowercase()).or_insert(index as u32);
        }
        Self { texts, anchors, blocks: ids, parents }
    }

    pub(super) fn find(&self, fragment: &str) -> Option<Anchor> {
        let fragment = fragment.trim();
        if let Some(id) = fragment.rsplit('#').next()?.trim().strip_prefix('^') {
            return self.block(id);
        }
        let heading = |index: &u32| Anchor::Heading(*index as usize);
        if let Some(found) = self.texts.get(&slug::obsidian(fragment)) {
            return found.first().map(heading);
        }
        if let Some(found) = self.anchors.get(&fragment.to_lowercase()) {
            return Some(heading(found));
        }
        let mut parts: Vec<&str> = fragment.split('#').filter(|part| !part.trim().is_empty()).collect();
        let last = slug::obsidian(parts.pop()?);
        let above: Vec<String> = parts.into_iter().map(slug::obsidian).collect();
        self.texts.get(&last)?.iter().find(|&&index| self.stands_below(index, &above)).map(heading)
    }

    fn block(&self, id: &str) -> Option<Anchor> {
        self.blocks.get(&id.trim().to_ascii_lowercase()).map(|&index| Anchor::Block(index as usize))
    }

    /// Whether all of `path` are among the headings above this one, in that order.
    fn stands_below(&self, heading: u32, path: &[String]) -> bool {
        let is = |index: u32, text: &String| self.texts.get(text).is_some_and(|all| all.binary_search(&index).is_ok());
        let mut wanted = path.iter().rev().peekable();
        let mut at = self.parents[heading as usize];
        while let Some(above) = at {
            wanted.next_if(|text| is(above, text));
            at = self.parents[above as usize];
        }
        wanted.peek().is_none()
    }
}
