//! The scorer: BM25F, over fields that weigh differently, and over exact and stemmed words side by side.
//!
//! tantivy's own scores are not used: they count pages that are gone, and add up in an order that depends on segments.

use super::fields::COUNT;
use super::schema::Form;

/// How pages are ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// What a word in each field counts, in the order of [`super::fields::NAMES`].
    pub weights: [f64; COUNT],
    /// How much of a field's length is held against it, 0 to 1.
    pub length: [f64; COUNT],
    /// What a word in exactly the query's form counts besides what it counts as one of its inflections; nothing at 0, where only
    /// stems are looked for.
    pub exact: f64,
    /// What a word in any inflection counts; at 0 only exact words are looked for.
    pub stemmed: f64,
    /// How soon more of the same word says nothing new.
    pub saturation: f64,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            weights: [6.0, 5.0, 2.5, 2.0, 1.5, 1.0],
            length: [0.6, 0.6, 0.75, 0.6, 0.6, 0.75],
            exact: 0.4,
            stemmed: 1.0,
            // Higher than BM25's usual 1.2, because a frequency here is weighted: one word of a title counts as six.
            saturation: 8.0,
        }
    }
}

/// Words of one clause in one field of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Occurrence {
    pub(super) field: usize,
    /// In which form; `None` for a phrase, which is both.
    pub(super) form: Option<Form>,
    /// How often.
    pub(super) times: u32,
    /// Words that the field has.
    pub(super) words: u32,
}

impl Ranking {
    /// Whether words of that form are looked for.
    pub(super) fn asks_for(&self, form: Form) -> bool {
        self.form(Some(form)) > 0.0
    }

    fn form(&self, form: Option<Form>) -> f64 {
        match form {
            Some(Form::Exact) => self.exact,
            Some(Form::Stem) => self.stemmed,
            None => self.exact + self.stemmed,
        }
    }

    /// What an occurrence adds to a clause's frequency in a page; `mean` is the mean length of such fields.
    pub(super) fn frequency(&self, occurrence: &Occurrence, mean: f64) -> f64 {
        let length = self.length[occurrence.field];
        let norm = 1.0 - length + length * f64::from(occurrence.words) / mean;
        self.weights[occurrence.field] * self.form(occurrence.form) * f64::from(occurrence.times) / norm
    }

    /// How much a clause says that `holders` of `pages` pages have.
    pub(super) fn rarity(&self, holders: usize, pages: usize) -> f64 {
        let (holders, pages) = (holders as f64, pages as f64);
        (1.0 + (pages - holders + 0.5) / (holders + 0.5)).ln()
    }

    /// What a clause adds to a page's score.
    pub(super) fn score(&self, rarity: f64, frequency: f64) -> f64 {
        rarity * frequency * (self.saturation + 1.0) / (frequency + self.saturation)
    }
}

/// A score as it is sorted by and shown: to four digits.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}
