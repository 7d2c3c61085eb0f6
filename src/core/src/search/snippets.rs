//! Snippets: the places of a page that show why it was found.
//!
//! A body is not analysed to show three places of it: its words are gone through, and only those that begin with a letter that one
//! of the query's words begins with are looked at, once for all hits.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::analysis::{Analysis, exact, folded, german};
use super::fields::{BODY, body};
use super::query::{Atom, Query};
use super::words::{Word, words};
use crate::page::Page;

/// Places of one page.
const MAX_SNIPPETS: usize = 3;
/// Bytes of a snippet's text, about; its matches lie within a part of it.
const LENGTH: usize = 220;
const CORE: usize = 140;
/// Ends a paragraph.
const PARAGRAPH: &str = "\n\n";
/// Places of one term that are considered.
const MAX_MATCHES: usize = 50;
/// Bytes of a body after which it is not read on, where it has shown something of each term,
const ENOUGH: usize = 64 << 10;
/// or of any.
const TOO_MUCH: usize = 1 << 20;

/// A place of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The heading that it stands below.
    pub heading: Option<String>,
    /// The line that it begins in, from 1, in the stored file.
    pub line: u32,
    /// The page's text, hidden comments and markup included; line ends are blanks.
    pub text: String,
    /// What matched: half-open ranges of `text`, in Unicode code points, in order and apart.
    pub highlights: Vec<(usize, usize)>,
}

/// Finds a query's words in bodies.
pub struct Matcher<'q> {
    analysis: &'q Analysis,
    atoms: Vec<(usize, Sought<'q>)>,
    /// What the words begin with, marks taken off.
    first: Vec<char>,
    /// The terms that are more than stop words: bit n for the nth.
    telling: u64,
    /// By word as it stands: which atoms it may be.
    known: HashMap<String, Rc<[usize]>>,
}

enum Sought<'q> {
    Word { exact: &'q str, stems: Vec<String> },
    Prefix { exact: &'q str, normal: String },
    Phrase(&'q [String]),
}

#[derive(Clone, Copy)]
struct Match {
    clause: usize,
    start: usize,
    end: usize,
}

impl<'q> Matcher<'q> {
    /// From the wanted words of a query that may stand in a body.
    pub fn new(query: &'q Query, analysis: &'q Analysis) -> Self {
        let mut matcher = Self { analysis, atoms: Vec::new(), first: Vec::new(), telling: 0, known: HashMap::new() };
        for (number, clause) in query.wanted.iter().enumerate() {
            for atom in &clause.any {
                let sought = match atom {
                    Atom::Word { exact, fields } if fields.contains(BODY) => {
                        Sought::Word { exact, stems: analysis.stems(exact) }
                    }
                    Atom::Prefix { exact, fields } if fields.contains(BODY) => {
                        Sought::Prefix { exact, normal: german(exact) }
                    }
                    Atom::Phrase { exact, fields } if fields.contains(BODY) => Sought::Phrase(exact),
                    _ => continue,
                };
                let word = match &sought {
                    Sought::Word { exact, .. } | Sought::Prefix { exact, .. } => exact,
                    Sought::Phrase(exact) => exact.first().map_or("", String::as_str),
                };
                matcher.first.extend(first(word));
                matcher.telling |= u64::from(!clause.optional) << number;
                matcher.atoms.push((number, sought));
            }
        }
        matcher
    }

    /// The best places of a page's body, in its order; none where only other fields match.
    pub fn snippets(&mut self, page: &Page) -> Vec<Snippet> {
        let matches = self.matches(page);
        let mut places = places(page, &matches);
        places.sort_by_key(|place| place.start);
        places.into_iter().map(|place| snippet(page, place, &matches)).collect()
    }

    fn matches(&mut self, page: &Page) -> Vec<Match> {
        let body = body(page).range();
        let offset = body.start;
        let mut found = Vec::new();
        if self.atoms.is_empty() {
            return found;
        }
        let (mut counts, mut shown) = ([0; u64::BITS as usize], 0u64);
        let mut iterator = words(&page.text.as_str()[body]);
        while let Some(word) = iterator.next() {
            let is_enough = shown & self.telling == self.telling;
            if (word.start > ENOUGH && is_enough) || (word.start > TOO_MUCH && !found.is_empty()) {
                break;
            }
            if !first(word.text).is_some_and(|letter| self.first.contains(&letter)) {
                continue;
            }
            for &atom in self.atoms_of(word.text).iter() {
                let (clause, sought) = &self.atoms[atom];
                if counts[*clause] >= MAX_MATCHES {
                    continue;
                }
                let end = match sought {
                    Sought::Phrase(phrase) => phrase_end(&phrase[1..], word, iterator.clone()),
                    Sought::Word { .. } | Sought::Prefix { .. } => Some(word.start + word.text.len()),
                };
                if let Some(end) = end {
                    counts[*clause] += 1;
                    shown |= 1 << *clause;
                    found.push(Match { clause: *clause, start: offset + word.start, end: offset + end });
                }
            }
        }
        found
    }

    /// The atoms that a word, as it stands, is or begins.
    fn atoms_of(&mut self, word: &str) -> Rc<[usize]> {
        if let Some(known) = self.known.get(word) {
            return Rc::clone(known);
        }
        let form = exact(word);
        let mut stems = None;
        let mut is = |sought: &Sought| match sought {
            Sought::Word { exact, stems: of } => {
                *exact == form
                    || stems.get_or_insert_with(|| self.analysis.stems(&form)).iter().any(|stem| of.contains(stem))
            }
            Sought::Prefix { exact, normal } => form.starts_with(exact) || german(&form).starts_with(normal.as_str()),
            Sought::Phrase(phrase) => phrase.first().is_some_and(|first| *first == form),
        };
        let atoms: Rc<[usize]> = (0..self.atoms.len()).filter(|&atom| is(&self.atoms[atom].1)).collect();
        self.known.insert(word.to_owned(), Rc::clone(&atoms));
        atoms
    }
}

/// What a word begins with in all its forms.
fn first(word: &str) -> Option<char> {
    let letter = word.chars().next()?;
    if letter.is_ascii() {
        return Some(letter.to_ascii_lowercase());
    }
    let mut buffer = [0; 4];
    folded(&exact(letter.encode_utf8(&mut buffer))).chars().next()
}

/// Where a phrase ends that began with `word`, if its other words follow.
fn phrase_end<'t>(rest: &[String], word: Word<'t>, following: impl Iterator<Item = Word<'t>>) -> Option<usize> {
    let mut end = word.start + word.text.len();
    let mut following = following.filter(|next| !next.inner);
    for expected in rest {
        let next = following.next().filter(|next| exact(next.text) == *expected)?;
        end = next.start + next.text.len();
    }
    Some(end)
}

struct Window {
    start: usize,
    end: usize,
    /// Bit n for the nth clause.
    clauses: u64,
    count: usize,
}

/// The places that show most clauses that no other place shows yet, rather in sentences than in headings and lists of links.
fn places(page: &Page, matches: &[Match]) -> Vec<Range<usize>> {
    let mut candidates = windows(page.text.as_str(), matches);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut shown = 0u64;
    while places.len() < MAX_SNIPPETS {
        let best = (0..candidates.len()).max_by_key(|&index| {
            let window = &candidates[index];
            let new = (window.clauses & !shown).count_ones();
            let prose = is_prose(page.text.as_str(), window.start);
            (new, prose, window.clauses.count_ones(), window.count.min(4), std::cmp::Reverse(window.start))
        });
        let Some(best) = best else { break };
        let window = candidates.swap_remove(best);
        shown |= window.clauses;
        let place = around(page, &window, &places);
        candidates.retain(|other| other.end <= place.start || place.end <= other.start);
        places.push(place);
    }
    places
}

/// Whether a place stands in a sentence, rather than in a heading, a footnote's definition or a list of links.
fn is_prose(text: &str, at: usize) -> bool {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    !["#", "[^", "- [[", "* [["].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// Matches that stand close together in one paragraph, by their first one.
fn windows(text: &str, matches: &[Match]) -> Vec<Window> {
    let from = |(index, first): (usize, &Match)| {
        let mut window = Window { start: first.start, end: first.end, clauses: 0, count: 0 };
        for next in matches[index..].iter().take_while(|next| next.start < first.start + CORE) {
            let is_far = next.end > first.start + CORE && window.count > 0;
            if is_far || text[window.end.min(next.start)..next.start].contains(PARAGRAPH) {
                break;
            }
            window.end = window.end.max(next.end);
            window.clauses |= 1 << next.clause;
            window.count += 1;
        }
        window
    };
    matches.iter().enumerate().map(from).collect()
}

/// A window with what surrounds it, up to the ends of its paragraph and to other places, and more of what follows.
fn around(page: &Page, window: &Window, others: &[Range<usize>]) -> Range<usize> {
    let text = page.text.as_str();
    let body = body(page).range();
    let low = others.iter().map(|other| other.end).filter(|&end| end <= window.start).fold(body.start, usize::max);
    let high = others.iter().map(|other| other.start).filter(|&start| start >= window.end).fold(body.end, usize::min);
    if window.end - window.start > LENGTH {
        // One word may be as long as a page.
        return window.start..text.floor_char_boundary(window.start + LENGTH);
    }
    let room = LENGTH - (window.end - window.start);
    let start = text.ceil_char_boundary(window.start.saturating_sub(room / 3)).max(low);
    let end = text.floor_char_boundary(window.end + room * 2 / 3).min(high);
    let before = &text[start..window.start];
    let start = match before.rfind(PARAGRAPH) {
        Some(at) => start + at + PARAGRAPH.len(),
        // Not in the midst of a word.
        None if start > low => {
            let blank = before.char_indices().find(|(_, c)| c.is_whitespace());
            blank.map_or(window.start, |(at, c)| start + at + c.len_utf8())
        }
        None => start,
    };
    let after = &text[window.end..end];
    let end = match after.find(PARAGRAPH) {
        Some(at) => window.end + at,
        None if end < high => window.end + after.rfind(char::is_whitespace).unwrap_or(0),
        None => end,
    };
    start..end
}

fn snippet(page: &Page, place: Range<usize>, matches: &[Match]) -> Snippet {
    let text = page.text.as_str();
    let shown = &text[place.clone()];
    let start = place.start + (shown.len() - shown.trim_start().len());
    let shown = shown.trim();
    let first = matches.iter().map(|found| found.start).find(|&at| at >= start).unwrap_or(start);
    let heading = page.body.headings.partition_point(|heading| heading.span.start as usize <= first);
    Snippet {
        heading: heading.checked_sub(1).map(|index| page.body.headings[index].text.clone()),
        line: memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count() as u32 + 1,
        text: shown.replace('\n', " "),
        highlights: highlights(shown, start, matches),
    }
}

/// The matches within `shown`, which starts at `offset`, in code points; those that overlap as one.
fn highlights(shown: &str, offset: usize, matches: &[Match]) -> Vec<(usize, usize)> {
    let within = matches.iter().filter(|found| found.start >= offset && found.end <= offset + shown.len());
    let mut ranges: Vec<(usize, usize)> = within.map(|found| (found.start - offset, found.end - offset)).collect();
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    let points = |at: usize| shown[..at].chars().count();
    merged.into_iter().map(|(start, end)| (points(start), points(end))).collect()
}
