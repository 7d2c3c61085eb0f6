//! From words to terms: their exact form, and their stems.
//!
//! Every word has one *exact* form, which quoted search compares, and a *stem* in each of the wiki's languages, which all
//! other search compares. Pages and queries go through the same functions; a query's word means a page's word where the
//! two share a stem, so a query need not know in which language a page is written.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use foldhash::fast::RandomState;
use frostem::Stemmer;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::stop_words;
use super::words::{Words, is_joiner, words};

/// Characters of a word that count; longer words are told apart by these alone.
const MAX_WORD: usize = 64;
/// Of how many different words the stems are remembered.
const CACHE: usize = 100_000;
/// More languages than these are not stemmed: a page's fit one byte.
const MAX_LANGUAGES: usize = 8;

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
    folded(&umlauts(exact)).into_owned()
}

/// An exact form as it is spelt where there are umlauts and no `ß`: `groesse` and `größe` are `grösse`. Which `e` belongs to the
/// letter before it is Lucene's rule too.
fn umlauts(exact: &str) -> String {
    enum State {
        /// A letter that a following `u` may begin an umlaut behind.
        Other,
        /// No umlaut begins here.
        Vowel,
        /// An `e` makes the letter before an umlaut.
        Umlaut,
    }
    let mut state = State::Other;
    let mut spelt = String::with_capacity(exact.len());
    for c in exact.chars() {
        state = match (c, state) {
            ('e', State::Umlaut) => {
                let umlaut = match spelt.pop() {
                    Some('a') => 'ä',
                    Some('o') => 'ö',
                    _ => 'ü',
                };
                spelt.push(umlaut);
                State::Vowel
            }
            ('ß', _) => {
                spelt.push_str("ss");
                State::Other
            }
            (_, state) => {
                spelt.push(c);
                match c {
                    'a' | 'o' => State::Umlaut,
                    'u' if matches!(state, State::Other) => State::Umlaut,
                    'e' | 'i' | 'q' | 'u' | 'y' | 'ä' | 'ö' | 'ü' => State::Vowel,
                    _ => State::Other,
                }
            }
        };
    }
    spelt
}

/// The languages of a wiki, and what they make of a word.
#[derive(Clone)]
pub struct Analysis {
    languages: Vec<Language>,
    /// By word as it stands: its stems, one for each language.
    cache: HashMap<Box<str>, Arc<[Box<str>]>, RandomState>,
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
        Self { languages: known, cache: HashMap::default() }
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

    /// An exact form in every way that German is spelt, itself first: with umlauts or an `e` behind, with `ß` or `ss`.
    pub fn spellings(&self, exact: &str) -> Vec<String> {
        let mut spellings = vec![exact.to_owned()];
        if self.languages.iter().any(|language| language.code == "de") {
            let spelt = umlauts(exact);
            let plain = spelt.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
            let sharp = [&spelt, &plain].map(|form| form.replace("ss", "ß"));
            for form in [spelt, plain].into_iter().chain(sharp) {
                if !spellings.contains(&form) {
                    spellings.push(form);
                }
            }
        }
        spellings
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

    fn german_and_english() -> Analysis {
        Analysis::new(&["de".to_owned(), "en".to_owned()])
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
