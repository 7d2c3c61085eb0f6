//! Random queries, for the tests and the bench of search.

#![allow(dead_code, reason = "each test program uses its part")]

/// A small generator with a seed of its own, so that a failure comes again.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Operators, these words and any characters, in any order.
    pub(crate) fn query(&mut self, words: &[&str]) -> String {
        const PIECES: &[&str] = &[
            "\"",
            "-",
            "*",
            ":",
            " ",
            " OR ",
            "(",
            ")",
            "^",
            "~",
            "[",
            "]",
            "{",
            "}",
            ">=",
            "<",
            "..",
            "\\",
            "/",
            "'",
            "’",
            "#",
            "+",
            "gate",
            "Größe",
            "groesse",
            "type",
            "type:concept",
            "tag:",
            "modified:>=2026",
            "path:",
            "links:",
            "title:",
            "confidence:",
            "日本",
            "🎉",
            "\u{301}",
            "\u{200d}",
            "\0",
            "\n",
            "don't",
            "C++",
            "0.5",
            "-1",
            "é",
        ];
        let mut query = String::new();
        for _ in 0..self.below(12) {
            match self.below(4) {
                0 => query.extend(char::from_u32(self.below(0x3000) as u32)),
                1 if !words.is_empty() => {
                    query.push_str(words[self.below(words.len())]);
                    query.push(' ');
                }
                _ => query.push_str(PIECES[self.below(PIECES.len())]),
            }
        }
        query
    }
}
