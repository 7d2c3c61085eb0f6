//! What is wrong with a YAML text, and what to do about it, in words for whoever wrote the line.
//!
//! The parser's error says where it stopped; why it had to stop there is read off the source line again.

use granit_parser::ErrorKind;

use super::compose::invalid;
use super::{Node, Problem};
use crate::text::Span;

/// The longest line that a hint repeats, in bytes.
const MAX_SHOWN: usize = 160;

/// What the composer knows about an error besides its kind.
pub(super) struct Context {
    /// Offset at which the parser stopped.
    pub(super) at: usize,
    /// Where the last node or bracket that it understood began, and where it ended.
    pub(super) began: usize,
    pub(super) last: usize,
    /// The opening bracket of the outermost list or mapping that is still open.
    pub(super) bracket: Option<usize>,
}

/// The problem for an error of the parser.
pub(super) fn explain(text: &str, kind: &ErrorKind, context: Context) -> Problem {
    let mut at = context.at.min(text.len());
    if let ErrorKind::UnexpectedCharacter { character } = kind {
        // Of a character within a text, the error has the place of the text.
        at += text[at..].find(*character).unwrap_or(0);
    }
    let line = Line::around(text, at);
    let begin = line.begin();

    let odd = |c: &char| match kind {
        ErrorKind::UnexpectedCharacter { .. } => !c.is_ascii() || c.is_control(),
        _ => c.is_control() && !matches!(c, '\t' | '\n'),
    };
    if let Some(character) = text[at..].chars().next().filter(odd) {
        return invalid(
            here(text, at),
            format!("the character U+{:04X} is not allowed in YAML", u32::from(character)),
            "remove it, or write it as an escape in a value in double quotes",
        );
    }
    if let Some(problem) = placeholder(text, at) {
        return problem;
    }
    match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => {
            let tab = indenting_tab(&text[line.start..]).map_or(at, |tab| line.start + tab);
            return invalid(here(text, tab), "a tab cannot indent a line", "indent with blanks");
        }
        ErrorKind::BomInsideDocument => {
            return invalid(here(text, at), "a byte order mark stands inside the text", "remove it");
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement if context.bracket.is_none() => {
            return colon(text, at, &context);
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey if context.bracket.is_none() => {
            return no_colon(text, &line);
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar | ErrorKind::InvalidTrailingSingleQuotedScalar
            if context.bracket.is_none() =>
        {
            return after_quote(text, at, &context);
        }
        ErrorKind::UnclosedQuotedScalar
        | ErrorKind::DocumentIndicatorInQuotedScalar
        | ErrorKind::InvalidQuotedScalarIndent => {
            return unclosed_quote(text, opening_quote(text, context.last, at).unwrap_or(at));
        }
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => {
            return bad_escape(text, at);
        }
        ErrorKind::UnknownAnchor => {
            let end = at + text[at..].find([' ', '\n', ',', ']', '}']).unwrap_or(text.len() - at);
            let name = &text[at..end];
            return invalid(
                Span::new(at, end),
                format!("{} stands for a value that nothing above names", code(name)),
                line.quote_hint("a value that begins with `*` needs quotes"),
            );
        }
        ErrorKind::BlockSequenceEntryNotAllowed if at == begin => {
            return invalid(
                here(text, at),
                "a list cannot begin in the line of its key",
                line.quote_hint("put each item in a line of its own below the key, or the value in quotes"),
            );
        }
        _ => {}
    }
    if let Some(bracket) = context.bracket.or_else(|| first_bracket(text, kind, at)) {
        return flow(text, at, bracket);
    }
    if let Some(character) = line.value.chars().next().filter(|c| "@`%*&!|>,]}?-".contains(*c) && at >= begin) {
        return invalid(
            here(text, begin),
            format!("a value without quotes cannot begin with {}", code(character.encode_utf8(&mut [0; 4]))),
            line.quote_hint("put the value in quotes"),
        );
    }
    if line.value.starts_with(['[', '{', '"', '\'']) && at > begin {
        return flow(text, at, begin);
    }
    if text.starts_with('%') {
        return invalid(Line::around(text, 0).shown(), "a first line that begins with `%` is a directive", "remove it");
    }
    if matches!(
        kind,
        ErrorKind::ExpectedBlockMappingKey
            | ErrorKind::ExpectedBlockSequenceEntry
            | ErrorKind::ExpectedDocumentStart
            | ErrorKind::InvalidIndentation
    ) {
        return invalid(
            line.shown(),
            "this line fits no indentation above it",
            "indent it like the lines that it belongs to: keys of one mapping, and items of one list, begin in one column",
        );
    }
    invalid(here(text, at), "this is not YAML", line.quote_hint("write lines of the form `key: value`"))
}

/// The problem of a list or mapping in the place of a key.
pub(super) fn no_key(text: &str, node: &Node) -> Problem {
    if let Some(problem) = placeholder(text, node.span.start as usize) {
        return problem;
    }
    let source = &text[node.span.range()];
    let hint = if source.len() <= MAX_SHOWN && !source.contains('\n') {
        format!("put the key in quotes: {}", code(&quoted(source)))
    } else {
        "put the key in quotes".into()
    };
    invalid(node.span, "a list or mapping cannot be a key", hint)
}

/// The problem of a document that is a scalar or a list where a mapping is wanted.
pub(super) fn no_mapping(text: &str, node: &Node) -> Problem {
    match node.text() {
        Some(_) => no_colon(text, &Line::around(text, node.span.start as usize)),
        None => invalid(
            Line::around(text, node.span.start as usize).shown(),
            "this is a list, not a mapping",
            "give the list a key of its own, and indent it below",
        ),
    }
}

/// `{{date}}` and its kind: what a template engine would have replaced.
fn placeholder(text: &str, at: usize) -> Option<Problem> {
    let line = Line::around(text, at);
    let in_list = line.value.starts_with('[');
    let part = if line.key.starts_with('{') { line.key } else { line.value };
    let (opening, closing) = [("{{", "}}"), ("{%", "%}")]
        .into_iter()
        .find(|(opening, _)| part.starts_with(opening) || (in_list && part.contains(opening)))?;
    let start = part.find(opening)?;
    let end = part[start..].find(closing).map_or(part.len(), |end| start + end + closing.len());
    let shown = &part[start..end];
    let advice = "if this is a template, name its folder under `exclude` in `chemenu.toml`; else put it in quotes";
    let hint = if in_list {
        line.with_value(&line.value.replace(shown, &quoted(shown)))
            .map_or(advice.into(), |fixed| format!("{advice}: {fixed}"))
    } else if part == line.key {
        advice.to_owned()
    } else {
        line.quote_hint(advice)
    };
    let begin = part.as_ptr().addr() - text.as_ptr().addr() + start;
    Some(invalid(
        Span::new(begin, begin + shown.len()),
        format!("the placeholder {} is not YAML without quotes", code(shown)),
        hint,
    ))
}

/// A colon where none can be: in a value, or below one.
fn colon(text: &str, at: usize, context: &Context) -> Problem {
    let line = Line::around(text, at);
    if line.colon.is_none_or(|first| first < at) {
        if line.value.starts_with(['"', '\'']) {
            return after_quote(text, at, context);
        }
        let message = match text[at..].find('\n').map_or(&text[at..], |end| &text[at..at + end]).trim_end() {
            ":" => "a value without quotes cannot end with a colon",
            _ => "a value without quotes cannot contain a colon and a blank",
        };
        return invalid(here(text, at), message, line.quote_hint("put the value in quotes"));
    }
    // The colon itself is right; the value above runs on into this line.
    let above = Line::around(text, context.began.min(at));
    if above.start == line.start {
        return invalid(line.shown(), "this line fits no indentation above it", "indent it like the keys above it");
    }
    if above.colon.is_none() {
        return no_colon(text, &above);
    }
    let (key, upper) = (code(line.key), code(above.key));
    invalid(
        line.shown(),
        format!("{key} is part of the value of {upper}, which cannot contain a colon and a blank"),
        format!("indent {key} like {upper} if it is a key; else put the whole value of {upper} in quotes"),
    )
}

/// A line that ought to be `key: value`.
fn no_colon(text: &str, line: &Line<'_>) -> Problem {
    let source = text[line.shown().range()].trim_end();
    if let Some(tight) = line.value.find(':').filter(|tight| *tight > 0 && !line.value.contains("://")) {
        let (key, value) = (&line.value[..tight], line.value[tight + 1..].trim());
        return invalid(
            here(text, line.begin() + tight),
            "a blank is missing after the colon",
            shown_or("write the blank", &format!("{key}: {value}")),
        );
    }
    invalid(
        line.shown(),
        "this line has no `key: value`",
        shown_or("give it a colon, or indent it as part of the value above", &format!("{source}:")),
    )
}

/// Text behind a closing quote.
fn after_quote(text: &str, at: usize, context: &Context) -> Problem {
    let line = Line::around(text, at);
    match opening_quote(text, context.last, at) {
        Some(quote) if quote < line.start => unclosed_quote(text, quote),
        _ => {
            let quote = text[..at].rfind(['"', '\'']).unwrap_or(at);
            let fixed = line.requoted().filter(|_| line.value.starts_with(['"', '\'']) && line.begin() <= quote);
            let hint = match fixed {
                Some(fixed) => format!("put the other kind of quotes around the whole value: {fixed}"),
                None => "put the other kind of quotes around the whole text".into(),
            };
            invalid(here(text, quote), "text follows the quote that ends a text", hint)
        }
    }
}

/// A backslash that begins no escape of double quotes; `quote` opens them.
fn bad_escape(text: &str, quote: usize) -> Problem {
    let line = Line::around(text, quote);
    let mut rest = text[quote..].char_indices();
    let mut escape = quote;
    while let Some((offset, character)) = rest.next() {
        if character != '\\' {
            continue;
        }
        escape = quote + offset;
        // Those with digits are never skipped: a good one in front of a bad one is rarer than a path of Windows.
        if rest.next().is_none_or(|(_, escaped)| !"0abt\tnvfre \"/\\N_LP\n".contains(escaped)) {
            break;
        }
    }
    let hint = line.requoted().map_or_else(
        || "write the backslash twice".into(),
        |fixed| format!("write the backslash twice, or put the value in single quotes: {fixed}"),
    );
    invalid(here(text, escape), "a backslash in double quotes begins an escape, and this is none", hint)
}

/// The first tab in the indentation of a line.
fn indenting_tab(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..indent].find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

fn unclosed_quote(text: &str, quote: usize) -> Problem {
    let line = Line::around(text, quote);
    let closed = format!("{}{}", line.value, &text[here(text, quote).range()]);
    let hint = match line.with_value(&closed).filter(|_| line.begin() == quote) {
        Some(fixed) => format!("close it in its line: {fixed}"),
        None => "close it in its line".into(),
    };
    invalid(here(text, quote), "the quote that opens here is not closed where it should be", hint)
}

/// The quote that opens behind `last`, before `at`.
fn opening_quote(text: &str, last: usize, at: usize) -> Option<usize> {
    let last = last.min(at);
    text[last..]
        .char_indices()
        .map(|(offset, c)| (last + offset, c))
        .find(|(offset, c)| *offset <= at && matches!(c, '"' | '\''))
        .map(|(offset, _)| offset)
}

fn first_bracket(text: &str, kind: &ErrorKind, at: usize) -> Option<usize> {
    let unclosed =
        matches!(kind, ErrorKind::UnclosedFlowCollection { .. } | ErrorKind::MismatchedFlowCollectionEnd { .. });
    (unclosed && text[at..].starts_with(['[', '{'])).then_some(at)
}

/// Something wrong in or behind a list or mapping in brackets, or a quoted value, that opens at `opening`.
fn flow(text: &str, at: usize, opening: usize) -> Problem {
    let line = Line::around(text, opening);
    if line.begin() == opening && line.value.starts_with("[[") && line.value.contains("]]") {
        let hint = match wikilinks(line.value).and_then(|list| line.with_value(&list)) {
            Some(fixed) => format!("write wikilinks as a list of quoted names: {fixed}"),
            None => line.quote_hint("put the value in quotes"),
        };
        return invalid(here(text, at), "a wikilink without quotes is a list to YAML, and text follows it", hint);
    }
    let bracket = &text[here(text, opening).range()];
    let end = line.start + line.text.len();
    if at > end || at == opening {
        return invalid(
            here(text, opening),
            format!("what opens with {} is not closed", code(bracket)),
            line.quote_hint("close it, or put the value in quotes"),
        );
    }
    invalid(
        here(text, at),
        format!("what opens with {} cannot go on like this", code(bracket)),
        line.quote_hint("separate items by commas, or put the value in quotes"),
    )
}

/// A value of nothing but wikilinks and commas, as a list of them in quotes.
fn wikilinks(value: &str) -> Option<String> {
    let mut links = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let end = rest.strip_prefix("[[")?.find("]]")? + "[[]]".len();
        links.push(quoted(&rest[..end]));
        rest = rest[end..].trim_start_matches([',', ' ', '\t']);
    }
    Some(format!("[{}]", links.join(", ")))
}

/// A source line taken apart by eye: indentation and `- `, key, value.
struct Line<'t> {
    /// Where the line starts.
    start: usize,
    /// The line, without its end.
    text: &'t str,
    /// Where the key's colon stands in the whole text.
    colon: Option<usize>,
    /// The key; empty where there is no colon.
    key: &'t str,
    /// What follows the colon, or the item's dash, without a comment.
    value: &'t str,
    value_at: usize,
}

impl<'t> Line<'t> {
    /// The line that holds the offset `at`.
    fn around(text: &'t str, at: usize) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = &text[start..end];
        let mut head = line.len() - line.trim_start().len();
        while let Some(rest) = line[head..].strip_prefix("- ") {
            head = line.len() - rest.trim_start().len();
        }
        let colon = colon_after_key(&line[head..]).map(|offset| head + offset);
        let value_at = colon.map_or(head, |colon| line.len() - line[colon + 1..].trim_start().len());
        let value = &line[value_at..];
        let value =
            if value.starts_with(['"', '\'']) { value } else { &value[..value.find(" #").unwrap_or(value.len())] };
        Self {
            start,
            text: line,
            colon: colon.map(|colon| start + colon),
            key: colon.map_or("", |colon| &line[head..colon]),
            value: value.trim_end(),
            value_at,
        }
    }

    /// Where the value begins, in the whole text.
    fn begin(&self) -> usize {
        self.start + self.value_at
    }

    /// The line without its indentation.
    fn shown(&self) -> Span {
        let end = self.start + self.text.trim_end().len();
        Span::new((self.start + self.text.len() - self.text.trim_start().len()).min(end), end)
    }

    /// This line with another value, as code; `None` if that would be too long to show.
    fn with_value(&self, value: &str) -> Option<String> {
        let line = format!("{}{value}", self.text[..self.value_at].trim_start());
        (line.len() <= MAX_SHOWN).then(|| code(&line))
    }

    /// The advice, and this line with its value in quotes, where that can be shown.
    fn quote_hint(&self, advice: &str) -> String {
        match self.with_value(&quoted(self.value)).filter(|_| !self.value.is_empty()) {
            Some(fixed) => format!("{advice}: {fixed}"),
            None => advice.to_owned(),
        }
    }

    /// This line with quotes around its value that fit what is inside; the old quotes go if they enclose it.
    fn requoted(&self) -> Option<String> {
        let inner = ['"', '\'']
            .iter()
            .find_map(|quote| self.value.strip_prefix(*quote)?.strip_suffix(*quote))
            .unwrap_or(self.value);
        self.with_value(&quoted(inner))
    }
}

/// The colon that ends the key at the start of `line`.
fn colon_after_key(line: &str) -> Option<usize> {
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let from = match quote {
        Some(quote) => line[1..].find(quote)? + 2,
        None => 0,
    };
    let bytes = line.as_bytes();
    memchr::memchr_iter(b':', &bytes[from..])
        .map(|offset| from + offset)
        .find(|&colon| matches!(bytes.get(colon + 1), None | Some(b' ' | b'\t')))
}

/// A text in quotes that need the fewest escapes.
fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else if !text.contains('\'') {
        format!("'{text}'")
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// Page text as a literal of a message: in backticks, more of them than it holds itself.
pub(super) fn code(text: &str) -> String {
    let shown: String = text.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

fn shown_or(advice: &str, line: &str) -> String {
    if line.len() <= MAX_SHOWN { format!("{advice}: {}", code(line)) } else { advice.to_owned() }
}

/// The character at `at`.
pub(super) fn here(text: &str, at: usize) -> Span {
    let width = text[at..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
    Span::new(at, at + width)
}
