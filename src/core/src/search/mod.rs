//! Search: which pages have what a query asks for, and in which order they are given.
//!
//! [`query`] reads the question, [`index`] finds words and front matter in tantivy's segments, [`ranking`] scores, [`snippets`]
//! shows where. An answer depends on the commit and the question alone, so nothing that depends on the index's shape takes part in
//! it: clauses and fields are added up in a fixed order, in f64, scores are rounded before sorting, and ties go by path.

pub mod analysis;
mod facts;
pub mod fields;
mod index;
mod keys;
mod lookup;
mod near;
pub mod query;
mod ranking;
mod schema;
mod segment;
pub mod snippets;
mod stop_words;
pub mod words;

use std::collections::{BTreeMap, HashMap};

use crate::error::Error;
use crate::names::fold;
use crate::nearest;
pub use index::{Index, Pages, Shape};
pub use near::Suggestion;
pub use query::{Atom, Clause, Query};
pub use ranking::Ranking;

use ranking::{Occurrence, rounded};
use schema::Form;

/// What names in a query mean in the wiki.
pub trait Wiki {
    /// The name of the type that `name` means, if it means one.
    fn type_named(&self, name: &str) -> Option<String>;

    /// The pages that link to those of that name.
    ///
    /// # Errors
    /// No page has that name: the paths of the nearest.
    fn linking_to(&self, name: &str) -> Result<Vec<u32>, Vec<String>>;
}

/// What a query found.
#[derive(Debug)]
pub struct Found {
    /// The query as it was understood.
    pub query: Query,
    /// All pages that match, the best first.
    pub hits: Vec<Hit>,
    /// Words near those that no page has.
    pub suggestions: Vec<Suggestion>,
    /// What whoever asked should know.
    pub notes: Vec<String>,
    /// About the page that was asked about.
    pub verdict: Option<Verdict>,
}

/// A page that matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The page's number.
    pub page: u32,
    /// To four digits, as it is sorted by.
    pub score: f64,
    /// Which of the wanted clauses it has: bit n for the nth.
    pub matched: u64,
}

/// Why a page is among the hits or not.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Its place among the hits, from 1.
    pub rank: Option<usize>,
    /// Which of the wanted clauses it has.
    pub matched: u64,
    /// How many of the wanted clauses a hit had to have, stop words not counted.
    pub needed: u32,
    /// How many of those it has.
    pub has: u32,
    /// Filters that it does not pass.
    pub filtered_by: Vec<String>,
    /// What the query excludes and it has.
    pub excluded_by: Vec<String>,
}

/// What one clause adds to a page's score.
#[derive(Clone, Debug)]
pub struct Part {
    /// The clause's number among those wanted.
    pub clause: usize,
    /// How many pages have it.
    pub pages: usize,
    /// How much it says, from that.
    pub rarity: f64,
    /// By field that has it: how often in exactly that form, and in any.
    pub fields: BTreeMap<usize, (u32, u32)>,
    /// The weighted frequency over all fields.
    pub frequency: f64,
    /// What it adds.
    pub score: f64,
}

/// Of a query of so many words a hit has all, or if no page has, as many as the best one. More words, stop words counted, are a
/// question in somebody's own words, and the page that answers it need not be the one that has most of them: half of what the
/// best page has is enough.
const FEW: usize = 3;
/// How many values a note offers.
const NEAR_VALUES: usize = 5;
/// Among how many of like length they are looked for.
const MAX_VALUES: usize = 1000;

/// Pages that have what a query asks for. Any text is a query. `about` is a page to give a verdict on.
///
/// # Errors
/// [`Error::Internal`] where the index cannot be read.
pub fn search(
    index: &Index,
    text: &str,
    ranking: &Ranking,
    wiki: &impl Wiki,
    about: Option<u32>,
) -> Result<Found, Error> {
    let query = Query::parse(text, index.analysis(), index);
    let mut search = Search { index, ranking, wiki, notes: Vec::new() };
    let pages = index.table().len();

    let (mut scores, mut matched) = (vec![0.0; pages], vec![0u64; pages]);
    let mut buffer = Buffer::new(pages);
    let mut holders = Vec::new();
    for (number, clause) in query.wanted.iter().enumerate() {
        let weighed = search.weigh(clause, &mut buffer)?;
        let rarity = ranking.rarity(weighed.len(), pages);
        for &(page, frequency) in &weighed {
            scores[page as usize] += ranking.score(rarity, frequency);
            matched[page as usize] |= 1 << number;
        }
        holders.push(weighed.len());
    }

    let filters = search.each_filter(&query.filters)?;
    let excluded = search.each_filter(&query.excluded)?;
    for (clause, passing) in query.filters.iter().zip(&filters) {
        if !passing.contains(&true) {
            search.tell_of_empty(clause)?;
        }
    }
    let passes = |page: usize| filters.iter().all(|filter| filter[page]) && !excluded.iter().any(|filter| filter[page]);
    let required = bits(query.wanted.iter().map(|clause| !clause.optional));
    let has = |page: usize| (matched[page] & required).count_ones();
    let asks = !query.wanted.is_empty() || !query.filters.is_empty() || !query.excluded.is_empty();
    let candidates: Vec<usize> =
        (0..pages).filter(|&page| asks && (required == 0 || has(page) > 0) && passes(page)).collect();

    let best = candidates.iter().map(|&page| has(page)).max().unwrap_or_default();
    let needed = if query.written <= FEW { best } else { best.div_ceil(2) };
    if !candidates.is_empty() && best < required.count_ones() {
        search.notes.push("no page has all of the terms; `missing` says which a hit lacks".into());
    }
    let mut hits: Vec<Hit> = candidates
        .into_iter()
        .filter(|&page| has(page) >= needed)
        .map(|page| Hit { page: page as u32, score: rounded(scores[page]), matched: matched[page] })
        .collect();
    // Pages are numbered by their paths.
    hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.page.cmp(&b.page)));

    let verdict = about.map(|about| {
        let page = about as usize;
        let failing = |clauses: &[Clause], filters: &[Vec<bool>], at_fault: bool| {
            let pairs = clauses.iter().zip(filters).filter(|(_, filter)| filter[page] == at_fault);
            pairs.map(|(clause, _)| clause.text.clone()).collect()
        };
        Verdict {
            rank: hits.iter().position(|hit| hit.page == about).map(|place| place + 1),
            matched: matched[page],
            needed,
            has: has(page),
            filtered_by: failing(&query.filters, &filters, false),
            excluded_by: failing(&query.excluded, &excluded, true),
        }
    });
    let suggestions = near::suggestions(index, query.wanted.iter().zip(holders))?;
    let notes = query.notes.iter().cloned().chain(search.notes).collect();
    Ok(Found { query, hits, suggestions, notes, verdict })
}

fn bits(flags: impl Iterator<Item = bool>) -> u64 {
    flags.enumerate().fold(0, |bits, (number, flag)| bits | u64::from(flag) << number)
}

/// What the wanted clauses add to the scores of some pages, in the pages' order.
///
/// # Errors
/// [`Error::Internal`] where the index cannot be read.
pub fn parts(
    index: &Index,
    query: &Query,
    ranking: &Ranking,
    wiki: &impl Wiki,
    pages: &[u32],
) -> Result<Vec<Vec<Part>>, Error> {
    let search = Search { index, ranking, wiki, notes: Vec::new() };
    let mut buffer = Buffer::new(index.table().len());
    let mut parts: Vec<Vec<Part>> = pages.iter().map(|_| Vec::new()).collect();
    for (number, clause) in query.wanted.iter().enumerate() {
        let weighed = search.weigh(clause, &mut buffer)?;
        let rarity = ranking.rarity(weighed.len(), index.table().len());
        let frequencies: HashMap<u32, f64> = weighed.iter().copied().collect();
        let mut fields: HashMap<u32, BTreeMap<usize, (u32, u32)>> = HashMap::new();
        search.visit(clause, |page, occurrence| {
            if let Some(occurrence) = occurrence.filter(|_| pages.contains(&page)) {
                let times = fields.entry(page).or_default().entry(occurrence.field).or_default();
                if occurrence.form != Some(Form::Stem) {
                    times.0 += occurrence.times;
                }
                if occurrence.form != Some(Form::Exact) {
                    times.1 += occurrence.times;
                }
            }
        })?;
        for (page, parts) in pages.iter().zip(&mut parts) {
            if let Some(&frequency) = frequencies.get(page) {
                parts.push(Part {
                    clause: number,
                    pages: weighed.len(),
                    rarity,
                    fields: fields.remove(page).unwrap_or_default(),
                    frequency,
                    score: ranking.score(rarity, frequency),
                });
            }
        }
    }
    Ok(parts)
}

/// How many of some pages have each type, by its name, and each tag; the most frequent first.
///
/// # Errors
/// [`Error::Internal`] where the index cannot be read.
pub fn facets(index: &Index, hits: &[Hit], wiki: &impl Wiki) -> Result<[Vec<(String, usize)>; 2], Error> {
    let pages: Vec<u32> = hits.iter().map(|hit| hit.page).collect();
    let [types, tags] = index.facets(&pages)?;
    let mut named: HashMap<String, usize> = HashMap::new();
    for (written, count) in types {
        *named.entry(wiki.type_named(&written).unwrap_or(written)).or_default() += count;
    }
    Ok([named, tags].map(|facet| {
        let mut facet: Vec<_> = facet.into_iter().collect();
        facet.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        facet
    }))
}

struct Search<'a, W> {
    index: &'a Index,
    ranking: &'a Ranking,
    wiki: &'a W,
    notes: Vec<String>,
}

/// A number for each page, made once for all clauses.
struct Buffer {
    frequencies: Vec<f64>,
    /// Whether a page is in the list,
    is_touched: Vec<bool>,
    /// and the list.
    touched: Vec<u32>,
}

impl Buffer {
    fn new(pages: usize) -> Self {
        Self { frequencies: vec![0.0; pages], is_touched: vec![false; pages], touched: Vec::new() }
    }
}

impl<W: Wiki> Search<'_, W> {
    /// Pages that have a clause, each with its weighted frequency.
    fn weigh(&self, clause: &Clause, buffer: &mut Buffer) -> Result<Vec<(u32, f64)>, Error> {
        let means = self.index.mean_lengths();
        self.visit(clause, |page, occurrence| {
            let at = page as usize;
            if !std::mem::replace(&mut buffer.is_touched[at], true) {
                buffer.touched.push(page);
            }
            if let Some(occurrence) = occurrence {
                buffer.frequencies[at] += self.ranking.frequency(&occurrence, means[occurrence.field]);
            }
        })?;
        let weighed = buffer.touched.drain(..).map(|page| {
            buffer.is_touched[page as usize] = false;
            (page, std::mem::take(&mut buffer.frequencies[page as usize]))
        });
        Ok(weighed.collect())
    }

    /// Calls `found` for everything that pages have of a clause: words in texts, or just that they have it. For one page this is
    /// always in the same order.
    fn visit(&self, clause: &Clause, mut found: impl FnMut(u32, Option<Occurrence>)) -> Result<(), Error> {
        for atom in &clause.any {
            self.visit_atom(atom, &mut found)?;
        }
        Ok(())
    }

    fn visit_atom(&self, atom: &Atom, found: &mut impl FnMut(u32, Option<Occurrence>)) -> Result<(), Error> {
        let (Atom::Word { fields, .. } | Atom::Prefix { fields, .. } | Atom::Phrase { fields, .. }) = atom else {
            return self.filter(atom, |page| found(page, None));
        };
        let (spellings, stems) = match atom {
            Atom::Word { exact, .. } => (self.index.analysis().spellings(exact), self.index.analysis().stems(exact)),
            _ => Default::default(),
        };
        for field in fields.numbers() {
            let mut tell = |form, page, times, words| found(page, Some(Occurrence { field, form, times, words }));
            let (in_exact, in_stem) = (Some(Form::Exact), Some(Form::Stem));
            match atom {
                Atom::Word { .. } => {
                    if self.ranking.asks_for(Form::Exact) {
                        self.index
                            .each_with(field, Form::Exact, &spellings, |page, n, of| tell(in_exact, page, n, of))?;
                    }
                    if self.ranking.asks_for(Form::Stem) {
                        self.index.each_with(field, Form::Stem, &stems, |page, n, of| tell(in_stem, page, n, of))?;
                    }
                }
                Atom::Prefix { exact, .. } => {
                    self.index.each_beginning(field, Form::Exact, exact, |page, n, of| tell(in_exact, page, n, of))?;
                    // An umlaut that is spelt otherwise on the page.
                    let normal = analysis::german(exact);
                    if normal.chars().count() >= query::MIN_PREFIX {
                        self.index
                            .each_beginning(field, Form::Stem, &normal, |page, n, of| tell(in_stem, page, n, of))?;
                    }
                }
                Atom::Phrase { exact, .. } => {
                    self.index.each_with_phrase(field, exact, |page, n, of| tell(None, page, n, of))?;
                }
                Atom::Fact { .. } | Atom::Path(_) | Atom::Links(_) => {}
            }
        }
        Ok(())
    }

    /// Calls `found` with the pages that a filter lets pass, perhaps more than once.
    fn filter(&self, atom: &Atom, mut found: impl FnMut(u32)) -> Result<(), Error> {
        match atom {
            Atom::Word { .. } | Atom::Prefix { .. } | Atom::Phrase { .. } => Ok(()),
            Atom::Fact { key, test } => {
                self.index.each_within(&test.ranges(key), &mut found)?;
                // One type has many names.
                if let facts::Test::Is(name, _) = test
                    && key == "type"
                    && let Some(named) = self.wiki.type_named(name)
                {
                    for written in self.index.values("type")? {
                        if written != *name && self.wiki.type_named(&written).as_ref() == Some(&named) {
                            self.index.each_within(&facts::Test::Is(written, None).ranges(key), &mut found)?;
                        }
                    }
                }
                Ok(())
            }
            Atom::Path(globs) => {
                let pages = (0..).zip(self.index.table().paths());
                pages.filter(|(_, path)| globs.matches(&fold(path))).for_each(|(number, _)| found(number));
                Ok(())
            }
            Atom::Links(name) => {
                self.wiki.linking_to(name).unwrap_or_default().into_iter().for_each(found);
                Ok(())
            }
        }
    }

    /// By clause and page: whether the page has it.
    fn each_filter(&self, clauses: &[Clause]) -> Result<Vec<Vec<bool>>, Error> {
        let one = |clause: &Clause| {
            let mut has = vec![false; self.index.table().len()];
            self.visit(clause, |page, _| has[page as usize] = true)?;
            Ok(has)
        };
        clauses.iter().map(one).collect()
    }

    /// A note on a filter that no page passes, with what comes near its value.
    fn tell_of_empty(&mut self, clause: &Clause) -> Result<(), Error> {
        let near = match &clause.any[..] {
            [Atom::Fact { key, test: facts::Test::Is(value, _) }] => {
                let length = value.chars().count();
                let mut values = self.index.values(key)?;
                if key == "type" {
                    let named = |written: String| self.wiki.type_named(&written).unwrap_or(written);
                    values = values.into_iter().map(named).collect();
                    values.sort();
                    values.dedup();
                }
                values.retain(|known| known.chars().count().abs_diff(length) <= length.max(2) / 2);
                values.truncate(MAX_VALUES);
                nearest::among(value, &values, NEAR_VALUES)
            }
            [Atom::Links(name)] => self.wiki.linking_to(name).err().unwrap_or_default(),
            _ => Vec::new(),
        };
        let near =
            if near.is_empty() { String::new() } else { format!("; near: {}", crate::error::list(&near, "and")) };
        self.notes.push(format!("no page passes `{}`{near}", clause.text));
        Ok(())
    }
}
