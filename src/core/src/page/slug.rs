//! Anchors of headings in the common conventions.

use std::collections::HashMap;

/// GitHub's anchor of a heading's text, before numbering: lower case, blanks to `-`, nothing but letters, digits,
/// marks, `-` and `_`.
pub fn github(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if c == ' ' {
            slug.push('-');
        } else if c.is_alphanumeric() || matches!(c, '-' | '_') || is_mark(c) {
            slug.extend(c.to_lowercase());
        }
    }
    slug
}

/// Combining marks are part of the letters they follow (names in NFD).
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// A heading as Obsidian compares it: case and the characters that its links cannot hold do not count, blanks fold.
pub fn obsidian(text: &str) -> String {
    let kept: String =
        text.chars().map(|c| if matches!(c, '#' | '|' | '^' | ':' | '%' | '[' | ']' | '\\') { ' ' } else { c }).collect();
    let mut folded = String::with_capacity(kept.len());
    for word in kept.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    folded
}

/// Numbers repeated anchors as GitHub does: `a`, `a-1`, `a-2`.
#[derive(Default)]
pub(super) struct Numbering {
    seen: HashMap<String, usize>,
}

impl Numbering {
    pub(super) fn anchor(&mut self, text: &str) -> String {
        let slug = github(text);
        let mut anchor = slug.clone();
        while self.seen.contains_key(&anchor) {
            let count = self.seen.get_mut(&slug).expect("a numbered anchor's slug was seen first");
            *count += 1;
            anchor = format!("{slug}-{count}");
        }
        self.seen.insert(anchor.clone(), 0);
        anchor
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
        assert_eq!(obsidian("Größe:  Maß #2"), "größe maß 2");
    }
}
