//! A page's text: stored bytes decoded once, with lines, columns and the way back to stored offsets.

use std::sync::OnceLock;

/// A half-open range of byte offsets.
///
/// Spans of a parsed page count bytes of its *decoded* text ([`Text::as_str`]); [`Text::stored`] maps one to the
/// bytes that git holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `usize` offsets; pages beyond 4 GiB do not exist ([`crate::source::MAX_PAGE_BYTES`]).
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The span as a range, to slice text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same span, `by` bytes later.
    pub fn shift(self, by: usize) -> Self {
        Self { start: self.start + by as u32, end: self.end + by as u32 }
    }

    /// Whether `offset` lies inside.
    pub fn contains(self, offset: usize) -> bool {
        self.range().contains(&offset)
    }
}

/// A place for people: both count from 1, columns in Unicode code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
}

/// The decoded text of a page.
///
/// Decoding drops a byte order mark, turns CRLF and lone CR into LF and invalid UTF-8 into U+FFFD, so that everything
/// behind it sees one form of a page; lines are the same in both, offsets are mapped back by [`Text::stored`].
#[derive(Clone, Debug, Default)]
pub struct Text {
    content: String,
    /// `(decoded, stored)` offsets from which the two run in step again; empty where they never part.
    steps: Vec<(u32, u32)>,
    /// Length of the stored bytes.
    stored_len: u32,
    /// Offset in decoded text of the first replaced byte, where the stored bytes are not UTF-8.
    invalid_utf8: Option<u32>,
}

impl Text {
    /// Decodes stored bytes. Never fails.
    pub fn decode(bytes: &[u8]) -> Self {
        if memchr::memchr(b'\r', bytes).is_none()
            && !bytes.starts_with(BOM)
            && let Ok(content) = simdutf8::basic::from_utf8(bytes)
        {
            return Self { content: content.to_owned(), stored_len: bytes.len() as u32, ..Self::default() };
        }
        let mut text = Self { stored_len: bytes.len() as u32, ..Self::default() };
        text.content.reserve(bytes.len());
        let mut stored = 0;
        if bytes.starts_with(BOM) {
            stored = BOM.len();
            text.steps.push((0, stored as u32));
        }
        for chunk in bytes[stored..].utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
                text.content.push_str(&rest[..at]);
                text.content.push('\n');
                let width = if rest.as_bytes().get(at + 1) == Some(&b'\n') { 2 } else { 1 };
                stored += at + width;
                rest = &rest[at + width..];
                if width == 2 {
                    text.steps.push((text.content.len() as u32, stored as u32));
                }
            }
            text.content.push_str(rest);
            stored += rest.len();
            if !chunk.invalid().is_empty() {
                text.invalid_utf8.get_or_insert(text.content.len() as u32);
                text.content.push('\u{FFFD}');
                stored += chunk.invalid().len();
                text.steps.push((text.content.len() as u32, stored as u32));
            }
        }
        text
    }

    /// The decoded text.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// What a span cuts out.
    pub fn slice(&self, span: Span) -> &str {
        &self.content[span.range()]
    }

    /// Where the stored bytes first failed to be UTF-8, as an offset of the decoded text.
    pub fn invalid_utf8(&self) -> Option<usize> {
        self.invalid_utf8.map(|at| at as usize)
    }

    /// The same span in stored bytes.
    pub fn stored(&self, span: Span) -> Span {
        Span { start: self.stored_offset(span.start), end: self.stored_offset(span.end) }
    }

    fn stored_offset(&self, offset: u32) -> u32 {
        match self.steps.partition_point(|&(decoded, _)| decoded <= offset) {
            0 => offset.min(self.stored_len),
            n => {
                let (decoded, stored) = self.steps[n - 1];
                (stored + (offset - decoded)).min(self.stored_len)
            }
        }
    }

    /// Positions of many offsets of this text; see [`Lines`].
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(&self.content)
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The line table of a text: made once per question about it, since most pages are never asked for positions.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Code points before each block of [`BLOCK`] bytes: a line may be a megabyte long and hold a hundred thousand
    /// findings. Made when the first long line is asked about.
    counts: OnceLock<Vec<u32>>,
}

/// Bytes that are counted anew for each position in a long line.
const BLOCK: usize = 512;

impl<'t> Lines<'t> {
    /// Builds the table; linear in the text.
    pub fn new(text: &'t str) -> Self {
        let starts =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1)).collect();
        Self { text, starts, counts: OnceLock::new() }
    }

    /// Number of lines; a final line end starts no further line.
    pub fn count(&self) -> usize {
        let last = *self.starts.last().expect("there is always a first line") as usize;
        if last == self.text.len() && self.starts.len() > 1 { self.starts.len() - 1 } else { self.starts.len() }
    }

    /// Line, from 1, of an offset.
    pub fn line(&self, offset: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= offset) as u32
    }

    /// Line and column of an offset; of one within a character the column behind it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let column = if offset - start <= BLOCK {
            code_points(&self.text.as_bytes()[start..offset])
        } else {
            self.code_points_before(offset) - self.code_points_before(start)
        };
        Position { line, column: column + 1 }
    }

    fn code_points_before(&self, offset: usize) -> u32 {
        let counts = self.counts.get_or_init(|| {
            let blocks = self.text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
                *before += code_points(block);
                Some(*before)
            });
            std::iter::once(0).chain(blocks).collect()
        });
        let block = offset / BLOCK;
        counts[block] + code_points(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// The span of the lines `first..=last` (from 1), line ends included; `None` beyond the text.
    pub fn span(&self, first: usize, last: usize) -> Option<Span> {
        if first == 0 || first > last || first > self.count() {
            return None;
        }
        let end = self.starts.get(last).map_or(self.text.len(), |&end| end as usize);
        Some(Span::new(self.starts[first - 1] as usize, end))
    }
}

/// The number of code points that begin in `bytes`.
fn code_points(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte & 0xC0 != 0x80)).sum()
}
