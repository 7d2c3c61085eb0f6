//! The index of a snapshot: tantivy's segments, and which page each of their documents is.
//!
//! Several segments, and documents of pages that are gone, are the rule and not the exception: an index is made in parts by
//! several threads, and one for a new commit shares the parts of the last one. Nothing that this file gives depends on it.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tantivy::postings::SegmentPostings;
use tantivy::query::{EnableScoring, PhraseQuery, Query as _};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use super::analysis::Analysis;
use super::query::Vocabulary;
use super::schema::{Fields, Form};
use super::segment::{Segment, Stored, each_term, internal};
use super::{facts, fields};
use crate::cache::Container;
use crate::error::Error;
use crate::page::{LinkStyle, Page};
use crate::table::{GONE, Table};

/// How many pages a thread, and a segment of its own, is worth.
const PAGES_PER_SEGMENT: usize = 64;
/// As many segments are made at once at most,
const MAX_BUILT: usize = 8;
/// and as many are kept; before there are more, the pages of the smallest ones are indexed anew, in one.
const MAX_SEGMENTS: usize = 16;
/// The most pages of a segment that is made anew: its writer holds all of them in memory.
const MAX_PAGES: usize = 16_384;

/// The index of a snapshot.
pub struct Index {
    table: Arc<Table>,
    shape: Shape,
    analysis: Analysis,
    pub(super) schema: Fields,
    pub(super) segments: Vec<Segment>,
    /// By page: its segment and document.
    pub(super) places: Vec<(u32, u32)>,
    /// By field: the mean length, in words, of those pages' that have any.
    mean_lengths: [f64; fields::COUNT],
}

/// What the terms of an index depend on, the pages apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// As in the config.
    pub languages: Vec<String>,
    /// As in the config.
    pub style: LinkStyle,
}

/// Whoever has the pages that are to be indexed.
pub trait Pages: Sync {
    /// Gives pages by number, for one thread.
    fn reader(&self) -> Box<dyn FnMut(usize) -> Arc<Page> + '_>;
}

impl Pages for [Arc<Page>] {
    fn reader(&self) -> Box<dyn FnMut(usize) -> Arc<Page> + '_> {
        Box::new(|number| Arc::clone(&self[number]))
    }
}

impl Index {
    /// Indexes pages anew.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn build(table: &Arc<Table>, pages: &(impl Pages + ?Sized), shape: &Shape) -> Result<Self, Error> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_BUILT);
        let segments = threads.min(table.len() / PAGES_PER_SEGMENT).max(table.len().div_ceil(MAX_PAGES));
        Self::in_segments(table, pages, shape, segments)
    }

    /// As [`Index::build`], in so many segments.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn in_segments(
        table: &Arc<Table>,
        pages: &(impl Pages + ?Sized),
        shape: &Shape,
        segments: usize,
    ) -> Result<Self, Error> {
        let (analysis, schema) = (Analysis::new(&shape.languages), Fields::new());
        let numbers: Vec<u32> = (0..table.len() as u32).collect();
        let share = table.len().div_ceil(segments.max(1)).max(1);
        let parts: Vec<&[u32]> = numbers.chunks(share).collect();
        let write = |part: &&[u32]| Segment::write(pages, part, &analysis, &schema, shape.style);
        let segments: tantivy::Result<Vec<Segment>> = parts.par_iter().map(write).collect();
        Self::assemble(table, shape, analysis, schema, segments.map_err(internal)?)
    }

    /// The index of another table, made with what it shares with this one; `None` where that is less than half of it.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn updated(&self, table: &Arc<Table>, pages: &(impl Pages + ?Sized)) -> Result<Option<Self>, Error> {
        let Some((mut segments, new)) = self.kept(table) else { return Ok(None) };
        if !new.is_empty() {
            let written = Segment::write(pages, &new, &self.analysis, &self.schema, self.shape.style);
            segments.push(written.map_err(internal)?);
        }
        Self::assemble(table, &self.shape, self.analysis.clone(), self.schema.clone(), segments).map(Some)
    }

    /// Those of its segments that are worth keeping, renumbered for another table, and the pages that none of them has; `None` if
    /// these are most of all.
    fn kept(&self, table: &Table) -> Option<(Vec<Segment>, Vec<u32>)> {
        let now = table.numbers_of(&self.table);
        let renumbered = |segment: &Segment| {
            let of = |&page: &u32| if page == GONE { GONE } else { now[page as usize] };
            segment.with_pages(segment.pages.iter().map(of).collect())
        };
        let mut segments: Vec<Segment> = self.segments.iter().map(renumbered).collect();
        // Of documents that are mostly dead the living are indexed anew.
        segments.retain(|segment| 2 * segment.living().count() > segment.pages.len());
        if segments.len() >= MAX_SEGMENTS {
            segments.sort_by_key(|segment| std::cmp::Reverse(segment.living().count()));
            segments.truncate(MAX_SEGMENTS / 2);
        }
        let mut is_new = vec![true; table.len()];
        segments.iter().flat_map(Segment::living).for_each(|(_, page)| is_new[page as usize] = false);
        let new: Vec<u32> = (0..table.len() as u32).filter(|&page| is_new[page as usize]).collect();
        (2 * new.len() <= table.len()).then_some((segments, new))
    }

    fn assemble(
        table: &Arc<Table>,
        shape: &Shape,
        analysis: Analysis,
        schema: Fields,
        segments: Vec<Segment>,
    ) -> Result<Self, Error> {
        let mut totals = [(0u64, 0u64); fields::COUNT];
        for segment in &segments {
            for (field, total) in schema.exact.iter().zip(&mut totals) {
                let lengths = segment.reader.get_fieldnorms_reader(*field).map_err(internal)?;
                for (document, _) in segment.living() {
                    let length = u64::from(lengths.fieldnorm(document));
                    *total = (total.0 + length, total.1 + u64::from(length > 0));
                }
            }
        }
        let mean_lengths = totals.map(|(words, pages)| words.max(1) as f64 / pages.max(1) as f64);
        Ok(Self::of(table, shape, analysis, schema, segments, mean_lengths))
    }

    fn of(
        table: &Arc<Table>,
        shape: &Shape,
        analysis: Analysis,
        schema: Fields,
        segments: Vec<Segment>,
        mean_lengths: [f64; fields::COUNT],
    ) -> Self {
        let mut places = vec![(0, 0); table.len()];
        for (number, segment) in segments.iter().enumerate() {
            for (document, page) in segment.living() {
                places[page as usize] = (number as u32, document);
            }
        }
        Self { table: Arc::clone(table), shape: shape.clone(), analysis, schema, segments, places, mean_lengths }
    }

    /// An index of stored segments: their names, files and pages. `None` where they do not hold each page of the table once.
    pub(crate) fn of_stored(
        table: &Arc<Table>,
        shape: &Shape,
        segments: Vec<(String, Arc<Container>, Vec<u32>)>,
        mean_lengths: [f64; fields::COUNT],
    ) -> Option<Self> {
        let schema = Fields::new();
        let open = |(name, file, pages)| Segment::open(&schema, name, file, pages);
        let segments: Vec<Segment> = segments.into_iter().map(open).collect::<Option<_>>()?;
        let mut is_there = vec![false; table.len()];
        for (_, page) in segments.iter().flat_map(Segment::living) {
            if std::mem::replace(is_there.get_mut(page as usize)?, true) {
                return None;
            }
        }
        let analysis = Analysis::new(&shape.languages);
        is_there.iter().all(|&is| is).then(|| Self::of(table, shape, analysis, schema, segments, mean_lengths))
    }

    /// Its segments as they are stored.
    ///
    /// # Errors
    /// What is in memory is always there to be read.
    pub(crate) fn stored(&self) -> std::io::Result<Vec<Stored<'_>>> {
        self.segments.iter().map(Segment::stored).collect()
    }

    /// Whether a stored segment was found not to be what was written: what was answered from it is not to be relied on.
    pub(crate) fn is_damaged(&self) -> bool {
        self.segments.iter().any(Segment::is_damaged)
    }

    /// Whether a part of it was stored.
    pub(crate) fn is_stored(&self) -> bool {
        self.segments.iter().any(Segment::is_stored)
    }

    /// Whether all of it is stored.
    pub(crate) fn is_all_stored(&self) -> bool {
        self.segments.iter().all(Segment::is_stored)
    }

    /// By field: the mean length, in words, of those pages' that have any.
    pub(crate) fn mean_lengths(&self) -> &[f64; fields::COUNT] {
        &self.mean_lengths
    }

    /// The pages, by their numbers.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// What its terms depend on, the pages apart.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What is made of words, on pages and in queries.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Calls `found` with each page that has one of `terms` in a field: how often, and how many words the field has.
    ///
    /// Several terms are one: a page that has more than one of them is found once, with the greatest number.
    pub(super) fn each_with(
        &self,
        number: usize,
        form: Form,
        terms: &[String],
        mut found: impl FnMut(u32, u32, u32),
    ) -> Result<(), Error> {
        let field = self.schema.text(number, form);
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(field).map_err(internal)?;
            let read = |term: &String| {
                let term = Term::from_field_text(field, term);
                inverted.read_postings(&term, IndexRecordOption::WithFreqs).transpose()
            };
            let postings: Vec<SegmentPostings> =
                terms.iter().filter_map(read).collect::<Result<_, _>>().map_err(|error| internal(error.into()))?;
            segment.each(self.schema.exact[number], postings, &mut found)?;
        }
        Ok(())
    }

    /// As [`Index::each_with`], of all terms that begin so, each by itself.
    pub(super) fn each_beginning(
        &self,
        number: usize,
        form: Form,
        beginning: &str,
        mut found: impl FnMut(u32, u32, u32),
    ) -> Result<(), Error> {
        let field = self.schema.text(number, form);
        let range = (Bound::Included(beginning.to_owned()), Bound::Excluded(format!("{beginning}{}", char::MAX)));
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(field).map_err(internal)?;
            each_term(&inverted, &range, |_, info| {
                let postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs);
                let postings = vec![postings.map_err(|error| internal(error.into()))?];
                segment.each(self.schema.exact[number], postings, &mut found)
            })?;
        }
        Ok(())
    }

    /// As [`Index::each_with`], of words that follow each other; how often is not counted.
    pub(super) fn each_with_phrase(
        &self,
        number: usize,
        words: &[String],
        mut found: impl FnMut(u32, u32, u32),
    ) -> Result<(), Error> {
        if let [_] = words {
            return self.each_with(number, Form::Exact, words, found);
        }
        let field = self.schema.exact[number];
        let phrase = PhraseQuery::new(words.iter().map(|word| Term::from_field_text(field, word)).collect());
        let weight = phrase.weight(EnableScoring::disabled_from_schema(&self.schema.schema)).map_err(internal)?;
        for segment in &self.segments {
            let lengths = segment.reader.get_fieldnorms_reader(field).map_err(internal)?;
            let mut scorer = weight.scorer(&segment.reader, 1.0).map_err(internal)?;
            let mut document = scorer.doc();
            while document != TERMINATED {
                let page = segment.pages[document as usize];
                if page != GONE {
                    found(page, 1, lengths.fieldnorm(document));
                }
                document = scorer.advance();
            }
        }
        Ok(())
    }

    /// Calls `found` with each page that has a front matter term within one of the ranges, perhaps more than once.
    pub(super) fn each_within(&self, ranges: &facts::Ranges, mut found: impl FnMut(u32)) -> Result<(), Error> {
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.schema.facts).map_err(internal)?;
            for range in ranges {
                each_term(&inverted, range, |_, info| segment.each_of(&inverted, info, &mut found))?;
            }
        }
        Ok(())
    }

    /// The front matter terms within a range that a page has, sorted.
    fn facts_within(&self, range: &(Bound<String>, Bound<String>)) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.schema.facts).map_err(internal)?;
            each_term(&inverted, range, |term, info| {
                if segment.has_living(&inverted, info)? {
                    found.push(term.to_owned());
                }
                Ok(())
            })?;
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// The values of a front matter field, folded, sorted.
    pub(super) fn values(&self, key: &str) -> Result<Vec<String>, Error> {
        let terms = self.facts_within(&facts::values(key))?;
        Ok(terms.iter().map(|term| facts::value_of(term).to_owned()).collect())
    }

    /// The exact words that differ from `word` in at most `distance` letters, in any text, and how many pages have each; sorted.
    pub(super) fn near(&self, word: &str, distance: u8) -> Result<Vec<(String, usize)>, Error> {
        let mut holders: HashMap<String, Vec<u32>> = HashMap::new();
        for field in self.schema.exact {
            let query = tantivy::query::FuzzyTermQuery::new(Term::from_field_text(field, word), distance, true);
            for segment in &self.segments {
                let inverted = segment.reader.inverted_index(field).map_err(internal)?;
                let automaton = query.automaton().map_err(internal)?;
                let stream = inverted.terms().search(automaton).into_stream();
                let mut stream = stream.map_err(|error| internal(error.into()))?;
                while let Some((term, info)) = stream.next() {
                    let Ok(term) = std::str::from_utf8(term) else { continue };
                    let holders = holders.entry(term.to_owned()).or_default();
                    segment.each_of(&inverted, info, |page| holders.push(page))?;
                }
            }
        }
        let count = |(word, mut pages): (String, Vec<u32>)| {
            pages.sort_unstable();
            pages.dedup();
            (word, pages.len())
        };
        let mut near: Vec<_> = holders.into_iter().map(count).filter(|&(_, pages)| pages > 0).collect();
        near.sort();
        Ok(near)
    }
}

impl Vocabulary for Index {
    fn has_field(&self, key: &str) -> bool {
        // An index that cannot be read knows no field; the search itself says why.
        let has = facts::Test::Any.ranges(key);
        has.first().is_some_and(|range| self.facts_within(range).is_ok_and(|found| !found.is_empty()))
    }

    fn field_names(&self) -> Vec<String> {
        let terms = self.facts_within(&facts::fields()).unwrap_or_default();
        terms.iter().map(|term| facts::field_of(term).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::LinkStyle;

    fn page(number: usize, text: &str) -> Arc<Page> {
        Arc::new(Page::parse(format!("p{number:03}.md"), text.as_bytes(), LinkStyle::Obsidian))
    }

    #[test]
    fn what_stays_the_same_is_shared_and_segments_do_not_pile_up() {
        let shape = Shape { languages: vec!["de".to_owned()], style: LinkStyle::Obsidian };
        let mut pages: Vec<_> = (0..40).map(|number| page(number, "old")).collect();
        let mut index = Index::build(&Table::of_pages(&pages), &pages[..], &shape).unwrap();
        assert_eq!(index.segments.len(), 1);
        let first = index.segments[0].reader.segment_id();
        for number in 0..12 {
            pages[number] = page(number, "new");
            index = index.updated(&Table::of_pages(&pages), &pages[..]).unwrap().unwrap();
            assert_eq!(index.segments[0].reader.segment_id(), first);
            assert_eq!(index.segments.len(), number + 2);
        }
        for number in 12..40 {
            pages[number] = page(number, "new");
            let table = Table::of_pages(&pages);
            let updated = index.updated(&table, &pages[..]).unwrap();
            index = updated.unwrap_or_else(|| Index::build(&table, &pages[..], &shape).unwrap());
            assert!(index.segments.len() <= MAX_SEGMENTS);
            let mut living: Vec<u32> = index.segments.iter().flat_map(Segment::living).map(|(_, page)| page).collect();
            living.sort_unstable();
            assert_eq!(living, (0..40).collect::<Vec<u32>>());
        }
        // Where nothing is left there is nothing to make it from.
        let others: Vec<_> = (0..40).map(|number| page(number, "other")).collect();
        assert!(index.updated(&Table::of_pages(&others), &others[..]).unwrap().is_none());
    }
}
