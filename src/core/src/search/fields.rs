//! The texts of a page that are searched, each with its weight.

use crate::names::fold;
use crate::page::{FrontMatterState, Page, stem};
use crate::text::Span;

/// Their names, the weightiest first.
pub const NAMES: [&str; COUNT] = ["title", "alias", "heading", "summary", "tag", "body"];
/// How many there are.
pub const COUNT: usize = 6;
/// Where the body stands among them.
pub const BODY: usize = 5;

/// Some of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields(u8);

impl Fields {
    /// All of them.
    pub const ALL: Self = Self((1 << COUNT) - 1);

    /// The field that `field:` in a query restricts words to; tags are filtered by, as a whole.
    pub fn named(key: &str) -> Option<Self> {
        let name = match key {
            "aliases" => "alias",
            "headings" => "heading",
            "description" => "summary",
            "tag" | "tags" => return None,
            key => key,
        };
        NAMES.iter().position(|known| *known == name).map(|index| Self(1 << index))
    }

    /// Whether the field of that number is among them.
    pub fn contains(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }

    /// Their numbers, in order.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..COUNT).filter(move |&number| self.contains(number))
    }
}

/// A page's texts, in the order of [`NAMES`].
///
/// A page is found by its file's name as by an alias. The body is the text as it is stored, with code, comments and links'
/// targets: what `page` shows can be found.
pub(super) fn texts(page: &Page) -> [Vec<&str>; COUNT] {
    let title = page.title.as_str();
    let mut aliases = texts_of(page.front_matter.aliases());
    let stem = stem(&page.path);
    if fold(stem) != fold(title) {
        aliases.push(stem);
    }
    [
        vec![title],
        aliases,
        page.body.headings.iter().map(|heading| heading.text.as_str()).collect(),
        summary(page).into_iter().collect(),
        texts_of(page.front_matter.tags()),
        vec![page.text.slice(body(page))],
    ]
}

fn texts_of(pairs: Vec<(&str, Span)>) -> Vec<&str> {
    pairs.into_iter().map(|(text, _)| text).collect()
}

/// What a page says it is about.
pub fn summary(page: &Page) -> Option<&str> {
    page.field_text("summary").or_else(|| page.field_text("description"))
}

/// The text that is searched as the body: front matter that cannot be read is part of it, lest it be lost.
pub fn body(page: &Page) -> Span {
    match page.front_matter.state {
        FrontMatterState::Invalid => Span::new(0, page.text.as_str().len()),
        FrontMatterState::Absent | FrontMatterState::Present => page.body.span,
    }
}
