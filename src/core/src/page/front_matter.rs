//! The front matter block: where it is, and its mapping.

use crate::text::Span;
use crate::yaml::Node;

/// The front matter of a page. Spans are in the page's text, those inside [`FrontMatter::root`] too.
#[derive(Clone, Debug, Default)]
pub struct FrontMatter {
    /// Whether there is one.
    pub state: FrontMatterState,
    /// The whole block, both fences included.
    pub span: Span,
    /// What stands between the fences.
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
    /// A block whose YAML cannot be read.
    Invalid,
}
