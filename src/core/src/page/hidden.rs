//! What CommonMark takes for text and no reader sees as such: `%%` comments, `${…}` expressions, maths.

use std::ops::Range;

use super::links::{Opaque, is_escaped, within};
use super::walk::Run;

/// Obsidian's `%% … %%`: within one block, or from a line that opens with it over blocks to the next `%%`.
pub(super) fn comments(text: &str, runs: &[Run], opaque: &[Opaque]) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    // A comment still open: where it starts, and whether it may run on into the next block.
    let mut open: Option<(usize, bool)> = None;
    for run in runs {
        open = open.filter(|&(_, over_blocks)| over_blocks);
        for at in marks(text, &run.range, opaque, "%%") {
            open = match open {
                Some((start, _)) => {
                    comments.push(start..at + 2);
                    None
                }
                None => Some((at, opens_line(text, run.range.start, at))),
            };
        }
    }
    comments
}

/// `${ … }` is an expression that a program replaces: what looks like a link in it (`${query[[…]]}`) is none. Its
/// braces must balance before the next blank line.
pub(super) fn expressions(text: &str, opaque: &[Opaque]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut expressions = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for at in memchr::memchr3_iter(b'{', b'}', b'\n', bytes) {
        match bytes[at] {
            b'\n' if bytes.get(at + 1).is_none_or(|&next| next == b'\n') => open.clear(),
            b'{' if !within(opaque, at) => open.push(at),
            b'}' if !within(opaque, at) => {
                if let Some(start) = open.pop().filter(|&start| start > 0 && bytes[start - 1] == b'$') {
                    expressions.push(start - 1..at + 1);
                }
            }
            _ => {}
        }
    }
    expressions
}

/// `$…$` and `$$…$$` within one block, and `$$` alone in its line over blocks to the next `$$`.
///
/// Dollars of prices and of variables are none: one that opens has neither a letter nor a digit before it and no blank
/// behind it, one that closes no blank before it and neither letter, digit nor `{` behind it.
pub(super) fn maths(text: &str, runs: &[Run], opaque: &[Opaque]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut maths = Vec::new();
    let mut open_block: Option<usize> = None;
    for run in runs {
        let dollars = marks(text, &run.range, opaque, "$");
        let is_double = |nth: usize| dollars.get(nth + 1).is_some_and(|&next| next == dollars[nth] + 1);
        let mut open_inline: Option<usize> = None;
        let mut open_display: Option<usize> = None;
        let mut nth = 0;
        while nth < dollars.len() {
            let at = dollars[nth];
            if is_double(nth) {
                nth += 2;
                open_inline = None;
                if let Some(start) = open_block.take().or(open_display.take()) {
                    maths.push(start..at + 2);
                } else if opens_line(text, run.range.start, at) && ends_line(bytes, at + 2) {
                    open_block = Some(at);
                } else {
                    open_display = Some(at);
                }
                continue;
            }
            nth += 1;
            if open_block.is_some() || open_display.is_some() {
                continue;
            }
            let before = text[run.range.start..at].chars().next_back();
            let behind = text[at + 1..run.range.end].chars().next();
            let closes =
                before.is_some_and(|c| !c.is_whitespace()) && behind.is_none_or(|c| !c.is_alphanumeric() && c != '{');
            let opens = before.is_none_or(|c| !c.is_alphanumeric()) && behind.is_some_and(|c| !c.is_whitespace());
            open_inline = match open_inline {
                Some(start) if closes => {
                    maths.push(start..at + 1);
                    None
                }
                _ => opens.then_some(at),
            };
        }
    }
    maths
}

/// Where `mark` stands in a run's text.
fn marks(text: &str, run: &Range<usize>, opaque: &[Opaque], mark: &str) -> Vec<usize> {
    memchr::memmem::find_iter(&text.as_bytes()[run.clone()], mark)
        .map(|offset| run.start + offset)
        .filter(|&at| !within(opaque, at) && !is_escaped(text.as_bytes(), at))
        .collect()
}

/// Whether nothing but blanks and quote marks stands before `at` in its line of the run.
fn opens_line(text: &str, run_start: usize, at: usize) -> bool {
    let before = text[run_start..at].trim_end_matches([' ', '\t', '>']);
    before.is_empty() || before.ends_with('\n')
}

fn ends_line(bytes: &[u8], at: usize) -> bool {
    bytes[at..].iter().find(|&&byte| byte != b' ' && byte != b'\t').is_none_or(|&byte| byte == b'\n')
}
