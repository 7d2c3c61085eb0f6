//! Near spellings: words of the wiki that a word which no page has may have meant. Offered, never applied.

use super::Index;
use super::query::{Atom, Clause};
use crate::error::Error;

/// Words that come near a word that no page has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// As the query's echo has it.
    pub term: String,
    /// The nearest first.
    pub words: Vec<String>,
}

/// Words that are offered for one.
const MAX_WORDS: usize = 5;
/// Terms that words are looked for near: a query of many unknown words is no misspelling.
const MAX_TERMS: usize = 8;

/// Words near those clauses that no page has; each comes with the number of pages that have it.
pub(super) fn suggestions<'q>(
    index: &Index,
    clauses: impl Iterator<Item = (&'q Clause, usize)>,
) -> Result<Vec<Suggestion>, Error> {
    let missing = clauses.filter(|(_, pages)| *pages == 0).filter_map(|(clause, _)| match &clause.any[..] {
        [Atom::Word { exact, .. }] => Some((&clause.text, exact)),
        _ => None,
    });
    let mut suggestions = Vec::new();
    for (term, exact) in missing.take(MAX_TERMS) {
        let words = words(index, exact)?;
        if !words.is_empty() {
            suggestions.push(Suggestion { term: term.clone(), words });
        }
    }
    Ok(suggestions)
}

fn words(index: &Index, exact: &str) -> Result<Vec<String>, Error> {
    let distance = match exact.chars().count() {
        0..=2 => return Ok(Vec::new()),
        3..=4 => 1,
        _ => 2,
    };
    let mut near: Vec<(usize, std::cmp::Reverse<usize>, String)> = index
        .near(exact, distance)?
        .into_iter()
        .map(|(word, pages)| (strsim::osa_distance(exact, &word), std::cmp::Reverse(pages), word))
        .collect();
    near.sort();
    Ok(near.into_iter().take(MAX_WORDS).map(|(_, _, word)| word).collect())
}
