//! The nearest names to a misspelt one.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::names::fold;

/// Up to `count` of `names`, the nearest to `name` first; with `count` of `names.len()` all of them, ordered.
///
/// Distance counts letters left out, put in, changed or swapped with a neighbour, on folded text; ties keep the order
/// given.
pub(crate) fn among<S: AsRef<str>>(name: &str, names: &[S], count: usize) -> Vec<String> {
    let name = folded(name);
    let mut ranked: Vec<(usize, &str)> = names
        .iter()
        .map(|candidate| (strsim::osa_distance(&name, &folded(candidate.as_ref())), candidate.as_ref()))
        .collect();
    ranked.sort_by_key(|&(distance, _)| distance);
    ranked.into_iter().take(count).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Many names, made ready to be searched: pairs of neighbouring letters find the few that are worth measuring.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    names: Vec<Name>,
    pairs: HashMap<Pair, Vec<u32>, RandomState>,
}

/// Two letters that stand next to each other.
type Pair = (char, char);

#[derive(Clone, Debug)]
struct Name {
    folded: String,
    /// Its letters.
    length: usize,
    page: u32,
}

/// How many names are measured letter by letter.
const MEASURED: usize = 24;
/// How many names are looked at because they share a pair of letters; the rarest pairs, which tell most, come first.
const VISITED: usize = 20_000;
/// The least likeness, 0 to 1, of a name that is offered.
const LEAST: f64 = 0.6;
/// Of so many misspelt names the nearest are looked for: where a wiki has more of them, it would take longer than all the rest.
pub(crate) const HINTS: usize = 2000;
/// Longer names are compared by their beginnings only.
const LENGTH: usize = 128;

impl Nearest {
    /// From names and the pages they name.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, u32)>) -> Self {
        let mut nearest = Self { names: Vec::new(), pairs: HashMap::default() };
        names.into_iter().for_each(|(name, page)| nearest.add(folded(name), page, |_| true));
        nearest
    }

    /// The same for these spellings alone, of the names that `each` calls with: those that none of them shares a pair of letters with are
    /// left out. Ties in the order of the names.
    pub(crate) fn around<E>(
        spellings: &[&str],
        each: impl FnOnce(&mut dyn FnMut(&str, u32)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut wanted: HashSet<Pair, RandomState> = HashSet::default();
        spellings.iter().for_each(|spelling| wanted.extend(pairs_of(&folded(spelling))));
        let mut shared: Vec<(String, u32, String)> = Vec::new();
        each(&mut |name, page| {
            let folded = folded(name);
            if pairs_of(&folded).any(|pair| wanted.contains(&pair)) {
                shared.push((name.to_owned(), page, folded));
            }
        })?;
        shared.sort_unstable();
        let mut nearest = Self { names: Vec::new(), pairs: HashMap::default() };
        shared.into_iter().for_each(|(_, page, folded)| nearest.add(folded, page, |pair| wanted.contains(pair)));
        Ok(nearest)
    }

    fn add(&mut self, folded: String, page: u32, is_wanted: impl Fn(&Pair) -> bool) {
        let index = self.names.len() as u32;
        for pair in pairs_of(&folded).filter(is_wanted) {
            let list = self.pairs.entry(pair).or_default();
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
        self.names.push(Name { length: folded.chars().count(), folded, page });
    }

    /// Up to `count` pages, the nearest to any of several spellings first; ties by the order of the names.
    pub(crate) fn find(&self, spellings: &[&str], count: usize) -> Vec<usize> {
        let mut measured: Vec<(f64, u32)> = Vec::new();
        for spelling in spellings {
            let spelling = folded(spelling);
            let length = spelling.chars().count();
            let likeness = |index: u32| {
                let candidate = &self.names[index as usize];
                let distance = strsim::osa_distance(&spelling, &candidate.folded) as f64;
                1.0 - distance / length.max(candidate.length) as f64
            };
            let candidates = self.candidates(&spelling, length).into_iter();
            measured
                .extend(candidates.map(|index| (likeness(index), index)).filter(|&(likeness, _)| likeness >= LEAST));
        }
        measured.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut pages = Vec::new();
        for (_, index) in measured {
            let page = self.names[index as usize].page as usize;
            if pages.len() < count && !pages.contains(&page) {
                pages.push(page);
            }
        }
        pages
    }

    /// The names that share most pairs of letters with a folded name, as far as their lengths let them be alike.
    fn candidates(&self, name: &str, length: usize) -> Vec<u32> {
        let mut lists: Vec<&Vec<u32>> = pairs_of(name).filter_map(|pair| self.pairs.get(&pair)).collect();
        lists.sort_by_key(|list| list.len());
        let mut shared = vec![0u8; self.names.len()];
        let mut candidates: Vec<u32> = Vec::new();
        let mut visited = 0;
        for list in lists {
            visited += list.len();
            if visited > VISITED && !candidates.is_empty() {
                break;
            }
            for &index in list {
                let (shared, other) = (&mut shared[index as usize], self.names[index as usize].length);
                if *shared == 0 && length.min(other) as f64 >= LEAST * length.max(other) as f64 {
                    candidates.push(index);
                }
                *shared = shared.saturating_add(1);
            }
        }
        let key = |&index: &u32| (std::cmp::Reverse(shared[index as usize]), index);
        if candidates.len() > MEASURED {
            candidates.select_nth_unstable_by_key(MEASURED, key);
            candidates.truncate(MEASURED);
        }
        candidates
    }
}

fn folded(name: &str) -> String {
    let mut folded = fold(name);
    if let Some((end, _)) = folded.char_indices().nth(LENGTH).filter(|_| folded.len() > LENGTH) {
        folded.truncate(end);
    }
    folded
}

fn pairs_of(name: &str) -> impl Iterator<Item = Pair> + '_ {
    std::iter::once('\0').chain(name.chars()).zip(name.chars().chain(std::iter::once('\0')))
}
