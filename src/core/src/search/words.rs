//! Words: where a text has them.

use unicode_normalization::char::is_combining_mark;

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
pub(super) fn is_joiner(c: char) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        words(text).filter(|word| !word.inner).map(|word| word.text).collect()
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
}
