//! Links as they stand on a page; [`crate::names`] says where they lead.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};
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

impl Link {
    /// What readers see of a wikilink.
    pub fn shown(&self) -> &str {
        match (&self.label, &self.fragment) {
            (Some(label), _) => label,
            (None, Some(fragment)) if self.target.is_empty() => fragment,
            _ => &self.target,
        }
    }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
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
    let (first, second) = match parted(inner, b'|') {
        // In a table cell the pipe is escaped; the backslash belongs to the pipe.
        (first, Some(second)) => (first.strip_suffix('\\').unwrap_or(first), Some(second)),
        whole => whole,
    };
    let (named, label) = match (style, second) {
        (LinkStyle::Dendron, Some(second)) if !second.trim().is_empty() => (second, Some(first)),
        _ => (first, second),
    };
    // A name holds no brackets.
    if memchr2(b'[', b']', named.as_bytes()).is_some() || is_placeholder(named) {
        return None;
    }
    let (target, fragment) = parted(named, b'#');
    let target = target.trim();
    let fragment = fragment.map(str::trim).filter(|fragment| !fragment.is_empty());
    if target.is_empty() && fragment.is_none() {
        return None;
    }
    let unescaped = |label: &str| if label.contains('\\') { label.replace("\\|", "|") } else { label.to_owned() };
    let label = label.map(str::trim).filter(|label| !label.is_empty()).map(unescaped);
    Some((target.to_owned(), fragment.map(str::to_owned), label))
}

/// What stands before the first `mark`, an ASCII character, and what behind it.
fn parted(text: &str, mark: u8) -> (&str, Option<&str>) {
    match memchr(mark, text.as_bytes()) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Whether a name is still to be put in by a template's program.
pub(super) fn is_placeholder(name: &str) -> bool {
    memchr2(b'{', b'<', name.as_bytes()).is_some() && ["{{", "${", "<%"].iter().any(|open| name.contains(open))
}

/// A Markdown destination as target and fragment: decoded once, or whole where it is foreign.
pub(super) fn destination(url: &str) -> (String, Option<String>) {
    if is_foreign(url) {
        return (url.to_owned(), None);
    }
    let decode = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let (target, fragment) = match url.split_once('#') {
        Some((target, fragment)) => (target, Some(decode(fragment)).filter(|fragment| !fragment.is_empty())),
        None => (url, None),
    };
    let target = decode(without_query(target));
    // A colon that was encoded makes no scheme.
    (if is_foreign(&target) { format!("./{target}") } else { target }, fragment)
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
    /// Code, comments and destinations are no part of a name; HTML tags and maths may be (`[[Vec<T>]]`).
    pub hard: bool,
}

/// Whether `at` lies in one of the parts, which are [`merged`].
pub(super) fn within(opaque: &[Opaque], at: usize) -> bool {
    part_at(opaque, at).is_some()
}

fn part_at(opaque: &[Opaque], at: usize) -> Option<&Opaque> {
    opaque.get(opaque.partition_point(|part| part.range.end <= at)).filter(|part| part.range.start <= at)
}

/// Overlapping parts as one, so that starts and ends both ascend. They come out of order: a destination is known only at
/// its link's end, after what stands inside the link.
pub(super) fn merged(mut parts: Vec<Opaque>) -> Vec<Opaque> {
    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    let mut merged: Vec<Opaque> = Vec::with_capacity(parts.len());
    for part in parts {
        match merged.last_mut() {
            Some(last) if part.range.start < last.range.end => {
                last.range.end = last.range.end.max(part.range.end);
                last.hard |= part.hard;
            }
            _ => merged.push(part),
        }
    }
    merged
}

/// What [`Source::scan`] finds in a run of inline text.
pub(super) enum Found {
    /// `[[…]]`, without the exclamation mark of an embed; the range is the whole link's.
    Wikilink { range: Range<usize>, embed: bool, target: String, fragment: Option<String>, label: Option<String> },
    /// `[^key]`
    Footnote { range: Range<usize>, key: String },
}

/// The source of a body, and what CommonMark has already found in it. All lists are sorted.
pub(super) struct Source<'a> {
    pub text: &'a str,
    /// Merged.
    pub opaque: &'a [Opaque],
    /// Starts of Markdown links: their brackets are no wikilink's.
    pub markdown: &'a [usize],
    /// References to footnotes that are defined.
    pub notes: &'a [Range<usize>],
    pub style: LinkStyle,
}

impl Source<'_> {
    /// The same source with no other opaque parts than those that touch `run`: each is looked up many times.
    pub(super) fn within(&self, run: &Range<usize>) -> Self {
        let opaque = &self.opaque[self.opaque.partition_point(|part| part.range.end <= run.start)..];
        Self { opaque: &opaque[..opaque.partition_point(|part| part.range.start < run.end)], ..*self }
    }

    /// Finds wikilinks and footnote references in one run of inline source.
    pub(super) fn scan(&self, run: Range<usize>, mut found: impl FnMut(Found)) {
        let bytes = self.text.as_bytes();
        let mut closes = Closes { source: self, run_end: run.end, line_end: run.start, close: run.start };
        let mut at = run.start;
        while let Some(open) = memchr(b'[', &bytes[at..run.end]).map(|offset| at + offset) {
            at = open + 1;
            if let Some(part) = part_at(self.opaque, open) {
                at = part.range.end.min(run.end);
                continue;
            }
            if is_escaped(bytes, open) || self.opens_markdown(open) {
                continue;
            }
            match bytes[at..run.end].first() {
                Some(b'^') => {
                    if let Some(range) = self.footnote(open..run.end) {
                        at = range.end;
                        let key = self.text[range.start + 2..range.end - 1].to_owned();
                        found(Found::Footnote { range, key });
                    }
                }
                Some(b'[') if !self.opens_markdown(at) && self.note_at(at).is_none() => {
                    let Some(close) = closes.behind(open + 2) else { continue };
                    if let Some((end, (target, fragment, label))) = self.wikilink(open + 2, close, closes.line_end) {
                        let embed = open > run.start && bytes[open - 1] == b'!' && !is_escaped(bytes, open - 1);
                        let start = if embed { open - 1 } else { open };
                        at = end;
                        found(Found::Wikilink { range: start..end, embed, target, fragment, label });
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a `[[` that is text stands there.
    fn opens_wikilink(&self, range: Range<usize>) -> bool {
        let bytes = self.text.as_bytes();
        memchr(b'[', &bytes[range.clone()]).is_some()
            && memchr::memmem::find_iter(&bytes[range.clone()], b"[[")
                .map(|offset| range.start + offset)
                .any(|at| !within(self.opaque, at) && !is_escaped(bytes, at))
    }

    fn opens_markdown(&self, at: usize) -> bool {
        self.markdown.binary_search(&at).is_ok()
    }

    fn note_at(&self, at: usize) -> Option<&Range<usize>> {
        self.notes.binary_search_by_key(&at, |note| note.start).ok().map(|index| &self.notes[index])
    }

    /// The footnote reference at the start of `source`, defined or not. Only keys that are defined may hold blanks.
    fn footnote(&self, source: Range<usize>) -> Option<Range<usize>> {
        if let Some(note) = self.note_at(source.start) {
            return Some(note.clone());
        }
        let key = &self.text[source.start + 2..source.end];
        let end = key.find(|c: char| matches!(c, ']' | '[' | '^') || c.is_whitespace())?;
        (end > 0 && key.as_bytes()[end] == b']').then(|| source.start..source.start + 2 + end + 1)
    }

    /// The wikilink whose name begins at `start`, with where it ends; `close` is the first `]]` behind it.
    fn wikilink(&self, start: usize, close: usize, line_end: usize) -> Option<(usize, Parts)> {
        let inner = &self.text[start..close];
        // A label may hold brackets, a name may not. Of pairs within each other (`[[[x]]]`, `[[a|[[x]]`) the innermost is
        // the link.
        let pipe = match memchr3(b'[', b']', b'|', inner.as_bytes()) {
            Some(end) if inner.as_bytes()[end] != b'|' => return None,
            Some(pipe) if self.opens_wikilink(start + pipe..close) => return None,
            end => end,
        };
        // A heading and a label may hold code, the page's name may not.
        let name = match (pipe, self.style) {
            (Some(_), LinkStyle::Dendron) => inner,
            (pipe, _) => &inner[..pipe.unwrap_or(inner.len())],
        };
        let name_end = start + memchr(b'#', name.as_bytes()).unwrap_or(name.len());
        let next = self.opaque.partition_point(|part| part.range.end <= start);
        if self.opaque[next..].iter().take_while(|part| part.range.start < name_end).any(|part| part.hard) {
            return None;
        }
        if is_escaped(self.text.as_bytes(), close) {
            return None;
        }
        let parts = wikilink(inner, self.style)?;
        // `[[p|[x]]]`: brackets within a label close first.
        let bytes = self.text.as_bytes();
        let mut end = close;
        if let Some(pipe) = pipe.filter(|_| bytes[..line_end].get(close + 2) == Some(&b']')) {
            let label = &inner.as_bytes()[pipe..];
            let mut open =
                memchr::memchr_iter(b'[', label).count().saturating_sub(memchr::memchr_iter(b']', label).count());
            while open > 0 && bytes[..line_end].get(end + 2) == Some(&b']') {
                open -= 1;
                end += 1;
            }
        }
        if end == close {
            Some((close + 2, parts))
        } else {
            Some((end + 2, wikilink(&self.text[start..end], self.style)?))
        }
    }
}

/// Target, fragment and label of a wikilink.
type Parts = (String, Option<String>, Option<String>);

/// The `]]` of a run, in order. The last one is remembered, since a line of a megabyte may hold a hundred thousand
/// brackets.
struct Closes<'a> {
    source: &'a Source<'a>,
    run_end: usize,
    /// End of the line that was asked for last.
    line_end: usize,
    /// The `]]` found last, or the line's end.
    close: usize,
}

impl Closes<'_> {
    /// The first `]]` at or behind `from` in its line that is text. `from` must not descend.
    fn behind(&mut self, from: usize) -> Option<usize> {
        let bytes = self.source.text.as_bytes();
        if self.line_end < from {
            self.line_end = memchr(b'\n', &bytes[from..self.run_end]).map_or(self.run_end, |offset| from + offset);
            self.close = self.next(from);
        } else if self.close < from {
            self.close = self.next(from);
        }
        (self.close < self.line_end).then_some(self.close)
    }

    fn next(&self, mut at: usize) -> usize {
        let opaque = self.source.opaque;
        let line = &self.source.text.as_bytes()[..self.line_end];
        while let Some(offset) = memchr(b']', &line[at..]) {
            at += offset;
            if line.get(at + 1) != Some(&b']') {
                at += 1;
                continue;
            }
            match part_at(opaque, at).or_else(|| part_at(opaque, at + 1)) {
                Some(part) => at = part.range.end.min(self.line_end),
                None => return at,
            }
        }
        self.line_end
    }
}

/// Whether an odd number of backslashes stands before `at`.
pub(super) fn is_escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}
