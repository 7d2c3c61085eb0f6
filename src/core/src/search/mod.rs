//! Search: tantivy holds the terms, one scorer of our own ranks the pages.
//!
//! An answer depends on the commit and the question alone, so nothing that depends on the index's shape takes part in a
//! score: terms and fields are added in a fixed order, in f64, rounded before sorting, with ties by path.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use tantivy::directory::RamDirectory;
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, TokenizerManager};
use tantivy::{DocSet, SegmentReader, TERMINATED, TantivyDocument, Term};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::error::Error;
use crate::page::Page;

/// The index of a snapshot, in memory. Document n is page n.
pub struct Index {
    segment: SegmentReader,
    /// The fields, each with its weight and the mean number of its tokens.
    fields: Vec<(Field, f64, f64)>,
    analyzer: TextAnalyzer,
}

/// The searched fields and how much a match in each counts.
const FIELDS: [(&str, f64); 3] = [("title", 4.0), ("headings", 2.0), ("body", 1.0)];
/// More distinct words than this are left out of a query, which says so; a page's matches fit one machine word.
const MAX_TERMS: usize = u64::BITS as usize;
/// Words of more bytes than this are not indexed.
const MAX_WORD: usize = 128;
/// Okapi BM25's saturation and length normalisation, at Robertson's usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Memory of the writer; the segment is made in one go.
const WRITER_BYTES: usize = 64 << 20;

/// What a query found.
pub struct Found {
    /// The query's words as they were looked up, each once.
    pub terms: Vec<String>,
    /// All pages that match, the best first.
    pub hits: Vec<Hit>,
    /// What whoever asked should know.
    pub notes: Vec<String>,
}

/// A page that matches.
pub struct Hit {
    /// Index of the page.
    pub page: usize,
    /// Rounded to four digits, as it is sorted by.
    pub score: f64,
    /// Which of the terms it has: bit n for the nth.
    pub matched: u64,
}

impl Index {
    /// Indexes pages.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn build(pages: &[Arc<Page>]) -> Result<Self, Error> {
        Self::try_build(pages).map_err(internal)
    }

    fn try_build(pages: &[Arc<Page>]) -> tantivy::Result<Self> {
        let analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(MAX_WORD))
            .filter(LowerCaser)
            .build();
        let indexing =
            TextFieldIndexing::default().set_tokenizer("words").set_index_option(IndexRecordOption::WithFreqs);
        let mut schema = Schema::builder();
        let fields = FIELDS.map(|(name, _)| {
            schema.add_text_field(name, TextOptions::default().set_indexing_options(indexing.clone()))
        });
        let tokenizers = TokenizerManager::new();
        tokenizers.register("words", analyzer.clone());
        let mut writer = tantivy::Index::builder()
            .schema(schema.build())
            .tokenizers(tokenizers)
            .single_segment_index_writer(RamDirectory::create(), WRITER_BYTES)?;
        for page in pages {
            let headings: Vec<&str> = page.body.headings.iter().map(|heading| heading.text.as_str()).collect();
            let mut document = TantivyDocument::default();
            for (field, text) in
                fields.into_iter().zip([&page.title, &headings.join("\n"), page.text.slice(page.body.span)])
            {
                document.add_text(field, composed(text));
            }
            writer.add_document(document)?;
        }
        let index = writer.finalize()?;
        let reader = index.reader_builder().reload_policy(tantivy::ReloadPolicy::Manual).try_into()?;
        let segment = reader.searcher().segment_reader(0).clone();
        let documents = f64::from(segment.max_doc()).max(1.0);
        let fields = fields
            .into_iter()
            .zip(FIELDS)
            .map(|(field, (_, weight))| {
                let tokens = segment.inverted_index(field)?.total_num_tokens() as f64;
                Ok((field, weight, (tokens / documents).max(1.0)))
            })
            .collect::<tantivy::Result<_>>()?;
        Ok(Self { segment, fields, analyzer })
    }

    /// Pages that have all words of a query, or the most of them. Any text is a query.
    ///
    /// # Errors
    /// [`Error::Internal`] with tantivy's own words.
    pub fn search(&self, query: &str, pages: &[Arc<Page>]) -> Result<Found, Error> {
        let (terms, notes) = self.terms(query);
        let mut scores: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        for (number, term) in terms.iter().enumerate() {
            self.add_scores(number, term, &mut scores).map_err(internal)?;
        }
        let most = scores.values().map(|(_, matched)| matched.count_ones()).max().unwrap_or_default();
        let mut hits: Vec<Hit> = scores
            .into_iter()
            .filter(|(_, (_, matched))| matched.count_ones() == most)
            .map(|(page, (score, matched))| Hit { page: page as usize, score: (score * 1e4).round() / 1e4, matched })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| pages[a.page].path.cmp(&pages[b.page].path)));
        Ok(Found { terms, hits, notes })
    }

    fn terms(&self, query: &str) -> (Vec<String>, Vec<String>) {
        let mut terms: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        let mut analyzer = self.analyzer.clone();
        let query = composed(query);
        let mut tokens = analyzer.token_stream(&query);
        while let Some(token) = tokens.next() {
            if terms.len() == MAX_TERMS {
                return (terms, vec![format!("only the first {MAX_TERMS} words of the query were looked for")]);
            }
            if seen.insert(token.text.clone()) {
                terms.push(token.text.clone());
            }
        }
        let notes = if terms.is_empty() { vec!["the query has no word to look for".into()] } else { Vec::new() };
        (terms, notes)
    }

    /// Adds one term's BM25 in all fields. Its rarity is that over all fields together, so that a word is not rare for
    /// standing in few titles.
    fn add_scores(&self, number: usize, term: &str, scores: &mut BTreeMap<u32, (f64, u64)>) -> tantivy::Result<()> {
        let mut weighted: BTreeMap<u32, f64> = BTreeMap::new();
        for &(field, weight, mean_length) in &self.fields {
            let inverted = self.segment.inverted_index(field)?;
            let term = Term::from_field_text(field, term);
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else { continue };
            let lengths = self.segment.get_fieldnorms_reader(field)?;
            let mut document = postings.doc();
            while document != TERMINATED {
                let frequency = f64::from(postings.term_freq());
                let length = f64::from(lengths.fieldnorm(document));
                let saturated = frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length / mean_length));
                *weighted.entry(document).or_default() += weight * saturated;
                document = postings.advance();
            }
        }
        let documents = f64::from(self.segment.max_doc());
        let holders = weighted.len() as f64;
        let rarity = (1.0 + (documents - holders + 0.5) / (holders + 0.5)).ln();
        for (document, weight) in weighted {
            let (score, matched) = scores.entry(document).or_default();
            *score += rarity * weight;
            *matched |= 1 << number;
        }
        Ok(())
    }
}

/// Text in NFC: the tokenizer would part letters from the marks that follow them.
fn composed(text: &str) -> std::borrow::Cow<'_, str> {
    if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() }
}

fn internal(error: tantivy::TantivyError) -> Error {
    Error::Internal { message: format!("the search index: {error}") }
}
