//! The nearest of a few names to a misspelt one.

/// Up to `count` of `names`, the nearest to `name` first; with `count` of `names.len()` all of them, ordered.
///
/// Distance is Damerau-Levenshtein on lower-case text; ties keep the order given.
pub fn among<S: AsRef<str>>(name: &str, names: &[S], count: usize) -> Vec<String> {
    let name = name.to_lowercase();
    let mut ranked: Vec<(usize, &str)> = names
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.as_ref().to_lowercase()), candidate.as_ref()))
        .collect();
    ranked.sort_by_key(|&(distance, _)| distance);
    ranked.into_iter().take(count).map(|(_, candidate)| candidate.to_owned()).collect()
}
