//! Which removed page an added one was before: by git's own measure and in git's own order, so that people see here what
//! `git diff -M` shows them.
//!
//! The measure and the order are those of git's diffcore-rename and diffcore-delta: a text is a bag of lines (of pieces of up to 64
//! bytes), and two texts are as much alike as the bytes of the pieces that they share.

use std::collections::HashMap;

/// Alike by half is a rename; git's `-M`.
const SCORE: u64 = 60_000;
const LEAST: u64 = SCORE / 2;
/// Files of one name need not be looked for elsewhere from here on: half way between the least and all.
const LEAST_OF_NAME: u64 = LEAST + (SCORE - LEAST) / 2;
/// The longest piece of a line, in bytes.
const PIECE: usize = 64;
/// With more pairs than so many squared git does not look for renames with changes.
const LIMIT: usize = 1000;
/// So many candidates are remembered for each added file.
const CANDIDATES: usize = 4;

/// A file that was removed or added.
pub(crate) struct Side<'a> {
    /// Its path.
    pub(crate) path: &'a str,
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
}

/// By added file: the removed file that it was.
pub(crate) fn find(removed: &[Side], added: &[Side]) -> Vec<Option<usize>> {
    let mut renames = Renames {
        removed,
        added,
        of: vec![None; added.len()],
        is_used: vec![false; removed.len()],
        old: HashMap::new(),
        new: None,
    };
    renames.exact();
    renames.by_name();
    renames.by_likeness();
    renames.of
}

struct Renames<'a> {
    removed: &'a [Side<'a>],
    added: &'a [Side<'a>],
    of: Vec<Option<usize>>,
    is_used: Vec<bool>,
    /// The pieces of removed files that have been compared.
    old: HashMap<usize, Pieces>,
    /// The pieces of the added file that was compared last.
    new: Option<(usize, Pieces)>,
}

/// How much a removed file and an added one are alike, and whether they have one name.
#[derive(Clone, Copy)]
struct Candidate {
    score: u64,
    of_name: bool,
    from: usize,
    to: usize,
}

impl Candidate {
    fn rank(&self) -> (u64, bool) {
        (self.score, self.of_name)
    }
}

impl Renames<'_> {
    fn pair(&mut self, from: usize, to: usize) {
        self.of[to] = Some(from);
        self.is_used[from] = true;
    }

    /// The same bytes; rather of the same name.
    fn exact(&mut self) {
        for to in 0..self.added.len() {
            let same = |from: &usize| self.removed[*from].bytes == self.added[to].bytes && !self.is_used[*from];
            let of_name = |from: &usize| name(self.removed[*from].path) == name(self.added[to].path);
            let mut found = (0..self.removed.len()).filter(same);
            let first = found.next();
            let best = first.into_iter().chain(found).find(of_name).or(first);
            if let Some(from) = best {
                self.pair(from, to);
            }
        }
    }

    /// The only ones of a name among those removed and those added.
    fn by_name(&mut self) {
        let only = |paths: Vec<(usize, &str)>| {
            let mut only: HashMap<String, Option<usize>> = HashMap::new();
            for (number, path) in paths {
                only.entry(name(path).to_owned()).and_modify(|known| *known = None).or_insert(Some(number));
            }
            only
        };
        let removed =
            (0..self.removed.len()).filter(|&from| !self.is_used[from]).map(|from| (from, self.removed[from].path));
        let added = (0..self.added.len()).filter(|&to| self.of[to].is_none()).map(|to| (to, self.added[to].path));
        let (removed, added) = (only(removed.collect()), only(added.collect()));
        let mut pairs: Vec<(usize, usize)> =
            added.into_iter().filter_map(|(name, to)| Some(((*removed.get(&name)?)?, to?))).collect();
        pairs.sort_unstable();
        for (from, to) in pairs {
            if self.score(from, to, LEAST_OF_NAME) >= LEAST_OF_NAME {
                self.pair(from, to);
            }
        }
    }

    /// The most alike first.
    fn by_likeness(&mut self) {
        let removed: Vec<usize> = (0..self.removed.len()).filter(|&from| !self.is_used[from]).collect();
        let added: Vec<usize> = (0..self.added.len()).filter(|&to| self.of[to].is_none()).collect();
        if removed.len() * added.len() > LIMIT * LIMIT {
            return;
        }
        let mut pairs: Vec<Candidate> = Vec::new();
        for &to in &added {
            // Which of equals comes first depends on what stood in its place before, as in git.
            let mut best: [Option<Candidate>; CANDIDATES] = [None; CANDIDATES];
            for &from in &removed {
                let of_name = name(self.removed[from].path) == name(self.added[to].path);
                let candidate = Candidate { score: self.score(from, to, LEAST), of_name, from, to };
                // The first of the lowest; an empty place is lower than all.
                let worst = best.iter_mut().min_by_key(|known| known.map(|known| known.rank()));
                if let Some(worst) = worst.filter(|worst| worst.is_none_or(|worst| worst.rank() < candidate.rank())) {
                    *worst = Some(candidate);
                }
            }
            pairs.extend(best.into_iter().flatten().filter(|candidate| candidate.score >= LEAST));
        }
        pairs.sort_by_key(|candidate| std::cmp::Reverse(candidate.rank()));
        for Candidate { from, to, .. } in pairs {
            if !self.is_used[from] && self.of[to].is_none() {
                self.pair(from, to);
            }
        }
    }

    /// How much two files are alike, of [`SCORE`]; what cannot reach `least` is not measured.
    fn score(&mut self, from: usize, to: usize, least: u64) -> u64 {
        let (old, new) = (self.removed[from].bytes, self.added[to].bytes);
        let (least_bytes, most_bytes) = (old.len().min(new.len()) as u64, old.len().max(new.len()) as u64);
        if most_bytes == 0 || most_bytes * (SCORE - least) < (most_bytes - least_bytes) * SCORE {
            return 0;
        }
        if self.new.as_ref().is_none_or(|(of, _)| *of != to) {
            self.new = Some((to, pieces(new)));
        }
        let old = self.old.entry(from).or_insert_with(|| pieces(old));
        self.new.as_ref().map_or(0, |(_, new)| shared(old, new) * SCORE / most_bytes)
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many bytes each piece makes up.
type Pieces = HashMap<Vec<u8>, u64>;

/// A text's lines, long ones in pieces; the CR of a CRLF is not counted.
fn pieces(bytes: &[u8]) -> Pieces {
    let is_text = !bytes[..bytes.len().min(8000)].contains(&0);
    let mut pieces = Pieces::new();
    let mut piece: Vec<u8> = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        if is_text && byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            continue;
        }
        piece.push(byte);
        if byte == b'\n' || piece.len() == PIECE {
            let length = piece.len() as u64;
            *pieces.entry(std::mem::take(&mut piece)).or_default() += length;
        }
    }
    if !piece.is_empty() {
        let length = piece.len() as u64;
        *pieces.entry(piece).or_default() += length;
    }
    pieces
}

fn shared(old: &Pieces, new: &Pieces) -> u64 {
    new.iter().map(|(piece, bytes)| old.get(piece).map_or(0, |of_old| (*of_old).min(*bytes))).sum()
}
