//! A segment of the index: documents in the form of tantivy, in memory or stored, and the page that each of them is.

use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tantivy::directory::{Directory, OwnedBytes, RamDirectory};
use tantivy::index::SegmentComponent;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{DocSet, IndexSettings, InvertedIndexReader, SegmentReader, TERMINATED};

use super::analysis::{Analysis, ExactTokenizer, StemTokenizer};
use super::index::Pages;
use super::schema::Fields;
use crate::cache::{Container, Folder};
use crate::error::Error;
use crate::page::LinkStyle;
use crate::table::GONE;

/// Memory of a segment's writer at its start; a segment is made in one go.
const WRITER_BYTES: usize = 16 << 20;
/// The files of a segment that may be there.
const COMPONENTS: [SegmentComponent; 6] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Terms,
    SegmentComponent::Store,
];

/// Documents, and which page each of them is.
#[derive(Clone)]
pub(super) struct Segment {
    pub(super) reader: SegmentReader,
    files: Files,
    /// The page of each document; [`GONE`] for one that is not there any more.
    pub(super) pages: Vec<u32>,
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

impl Segment {
    /// Indexes the pages of these numbers.
    pub(super) fn write(
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

    /// One that is stored: the name of its file, the file, and the page of each document; `None` where they do not fit.
    pub(super) fn open(schema: &Fields, name: String, file: Arc<Container>, pages: Vec<u32>) -> Option<Self> {
        let index = tantivy::Index::open(Folder(Arc::clone(&file))).ok()?;
        let segment = index.searchable_segments().ok()?.into_iter().next()?;
        let reader = SegmentReader::open(&segment).ok()?;
        let fits = *reader.schema() == schema.schema && reader.max_doc() as usize == pages.len();
        fits.then_some(Self { reader, files: Files::Stored(name, file), pages })
    }

    /// The same documents as other pages.
    pub(super) fn with_pages(&self, pages: Vec<u32>) -> Self {
        Self { reader: self.reader.clone(), files: self.files.clone(), pages }
    }

    /// As it is stored.
    pub(super) fn stored(&self) -> std::io::Result<Stored<'_>> {
        let (name, source) = match &self.files {
            Files::Stored(name, file) => (name.clone(), Err(&**file)),
            Files::Memory(directory, files) => {
                let mut parts = Vec::new();
                for file in files.iter() {
                    let handle = directory.get_file_handle(Path::new(file)).map_err(std::io::Error::other)?;
                    parts.push((file.clone(), handle.read_bytes(0..handle.len())?));
                }
                (format!("{}.segment", self.reader.segment_id().uuid_string()), Ok(parts))
            }
        };
        Ok(Stored { name, source, pages: &self.pages })
    }

    /// Whether it was stored.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.files, Files::Stored(..))
    }

    /// Whether it was stored and found not to be what was written.
    pub(super) fn is_damaged(&self) -> bool {
        matches!(&self.files, Files::Stored(_, file) if file.is_damaged())
    }

    /// Documents and their pages, without those of pages that are gone.
    pub(super) fn living(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.pages).filter(|&(_, &page)| page != GONE).map(|(document, &page)| (document, page))
    }

    /// Whether a living page has a term.
    pub(super) fn has_living(&self, inverted: &InvertedIndexReader, info: &TermInfo) -> Result<bool, Error> {
        let mut has = false;
        self.each_of(inverted, info, |_| has = true)?;
        Ok(has)
    }

    /// Calls `found` with each living page that has a term.
    pub(super) fn each_of(
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
    pub(super) fn each(
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

/// Calls `found` with the terms of a field within a range, in order.
pub(super) fn each_term(
    inverted: &InvertedIndexReader,
    (low, high): &(Bound<String>, Bound<String>),
    mut found: impl FnMut(&str, &TermInfo) -> Result<(), Error>,
) -> Result<(), Error> {
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
    while let Some((term, info)) = stream.next() {
        found(&String::from_utf8_lossy(term), info)?;
    }
    Ok(())
}

/// tantivy's error as ours.
pub(super) fn internal(error: tantivy::TantivyError) -> Error {
    Error::Internal { message: format!("the search index: {error}") }
}
