//! `describe_type`: what somebody needs who is about to write or query a page of a type.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::fields::{Field, kind};
use super::{Type, Types};
use crate::error::Error;
use crate::page::Page;
use crate::text::Lines;
use crate::yaml::{self, Node};

/// Example values given for a field.
const EXAMPLES: usize = 3;
/// Longer values are no examples: a value cut short would be none either.
const EXAMPLE_BYTES: usize = 300;

/// The answer's keys. `flawed` says which pages have findings: these are no examples.
///
/// # Errors
/// No such type, or several.
pub fn describe(
    types: &Types,
    name: &str,
    pages: &[Arc<Page>],
    flawed: impl Fn(&str) -> bool,
) -> Result<Map<String, Value>, Error> {
    let of = types.find(name)?;
    let own: Vec<&Page> = pages
        .iter()
        .map(|page| &**page)
        .filter(|page| types.of(page).is_some_and(|other| std::ptr::eq(other, of)))
        .collect();
    let fields = fields(of, &own);
    let mut answer = Map::new();
    let mut put = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    put("name", of.name.as_str().into());
    put("path", of.path.as_deref().into());
    put("summary", of.summary.as_deref().into());
    put("when_to_use", of.when_to_use.as_deref().into());
    put("when_not_to_use", of.when_not_to_use.as_deref().into());
    put("fields", fields.iter().map(|field| field_json(field, &own)).collect());
    let shape = of.schema.as_ref().map(|schema| &schema.shape);
    if let Some(shape) = shape.filter(|shape| !shape.forbidden.is_empty()) {
        put("forbidden", json!(shape.forbidden));
    }
    let declared = of.sections.iter().map(|section| json!(section));
    let demanded = shape.filter(|_| of.sections.is_empty()).map(|shape| shape.headings.clone()).unwrap_or_default();
    put("sections", declared.chain(demanded).collect());
    if let Some(shape) = shape.filter(|shape| !shape.constraints.is_empty()) {
        put("constraints", json!(shape.constraints));
    }
    put("relations", json!(of.relations));
    put("links", json!(of.links));
    put("stale_after", of.stale_after.into());
    put("owner", of.owner.as_deref().into());
    put("template", of.template.as_deref().into());
    put("example", example(of, &fields, &own, flawed).into());
    put("pages", own.len().into());
    let closed = shape.is_some_and(|shape| shape.closed);
    put("closed", closed.into());
    if closed {
        put("closed_note", format!("no other field exists: a page of the type `{}` has only these", of.name).into());
    }
    if of.path.is_none() {
        put("inferred", true.into());
        put(
            "inferred_note",
            "this wiki has no type page for it: the fields are what its pages have, not what they must have".into(),
        );
    }
    if let Some(page) = of.path.as_deref().and_then(|path| pages.iter().find(|page| page.path == path)) {
        let lines = Lines::new(page.text.as_str());
        let problems: Vec<Value> = of
            .problems
            .iter()
            .map(|problem| json!({ "line": lines.line(problem.span.start as usize), "message": problem.message, "hint": problem.hint }))
            .collect();
        if !problems.is_empty() {
            put("problems", problems.into());
        }
    }
    Ok(answer)
}

/// A field that is described: what is said about it, and by whom.
struct Described<'t> {
    name: &'t str,
    required: bool,
    about: Option<&'t Map<String, Value>>,
}

/// The schema's fields, then those that pages have without it, where the schema does not forbid them.
fn fields<'t>(of: &'t Type, own: &[&'t Page]) -> Vec<Described<'t>> {
    let shape = of.schema.as_ref().map(|schema| &schema.shape);
    let known = shape.map(|shape| shape.fields.as_slice()).unwrap_or_default();
    let mut fields: Vec<Described> = known
        .iter()
        .map(|Field { name, required, about, .. }| Described { name, required: *required, about: Some(about) })
        .collect();
    if shape.is_some_and(|shape| shape.closed) {
        return fields;
    }
    let forbidden = shape.map(|shape| shape.forbidden.as_slice()).unwrap_or_default();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (key, value) in own.iter().flat_map(|page| entries(page)) {
        if says_something(value) {
            *seen.entry(key).or_default() += 1;
        }
    }
    let mut seen: Vec<(&str, usize)> = seen.into_iter().collect();
    seen.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    for (name, _) in seen {
        if !forbidden.iter().any(|other| other == name) && !fields.iter().any(|field| field.name == name) {
            fields.push(Described { name, required: false, about: None });
        }
    }
    fields
}

fn field_json(field: &Described, own: &[&Page]) -> Value {
    let values: Vec<&Node> =
        own.iter().filter_map(|page| page.field(field.name)).filter(|node| says_something(node)).collect();
    let mut entry = Map::new();
    entry.insert("name".into(), field.name.into());
    entry.insert("required".into(), field.required.into());
    match field.about {
        Some(about) => entry.extend(about.clone()),
        // Nobody says what it must be, only what it is.
        None => {
            entry.insert("type".into(), kinds(&values));
            entry.insert("inferred".into(), true.into());
        }
    }
    entry.insert("pages".into(), values.len().into());
    entry.insert("examples".into(), examples(&values));
    Value::Object(entry)
}

/// The kinds of values seen, as JSON Schema names them.
fn kinds(values: &[&Node]) -> Value {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        *kinds.entry(kind(&value.to_json())).or_default() += 1;
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    match kinds.as_slice() {
        [(one, _)] => json!(one),
        many => many.iter().map(|(name, _)| *name).collect(),
    }
}

/// Distinct values, the most frequent first, ties by value. Of lists the items: whole lists are seldom alike.
fn examples(values: &[&Node]) -> Value {
    let mut counts: BTreeMap<String, (usize, Value)> = BTreeMap::new();
    let items = values.iter().flat_map(|node| match &node.value {
        yaml::Value::Sequence(items) => items.as_slice(),
        _ => std::slice::from_ref(*node),
    });
    for value in items.map(Node::to_json) {
        let text = value.to_string();
        if text.len() <= EXAMPLE_BYTES {
            counts.entry(text).or_insert((0, value)).0 += 1;
        }
    }
    let mut counts: Vec<(usize, Value)> = counts.into_values().collect();
    // Stable, so that ties stay in the order of their text.
    counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    counts.into_iter().take(EXAMPLES).map(|(_, value)| value).collect()
}

/// The path of the page that has most of what the type asks for, among those without findings.
fn example(of: &Type, fields: &[Described], own: &[&Page], flawed: impl Fn(&str) -> bool) -> Option<String> {
    let completeness = |page: &Page| {
        let set = fields.iter().filter(|field| page.field(field.name).is_some_and(says_something)).count();
        let has = |heading: &String| page.body.headings.iter().any(|other| other.text == *heading);
        set + of.sections.iter().filter(|section| section.heading.iter().any(has)).count()
    };
    let candidates = own.iter().filter(|page| !flawed(&page.path));
    let best = candidates.max_by_key(|page| (completeness(page), std::cmp::Reverse(page.path.as_str())))?;
    Some(best.path.clone())
}

fn entries(page: &Page) -> impl Iterator<Item = (&str, &Node)> {
    let entries = page.front_matter.root.as_ref().map(Node::entries).unwrap_or_default();
    entries.iter().filter_map(|(key, value)| Some((key.text()?, value)))
}

/// Whether a field is set: to more than nothing, an empty text or an empty list.
fn says_something(node: &Node) -> bool {
    match &node.value {
        yaml::Value::Scalar(scalar) => !node.is_null() && !scalar.text.trim().is_empty(),
        yaml::Value::Sequence(items) => !items.is_empty(),
        yaml::Value::Mapping(entries) => !entries.is_empty(),
    }
}
