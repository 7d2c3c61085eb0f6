//! One page, parsed: the value and its problems; parsing never fails.

mod anchors;
mod body;
mod front_links;
mod front_matter;
mod hidden;
mod links;
pub mod slug;
mod walk;

pub use anchors::Anchor;
pub use body::{Block, Body, Footnote, FootnoteRef, Heading};
pub use front_links::LINK_FIELDS;
pub(crate) use front_links::unquoted;
pub use front_matter::{FrontMatter, FrontMatterState};
pub use links::{Link, LinkKind, LinkStyle, is_foreign, wikilink};

use std::ops::Range;

use pulldown_cmark::Event;

use crate::error::Error;
use crate::text::{Span, Text};
use crate::yaml::Node;

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
    /// What looks like front matter and does not stand at the start of the page, or is a second block.
    FrontMatterMisplaced,
    /// A key given twice.
    DuplicateKey,
    /// Bytes that are not UTF-8.
    InvalidEncoding,
    /// The page's bytes could not be read.
    Unreadable,
}

impl Page {
    /// Parses a page. Never fails: what is wrong is in [`Page::problems`].
    pub fn parse(path: String, bytes: &[u8], style: LinkStyle) -> Self {
        let text = Text::decode(bytes);
        let (front_matter, mut problems) = FrontMatter::parse(text.as_str());
        let body = Body::parse(text.as_str(), front_matter.span.end as usize, style);
        let title = front_matter
            .title()
            .map(|(title, _)| title)
            .or_else(|| body.first_heading(1).map(|heading| heading.text.as_str()))
            .filter(|title| !title.is_empty())
            .unwrap_or_else(|| stem(&path))
            .to_owned();
        problems.extend(text.invalid_utf8().map(|at| Problem {
            kind: ProblemKind::InvalidEncoding,
            span: Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8()),
            message: "the page is not UTF-8".into(),
            hint: "save it as UTF-8".into(),
        }));
        Self { path, text, front_matter, body, title, problems }
    }

    /// A page that is in the tree and whose bytes could not be read.
    pub fn unreadable(path: String, error: &Error) -> Self {
        let title = stem(&path).to_owned();
        let problem = Problem {
            kind: ProblemKind::Unreadable,
            span: Span::default(),
            message: match error {
                Error::PageUnreadable { message, .. } => message.clone(),
                other => other.to_string(),
            },
            hint: error.hint(),
        };
        Self {
            path,
            text: Text::default(),
            front_matter: FrontMatter::default(),
            body: Body::default(),
            title,
            problems: vec![problem],
        }
    }

    /// Front matter field, where there is a mapping that has it.
    pub fn field(&self, name: &str) -> Option<&Node> {
        self.front_matter.root.as_ref()?.get(name)
    }

    /// The text of a front matter field that holds one scalar which says something.
    pub fn field_text(&self, name: &str) -> Option<&str> {
        self.field(name)?.name()
    }

    /// What CommonMark makes of the body, and where in the text; read anew at every call.
    pub(crate) fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        walk::events(self.text.as_str(), self.body.span.start as usize)
    }

    /// The links of the front matter; `holds_names` says which fields hold page names.
    pub fn front_links(&self, style: LinkStyle, holds_names: impl Fn(&str) -> bool) -> Vec<Link> {
        self.front_matter
            .root
            .as_ref()
            .map(|root| front_links::collect_all(root, style, holds_names))
            .unwrap_or_default()
    }
}

/// A path's last part without `.md`.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    strip_suffix(name)
}

/// A path without `.md`, in any case.
pub fn strip_suffix(path: &str) -> &str {
    if is_page(path) { &path[..path.len() - ".md".len()] } else { path }
}

/// Whether a path is a page's by its suffix.
pub fn is_page(path: &str) -> bool {
    path.len() >= 3 && path.as_bytes()[path.len() - 3..].eq_ignore_ascii_case(b".md")
}
