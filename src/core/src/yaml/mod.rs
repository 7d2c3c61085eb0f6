//! YAML as a tree that keeps the source text and the place of every scalar.
//!
//! The events come from a parser of YAML 1.2; the tree, its bounds and the words for what is wrong are ours.

mod compose;
mod hints;
mod json;

pub use compose::{MAX_BYTES, MAX_DEPTH, MAX_DUPLICATES, MAX_EXPANSION, compose, compose_mapping};

use crate::text::Span;

/// A YAML node and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands, in the text given to [`compose`]: quotes, brackets and a block scalar's header included, anchor
    /// and tag not, without blanks and line ends around it. Of an alias the alias, of what it stands for the anchor's place.
    pub span: Span,
}

/// The three kinds of nodes; aliases are already expanded.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in source order; of duplicate keys only the first.
    Mapping(Vec<(Node, Node)>),
}

/// A scalar's text; what it means is decided by whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text: of a plain scalar as it stands in the source (lines joined by a blank), of a quoted or block scalar its
    /// content.
    pub text: String,
    /// Whether it is plain (neither quoted nor a block nor tagged `!!str`): only then it may be a number, bool or null.
    pub plain: bool,
}

/// What [`compose`] found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub kind: ProblemKind,
    /// Where, in the text given to [`compose`].
    pub span: Span,
    /// What is wrong, one sentence, no period.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// Kinds of YAML problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Not YAML, or beyond a bound.
    Invalid,
    /// A key given twice; the span is the second's, `first` the first's.
    DuplicateKey {
        /// The first key's place.
        first: Span,
    },
}

impl Node {
    /// The value under `key`, where this is a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Mapping(entries) => {
                entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The text of a scalar, null (`~`, `null`, nothing) included; `None` for lists and mappings.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Whether this is a plain null scalar.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar(scalar) => {
                scalar.plain && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            _ => false,
        }
    }

    /// The items of a list; nothing for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::Sequence(items) => items,
            _ => &[],
        }
    }

    /// Keys and values of a mapping; nothing for anything else.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Moves the node and all in it `by` bytes further.
    pub(crate) fn shift(&mut self, by: usize) {
        self.span = self.span.shift(by);
        match &mut self.value {
            Value::Scalar(_) => {}
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Value::Mapping(entries) => entries.iter_mut().for_each(|(key, value)| {
                key.shift(by);
                value.shift(by);
            }),
        }
    }

    /// The text of a scalar that says something: `None` for lists, mappings, nothing, `~`, and blank text.
    ///
    /// The words `null`, `no`, `true` are texts here: a title or a tag may be any word.
    pub fn name(&self) -> Option<&str> {
        let Value::Scalar(scalar) = &self.value else { return None };
        let text = scalar.text.trim();
        (!text.is_empty() && !scalar.is_blank()).then_some(text)
    }

    /// The names in a field that holds one or several: a scalar is one, a list its scalars; what says nothing is left out.
    pub fn names(&self) -> Vec<(&str, Span)> {
        let one = std::slice::from_ref(self);
        let nodes = if matches!(self.value, Value::Sequence(_)) { self.items() } else { one };
        nodes.iter().filter_map(|node| Some((node.name()?, node.span))).collect()
    }
}

impl Scalar {
    /// Whether it is nothing at all, or `~`.
    fn is_blank(&self) -> bool {
        self.plain && matches!(self.text.as_str(), "" | "~")
    }
}
