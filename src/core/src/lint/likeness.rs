//! Texts that are nearly the same: MinHash over runs of words, in one pass, without comparing every text with every other.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

/// Shorter texts are alike by chance.
const WORDS: usize = 50;
/// Words in a run.
const RUN: usize = 3;
/// The share of runs, in either text, that both must have.
const SHARE: f64 = 0.85;
/// Texts that agree in all minima of one band are compared: of texts that share nearly all runs, hardly any pair is missed.
const BANDS: usize = 8;
const ROWS: usize = 5;
/// Texts of the wanted share agree in more bins than these, but for one pair in thousands.
const PROMISING: usize = BANDS * ROWS / 2;
/// Of many texts with the same band each is compared with so many: a wiki of copies must not take a square of time.
const COMPARED: usize = 4;

type Sketch = [u64; BANDS * ROWS];

/// For each text that another one is nearly the same as: that text, and one such.
///
/// The same for the same texts in the same order, on every machine.
pub(super) fn alike(texts: &[&str]) -> Vec<(usize, usize)> {
    let sketches: Vec<Option<Sketch>> = texts.par_iter().map(|text| sketch(text)).collect();
    let mut found: Vec<Option<usize>> = vec![None; texts.len()];
    let mut compared = HashSet::new();
    for band in 0..BANDS {
        let mut buckets: HashMap<&[u64], Vec<usize>> = HashMap::new();
        for (text, sketch) in sketches.iter().enumerate() {
            let Some(sketch) = sketch else { continue };
            let bucket = buckets.entry(&sketch[band * ROWS..][..ROWS]).or_default();
            for &other in bucket.iter() {
                // Who has found one needs no second; what may be seen from the sketches needs no counting.
                let wanted = found[text].is_none() || found[other].is_none();
                let promising = sketches[other].is_some_and(|other| agreeing(&other, sketch) >= PROMISING);
                if wanted && promising && compared.insert((other, text)) && share(texts[other], texts[text]) >= SHARE {
                    found[other].get_or_insert(text);
                    found[text].get_or_insert(other);
                }
            }
            if bucket.len() < COMPARED {
                bucket.push(text);
            }
        }
    }
    found.into_iter().enumerate().filter_map(|(text, other)| Some((text, other?))).collect()
}

/// In how many bins two sketches have the same.
fn agreeing(one: &Sketch, two: &Sketch) -> usize {
    one.iter().zip(two).filter(|(one, two)| one == two).count()
}

/// The least hash in each of as many bins as there are rows, every run in one bin; `None` for short texts.
fn sketch(text: &str) -> Option<Sketch> {
    let mut sketch = [u64::MAX; BANDS * ROWS];
    let mut runs = 0;
    for_each_run(text, |run| {
        runs += 1;
        // The high bits choose the bin, all bits the order within it.
        let bin = ((run >> 32) * (BANDS * ROWS) as u64) >> 32;
        let least = &mut sketch[bin as usize];
        *least = run.min(*least);
    });
    if runs + RUN <= WORDS {
        return None;
    }
    // A bin that is empty in both texts says nothing; it takes what the next one has, told apart by the distance.
    let filled = sketch;
    for (bin, least) in sketch.iter_mut().enumerate().filter(|(_, least)| **least == u64::MAX) {
        let distance = (1..filled.len()).find(|distance| filled[(bin + distance) % filled.len()] != u64::MAX)?;
        *least = filled[(bin + distance) % filled.len()].wrapping_mul(FACTOR.wrapping_add(2 * distance as u64));
    }
    Some(sketch)
}

/// The share of runs that two texts have in common.
fn share(one: &str, two: &str) -> f64 {
    if one == two {
        return 1.0;
    }
    let [one, two] = [one, two].map(|text| {
        let mut runs = HashSet::new();
        for_each_run(text, |run| {
            runs.insert(run);
        });
        runs
    });
    let common = one.intersection(&two).count();
    common as f64 / (one.len() + two.len() - common) as f64
}

/// Odd, and without a pattern in its bits: multiplying by it permutes and mixes.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes of all runs of words, whatever the case of ASCII letters and what stands between the words.
///
/// Over bytes, since all texts of a wiki pass here. The standard library's hash may differ from release to release, so
/// each word's is FNV-1a.
fn for_each_run(text: &str, mut visit: impl FnMut(u64)) {
    const START: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let mut last = [0u64; RUN];
    let mut words = 0;
    let mut word = START;
    text.as_bytes().iter().chain(b" ").for_each(|&byte| {
        let letter = LETTERS[usize::from(byte)];
        if letter != 0 {
            word = (word ^ u64::from(letter)).wrapping_mul(PRIME);
        } else if word != START {
            last.rotate_left(1);
            last[RUN - 1] = word;
            word = START;
            words += 1;
            if words >= RUN {
                let run = last.iter().fold(0, |run: u64, word| (run.rotate_left(23) ^ word).wrapping_mul(FACTOR));
                visit(run ^ (run >> 29));
            }
        }
    });
}

/// What each byte is within a word, 0 between words.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < letters.len() {
        if (byte as u8).is_ascii_alphanumeric() || !(byte as u8).is_ascii() {
            letters[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    letters
};

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
