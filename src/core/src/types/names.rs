//! What names a type: paths, bare names, CamelCase, wikilinks.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::Type;
use crate::names::{Form, Names, Resolution, fold};
use crate::page::{self, Page};
use crate::yaml::{Node, Value};

/// Types by everything that may name them.
#[derive(Debug, Default)]
pub(super) struct TypeNames {
    /// The type pages' own names: path, stem, title, alias.
    pages: Names,
    /// The types' `name`.
    exact: HashMap<String, Vec<usize>>,
    folded: HashMap<String, Vec<usize>>,
}

/// What a name was found to mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    None,
    One(usize),
    Many(Vec<usize>),
}

impl TypeNames {
    /// From types and, in the same order, the pages that they stand on; none of these for inferred types.
    pub(super) fn new(types: &[Type], pages: &[Arc<Page>]) -> Self {
        let mut names = Self { pages: Names::new(pages), ..Self::default() };
        for (index, of) in types.iter().enumerate() {
            names.exact.entry(of.name.clone()).or_default().push(index);
            names.folded.entry(fold(&of.name)).or_default().push(index);
        }
        names
    }

    /// What `written` names on the page at `from`.
    ///
    /// As for every page name, then by the type's `name`, then CamelCase for a kebab-case file.
    pub(super) fn find(&self, written: &str, from: Option<&str>) -> Match {
        let name = bare(written);
        let page = self.pages.resolve(name, from);
        if let Resolution::Page { page, form: Form::Exact, .. } = page {
            return Match::One(page);
        }
        let by_name = |table: &HashMap<String, Vec<usize>>, name: &str| table.get(name).map(Vec::as_slice).map(matched);
        by_name(&self.exact, name)
            .or_else(|| found(page))
            .or_else(|| by_name(&self.folded, &fold(name)))
            .or_else(|| found(self.pages.resolve(&kebab(page::strip_suffix(name))?, None)))
            .unwrap_or(Match::None)
    }
}

fn found(resolution: Resolution) -> Option<Match> {
    match resolution {
        Resolution::Page { page, .. } => Some(Match::One(page)),
        Resolution::Ambiguous(pages) => Some(Match::Many(pages)),
        Resolution::NotFound => None,
    }
}

fn matched(types: &[usize]) -> Match {
    match types {
        [one] => Match::One(*one),
        many => Match::Many(many.to_vec()),
    }
}

/// A page's `type` as it is written, a wikilink with its brackets; `None` where there is none.
///
/// An unquoted `[[concept]]` is a nested list to YAML and read as the link that was meant.
pub(crate) fn written(page: &Page) -> Option<Cow<'_, str>> {
    let node = page.field("type")?;
    match &node.value {
        Value::Scalar(_) => node.name().filter(|_| !node.is_null()).map(Cow::Borrowed),
        Value::Sequence(items) => match items.as_slice() {
            [] => None,
            [Node { value: Value::Sequence(inner), .. }] if inner.len() == 1 && inner[0].text().is_some() => {
                inner[0].text().map(|text| format!("[[{text}]]").into())
            }
            _ => Some(node.to_json().to_string().into()),
        },
        Value::Mapping(_) => Some(node.to_json().to_string().into()),
    }
}

/// Whether a `type` means a page by itself and not only a name: it is a path or a wikilink.
pub(super) fn means_page(written: &str) -> bool {
    written.starts_with("[[") || written.contains('/') || page::is_page(written)
}

/// The name inside a wikilink, without label and heading; anything else as it stands.
pub(super) fn bare(written: &str) -> &str {
    let written = written.trim();
    match written.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        Some(link) => link.split(['|', '#']).next().unwrap_or_default().trim(),
        None => written,
    }
}

/// `agent-memory-system` for `AgentMemorySystem`, `mcp-server` for `MCPServer`; `None` for what is not CamelCase.
fn kebab(name: &str) -> Option<String> {
    let chars: Vec<char> = name.chars().collect();
    if !chars.first()?.is_uppercase() || !chars.iter().all(|c| c.is_alphanumeric()) {
        return None;
    }
    let mut kebab = String::with_capacity(name.len() + 4);
    for (at, &c) in chars.iter().enumerate() {
        let after_word = at > 0 && !chars[at - 1].is_uppercase();
        let before_word = at > 0 && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_word || before_word) {
            kebab.push('-');
        }
        kebab.extend(c.to_lowercase());
    }
    Some(kebab)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_is_kebab_case() {
        for (camel, expected) in [
            ("AgentMemorySystem", Some("agent-memory-system")),
            ("MCPServer", Some("mcp-server")),
            ("Concept", Some("concept")),
            ("Step2Plan", Some("step2-plan")),
            ("ÜberBlick", Some("über-blick")),
            ("concept", None),
            ("Agent Memory", None),
            ("", None),
        ] {
            assert_eq!(kebab(camel).as_deref(), expected, "{camel}");
        }
    }

    #[test]
    fn wikilinks_are_unwrapped() {
        assert_eq!(bare("[[types/concept#Use|Concept]]"), "types/concept");
        assert_eq!(bare(" [[ concept ]] "), "concept");
        assert_eq!(bare("concept"), "concept");
    }

    #[test]
    fn paths_and_wikilinks_mean_pages() {
        assert!(means_page("types/concept") && means_page("concept.md") && means_page("[[concept]]"));
        assert!(!means_page("concept") && !means_page("Größe"));
    }
}
