//! The index of a snapshot: tantivy's segments, and which page each of their documents is.
//!
//! Several segments, and documents of pages that are gone, are the rule and not the exception: an index is made in parts by
//! several threads, and one for a new commit shares the parts of the last one. Nothing that this file gives depends on it.

use std::collections::HashMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, OwnedBytes, RamDirectory};
use tantivy::index::SegmentComponent;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::query::{EnableScoring, PhraseQuery, Query as _};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{DocSet, IndexSettings, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use super::analysis::{Analysis, ExactTokenizer, StemTokenizer};
use super::query::Vocabulary;
use super::schema::{Fields, Form};
use super::{facts, fields, keys};
use crate::cache::{Container, Folder};
use crate::error::Error;
use crate::names::Via;
use crate::page::{LinkStyle, Page};
use crate::table::{GONE, Table};

/// Memory of a segment's writer at its start; a segment is made in one go.
const WRITER_BYTES: usize = 16 << 20;
/// How many pages a thread, and a segment of its own, is worth.
const PAGES_PER_SEGMENT: usize = 64;
/// As many segments are made at once at most,
const MAX_BUILT: usize = 8;
/// and as many are kept; before there are more, the pages of the smallest ones are indexed anew, in one.
const MAX_SEGMENTS: usize = 16;
/// The most pages of a segment that is made anew: its writer holds all of them in memory.
const MAX_PAGES: usize = 16_384;

/// The files of a segment that may be there.
const COMPONENTS: [SegmentComponent; 6] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Terms,
    SegmentComponent::Store,
];

/// The index of a snapshot.
pub struct Index {
    table: Arc<Table>,
    shape: Shape,
    analysis: Analysis,
    schema: Fields,
    segments: Vec<Segment>,
    /// By page: its segment and document.
    places: Vec<(u32, u32)>,
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

#[derive(Clone)]
struct Segment {
    reader: SegmentReader,
    files: Files,
    /// The page of each document; [`GONE`] for one that is not there any more.
    pages: Vec<u32>,
}

/// Where a segment's files are.
#[derive(Clone)]
enum Files {
    /// In memory, by their names.
    Memory(RamDirectory, Arc<[String]>),
    /// In a file of the cache, by its name.
    Stored(String, Arc<Container>),
}

/// A segment as it is stored.
pub(crate) struct Stored<'s> {
    /// The name of its file.
    pub(crate) name: String,
    /// Its parts, or the file that they are in.
    pub(crate) source: Result<Vec<(String, OwnedBytes)>, &'s Container>,
    /// The page of each document.
    pub(crate) pages: &'s [u32],
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
            Segment { pages: segment.pages.iter().map(of).collect(), ..segment.clone() }
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
        let open = |(name, container, pages): (String, Arc<Container>, Vec<u32>)| {
            let index = tantivy::Index::open(Folder(Arc::clone(&container))).ok()?;
            let segment = index.searchable_segments().ok()?.into_iter().next()?;
            let reader = SegmentReader::open(&segment).ok()?;
            let fits = *reader.schema() == schema.schema && reader.max_doc() as usize == pages.len();
            fits.then_some(Segment { reader, files: Files::Stored(name, container), pages })
        };
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
        let mut all = Vec::new();
        for segment in &self.segments {
            let (name, source) = match &segment.files {
                Files::Stored(name, file) => (name.clone(), Err(&**file)),
                Files::Memory(directory, files) => {
                    let mut parts = Vec::new();
                    for file in files.iter() {
                        let handle = directory.get_file_handle(Path::new(file)).map_err(std::io::Error::other)?;
                        parts.push((file.clone(), handle.read_bytes(0..handle.len())?));
                    }
                    let id = segment.reader.segment_id().uuid_string();
                    (format!("{id}.segment"), Ok(parts))
                }
            };
            all.push(Stored { name, source, pages: &segment.pages });
        }
        Ok(all)
    }

    /// Whether a stored segment was found not to be what was written: what was answered from it is not to be relied on.
    pub(crate) fn is_damaged(&self) -> bool {
        let is_damaged = |segment: &Segment| matches!(&segment.files, Files::Stored(_, file) if file.is_damaged());
        self.segments.iter().any(is_damaged)
    }

    /// Whether a part of it was stored.
    pub(crate) fn is_stored(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment.files, Files::Stored(..)))
    }

    /// Whether all of it is stored.
    pub(crate) fn is_all_stored(&self) -> bool {
        self.segments.iter().all(|segment| matches!(segment.files, Files::Stored(..)))
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
                for (_, info) in terms(&inverted, range)? {
                    segment.each_of(&inverted, &info, &mut found)?;
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

    /// Calls `found` with each key within a range and the living pages that have it.
    fn each_key(&self, range: &keys::Range, mut found: impl FnMut(&str, &[u32])) -> Result<(), Error> {
        let mut pages = Vec::new();
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.schema.keys).map_err(internal)?;
            for (key, info) in terms(&inverted, range)? {
                pages.clear();
                segment.each_of(&inverted, &info, |page| pages.push(page))?;
                if !pages.is_empty() {
                    found(&key, &pages);
                }
            }
        }
        Ok(())
    }

    /// The pages that have one of the keys, in order.
    fn with_keys(&self, ranges: impl IntoIterator<Item = keys::Range>) -> Result<Vec<u32>, Error> {
        let mut pages = Vec::new();
        for range in ranges {
            self.each_key(&range, |_, of| pages.extend_from_slice(of))?;
        }
        pages.sort_unstable();
        pages.dedup();
        Ok(pages)
    }

    /// Calls `found` with the names, of one page each, that are filed under a text, or with all. What is a path is given as
    /// [`Via::Path`] alone.
    pub(crate) fn each_name(&self, filed: Option<&str>, mut found: impl FnMut(u32, Via, &str)) -> Result<(), Error> {
        let range = filed.map_or_else(keys::names, keys::names_filed);
        self.each_key(&range, |key, pages| {
            if let Some((via, name)) = keys::name_of(key) {
                pages.iter().for_each(|&page| found(page, via, name));
            }
        })
    }

    /// What pages have as type, and the folder where; those of [`Index::long`] apart.
    pub(crate) fn types(&self) -> Result<Vec<(String, String)>, Error> {
        let mut types = Vec::new();
        self.each_key(&keys::types(), |key, _| {
            types.extend(keys::type_of(key).map(|(written, folder)| (written.to_owned(), folder.to_owned())));
        })?;
        Ok(types)
    }

    /// The pages that declare a type wherever they lie.
    pub(crate) fn declarations(&self) -> Result<Vec<u32>, Error> {
        self.with_keys([keys::declarations()])
    }

    /// The pages that may link to what is filed under one of these texts.
    pub(crate) fn linking<'t>(&self, filed: impl IntoIterator<Item = &'t str>) -> Result<Vec<u32>, Error> {
        self.with_keys(filed.into_iter().map(keys::links).chain([keys::long()]))
    }

    /// The pages that may state a relation of one of these names.
    pub(crate) fn relating<'t>(&self, names: impl IntoIterator<Item = &'t str>) -> Result<Vec<u32>, Error> {
        self.with_keys(names.into_iter().map(keys::relations).chain([keys::long()]))
    }

    /// The pages that have names, types or links too long to be indexed.
    pub(crate) fn long(&self) -> Result<Vec<u32>, Error> {
        self.with_keys([keys::long()])
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
    fn write(
        pages: &(impl Pages + ?Sized),
        numbers: &[u32],
        analysis: &Analysis,
        schema: &Fields,
        style: LinkStyle,
    ) -> tantivy::Result<Self> {
        let languages = Arc::new(AtomicU8::new(0));
        let tokenizers = TokenizerManager::default();
        tokenizers.register("exact", ExactTokenizer);
        tokenizers.register("stems", StemTokenizer { analysis: analysis.clone(), languages: Arc::clone(&languages) });
        let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let directory = RamDirectory::create();
        let mut writer = tantivy::Index::builder()
            .schema(schema.schema.clone())
            .settings(settings)
            .tokenizers(tokenizers)
            .single_segment_index_writer(directory.clone(), WRITER_BYTES)?;
        let mut read = pages.reader();
        for &number in numbers {
            let page = &*read(number as usize);
            languages.store(analysis.languages_of(page.field_text("lang")), Ordering::Relaxed);
            writer.add_document(schema.document(page, style))?;
        }
        let index = writer.finalize()?;
        let segment = index.searchable_segments()?.into_iter().next();
        let segment = segment.ok_or_else(|| tantivy::TantivyError::InternalError("no segment was written".into()))?;
        let reader = SegmentReader::open(&segment)?;
        let files = COMPONENTS.iter().map(|component| segment.relative_path(component.clone()));
        let files = files.chain(["meta.json".into()]).filter(|file| directory.exists(file).unwrap_or_default());
        let names = files.filter_map(|file| file.to_str().map(str::to_owned)).collect();
        Ok(Self { reader, files: Files::Memory(directory, names), pages: numbers.to_vec() })
    }

    /// Documents and their pages, without those of pages that are gone.
    fn living(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.pages).filter(|&(_, &page)| page != GONE).map(|(document, &page)| (document, page))
    }

    fn has_living(&self, inverted: &InvertedIndexReader, info: &TermInfo) -> Result<bool, Error> {
        let mut has = false;
        self.each_of(inverted, info, |_| has = true)?;
        Ok(has)
    }

    /// Calls `found` with each living page that has a term.
    fn each_of(
        &self,
        inverted: &InvertedIndexReader,
        info: &TermInfo,
        mut found: impl FnMut(u32),
    ) -> Result<(), Error> {
        let postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic);
        let mut postings = postings.map_err(|error| internal(error.into()))?;
        while postings.doc() != TERMINATED {
            let page = self.pages[postings.doc() as usize];
            if page != GONE {
                found(page);
            }
            postings.advance();
        }
        Ok(())
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
            if page != GONE {
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
