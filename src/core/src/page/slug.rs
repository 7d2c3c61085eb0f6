//! Anchors of headings in the common conventions.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use unicode_normalization::char::is_combining_mark;

use crate::names::fold;

/// GitHub's anchor of a heading's text, before numbering: lower case, blanks to `-`, nothing but letters, digits,
/// marks, `-` and `_`.
pub fn github(text: &str) -> String {
    let text = text.trim();
    let mut slug = String::with_capacity(text.len());
    if text.is_ascii() {
        slug.extend(text.bytes().filter_map(|byte| match byte {
            b' ' => Some('-'),
            b'-' | b'_' => Some(char::from(byte)),
            _ => byte.is_ascii_alphanumeric().then(|| char::from(byte.to_ascii_lowercase())),
        }));
        return slug;
    }
    for c in text.to_lowercase().chars() {
        if c == ' ' {
            slug.push('-');
        } else if (c.is_alphanumeric() && !is_other_number(c)) || matches!(c, '-' | '_') || is_combining_mark(c) {
            slug.push(c);
        }
    }
    slug
}

/// The numbers that are no digits to GitHub: `x²` is `x`, `½` is nothing.
fn is_other_number(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '¼'..='¾' | '⁰'..='₉' | '⅐'..='⅟' | '①'..='⒛' | '❶'..='➓')
}

/// A heading as Obsidian compares it: case, markup and the characters that its links cannot hold do not count, blanks
/// fold.
pub fn obsidian(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !matches!(c, '`' | '*'))
        .map(|c| if matches!(c, '#' | '|' | '^' | ':' | '%' | '[' | ']' | '\\') { ' ' } else { c })
        .collect();
    let mut folded = String::with_capacity(kept.len());
    for word in fold(&kept).split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Numbers repeated anchors as GitHub does: `a`, `a-1`, `a-2`.
#[derive(Default)]
pub(super) struct Numbering {
    seen: HashMap<String, usize, RandomState>,
}

impl Numbering {
    pub(super) fn anchor(&mut self, text: &str) -> String {
        let slug = github(text);
        if self.is_new(&slug) {
            return slug;
        }
        loop {
            let count = self.seen.get_mut(&slug).expect("a numbered anchor's slug was seen first");
            *count += 1;
            let anchor = format!("{slug}-{count}");
            if self.is_new(&anchor) {
                return anchor;
            }
        }
    }

    fn is_new(&mut self, anchor: &str) -> bool {
        let new = !self.seen.contains_key(anchor);
        if new {
            self.seen.insert(anchor.to_owned(), 0);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_repeated_headings() {
        let mut numbering = Numbering::default();
        let anchors: Vec<String> = ["A", "A", "a-1", "A"].iter().map(|text| numbering.anchor(text)).collect();
        assert_eq!(anchors, ["a", "a-1", "a-1-1", "a-2"]);
    }

    #[test]
    fn keeps_letters_of_all_scripts() {
        assert_eq!(github("Größe & Maß: 日本 (v1.2)"), "größe--maß-日本-v12");
        assert_eq!(github("CO₂ und x² – _ab_"), "co-und-x--_ab_");
        assert_eq!(obsidian("Größe:  Maß #2"), "grösse mass 2");
    }
}
