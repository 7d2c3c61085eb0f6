//! The index of a snapshot: tantivy's segments, and which page each of their documents is.
//!
//! Several segments, and documents of pages that are gone, are the rule and not the exception: an index is made in parts by
//! several threads, and one for a new commit shares the parts of the last one. Nothing that this file gives depends on it.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tantivy::directory::RamDirectory;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::query::{EnableScoring, PhraseQuery, Query as _};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{DocSet, IndexSettings, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use super::analysis::{Analysis, ExactTokenizer, StemTokenizer};
use super::query::Vocabulary;
use super::schema::{Fields, Form};
use super::{facts, fields};
use crate::error::Error;
use crate::page::Page;

/// Memory of a segment's writer at its start; a segment is made in one go.
const WRITER_BYTES: usize = 16 << 20;
/// How many pages a thread, and a segment of its own, is worth.
const PAGES_PER_SEGMENT: usize = 64;
/// As many segments are made at once at most,
const MAX_BUILT: usize = 8;
/// and as many are kept; before there are more, the pages of the smallest ones are indexed anew, in one.
const MAX_SEGMENTS: usize = 16;
/// In [`Segment::pages`]: a document whose page is gone.
const DEAD: u32 = u32::MAX;

/// The index of a snapshot, in memory.
pub struct Index {
    pages: Vec<Arc<Page>>,
    languages: Vec<String>,
    analysis: Analysis,
    schema: Fields,
    segments: Vec<Segment>,
    /// By page: its segment and document.
    places: Vec<(u32, u32)>,
    /// By field: the mean length, in words, of those pages' that have any.
    mean_lengths: [f64; fields::COUNT],
}

#[derive(Clone)]
struct Segment {
    reader: SegmentReader,
    /// The page of each document.
    pages: Vec<u32>,
}

impl Index {
    /// Indexes pages, sorted by path. What `previous` has of the very same pages is shared with it.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn build(pages: &[Arc<Page>], languages: &[String], previous: Option<&Self>) -> Result<Self, Error> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let segments = threads.min(MAX_BUILT).min(pages.len() / PAGES_PER_SEGMENT).max(1);
        let shared =
            previous.filter(|previous| previous.languages == languages).and_then(|previous| previous.kept(pages));
        let built = match shared {
            Some(kept) => Self::sharing(pages, languages, kept),
            None => Self::try_build(pages, languages, segments),
        };
        built.map_err(internal)
    }

    /// As [`Index::build`], anew and in so many segments.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn in_segments(pages: &[Arc<Page>], languages: &[String], segments: usize) -> Result<Self, Error> {
        Self::try_build(pages, languages, segments).map_err(internal)
    }

    fn try_build(pages: &[Arc<Page>], languages: &[String], segments: usize) -> tantivy::Result<Self> {
        let analysis = Analysis::new(languages);
        let schema = Fields::new();
        let numbers: Vec<u32> = (0..pages.len() as u32).collect();
        let share = pages.len().div_ceil(segments.max(1)).max(1);
        let segments: tantivy::Result<Vec<Segment>> = std::thread::scope(|scope| {
            let (analysis, schema) = (&analysis, &schema);
            let write = |part| scope.spawn(move || Segment::write(pages, part, analysis, schema));
            let workers: Vec<_> = numbers.chunks(share).map(write).collect();
            workers.into_iter().map(|worker| worker.join().expect("indexing does not panic")).collect()
        });
        Self::assemble(pages, languages, analysis, schema, segments?)
    }

    /// Those of its segments that are worth keeping, renumbered for other pages, and the pages that none of them has; `None` if
    /// these are most of all.
    fn kept(&self, pages: &[Arc<Page>]) -> Option<(Vec<Segment>, Vec<u32>)> {
        let numbers: HashMap<*const Page, u32> =
            pages.iter().enumerate().map(|(number, page)| (Arc::as_ptr(page), number as u32)).collect();
        let now: Vec<u32> =
            self.pages.iter().map(|page| numbers.get(&Arc::as_ptr(page)).copied().unwrap_or(DEAD)).collect();
        let renumbered = |segment: &Segment| {
            let of = |&page: &u32| if page == DEAD { DEAD } else { now[page as usize] };
            Segment { reader: segment.reader.clone(), pages: segment.pages.iter().map(of).collect() }
        };
        let mut segments: Vec<Segment> = self.segments.iter().map(renumbered).collect();
        // Of documents that are mostly dead the living are indexed anew.
        segments.retain(|segment| 2 * segment.living().count() > segment.pages.len());
        if segments.len() >= MAX_SEGMENTS {
            segments.sort_by_key(|segment| std::cmp::Reverse(segment.living().count()));
            segments.truncate(MAX_SEGMENTS / 2);
        }
        let mut is_new = vec![true; pages.len()];
        segments.iter().flat_map(Segment::living).for_each(|(_, page)| is_new[page as usize] = false);
        let new: Vec<u32> = (0..pages.len() as u32).filter(|&page| is_new[page as usize]).collect();
        (2 * new.len() <= pages.len()).then_some((segments, new))
    }

    fn sharing(
        pages: &[Arc<Page>],
        languages: &[String],
        (mut segments, new): (Vec<Segment>, Vec<u32>),
    ) -> tantivy::Result<Self> {
        let (analysis, schema) = (Analysis::new(languages), Fields::new());
        if !new.is_empty() {
            segments.push(Segment::write(pages, &new, &analysis, &schema)?);
        }
        Self::assemble(pages, languages, analysis, schema, segments)
    }

    fn assemble(
        pages: &[Arc<Page>],
        languages: &[String],
        analysis: Analysis,
        schema: Fields,
        segments: Vec<Segment>,
    ) -> tantivy::Result<Self> {
        let mut places = vec![(0, 0); pages.len()];
        let mut totals = [(0u64, 0u64); fields::COUNT];
        for (number, segment) in segments.iter().enumerate() {
            for (document, page) in segment.living() {
                places[page as usize] = (number as u32, document);
            }
            for (field, total) in schema.exact.iter().zip(&mut totals) {
                let lengths = segment.reader.get_fieldnorms_reader(*field)?;
                for (document, _) in segment.living() {
                    let length = u64::from(lengths.fieldnorm(document));
                    *total = (total.0 + length, total.1 + u64::from(length > 0));
                }
            }
        }
        let mean_lengths = totals.map(|(words, pages)| words.max(1) as f64 / pages.max(1) as f64);
        let (pages, languages) = (pages.to_vec(), languages.to_vec());
        Ok(Self { pages, languages, analysis, schema, segments, places, mean_lengths })
    }

    /// The pages, by their numbers.
    pub fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// What is made of words, on pages and in queries.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// By field: the mean length, in words, of those pages' that have any.
    pub(super) fn mean_lengths(&self) -> &[f64; fields::COUNT] {
        &self.mean_lengths
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
            for (_, info) in terms(&inverted, &range)? {
                let postings = inverted.read_postings_from_terminfo(&info, IndexRecordOption::WithFreqs);
                let postings = vec![postings.map_err(|error| internal(error.into()))?];
                segment.each(self.schema.exact[number], postings, &mut found)?;
            }
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
                if page != DEAD {
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
                for (_, info) in terms(&inverted, range)? {
                    let postings = inverted.read_postings_from_terminfo(&info, IndexRecordOption::Basic);
                    let mut postings = postings.map_err(|error| internal(error.into()))?;
                    while postings.doc() != TERMINATED {
                        let page = segment.pages[postings.doc() as usize];
                        if page != DEAD {
                            found(page);
                        }
                        postings.advance();
                    }
                }
            }
        }
        Ok(())
    }

    /// The front matter terms within a range that a page has, sorted.
    fn facts_within(&self, range: &(Bound<String>, Bound<String>)) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.schema.facts).map_err(internal)?;
            for (term, info) in terms(&inverted, range)? {
                if segment.has_living(&inverted, &info)? {
                    found.push(term);
                }
            }
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
                    let postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic);
                    segment.each(
                        field,
                        vec![postings.map_err(|error| internal(error.into()))?],
                        &mut |page, _, _| {
                            holders.push(page);
                        },
                    )?;
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

    /// How many of `pages` have each type and each tag, as written.
    pub(super) fn facets(&self, pages: &[u32]) -> Result<[HashMap<String, usize>; 2], Error> {
        let mut facets = [HashMap::new(), HashMap::new()];
        let mut by_segment: Vec<Vec<u32>> = vec![Vec::new(); self.segments.len()];
        for &page in pages {
            let (segment, document) = self.places[page as usize];
            by_segment[segment as usize].push(document);
        }
        for (segment, documents) in self.segments.iter().zip(by_segment) {
            for (facet, field) in facets.iter_mut().zip([self.schema.r#type, self.schema.tag]) {
                let name = self.schema.schema.get_field_name(field);
                let Some(column) = segment.reader.fast_fields().str(name).map_err(internal)? else { continue };
                let mut counts = vec![0usize; column.num_terms()];
                for &document in &documents {
                    column.term_ords(document).for_each(|ordinal| counts[ordinal as usize] += 1);
                }
                let mut text = String::new();
                for (ordinal, count) in counts.into_iter().enumerate().filter(|&(_, count)| count > 0) {
                    column.ord_to_str(ordinal as u64, &mut text).map_err(|error| internal(error.into()))?;
                    *facet.entry(text.clone()).or_default() += count;
                }
            }
        }
        Ok(facets)
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

impl Segment {
    /// Indexes the pages of these numbers.
    fn write(pages: &[Arc<Page>], numbers: &[u32], analysis: &Analysis, schema: &Fields) -> tantivy::Result<Self> {
        let languages = Arc::new(AtomicU8::new(0));
        let tokenizers = TokenizerManager::default();
        tokenizers.register("exact", ExactTokenizer);
        tokenizers.register("stems", StemTokenizer { analysis: analysis.clone(), languages: Arc::clone(&languages) });
        let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let mut writer = tantivy::Index::builder()
            .schema(schema.schema.clone())
            .settings(settings)
            .tokenizers(tokenizers)
            .single_segment_index_writer(RamDirectory::create(), WRITER_BYTES)?;
        for &number in numbers {
            let page = &pages[number as usize];
            languages.store(analysis.languages_of(page.field_text("lang")), Ordering::Relaxed);
            writer.add_document(schema.document(page))?;
        }
        let index = writer.finalize()?;
        let segment = index.searchable_segments()?.into_iter().next();
        let segment = segment.ok_or_else(|| tantivy::TantivyError::InternalError("no segment was written".into()))?;
        Ok(Self { reader: SegmentReader::open(&segment)?, pages: numbers.to_vec() })
    }

    /// Documents and their pages, without those of pages that are gone.
    fn living(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.pages).filter(|&(_, &page)| page != DEAD).map(|(document, &page)| (document, page))
    }

    fn has_living(&self, inverted: &InvertedIndexReader, info: &TermInfo) -> Result<bool, Error> {
        let postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic);
        let mut postings = postings.map_err(|error| internal(error.into()))?;
        while postings.doc() != TERMINATED {
            if self.pages[postings.doc() as usize] != DEAD {
                return Ok(true);
            }
            postings.advance();
        }
        Ok(false)
    }

    /// Calls `found` with each living page of several lists, once: the greatest frequency, and the length of `field`.
    fn each(
        &self,
        field: Field,
        mut lists: Vec<SegmentPostings>,
        found: &mut impl FnMut(u32, u32, u32),
    ) -> Result<(), Error> {
        let lengths = self.reader.get_fieldnorms_reader(field).map_err(internal)?;
        while let Some(document) = lists.iter().map(SegmentPostings::doc).min().filter(|&first| first != TERMINATED) {
            let mut frequency = 0;
            for list in lists.iter_mut().filter(|list| list.doc() == document) {
                frequency = frequency.max(list.term_freq());
                list.advance();
            }
            let page = self.pages[document as usize];
            if page != DEAD {
                found(page, frequency, lengths.fieldnorm(document));
            }
        }
        Ok(())
    }
}

/// The terms of a field within a range, in order.
fn terms(
    inverted: &InvertedIndexReader,
    (low, high): &(Bound<String>, Bound<String>),
) -> Result<Vec<(String, TermInfo)>, Error> {
    let mut builder = inverted.terms().range();
    builder = match low {
        Bound::Included(low) => builder.ge(low),
        Bound::Excluded(low) => builder.gt(low),
        Bound::Unbounded => builder,
    };
    builder = match high {
        Bound::Included(high) => builder.le(high),
        Bound::Excluded(high) => builder.lt(high),
        Bound::Unbounded => builder,
    };
    let mut stream = builder.into_stream().map_err(|error| internal(error.into()))?;
    let mut found = Vec::new();
    while let Some((term, info)) = stream.next() {
        found.push((String::from_utf8_lossy(term).into_owned(), info.clone()));
    }
    Ok(found)
}

fn internal(error: tantivy::TantivyError) -> Error {
    Error::Internal { message: format!("the search index: {error}") }
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
        let languages = ["de".to_owned()];
        let mut pages: Vec<_> = (0..40).map(|number| page(number, "old")).collect();
        let mut index = Index::build(&pages, &languages, None).unwrap();
        assert_eq!(index.segments.len(), 1);
        let first = index.segments[0].reader.segment_id();
        for number in 0..12 {
            pages[number] = page(number, "new");
            index = Index::build(&pages, &languages, Some(&index)).unwrap();
            assert_eq!(index.segments[0].reader.segment_id(), first);
            assert_eq!(index.segments.len(), number + 2);
        }
        for number in 12..40 {
            pages[number] = page(number, "new");
            index = Index::build(&pages, &languages, Some(&index)).unwrap();
            assert!(index.segments.len() <= MAX_SEGMENTS);
            let mut living: Vec<u32> = index.segments.iter().flat_map(Segment::living).map(|(_, page)| page).collect();
            living.sort_unstable();
            assert_eq!(living, (0..40).collect::<Vec<u32>>());
        }
        // Another language makes other stems.
        let other = Index::build(&pages, &["en".to_owned()], Some(&index)).unwrap();
        assert_eq!(other.segments.len(), 1);
    }
}
