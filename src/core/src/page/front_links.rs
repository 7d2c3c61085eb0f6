//! Page names in the front matter.

use super::links::{Link, LinkKind, LinkStyle, is_placeholder, wikilink};
use crate::yaml::{Node, Value};

/// Fields that hold page names in every wiki; a type may name more.
pub const LINK_FIELDS: &[&str] = &["related", "sources"];

/// The links of a front matter mapping.
///
/// A field for which `holds_names` is true holds bare names or wikilinks; in any other field only a value that is
/// nothing but one `[[T]]`, quoted or as the nested list that YAML makes of it, is a link.
pub(super) fn collect_all(root: &Node, style: LinkStyle, holds_names: impl Fn(&str) -> bool) -> Vec<Link> {
    let mut links = Vec::new();
    for (key, value) in root.entries() {
        let name = key.text().unwrap_or_default();
        // A page's type is a reference of its own; see `types`.
        if name != "type" {
            collect(value, style, holds_names(name), &mut links);
        }
    }
    links
}

fn collect(node: &Node, style: LinkStyle, names: bool, links: &mut Vec<Link>) {
    let mut push = |parts: Option<(String, Option<String>, Option<String>)>| {
        if let Some((target, fragment, label)) = parts {
            let kind = LinkKind::FrontMatter;
            links.push(Link { kind, span: node.span, target, fragment, label, section: None, relation: None });
        }
    };
    if let Some(name) = unquoted(node).filter(|name| names || name.to_json().is_string()) {
        return push(wikilink(name.text().unwrap_or_default(), style));
    }
    match &node.value {
        Value::Scalar(scalar) => {
            let text = scalar.text.trim();
            match text.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
                Some(inner) => push(wikilink(inner, style)),
                // A bare name is a name to its last letter: `C# basics` has no heading in it.
                None if names && !node.is_null() && !text.is_empty() && !is_placeholder(text) => {
                    push(Some((text.to_owned(), None, None)));
                }
                None => {}
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| collect(item, style, names, links)),
        // What a mapping holds has names of its own.
        Value::Mapping(entries) => entries.iter().for_each(|(_, value)| collect(value, style, false, links)),
    }
}

/// The scalar of an unquoted `[[A]]`, which is a list in a list to YAML.
pub(crate) fn unquoted(node: &Node) -> Option<&Node> {
    match node.items() {
        [inner] => match inner.items() {
            [scalar] if scalar.text().is_some() => Some(scalar),
            _ => None,
        },
        _ => None,
    }
}
