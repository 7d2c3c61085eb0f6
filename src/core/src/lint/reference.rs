//! The reference of all rules, for `wikitool lint --explain` and for formats that describe rules.

use serde_json::{Map, Value, json};

use super::{RULES, Rule};

/// All rules as JSON, by name: `[{name, level, source, class, what, why, bad, good}]`; `bad` and `good` are wikis, texts by path.
pub fn reference() -> Value {
    RULES.iter().map(|rule| entry(rule)).collect()
}

fn entry(rule: &Rule) -> Value {
    let wiki = |pages: &[(&str, &str)]| -> Map<String, Value> {
        pages.iter().map(|&(path, text)| (path.to_owned(), text.into())).collect()
    };
    json!({
        "name": rule.name,
        "level": rule.level,
        "source": rule.source,
        "class": rule.class,
        "what": rule.what,
        "why": rule.why,
        "bad": wiki(rule.bad),
        "good": wiki(rule.good),
    })
}
