//! The front matter block: where it is, and its mapping.

use std::collections::HashSet;

use super::{Problem, ProblemKind};
use crate::text::Span;
use crate::yaml::{self, Node, Value};

/// The front matter of a page. Spans are in the page's text, those inside [`FrontMatter::root`] too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// Whether there is one.
    pub state: FrontMatterState,
    /// The whole block, both fences and the last one's line end included: where it ends, the body begins.
    pub span: Span,
    /// What stands between the fences, its last line end included.
    pub content: Span,
    /// The mapping; `None` where there is none to read.
    pub root: Option<Node>,
}

/// Whether a page has front matter that can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontMatterState {
    /// None.
    #[default]
    Absent,
    /// A mapping, possibly empty.
    Present,
    /// A block whose YAML cannot be read, or is no mapping.
    Invalid,
}

impl FrontMatter {
    /// Finds and reads the front matter of a page's decoded text. Never fails: what is wrong is among the problems.
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let Some(content) = opening(text, 0) else {
            return (Self::default(), misplaced(text, 0).into_iter().collect());
        };
        let Some((close, end)) = closing(text, content) else {
            return (Self::default(), unclosed(text, content).into_iter().collect());
        };
        let content = Span::new(content, close);
        let (mut root, found) = yaml::compose_mapping(&text[content.range()]);
        if let Some(root) = &mut root {
            root.shift(content.start as usize);
        }
        let state = if root.is_some() { FrontMatterState::Present } else { FrontMatterState::Invalid };
        let mut problems: Vec<_> = found.into_iter().map(|problem| on_page(text, content, problem)).collect();
        problems.extend(misplaced(text, end));
        (Self { state, span: Span::new(0, end), content, root }, problems)
    }

    /// The text of `title:`, where it says something; a list or mapping is no title.
    pub fn title(&self) -> Option<(&str, Span)> {
        let node = self.root.as_ref()?.get("title")?;
        Some((node.name()?, node.span))
    }

    /// The tags in `tags` (or `tag`, in any case): a list's scalars, or one scalar's parts between commas.
    ///
    /// Each once, without a leading `#`, and where it first stands.
    pub fn tags(&self) -> Vec<(&str, Span)> {
        let tags = self.fields(&["tags", "tag"]).flat_map(parts);
        once(tags.map(|(tag, span)| (tag.trim_start_matches('#'), span)).filter(|(tag, _)| !tag.is_empty()))
    }

    /// The other names in `aliases` (or `alias`, in any case): a list's scalars, or one scalar.
    ///
    /// A plain scalar is parted at commas; in quotes it is one alias, since names may hold commas.
    pub fn aliases(&self) -> Vec<(&str, Span)> {
        once(self.fields(&["aliases", "alias"]).flat_map(|node| {
            let plain = matches!(&node.value, Value::Scalar(scalar) if scalar.plain);
            if plain { parts(node) } else { node.names() }
        }))
    }

    /// The values of all fields by one of these names, whatever their case.
    fn fields<'a>(&'a self, names: &'static [&str]) -> impl Iterator<Item = &'a Node> {
        let entries = self.root.as_ref().map_or(&[][..], Node::entries);
        entries
            .iter()
            .filter(|(key, _)| key.text().is_some_and(|key| names.iter().any(|name| key.eq_ignore_ascii_case(name))))
            .map(|(_, value)| value)
    }
}

/// Each name where it first stands.
fn once<'a>(names: impl Iterator<Item = (&'a str, Span)>) -> Vec<(&'a str, Span)> {
    let mut seen = HashSet::new();
    names.filter(|(name, _)| seen.insert(*name)).collect()
}

/// The names in a list, or the parts of a scalar between commas.
fn parts(node: &Node) -> Vec<(&str, Span)> {
    let names = node.names();
    let (Value::Scalar(_), [(text, span)]) = (&node.value, &names[..]) else { return names };
    // In quotes, or over several lines, a part's own place is not known from the text.
    let exact = span.range().len() == text.len();
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| {
            let start = span.start as usize + (part.as_ptr().addr() - text.as_ptr().addr());
            (part, if exact { Span::new(start, start + part.len()) } else { *span })
        })
        .collect()
}

/// Where the line after the fence `---` at `start` begins.
fn opening(text: &str, start: usize) -> Option<usize> {
    let line = text[start..].split_inclusive('\n').next()?;
    (line.ends_with('\n') && is_fence(line, "---")).then_some(start + line.len())
}

/// Where the first closing fence at or after `from` begins, and where the line after it does.
fn closing(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    while at < text.len() {
        let next = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end + 1);
        let line = &text[at..next];
        if is_fence(line, "---") || is_fence(line, "...") {
            return Some((at, next));
        }
        at = next;
    }
    None
}

fn is_fence(line: &str, fence: &str) -> bool {
    line.strip_prefix(fence).is_some_and(|rest| rest.trim_end_matches([' ', '\t', '\n']).is_empty())
}

/// Whether the first line of `text` that is neither blank nor a YAML comment begins with a key.
fn has_key(text: &str) -> bool {
    let Some(line) = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')) else { return false };
    line.starts_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c))
        && line.split([' ', '\t']).take(MAX_KEY_WORDS).any(|word| word.ends_with(':'))
}

/// How many words a key may have to be taken for one outside of front matter.
const MAX_KEY_WORDS: usize = 4;

/// The problem of a block that opens in the first line and closes nowhere; a thematic break is none.
fn unclosed(text: &str, content: usize) -> Option<Problem> {
    has_key(&text[content..]).then(|| Problem {
        kind: ProblemKind::FrontMatterUnclosed,
        span: Span::new(0, "---".len()),
        message: "the front matter that opens here is never closed, so all of the page is body".into(),
        hint: "end it with a line `---`".into(),
    })
}

/// The problem of what looks like front matter at `from`, behind blank lines and comments only.
fn misplaced(text: &str, from: usize) -> Option<Problem> {
    let mut rest = &text[from..];
    loop {
        // Invisible characters are blank to whoever looks for the reason.
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'));
        let Some(comment) = rest.strip_prefix("<!--") else { break };
        rest = &comment[comment.find("-->")? + "-->".len()..];
    }
    let start = text.len() - rest.len();
    let content = opening(text, start)?;
    closing(text, content)?;
    if !has_key(&text[content..]) {
        return None;
    }
    let (message, hint) = if from == 0 {
        (
            "this block is no front matter, because it does not begin with the page's first character",
            "move it to the very start of the page",
        )
    } else {
        ("a second block of front matter is part of the body", "merge its fields into the first block")
    };
    Some(Problem {
        kind: ProblemKind::FrontMatterMisplaced,
        span: Span::new(start, start + "---".len()),
        message: message.into(),
        hint: hint.into(),
    })
}

/// A problem of the YAML as one of the page.
fn on_page(text: &str, content: Span, problem: yaml::Problem) -> Problem {
    let offset = content.start as usize;
    let (kind, message) = match problem.kind {
        yaml::ProblemKind::Invalid => (ProblemKind::FrontMatterInvalid, problem.message),
        yaml::ProblemKind::DuplicateKey { first } => {
            let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..first.start as usize + offset]).count() + 1;
            (ProblemKind::DuplicateKey, format!("{}, first in line {line}", problem.message))
        }
    };
    Problem { kind, span: problem.span.shift(offset), message, hint: problem.hint }
}
