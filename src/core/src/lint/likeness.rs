//! Texts that are nearly the same: MinHash over runs of words, without comparing every text with every other.

use std::collections::{HashMap, HashSet};

/// Shorter texts are alike by chance.
const WORDS: usize = 50;
/// Words in a run.
const RUN: usize = 3;
/// The share of runs, in either text, that both must have.
const SHARE: f64 = 0.85;
/// Texts that agree in all minima of one band are compared: of texts that share nearly all runs, hardly any pair is missed.
const BANDS: usize = 8;
const ROWS: usize = 5;
/// Of many texts with the same band each is compared with so many: a wiki of copies must not take a square of time.
const COMPARED: usize = 4;

type Sketch = [u64; BANDS * ROWS];

/// For each text that another one is nearly the same as: that text and the one most like it.
///
/// The same for the same texts in the same order, on every machine.
pub(super) fn alike(texts: &[&str]) -> Vec<(usize, usize)> {
    let sketches: Vec<Option<Sketch>> = texts.iter().map(|text| sketch(text)).collect();
    let mut best: Vec<Option<(f64, usize)>> = vec![None; texts.len()];
    let mut compared = HashSet::new();
    for band in 0..BANDS {
        let mut buckets: HashMap<&[u64], Vec<usize>> = HashMap::new();
        for (text, sketch) in sketches.iter().enumerate() {
            let Some(sketch) = sketch else { continue };
            let bucket = buckets.entry(&sketch[band * ROWS..][..ROWS]).or_default();
            for &other in bucket.iter() {
                if compared.insert((other, text)) {
                    let share = share(texts[other], texts[text]);
                    for (one, two) in [(other, text), (text, other)] {
                        // Of equals the first stays, so that the order of the bands does not matter.
                        let better = best[one].is_none_or(|(known, at)| share > known || (share == known && two < at));
                        if share >= SHARE && better {
                            best[one] = Some((share, two));
                        }
                    }
                }
            }
            if bucket.len() < COMPARED {
                bucket.push(text);
            }
        }
    }
    best.into_iter().enumerate().filter_map(|(text, best)| Some((text, best?.1))).collect()
}

/// The least hash of all runs, for as many hashes as there are rows; `None` for short texts.
fn sketch(text: &str) -> Option<Sketch> {
    let mut sketch = [u64::MAX; BANDS * ROWS];
    let mut runs = 0;
    for run in runs_of(text) {
        runs += 1;
        for (row, least) in sketch.iter_mut().enumerate() {
            // An odd factor permutes all numbers, and the high bits of the product depend on all bits of the hash.
            let hash = run.wrapping_mul(FACTOR.wrapping_mul(2 * row as u64 + 1)).rotate_left(32);
            *least = hash.min(*least);
        }
    }
    (runs + RUN > WORDS).then_some(sketch)
}

/// The share of runs that two texts have in common.
fn share(one: &str, two: &str) -> f64 {
    let [one, two] = [one, two].map(|text| runs_of(text).collect::<HashSet<u64>>());
    let common = one.intersection(&two).count();
    common as f64 / (one.len() + two.len() - common) as f64
}

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes of all runs of words, whatever their case and what stands between them.
fn runs_of(text: &str) -> impl Iterator<Item = u64> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(hash);
    let mut last = [0u64; RUN];
    words
        .map(move |word| {
            last.rotate_left(1);
            last[RUN - 1] = word;
            last.iter().fold(0, |run: u64, word| (run.rotate_left(23) ^ word).wrapping_mul(FACTOR))
        })
        .skip(RUN - 1)
}

/// FNV-1a of a word in lower case: the standard library's hash may differ from release to release.
fn hash(word: &str) -> u64 {
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(0xCBF2_9CE4_8422_2325, |hash: u64, c| (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: std::ops::Range<usize>) -> String {
        words.map(|word| format!("w{} ", word * 7919 % 1000)).collect()
    }

    #[test]
    fn nearly_the_same_is_found_and_half_the_same_is_not() {
        let (one, changed, half, other) =
            (text(0..200), text(0..195) + "and another end", text(100..300), text(400..600));
        assert_eq!(alike(&[&one, &other, &changed, &half]), [(0, 2), (2, 0)]);
    }

    #[test]
    fn case_and_marks_do_not_count() {
        let one = text(0..100);
        let shouted = one.to_uppercase().replace(' ', ",\n* ");
        assert_eq!(alike(&[&one, &shouted]), [(0, 1), (1, 0)]);
    }

    #[test]
    fn short_texts_are_not_compared() {
        assert_eq!(alike(&["the same words", "the same words"]), []);
        assert_eq!(alike(&["", ""]), []);
    }

    #[test]
    fn many_copies_are_each_found_once() {
        let one = text(0..100);
        let copies = vec![one.as_str(); 500];
        let found = alike(&copies);
        assert_eq!(found.len(), 500);
        assert!(found.iter().all(|&(text, other)| text != other && other < COMPARED));
    }
}
