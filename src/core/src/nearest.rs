//! The nearest names to a misspelt one.

use std::collections::HashMap;

use crate::names::fold;

/// Up to `count` of `names`, the nearest to `name` first; with `count` of `names.len()` all of them, ordered.
///
/// Distance is Damerau-Levenshtein on folded text; ties keep the order given.
pub(crate) fn among<S: AsRef<str>>(name: &str, names: &[S], count: usize) -> Vec<String> {
    let name = fold(name);
    let mut ranked: Vec<(usize, &str)> = names
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &fold(candidate.as_ref())), candidate.as_ref()))
        .collect();
    ranked.sort_by_key(|&(distance, _)| distance);
    ranked.into_iter().take(count).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Many names, made ready to be searched: pairs of neighbouring letters find the few that are worth measuring.
#[derive(Debug)]
pub(crate) struct Nearest {
    names: Vec<(String, u32)>,
    pairs: HashMap<(char, char), Vec<u32>>,
}

/// How many names are measured letter by letter.
const MEASURED: usize = 40;
/// The least likeness, 0 to 1, of a name that is offered.
const LEAST: f64 = 0.5;
/// Longer names are compared by their beginnings only.
const LENGTH: usize = 128;

impl Nearest {
    /// From names and the pages they name.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, u32)>) -> Self {
        let names: Vec<(String, u32)> = names.into_iter().map(|(name, page)| (folded(name), page)).collect();
        let mut pairs: HashMap<(char, char), Vec<u32>> = HashMap::new();
        for (index, (name, _)) in names.iter().enumerate() {
            for pair in pairs_of(name) {
                let list = pairs.entry(pair).or_default();
                if list.last() != Some(&(index as u32)) {
                    list.push(index as u32);
                }
            }
        }
        Self { names, pairs }
    }

    /// Up to `count` pages, the nearest first; ties by the order of the names.
    pub(crate) fn find(&self, name: &str, count: usize) -> Vec<usize> {
        let name = folded(name);
        let mut lists: Vec<&Vec<u32>> = pairs_of(&name).filter_map(|pair| self.pairs.get(&pair)).collect();
        // The rarest pairs tell most; common ones would visit every name for little.
        lists.sort_by_key(|list| list.len());
        let mut shared: HashMap<u32, u32> = HashMap::new();
        let mut visited = 0;
        for list in lists {
            visited += list.len();
            if visited > 20_000 && !shared.is_empty() {
                break;
            }
            for &index in list {
                *shared.entry(index).or_default() += 1;
            }
        }
        let mut candidates: Vec<(u32, u32)> = shared.into_iter().collect();
        candidates.sort_unstable_by_key(|&(index, shared)| (std::cmp::Reverse(shared), index));
        let mut measured: Vec<(f64, u32, usize)> = candidates
            .into_iter()
            .take(MEASURED)
            .map(|(index, _)| {
                let (candidate, page) = &self.names[index as usize];
                (strsim::normalized_damerau_levenshtein(&name, candidate), index, *page as usize)
            })
            .filter(|&(likeness, ..)| likeness >= LEAST)
            .collect();
        measured.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut pages = Vec::new();
        for (_, _, page) in measured {
            if pages.len() < count && !pages.contains(&page) {
                pages.push(page);
            }
        }
        pages
    }
}

fn folded(name: &str) -> String {
    fold(name).chars().take(LENGTH).collect()
}

fn pairs_of(name: &str) -> impl Iterator<Item = (char, char)> + '_ {
    std::iter::once('\0').chain(name.chars()).zip(name.chars().chain(std::iter::once('\0')))
}
