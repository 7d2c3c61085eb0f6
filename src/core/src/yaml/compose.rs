//! Events into a tree, within bounds: nothing here recurses, and aliases are copied against a budget.

use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, StructureStyle, options};

use super::hints;
use super::{Node, Problem, ProblemKind, Scalar, Value};
use crate::text::Span;

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// How deep lists and mappings may be nested, aliases expanded.
pub const MAX_DEPTH: usize = 64;

/// How many bytes of memory all anchors and aliases of a text may add, roughly.
pub const MAX_EXPANSION: usize = 1024 * 1024;

/// How many duplicate keys of a text are reported; the others are left out all the same.
pub const MAX_DUPLICATES: usize = 100;

/// From this many keys on, a mapping finds its duplicates by a table instead of by looking at all.
const MANY_KEYS: usize = 16;

/// Reads one YAML document. Never fails: `None` where the text is not YAML (or empty), with the reason among the problems.
///
/// Linear in the text, and bounded: by [`MAX_BYTES`], [`MAX_DEPTH`] and [`MAX_EXPANSION`].
pub fn compose(text: &str) -> (Option<Node>, Vec<Problem>) {
    let mut composer = Composer::new(text);
    match composer.run() {
        Ok(()) => (composer.root, composer.problems),
        Err(problem) => {
            composer.problems.push(problem);
            (None, composer.problems)
        }
    }
}

/// Reads one YAML document that ought to be a mapping; nothing at all is an empty one.
pub fn compose_mapping(text: &str) -> (Option<Node>, Vec<Problem>) {
    let (root, mut problems) = compose(text);
    match root {
        Some(Node { value: Value::Mapping(_), .. }) => (root, problems),
        Some(node) if !node.is_null() => {
            problems.push(hints::no_mapping(text, &node));
            (None, problems)
        }
        None if !problems.is_empty() => (None, problems),
        _ => (Some(Node { value: Value::Mapping(Vec::new()), span: Span::default() }), problems),
    }
}

struct Composer<'t> {
    text: &'t str,
    open: Vec<Collection>,
    root: Option<Node>,
    anchors: HashMap<usize, Anchored>,
    /// Bytes that anchors and aliases have added so far.
    expansion: usize,
    documents: usize,
    /// Where the last scalar or bracket began, and where it ended.
    began: usize,
    last: usize,
    problems: Vec<Problem>,
}

/// A list or mapping whose end is still to come.
struct Collection {
    start: usize,
    /// Where its last child ends, or its opening bracket.
    end: usize,
    anchor: usize,
    style: StructureStyle,
    measure: Measure,
    children: Children,
}

enum Children {
    Items(Vec<Node>),
    Entries {
        entries: Vec<(Node, Node)>,
        key: Option<Node>,
        /// All keys and their places, once there are [`MANY_KEYS`].
        seen: HashMap<String, Span>,
    },
}

struct Anchored {
    node: Node,
    measure: Measure,
}

/// What a node costs.
#[derive(Clone, Copy, Default)]
struct Measure {
    /// Levels of lists and mappings, itself included.
    height: usize,
    /// Bytes of memory, roughly.
    bytes: usize,
}

/// What YAML passes over between nodes; other white space is text.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

type Step = Result<(), Problem>;

impl<'t> Composer<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            open: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            expansion: 0,
            documents: 0,
            began: 0,
            last: 0,
            problems: Vec::new(),
        }
    }

    fn run(&mut self) -> Step {
        if self.text.len() > MAX_BYTES {
            return Err(invalid(
                hints::here(self.text, 0),
                format!("these {} bytes of YAML are more than the {MAX_BYTES} that are read", self.text.len()),
                "move long texts out of the YAML, into the page's body",
            ));
        }
        for next in Parser::new_from_str_with_options(self.text, parser_options()) {
            match next {
                Ok((event, span)) => {
                    let range = span.byte_range().unwrap_or_default();
                    self.event(event, range.start, range.end)?;
                }
                Err(error) if *error.kind() == ErrorKind::RecursionLimitExceeded => {
                    return Err(self.too_deep(error.marker().byte_offset().unwrap_or(self.last)));
                }
                Err(error) => {
                    let context = hints::Context {
                        at: error.marker().byte_offset().unwrap_or(self.last),
                        began: self.began,
                        last: self.last,
                        bracket: self
                            .open
                            .iter()
                            .find(|open| open.style == StructureStyle::Flow)
                            .map(|open| open.start),
                    };
                    return Err(hints::explain(self.text, error.kind(), context));
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Step {
        match event {
            Event::DocumentStart(explicit, _) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.second_document());
                }
                // Without a `---` the event has the place of a token that is still to come as a node.
                if explicit {
                    self.pass(start, end);
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let tagged = tag.is_some_and(|tag| {
                    tag.core_suffix() == Some("str") || (tag.handle().is_empty() && tag.suffix() == "!")
                });
                let empty = start == end && style == ScalarStyle::Plain;
                let text = if empty { String::new() } else { text.into_owned() };
                let span = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => self.block_scalar(start, end),
                    _ if empty => self.nothing(start),
                    _ => Span::new(start, end),
                };
                self.pass(span.start as usize, span.end as usize);
                let measure = Measure { height: 0, bytes: size_of::<Node>() + text.len() };
                let value = Value::Scalar(Scalar { text, plain: style == ScalarStyle::Plain && !tagged });
                self.add(Node { value, span }, anchor, measure)
            }
            Event::SequenceStart(style, anchor, _) => {
                self.start(start, end, style, anchor, Children::Items(Vec::new()))
            }
            Event::MappingStart(style, anchor, _) => {
                let children = Children::Entries { entries: Vec::new(), key: None, seen: HashMap::new() };
                self.start(start, end, style, anchor, children)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.pass(start, end);
                self.finish(end)
            }
            Event::Alias(id) => {
                self.pass(start, end);
                self.alias(id, Span::new(start, end))
            }
            _ => Ok(()),
        }
    }

    /// Notes a place that has been read; events without a width may stand anywhere.
    fn pass(&mut self, start: usize, end: usize) {
        if start < end {
            self.began = start;
            self.last = self.last.max(end);
        }
    }

    fn start(&mut self, start: usize, end: usize, style: StructureStyle, anchor: usize, children: Children) -> Step {
        if self.open.len() == MAX_DEPTH {
            return Err(self.too_deep(start));
        }
        self.pass(start, end);
        let measure = Measure { height: 1, bytes: size_of::<Node>() };
        self.open.push(Collection { start, end, anchor, style, measure, children });
        Ok(())
    }

    fn finish(&mut self, end: usize) -> Step {
        let Some(closed) = self.open.pop() else { return Ok(()) };
        let value = match closed.children {
            Children::Items(items) => Value::Sequence(items),
            Children::Entries { entries, .. } => Value::Mapping(entries),
        };
        // The event that ends a block stands where the next thing begins.
        let end = if closed.style == StructureStyle::Flow { end } else { closed.end };
        self.add(Node { value, span: Span::new(closed.start, end.max(closed.start)) }, closed.anchor, closed.measure)
    }

    fn alias(&mut self, id: usize, span: Span) -> Step {
        let Some(&Anchored { measure, .. }) = self.anchors.get(&id) else {
            return Err(invalid(
                span,
                format!("{} stands inside what it names", self.code(span)),
                "write the value out",
            ));
        };
        self.expand(measure.bytes, span)?;
        if self.open.len() + measure.height > MAX_DEPTH {
            return Err(self.too_deep(span.start as usize));
        }
        let node = Node { value: self.anchors[&id].node.value.clone(), span };
        self.add(node, 0, measure)
    }

    fn expand(&mut self, bytes: usize, span: Span) -> Step {
        self.expansion += bytes;
        if self.expansion > MAX_EXPANSION {
            return Err(invalid(
                span,
                format!("anchors and aliases add more than {MAX_EXPANSION} bytes"),
                "write the values out, or name fewer of them",
            ));
        }
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, node: Node, anchor: usize, measure: Measure) -> Step {
        if anchor > 0 {
            self.expand(measure.bytes, node.span)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), measure });
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        parent.end = parent.end.max(node.span.end as usize);
        parent.measure.bytes += measure.bytes;
        parent.measure.height = parent.measure.height.max(measure.height + 1);
        match &mut parent.children {
            Children::Items(items) => items.push(node),
            Children::Entries { entries, key, seen } => match key.take() {
                None if node.text().is_none() => return Err(hints::no_key(self.text, &node)),
                None => *key = Some(node),
                Some(name) => match duplicate(entries, seen, &name) {
                    None => entries.push((name, node)),
                    Some(first) if self.problems.len() < MAX_DUPLICATES => {
                        let message =
                            format!("the key {} is given twice", hints::code(name.text().unwrap_or_default()));
                        self.problems.push(Problem {
                            kind: ProblemKind::DuplicateKey { first },
                            span: name.span,
                            message,
                            hint: "keep one of the two; until then the first stands".into(),
                        });
                    }
                    Some(_) => {}
                },
            },
        }
        Ok(())
    }

    /// The whole of a block scalar whose content is `start..end`: from its `|` or `>` to the last character of its text.
    fn block_scalar(&self, start: usize, end: usize) -> Span {
        let end = self.last.max(self.text[..end].trim_end_matches(BLANKS).len());
        let mut at = self.last;
        let between = self.text.as_bytes();
        while at < start {
            match between[at] {
                b'|' | b'>' => break,
                b'#' => at += memchr::memchr(b'\n', &between[at..]).unwrap_or(between.len() - at),
                b'&' | b'!' => {
                    at += between[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(between.len() - at)
                }
                _ => at += 1,
            }
        }
        Span::new(at.min(end), end)
    }

    /// The place of a value that is not written, found at `at`: right behind the colon or dash that it belongs to.
    fn nothing(&self, at: usize) -> Span {
        let floor = self.open.last().map_or(0, |parent| parent.start).max(self.last).min(at);
        let at = floor + self.text[floor..at].trim_end_matches(BLANKS).len();
        Span::new(at, at)
    }

    fn second_document(&self) -> Problem {
        let rest = &self.text[self.last..];
        let start = self.last + rest.len() - rest.trim_start_matches(BLANKS).len();
        let line = self.text[start..].lines().next().unwrap_or_default();
        let span = Span::new(start, start + line.trim_end_matches(BLANKS).len());
        invalid(
            span,
            format!("{} begins a second YAML document", self.code(span)),
            "keep one document: remove the line, or indent it",
        )
    }

    fn too_deep(&self, at: usize) -> Problem {
        invalid(
            hints::here(self.text, at),
            format!("lists and mappings are nested deeper than {MAX_DEPTH} levels"),
            "nest them less deeply",
        )
    }

    fn code(&self, span: Span) -> String {
        hints::code(&self.text[span.range()])
    }
}

/// The place of the key that `name` repeats.
fn duplicate(entries: &[(Node, Node)], seen: &mut HashMap<String, Span>, name: &Node) -> Option<Span> {
    let text = name.text().unwrap_or_default();
    if entries.len() < MANY_KEYS {
        return entries.iter().find(|(key, _)| key.text() == Some(text)).map(|(key, _)| key.span);
    }
    if seen.is_empty() {
        seen.extend(entries.iter().map(|(key, _)| (key.text().unwrap_or_default().to_owned(), key.span)));
    }
    let first = seen.get(text).copied();
    if first.is_none() {
        seen.insert(text.to_owned(), name.span);
    }
    first
}

fn parser_options() -> Options {
    // The scanner reads ahead: with its own bounds, one above ours, it does not go deeper than we would.
    options! {
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
    }
}

pub(super) fn invalid(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Problem {
    Problem { kind: ProblemKind::Invalid, span, message: message.into(), hint: hint.into() }
}
