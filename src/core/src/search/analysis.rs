//! From text to terms: words, their exact form, and their stems.
//!
//! Every word has one *exact* form, which quoted search compares, and a *stem* in each of the wiki's languages, which all
//! other search compares. Pages and queries go through the same functions; a query's word means a page's word where the
//! two share a stem, so a query need not know in which language a page is written.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use frostem::Stemmer;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::stop_words;

/// Characters of a word that count; longer words are told apart by these alone.
const MAX_WORD: usize = 64;
/// Of how many different words the stems are remembered.
const CACHE: usize = 100_000;
/// More languages than these are not stemmed: a page's fit one byte.
const MAX_LANGUAGES: usize = 8;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// As it stands in the text.
    pub text: &'t str,
    /// The byte that it starts at.
    pub start: usize,
    /// The words before it; what is inside another word has that one's.
    pub position: usize,
    /// Whether it is part of the word given before it: `C` of `C++`, or one character of a script without blanks. A page has
    /// both, a query asks for the whole.
    pub inner: bool,
}

/// The words of a text, in order.
///
/// A word is a run of letters, digits and the marks on them, with apostrophes inside (`don't`); everything else separates, so
/// `multi-agent`, `GB/s` and `snake_case` are two words each. `C++` and `C#` keep their ends. Scripts without blanks between
/// words are cut into overlapping pairs of characters.
pub fn words(text: &str) -> Words<'_> {
    Words { text, at: 0, position: 0, run: None, inner: None }
}

/// The iterator that [`words`] gives.
#[derive(Clone, Debug)]
pub struct Words<'t> {
    text: &'t str,
    at: usize,
    position: usize,
    run: Option<Run>,
    /// To be given next.
    inner: Option<Word<'t>>,
}

/// Characters of a script without blanks that are not given yet.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where the first of them starts,
    start: usize,
    /// and ends.
    end: usize,
    /// Where the last of them ends.
    last: usize,
    /// Whether nothing of the run was given yet.
    is_first: bool,
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        if let Some(inner) = self.inner.take() {
            return Some(inner);
        }
        if let Some(run) = self.run {
            return Some(self.pair(run));
        }
        let first = self.skip()?;
        let start = self.at;
        if is_unspaced(first) {
            let last = self.end(start, is_unspaced);
            self.at = last;
            return Some(self.pair(Run { start, end: self.unit(start).min(last), last, is_first: true }));
        }
        let end = self.end(start, |c| c.is_alphanumeric() && !is_unspaced(c));
        self.at = end + self.suffix(start, end);
        let word = self.word(start, self.at);
        if self.at > end {
            self.inner = Some(Word { text: &self.text[start..end], inner: true, ..word });
        }
        Some(word)
    }
}

impl<'t> Words<'t> {
    /// Goes to the next letter or digit.
    fn skip(&mut self) -> Option<char> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            if byte.is_ascii() {
                if byte.is_ascii_alphanumeric() {
                    return Some(char::from(byte));
                }
                self.at += 1;
            } else {
                let c = self.text[self.at..].chars().next()?;
                if c.is_alphanumeric() {
                    return Some(c);
                }
                self.at += c.len_utf8();
            }
        }
    }

    /// Where the run of letters that starts at `start` ends.
    fn end(&self, start: usize, belongs: impl Fn(char) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut before = ' ';
        while let Some(&byte) = bytes.get(at) {
            let c = if byte.is_ascii() {
                char::from(byte)
            } else {
                self.text[at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
            };
            let inside = if c.is_ascii_alphanumeric() {
                belongs(c)
            } else if is_apostrophe(c) {
                let next = self.text[at + c.len_utf8()..].chars().next();
                before.is_alphabetic() && next.is_some_and(|next| next.is_alphabetic() && belongs(next))
            } else {
                !c.is_ascii() && (belongs(c) || is_combining_mark(c) || is_joiner(c))
            };
            if !inside {
                break;
            }
            before = c;
            at += c.len_utf8();
        }
        at
    }

    /// Bytes of what belongs to a short name besides its letters: `C++`, `C#`.
    fn suffix(&self, start: usize, end: usize) -> usize {
        if end - start > 3 || !self.text.as_bytes()[start..end].iter().all(u8::is_ascii_alphabetic) {
            return 0;
        }
        let rest = &self.text[end..];
        let length = ["++", "#"].iter().find(|suffix| rest.starts_with(**suffix)).map_or(0, |suffix| suffix.len());
        if rest[length..].starts_with(|c: char| c.is_alphanumeric()) { 0 } else { length }
    }

    /// Where the character at `start` ends, with the marks on it.
    fn unit(&self, start: usize) -> usize {
        let mut characters = self.text[start..].char_indices().skip(1);
        characters
            .find(|&(_, c)| !is_combining_mark(c) && !is_joiner(c))
            .map_or(self.text.len(), |(offset, _)| start + offset)
    }

    /// The pair of characters that begins with the one from `run.start` to `run.end`; of the last one, itself.
    fn pair(&mut self, run: Run) -> Word<'t> {
        if run.end == run.last {
            self.run = None;
            let single =
                Word { text: &self.text[run.start..run.end], start: run.start, position: self.position, inner: true };
            return if run.is_first { self.word(run.start, run.end) } else { single };
        }
        let next = self.unit(run.end).min(run.last);
        let word = self.word(run.start, next);
        self.inner = Some(Word { text: &self.text[run.start..run.end], inner: true, ..word });
        self.run = Some(Run { start: run.end, end: next, is_first: false, ..run });
        word
    }

    fn word(&mut self, start: usize, end: usize) -> Word<'t> {
        let word = Word { text: &self.text[start..end], start, position: self.position, inner: false };
        self.position += 1;
        word
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// Soft hyphens and the joiners of Arabic and Indic scripts: inside words and without a meaning of their own here.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// Whether a script is written without blanks between words: Han, kana, Hangul (whose blanks part phrases), Thai, Lao, Khmer
/// and Burmese.
fn is_unspaced(c: char) -> bool {
    !c.is_ascii()
        && matches!(u32::from(c),
            0x0E01..=0x0EFF
            | 0x1000..=0x109F
            | 0x1100..=0x11FF
            | 0x1780..=0x17FF
            | 0x2E80..=0x2FDF
            | 0x3005..=0x3007
            | 0x3041..=0x318F
            | 0x31A0..=0x31BF
            | 0x31F0..=0x31FF
            | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xA960..=0xA97F
            | 0xAC00..=0xD7FF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F
            | 0x1B000..=0x1B16F
            | 0x20000..=0x3FFFF)
}

/// A word as quoted search compares it: composed (NFC), in lower case, with one form of apostrophe and of sigma.
pub fn exact(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        let word = &word[..word.len().min(MAX_WORD)];
        return if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            word.to_ascii_lowercase().into()
        } else {
            word.into()
        };
    }
    let lower = |c: char| c.to_lowercase();
    let one_form = |c| match c {
        '’' => '\'',
        'ς' => 'σ',
        c => c,
    };
    let composed =
        if is_nfc_quick(word.chars()) == IsNormalized::Yes { Cow::Borrowed(word) } else { word.nfc().collect() };
    composed.chars().filter(|&c| !is_joiner(c)).flat_map(lower).map(one_form).take(MAX_WORD).collect::<String>().into()
}

/// An exact form without marks on letters and without letters that only some alphabets have: `é` is `e`, `ß` is `ss`.
///
/// Marks are those of Latin, Greek and Cyrillic; elsewhere they make other letters.
pub fn folded(exact: &str) -> Cow<'_, str> {
    if exact.is_ascii() {
        return exact.into();
    }
    let mut folded = String::with_capacity(exact.len());
    for c in exact.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ħ' => folded.push('h'),
            'ı' => folded.push('i'),
            c => folded.push(c),
        }
    }
    folded.nfc().collect::<String>().into()
}

/// What Lucene's `GermanNormalizationFilter` makes of an exact form, and then [`folded`]: `ü`, `ue` and `u` are the same, and
/// `ß` is `ss`. An `ue` behind a vowel or `q` is none (`Quelle`, `neue`).
pub fn german(exact: &str) -> String {
    /// What the letter before says about an `e` or `u` here.
    enum State {
        Other,
        /// No umlaut begins here.
        Vowel,
        /// An `e` makes the letter before an umlaut.
        Umlaut,
    }
    let mut state = State::Other;
    let mut normal = String::with_capacity(exact.len());
    for c in exact.chars() {
        state = match (c, state) {
            ('a' | 'o', _) => {
                normal.push(c);
                State::Umlaut
            }
            ('u', State::Other) => {
                normal.push(c);
                State::Umlaut
            }
            ('e', State::Umlaut) => State::Vowel,
            ('e' | 'i' | 'q' | 'u' | 'y', _) => {
                normal.push(c);
                State::Vowel
            }
            ('ä' | 'ö' | 'ü', _) => {
                normal.push(match c {
                    'ä' => 'a',
                    'ö' => 'o',
                    _ => 'u',
                });
                State::Vowel
            }
            ('ß', _) => {
                normal.push_str("ss");
                State::Other
            }
            _ => {
                normal.push(c);
                State::Other
            }
        };
    }
    match folded(&normal) {
        Cow::Borrowed(_) => normal,
        Cow::Owned(folded) => folded,
    }
}

/// The languages of a wiki, and what they make of a word.
#[derive(Clone)]
pub struct Analysis {
    languages: Vec<Language>,
    /// By word as it stands: its stems, one for each language.
    cache: HashMap<Box<str>, Arc<[Box<str>]>>,
}

#[derive(Clone)]
struct Language {
    /// `de` of `de-AT`.
    code: String,
    stemmer: Option<Stemmer>,
}

impl Analysis {
    /// For the languages of `chemenu.toml`. One that has no stemmer, and a wiki that names none, has words compared without
    /// their marks only.
    pub fn new(languages: &[String]) -> Self {
        let mut known: Vec<Language> = Vec::new();
        for code in languages.iter().map(|language| code(language)) {
            if known.len() < MAX_LANGUAGES && known.iter().all(|language| language.code != code) {
                known.push(Language { stemmer: Stemmer::try_from_name(&code).ok(), code });
            }
        }
        if known.is_empty() {
            known.push(Language { code: String::new(), stemmer: None });
        }
        Self { languages: known, cache: HashMap::new() }
    }

    /// The stems of an exact form in all languages, each once.
    pub fn stems(&self, exact: &str) -> Vec<String> {
        let mut stems: Vec<String> = Vec::new();
        for language in &self.languages {
            let stem = language.stem(exact);
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        stems
    }

    /// Whether an exact form is a word like `the`, which says nothing about what a page is on.
    pub fn is_stop_word(&self, exact: &str) -> bool {
        self.languages.iter().any(|language| stop_words::contains(&language.code, exact))
    }

    /// One bit for each language that a page may be in: the one that its `lang` names, if that is one of the wiki's, else all.
    pub(super) fn languages_of(&self, lang: Option<&str>) -> u8 {
        let all = u8::MAX >> (MAX_LANGUAGES - self.languages.len());
        let named = lang.map(code).and_then(|code| self.languages.iter().position(|language| language.code == code));
        named.map_or(all, |index| 1 << index)
    }

    /// The stems of a word as it stands, one for each language, remembered.
    fn stems_by_language(&mut self, word: &str) -> Arc<[Box<str>]> {
        if let Some(stems) = self.cache.get(word) {
            return Arc::clone(stems);
        }
        let form = exact(word);
        let stems: Arc<[Box<str>]> = self.languages.iter().map(|language| language.stem(&form).into()).collect();
        if self.cache.len() >= CACHE {
            self.cache.clear();
        }
        // What is longer than any word stands there once.
        if word.len() <= 4 * MAX_WORD {
            self.cache.insert(word.into(), Arc::clone(&stems));
        }
        stems
    }
}

impl Language {
    fn stem(&self, exact: &str) -> String {
        let normal = if self.code == "de" { Cow::Owned(german(exact)) } else { folded(exact) };
        // English knows the apostrophe of `wiki's`; nobody else does.
        let normal = if self.code == "en" || !normal.contains('\'') { normal } else { normal.replace('\'', "").into() };
        let stem = match &self.stemmer {
            Some(stemmer) => stemmer.stem(&normal).into_owned(),
            None => normal.into_owned(),
        };
        if stem.contains('\'') { stem.replace('\'', "") } else { stem }
    }
}

fn code(language: &str) -> String {
    language.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Exact forms, for tantivy.
#[derive(Clone)]
pub(super) struct ExactTokenizer;

/// Stems, for tantivy.
#[derive(Clone)]
pub(super) struct StemTokenizer {
    /// The wiki's languages.
    pub(super) analysis: Analysis,
    /// Those of the page that is indexed now, one bit each; tantivy tells a tokenizer nothing but text.
    pub(super) languages: Arc<AtomicU8>,
}

impl Tokenizer for ExactTokenizer {
    type TokenStream<'a> = ExactStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> ExactStream<'a> {
        ExactStream { words: words(text), token: Token::default() }
    }
}

pub(super) struct ExactStream<'a> {
    words: Words<'a>,
    token: Token,
}

impl TokenStream for ExactStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        self.token.position = word.position;
        self.token.text.clear();
        if word.text.is_ascii() && word.text.len() <= MAX_WORD {
            // As `exact` does, without a text of its own: most words are of this kind.
            self.token.text.push_str(word.text);
            self.token.text.make_ascii_lowercase();
        } else {
            self.token.text.push_str(&exact(word.text));
        }
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

impl Tokenizer for StemTokenizer {
    type TokenStream<'a> = StemStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> StemStream<'a> {
        let languages = self.languages.load(Ordering::Relaxed);
        StemStream {
            words: words(text),
            analysis: &mut self.analysis,
            languages,
            stems: Arc::new([]),
            next: 0,
            token: Token::default(),
        }
    }
}

pub(super) struct StemStream<'a> {
    words: Words<'a>,
    analysis: &'a mut Analysis,
    languages: u8,
    /// The current word's, one for each language,
    stems: Arc<[Box<str>]>,
    /// and which of them is next.
    next: usize,
    token: Token,
}

impl TokenStream for StemStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            while let Some(stem) = self.stems.get(self.next) {
                let number = self.next;
                self.next += 1;
                let of_page = |number: usize| self.languages >> number & 1 == 1;
                if of_page(number) && !self.stems[..number].iter().enumerate().any(|(n, s)| of_page(n) && s == stem) {
                    self.token.text.clear();
                    self.token.text.push_str(stem);
                    return true;
                }
            }
            let Some(word) = self.words.next() else { return false };
            self.token.position = word.position;
            self.stems = self.analysis.stems_by_language(word.text);
            self.next = 0;
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        words(text).filter(|word| !word.inner).map(|word| word.text).collect()
    }

    fn german_and_english() -> Analysis {
        Analysis::new(&["de".to_owned(), "en".to_owned()])
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(
            shown("multi-agent, GB/s; snake_case 5.2"),
            ["multi", "agent", "GB", "s", "snake", "case", "5", "2"]
        );
        assert_eq!(shown("don't 'quoted' l’eau rock'n'roll'"), ["don't", "quoted", "l’eau", "rock'n'roll"]);
        assert_eq!(shown("C++ and C#, a++b, Page#Heading"), ["C++", "and", "C#", "a", "b", "Page", "Heading"]);
        assert_eq!(shown("Größe Gro\u{308}ße Öl"), ["Größe", "Gro\u{308}ße", "Öl"]);
        assert_eq!(shown("🎉 \u{301} — ..."), Vec::<&str>::new());
    }

    #[test]
    fn scripts_without_blanks_are_pairs() {
        assert_eq!(shown("日本語 ページ"), ["日本", "本語", "ペー", "ージ"]);
        assert_eq!(shown("語"), ["語"]);
        assert_eq!(shown("Rust言語"), ["Rust", "言語"]);
        let all: Vec<_> = words("日本語").map(|word| (word.text, word.position, word.inner)).collect();
        assert_eq!(all, [("日本", 0, false), ("日", 0, true), ("本語", 1, false), ("本", 1, true), ("語", 2, true)]);
    }

    #[test]
    fn spans_cut_the_words_out() {
        let text = "Größe 日本語 don't C++";
        for word in words(text) {
            assert_eq!(&text[word.start..word.start + word.text.len()], word.text);
        }
    }

    #[test]
    fn german_normalisation_is_lucenes() {
        for (word, normal) in [
            ("größe", "grosse"),
            ("groesse", "grosse"),
            ("grösse", "grosse"),
            ("quelle", "quelle"),
            ("neue", "neue"),
            ("feuer", "feuer"),
            ("tschüß", "tschuss"),
            ("weißbier", "weissbier"),
            ("dauerstau", "dauerstau"),
            ("haehne", "hahne"),
            ("klueger", "kluger"),
        ] {
            assert_eq!(german(word), normal, "{word}");
        }
    }

    #[test]
    fn one_word_in_every_spelling() {
        let analysis = german_and_english();
        let stems = |word: &str| analysis.stems(&exact(word));
        for word in ["groesse", "GRÖSSE", "Größen", "Grösse", "Gro\u{308}ße", "grosse"] {
            assert!(stems(word).iter().any(|stem| stems("Größe").contains(stem)), "{word}: {:?}", stems(word));
        }
        assert!(stems("issues").iter().any(|stem| stems("issue").contains(stem)));
        assert!(stems("don’t").iter().any(|stem| stems("dont").contains(stem)));
        assert!(stems("wiki's").iter().any(|stem| stems("wikis").contains(stem)));
    }

    #[test]
    fn exact_forms_differ_only_in_case_and_composition() {
        assert_eq!(exact("GRÖSSE"), "grösse");
        assert_ne!(exact("GRÖSSE"), exact("Größe"));
        assert_eq!(exact("Gro\u{308}ße"), exact("größe"));
        assert_eq!(exact("DON’T"), "don't");
        assert_eq!(folded("čeština ﬁn"), "cestina fin");
        // A mark that makes another letter is no accent.
        assert_eq!(folded("が"), "が");
    }

    #[test]
    fn a_page_may_name_its_language() {
        let analysis = german_and_english();
        assert_eq!(analysis.languages_of(None), 0b11);
        assert_eq!(analysis.languages_of(Some("en-GB")), 0b10);
        assert_eq!(analysis.languages_of(Some("fr")), 0b11);
        assert_eq!(Analysis::new(&[]).languages_of(Some("de")), 0b1);
    }
}
