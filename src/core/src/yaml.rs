//! Front matter as a tree that keeps the source text and the place of every scalar.

use serde_json::Value as Json;

use crate::text::Span;

/// A YAML node and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands, in the text given to [`compose`].
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
    /// The text: of a plain scalar as it stands in the source, of a quoted or block scalar its content.
    pub text: String,
    /// Whether it is plain (neither quoted nor a block): only then it may be a number, bool or null.
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

/// Reads one YAML document. Never fails: `None` where the text is not YAML (or empty), with the reason among the problems.
pub fn compose(text: &str) -> (Option<Node>, Vec<Problem>) {
    let _ = text;
    todo!("the YAML composer")
}

impl Node {
    /// The node as JSON: numbers, bools and null where YAML 1.2 core says so and nothing is lost.
    pub fn to_json(&self) -> Json {
        todo!()
    }

    /// The node as JSON with every scalar as its source text.
    pub fn to_json_text(&self) -> Json {
        todo!()
    }

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
            Value::Scalar(scalar) => scalar.plain && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
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
}
