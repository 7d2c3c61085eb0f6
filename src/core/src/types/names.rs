//! What names a type: paths, bare names, CamelCase, wikilinks.

use std::collections::{BTreeSet, HashMap};

use unicode_normalization::UnicodeNormalization;

use super::paths;
use crate::page::Page;
use crate::yaml::{Node, Value};

/// Type pages by everything that may name them.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// One table for names as they stand, one for NFC, one for case-folded NFC.
    tables: [Table; 3],
}

#[derive(Clone, Debug, Default)]
struct Table {
    paths: HashMap<String, Vec<usize>>,
    names: HashMap<String, Vec<usize>>,
    stems: HashMap<String, Vec<usize>>,
    titles: HashMap<String, Vec<usize>>,
}

/// What a name was found to mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    None,
    One(usize),
    Many(Vec<usize>),
}

const FORMS: [fn(&str) -> String; 3] = [str::to_owned, nfc, folded];

fn nfc(text: &str) -> String {
    text.nfc().collect()
}

fn folded(text: &str) -> String {
    nfc(&caseless::default_case_fold_str(&nfc(text)))
}

impl Names {
    /// Adds a type page under `index`.
    pub(super) fn add_page(&mut self, index: usize, page: &Page) {
        self.add(index, |table| &mut table.paths, &page.path);
        self.add(index, |table| &mut table.stems, stem(&page.path));
        self.add(index, |table| &mut table.titles, &page.title);
        if let Some(name) = page.field("name").and_then(Node::text) {
            self.add_name(index, name.trim());
        }
    }

    /// Adds a name alone.
    pub(super) fn add_name(&mut self, index: usize, name: &str) {
        self.add(index, |table| &mut table.names, name);
    }

    fn add(&mut self, index: usize, map: fn(&mut Table) -> &mut HashMap<String, Vec<usize>>, key: &str) {
        for (table, form) in self.tables.iter_mut().zip(FORMS) {
            map(table).entry(form(key)).or_default().push(index);
        }
    }

    /// What `written` names on the page at `from`.
    ///
    /// In turn: root path, path relative to the page, both without suffix, the type's `name`, file stem, CamelCase for a
    /// kebab-case stem, title. All as written, then all in NFC, then all case-folded; the first that matches decides.
    pub(super) fn find(&self, written: &str, from: Option<&str>) -> Match {
        let name = bare(written);
        let rooted = name.starts_with('/');
        let relative = name.starts_with("./") || name.starts_with("../");
        let mut paths = Vec::new();
        for suffix in ["", ".md"] {
            let path = format!("{name}{suffix}");
            if !relative {
                paths.extend(paths::join("", &path));
            }
            if !rooted {
                paths.extend(from.and_then(|from| paths::join(from, &path)));
            }
        }
        let stem = without_suffix(name);
        let kebab = kebab(stem);
        for (table, form) in self.tables.iter().zip(FORMS) {
            let by_path = paths.iter().map(|path| (&table.paths, path.as_str()));
            let by_name = [(&table.names, name), (&table.stems, stem)]
                .into_iter()
                .chain(kebab.as_deref().map(|kebab| (&table.stems, kebab)))
                .chain([(&table.titles, name)]);
            for (map, key) in by_path.chain(by_name) {
                match map.get(&form(key)).map(Vec::as_slice) {
                    Some([one]) => return Match::One(*one),
                    Some(many @ [_, ..]) => {
                        let many: BTreeSet<usize> = many.iter().copied().collect();
                        return Match::Many(many.into_iter().collect());
                    }
                    _ => {}
                }
            }
        }
        Match::None
    }
}

/// A page's `type` as it is written, a wikilink with its brackets; `None` where there is none.
///
/// An unquoted `[[concept]]` is a nested list to YAML and read as the link that was meant.
pub(super) fn written(page: &Page) -> Option<String> {
    let node = page.field("type")?;
    match &node.value {
        Value::Scalar(_) if node.is_null() => None,
        Value::Scalar(scalar) => Some(scalar.text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Sequence(items) => match items.as_slice() {
            [] => None,
            [Node { value: Value::Sequence(inner), .. }] if inner.len() == 1 && inner[0].text().is_some() => {
                inner[0].text().map(|text| format!("[[{text}]]"))
            }
            _ => Some(node.to_json().to_string()),
        },
        Value::Mapping(_) => Some(node.to_json().to_string()),
    }
}

/// Whether a `type` means a page by itself, not a name: it is a path or a wikilink.
pub(super) fn means_page(written: &str) -> bool {
    written.starts_with("[[") || written.contains('/') || without_suffix(written) != written
}

/// The name inside a wikilink, without label and heading; anything else as it stands.
pub(super) fn bare(written: &str) -> &str {
    let written = written.trim();
    match written.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        Some(link) => link.split(['|', '#']).next().unwrap_or_default().trim(),
        None => written,
    }
}

/// A file's name without folders and suffix.
pub(super) fn stem(path: &str) -> &str {
    without_suffix(path.rsplit('/').next().unwrap_or(path))
}

fn without_suffix(name: &str) -> &str {
    match name.len().checked_sub(3).and_then(|at| name.split_at_checked(at)) {
        Some((stem, suffix)) if suffix.eq_ignore_ascii_case(".md") => stem,
        _ => name,
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
