//! Characters that are not seen and change what is read.

/// An invisible character: where, which, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Invisible {
    /// Byte offset.
    pub(super) at: usize,
    /// The character.
    pub(super) c: char,
    /// What it is.
    pub(super) what: &'static str,
}

/// The invisible characters of a text that have no business where they stand.
///
/// Left alone are: soft hyphens, which only say where a word may be parted; joiners beside letters of scripts that need
/// them and within emoji; marks and embeddings of direction on lines with letters that run from right to left.
pub(super) fn find(text: &str) -> Vec<Invisible> {
    let mut found = Vec::new();
    // The line that was looked at last: where it ends, and whether it has letters from right to left.
    let mut line: (usize, bool) = (0, false);
    for at in suspects(text.as_bytes()) {
        let mut following = text[at..].chars();
        let Some((c, (what, place))) = following.next().and_then(|c| Some((c, kind(c)?))) else { continue };
        let before = text[..at].chars().next_back().unwrap_or('\n');
        let fits = match place {
            Place::Nowhere => false,
            Place::Joining => !is_plain(before) || !is_plain(following.next().unwrap_or('\n')),
            Place::RightToLeft => {
                if at >= line.0 {
                    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
                    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
                    line = (end, text[start..end].chars().any(runs_from_right));
                }
                line.1
            }
            Place::Flag => before == '\u{1F3F4}' || is_tag(before),
            Place::Han => is_han(before),
        };
        if !fits {
            found.push(Invisible { at, c, what });
        }
    }
    found
}

/// Where an invisible character may begin.
fn suspects(bytes: &[u8]) -> impl Iterator<Item = usize> {
    /// Bytes that are looked at together, without a decision at each.
    const BLOCK: usize = 32;
    let begins = |byte: &u8| BEGINS[usize::from(*byte)];
    let blocks = bytes.chunks(BLOCK).zip((0..).step_by(BLOCK));
    let blocks = blocks.filter(move |(block, _)| block.iter().fold(false, |any, byte| any | begins(byte)));
    blocks.flat_map(move |(block, start)| (start..).zip(block).filter(move |(_, byte)| begins(byte)).map(|(at, _)| at))
}

/// The bytes that an invisible character may begin with: few in most texts, so that hardly a character is looked at.
const BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        begins[byte] = byte != b'\t' as usize && byte != b'\n' as usize;
        byte += 1;
    }
    let others = [0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3];
    let mut at = 0;
    while at < others.len() {
        begins[others[at]] = true;
        at += 1;
    }
    begins
};

/// Where an invisible character belongs.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    /// Between letters of scripts that join them, and in emoji.
    Joining,
    /// On lines with letters from right to left.
    RightToLeft,
    /// In the flags of regions.
    Flag,
    /// Behind a Chinese character, of which it chooses a form.
    Han,
}

fn kind(c: char) -> Option<(&'static str, Place)> {
    Some(match c {
        '\t' | '\n' => return None,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => ("a control character", Place::Nowhere),
        '\u{200B}' => ("a zero width space", Place::Nowhere),
        '\u{200C}' => ("a zero width non-joiner", Place::Joining),
        '\u{200D}' => ("a zero width joiner", Place::Joining),
        '\u{200E}' | '\u{200F}' | '\u{61C}' => ("a mark of direction", Place::RightToLeft),
        '\u{202D}' | '\u{202E}' => {
            ("an override of the direction, which shows text in another order than it has", Place::Nowhere)
        }
        '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => ("an embedding of another direction", Place::RightToLeft),
        '\u{2028}' | '\u{2029}' => ("a separator of lines that ends no line", Place::Nowhere),
        '\u{2060}' | '\u{FEFF}' => ("a zero width no-break space", Place::Nowhere),
        '\u{2061}'..='\u{2064}' | '\u{206A}'..='\u{206F}' => ("an invisible operator", Place::Nowhere),
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => ("an invisible filler", Place::Nowhere),
        '\u{180E}' => ("an invisible vowel separator", Place::Nowhere),
        '\u{E0000}'..='\u{E007F}' => ("an invisible tag, which only programs read", Place::Flag),
        '\u{E0100}'..='\u{E01EF}' => ("an invisible selector of a form", Place::Han),
        _ => return None,
    })
}

/// Whether a joiner beside this does nothing but hide: blanks, signs, and letters of Latin, Greek and Cyrillic.
fn is_plain(c: char) -> bool {
    matches!(c, '\0'..='\u{52F}' | '\u{1E00}'..='\u{206F}' | '\u{FEFF}') && !matches!(c, '©' | '®')
}

fn runs_from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && c != '\u{61C}'
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        find(text).len()
    }

    #[test]
    fn all_are_looked_at() {
        let first = |c: char| c.encode_utf8(&mut [0; 4]).as_bytes()[0];
        let unseen = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        let unseen: Vec<char> = unseen.filter(|&c| kind(c).is_some() && !BEGINS[usize::from(first(c))]).collect();
        assert_eq!(unseen, []);
    }

    #[test]
    fn what_hides_is_found() {
        for text in [
            "pass\u{200B}word",
            "a\u{202E}b",
            "a\u{2066}b\u{2069}",
            "a\u{200D}b",
            "ein\u{200C}s",
            "a\u{FEFF}b",
            "a\u{E0041}b",
            "a\u{E0100}b",
            "bell\u{7}",
            "nul\0",
            "x\u{85}y",
            "a\u{200E}b",
            "a\u{2028}b",
        ] {
            assert!(count(text) > 0, "{text:?}");
        }
    }

    #[test]
    fn what_belongs_is_left_alone() {
        for text in [
            "Größe\tund\nMaß",
            "Donau\u{AD}dampf\u{AD}schiff",
            "👩\u{200D}💻 and 🏳\u{FE0F}\u{200D}🌈",
            "می\u{200C}خواهم",
            "क\u{94D}\u{200D}ष",
            "שלום (a)\u{200E} b",
            "\u{2067}مرحبا\u{2069} world",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "葛\u{E0100}城市",
            "a\u{A0}b",
        ] {
            assert_eq!(find(text), [], "{text:?}");
        }
    }
}
