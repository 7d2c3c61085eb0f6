//! One page, parsed: the value and its problems; parsing never fails.

mod body;
mod front_matter;
mod links;
mod slug;

pub use body::{Body, Footnote, FootnoteRef, Heading};
pub use front_matter::{FrontMatter, FrontMatterState};
pub use links::{Link, LinkKind};

use crate::text::{Span, Text};

/// A parsed page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Page id: the path below the root as stored in git, `.md` included; bytes that are not UTF-8 shown as `\xNN`.
    pub path: String,
    /// The decoded text.
    pub text: Text,
    /// The block between the fences, or why there is none.
    pub front_matter: FrontMatter,
    /// Headings, links and footnotes of what follows it.
    pub body: Body,
    /// `title:` if present, else the first H1, else the file's stem.
    pub title: String,
    /// Everything that is wrong with the page by itself.
    pub problems: Vec<Problem>,
}

/// Something wrong with a page by itself, for the lint rules to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind; a lint rule reports one or more kinds.
    pub kind: ProblemKind,
    /// Where, in the page's text.
    pub span: Span,
    /// What is wrong, one sentence, no period.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// Kinds of problems that a page has by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The front matter is not YAML, or not a mapping.
    FrontMatterInvalid,
    /// The front matter's block is never closed.
    FrontMatterUnclosed,
    /// A front matter block that does not stand at the start of the page.
    FrontMatterMisplaced,
    /// A further front matter block right below the first.
    FrontMatterSecond,
    /// A key given twice.
    DuplicateKey,
}

impl Page {
    /// Parses a page. Never fails: what is wrong is in [`Page::problems`].
    pub fn parse(path: String, bytes: &[u8]) -> Self {
        let _ = (path, bytes);
        todo!()
    }

    /// Front matter field, where there is a mapping that has it.
    pub fn field(&self, name: &str) -> Option<&crate::yaml::Node> {
        self.front_matter.root.as_ref()?.get(name)
    }
}
