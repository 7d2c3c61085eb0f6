//! Words that say nothing about what a page is on: articles, pronouns, prepositions, auxiliaries, question words.
//!
//! A query that has other words does not ask for these; they still count for the score. The lists are short on purpose, and hold no
//! word whose commonest use is that of a subject.

/// Sorted, in exact form.
const GERMAN: &[&str] = &[
    "aber", "alle", "als", "am", "an", "auch", "auf", "aus", "bei", "beim", "bin", "bis", "da", "damit", "dann", "das",
    "dass", "dem", "den", "denn", "der", "des", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "doch",
    "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "für", "gegen", "gibt", "haben",
    "hat", "hatte", "ich", "ihr", "ihre", "im", "in", "ins", "ist", "ja", "kann", "kein", "keine", "können", "man",
    "mein", "mich", "mir", "mit", "muss", "nach", "nicht", "noch", "nur", "ob", "oder", "ohne", "sein", "seine",
    "sich", "sie", "sind", "so", "soll", "um", "und", "uns", "unter", "vom", "von", "vor", "wann", "war", "waren",
    "warum", "was", "welche", "welchem", "welchen", "welcher", "welches", "wenn", "wer", "werden", "weshalb", "wie",
    "wieso", "wir", "wird", "wo", "wofür", "womit", "wozu", "wurde", "zu", "zum", "zur", "über",
];

/// Sorted, in exact form.
const ENGLISH: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but", "by", "can", "did", "do",
    "does", "don't", "for", "from", "get", "had", "has", "have", "how", "i", "if", "in", "into", "is", "isn't", "it",
    "it's", "its", "me", "my", "not", "of", "on", "or", "our", "should", "so", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which",
    "who", "why", "will", "with", "without", "would", "you", "your",
];

/// Whether a language's list has a word.
pub(super) fn contains(language: &str, exact: &str) -> bool {
    let list = match language {
        "de" => GERMAN,
        "en" => ENGLISH,
        _ => return false,
    };
    list.binary_search(&exact).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_in_exact_form() {
        for list in [GERMAN, ENGLISH] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| super::super::analysis::exact(word) == *word));
        }
        assert!(contains("de", "für") && contains("en", "the") && !contains("en", "für") && !contains("fr", "the"));
    }
}
