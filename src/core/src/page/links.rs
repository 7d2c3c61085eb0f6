//! Links as they stand on a page; [`crate::names`] says where they lead.

use crate::text::Span;

/// A link on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which form it has.
    pub kind: LinkKind,
    /// The whole link, brackets included.
    pub span: Span,
    /// The page it names, trimmed; empty for `[[#H]]`. Of a Markdown link the destination without fragment, decoded.
    pub target: String,
    /// What follows `#`: heading, path of headings, or `^block`.
    pub fragment: Option<String>,
    /// The text shown instead of the target.
    pub label: Option<String>,
    /// Index of the heading it stands under, in [`super::Body::headings`].
    pub section: Option<u32>,
    /// The relation's name, where the link stands in a typed relation.
    pub relation: Option<String>,
}

/// The forms of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// `[[T]]`
    Wikilink,
    /// `![[T]]`
    Embed,
    /// `[text](T)`
    Markdown,
    /// A page name in a field of the front matter.
    FrontMatter,
}
