//! The Markdown below the front matter: headings, links, footnotes.

use super::links::Link;
use crate::text::Span;

/// What was found in a body. All spans are in the page's text.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The body: everything after the front matter.
    pub span: Span,
    /// Headings, in order.
    pub headings: Vec<Heading>,
    /// Links of the body, in order.
    pub links: Vec<Link>,
    /// Footnote references `[^k]`, in order.
    pub footnote_refs: Vec<FootnoteRef>,
    /// Footnote definitions `[^k]: …`, in order.
    pub footnotes: Vec<Footnote>,
    /// Block ids `^id`, in order.
    pub blocks: Vec<(String, Span)>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: String,
    /// The whole heading, without its line end.
    pub span: Span,
    /// GitHub's anchor: `a`, and `a-1` for the second heading of that text.
    pub anchor: String,
}

/// A footnote reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FootnoteRef {
    /// The key, without `^`.
    pub key: String,
    /// Brackets included.
    pub span: Span,
    /// Index of the heading it stands under.
    pub section: Option<u32>,
}

/// A footnote definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// The key, without `^`.
    pub key: String,
    /// The label's brackets and the definition's text.
    pub span: Span,
}
