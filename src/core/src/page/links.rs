//! Links as they stand on a page; [`crate::names`] says where they lead.

use std::ops::Range;

use memchr::{memchr2, memchr3};
use percent_encoding::percent_decode_str;

use crate::text::Span;

/// A link on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which form it has.
    pub kind: LinkKind,
    /// The whole link, brackets included.
    pub span: Span,
    /// The page it names, trimmed; empty for `[[#H]]`. Of a Markdown link the destination without fragment, decoded
    /// once; of a foreign one the whole destination.
    pub target: String,
    /// What follows `#`: a heading, a path of headings, or `^block`.
    pub fragment: Option<String>,
    /// The text shown instead of the target.
    pub label: Option<String>,
    /// Index of the heading it stands under, in [`super::Body::headings`].
    pub section: Option<u32>,
    /// The relation's name, where the link stands in a typed relation.
    pub relation: Option<String>,
}

/// The forms of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// `[[T]]`
    Wikilink,
    /// `![[T]]`
    Embed,
    /// `[text](T)`, and its reference forms.
    Markdown,
    /// `![text](T)`
    Image,
    /// A page name in a field of the front matter.
    FrontMatter,
}

/// Which side of the pipe names the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkStyle {
    /// `[[target|label]]`
    #[default]
    Obsidian,
    /// `[[label|target]]`
    Dendron,
}

/// What stands between `[[` and `]]`, taken apart. `None` where it names nothing.
pub fn wikilink(inner: &str, style: LinkStyle) -> Option<(String, Option<String>, Option<String>)> {
    let (first, second) = match inner.split_once('|') {
        // In a table cell the pipe is escaped; the backslash belongs to the pipe.
        Some((first, second)) => (first.strip_suffix('\\').unwrap_or(first), Some(second)),
        None => (inner, None),
    };
    let (named, label) = match (style, second) {
        (LinkStyle::Dendron, Some(second)) => (second, Some(first)),
        _ => (first, second),
    };
    // A template's placeholder names no page; a name holds no brackets.
    if memchr2(b'[', b']', named.as_bytes()).is_some() || ["{{", "${", "<%"].iter().any(|open| named.contains(open)) {
        return None;
    }
    let (target, fragment) = match named.split_once('#') {
        Some((target, fragment)) => (target.trim(), Some(fragment.trim())),
        None => (named.trim(), None),
    };
    let fragment = fragment.filter(|fragment| !fragment.is_empty());
    if target.is_empty() && fragment.is_none() {
        return None;
    }
    let label = label.map(|label| label.replace("\\|", "|").trim().to_owned()).filter(|label| !label.is_empty());
    Some((target.to_owned(), fragment.map(str::to_owned), label))
}

/// A Markdown destination as target and fragment: decoded once, or whole where it is foreign.
pub(super) fn destination(url: &str) -> (String, Option<String>) {
    if is_foreign(url) {
        return (url.to_owned(), None);
    }
    let decode = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    match url.split_once('#') {
        Some((target, fragment)) => {
            (decode(without_query(target)), Some(decode(fragment)).filter(|fragment| !fragment.is_empty()))
        }
        None => (decode(without_query(url)), None),
    }
}

fn without_query(target: &str) -> &str {
    target.split_once('?').map_or(target, |(path, _)| path)
}

/// Whether a destination leaves the wiki by its scheme (`https:`, `mailto:`, `//host`), as RFC 3986 has it.
pub fn is_foreign(url: &str) -> bool {
    if url.starts_with("//") {
        return true;
    }
    let scheme = url.find([':', '/', '?', '#']).filter(|&at| url.as_bytes()[at] == b':').map(|at| &url[..at]);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
    })
}

/// Part of the source that CommonMark does not read as text.
#[derive(Clone, Debug)]
pub(super) struct Opaque {
    pub range: Range<usize>,
    /// Code and comments end a wikilink that runs into them; maths and HTML tags may stand inside one (`[[Vec<T>]]`).
    pub hard: bool,
}

/// What [`scan`] finds in a run of inline text.
pub(super) enum Found {
    /// `[[…]]`, without the exclamation mark of an embed; the range is the whole link's.
    Wikilink { range: Range<usize>, embed: bool, target: String, fragment: Option<String>, label: Option<String> },
    /// `[^key]`
    Footnote { range: Range<usize>, key: String },
}

/// Finds wikilinks and footnote references in one run of inline source.
///
/// `opaque` is sorted and covers at least the run; `markdown` are the starts of Markdown links, sorted: brackets that
/// CommonMark took for a link are no wikilink.
pub(super) fn scan(
    text: &str,
    run: Range<usize>,
    opaque: &[Opaque],
    markdown: &[usize],
    style: LinkStyle,
    mut found: impl FnMut(Found),
) {
    let bytes = text.as_bytes();
    let mut next_opaque = opaque.partition_point(|part| part.range.end <= run.start);
    // Both are remembered, since a line of a megabyte may hold a hundred thousand brackets.
    let mut line_end = run.start;
    let mut close = run.start;
    let mut at = run.start;
    while let Some(open) = memchr::memchr(b'[', &bytes[at..run.end]).map(|offset| at + offset) {
        at = open + 1;
        while next_opaque < opaque.len() && opaque[next_opaque].range.end <= open {
            next_opaque += 1;
        }
        if let Some(part) = opaque.get(next_opaque).filter(|part| part.range.start <= open) {
            at = part.range.end.min(run.end);
            continue;
        }
        if is_escaped(bytes, open) {
            continue;
        }
        match bytes[open + 1..run.end].first() {
            Some(b'^') => {
                let key = &text[open + 2..run.end];
                let Some(end) = key.find(|c: char| matches!(c, ']' | '[' | '^') || c.is_whitespace()) else { continue };
                if end > 0 && key.as_bytes()[end] == b']' {
                    at = open + 2 + end + 1;
                    found(Found::Footnote { range: open..at, key: key[..end].to_owned() });
                }
            }
            Some(b'[') => {
                if markdown.binary_search(&open).is_ok() || markdown.binary_search(&(open + 1)).is_ok() {
                    continue;
                }
                if line_end <= open {
                    line_end = memchr::memchr(b'\n', &bytes[open..run.end]).map_or(run.end, |offset| open + offset);
                }
                if close < open + 2 {
                    close = memchr::memmem::find(&bytes[open + 2..line_end], b"]]")
                        .map_or(line_end, |offset| open + 2 + offset);
                }
                if close >= line_end {
                    continue;
                }
                let inner = &text[open + 2..close];
                // `[[[x]]]`: the innermost pair is the link; a label may hold brackets, a name may not.
                let named = memchr3(b'[', b']', b'|', inner.as_bytes()).map(|end| inner.as_bytes()[end]);
                if matches!(named, Some(b'[' | b']')) {
                    continue;
                }
                let blocked = opaque[next_opaque..]
                    .iter()
                    .take_while(|part| part.range.start < close + 2)
                    .any(|part| part.hard || part.range.end > close);
                if blocked {
                    continue;
                }
                if let Some((target, fragment, label)) = wikilink(inner, style) {
                    let embed = open > run.start && bytes[open - 1] == b'!' && !is_escaped(bytes, open - 1);
                    let start = if embed { open - 1 } else { open };
                    at = close + 2;
                    found(Found::Wikilink { range: start..at, embed, target, fragment, label });
                }
            }
            _ => {}
        }
    }
}

/// Whether an odd number of backslashes stands before `at`.
pub(super) fn is_escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}
