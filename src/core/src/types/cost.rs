//! What a schema may cost: schemas that apply each other over and over take a time that doubles with every line.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::documents::{Document, Documents, target};

/// Schemas that may apply to one page, each as often as it is applied; honest ones stay below a few hundred.
const MAX_APPLIED: u64 = 20_000;
/// How deep schemas may stand within each other, references followed.
const MAX_DEPTH: usize = 200;

/// Keywords with one schema, for the same value.
const SAME: &[&str] = &["if", "then", "else", "not"];
/// Keywords with a list of schemas, for the same value.
const SAME_LISTS: &[&str] = &["allOf", "anyOf", "oneOf"];
/// Keywords with a mapping of schemas, for the same value.
const SAME_MAPS: &[&str] = &["dependentSchemas"];
/// Keywords with one schema, for a part of the value.
const PARTS: &[&str] =
    &["items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"];
/// Keywords with a list of schemas, for a part each.
const PART_LISTS: &[&str] = &["prefixItems"];
/// Keywords with a mapping of schemas, for a part each.
const PART_MAPS: &[&str] = &["properties", "patternProperties"];

/// Why a schema is not used: what is wrong with it, and what to do.
///
/// # Errors
/// It applies itself to the same value without end, stands too deep within itself, or applies too many schemas.
pub(super) fn check(documents: &Documents, root: &str) -> Result<(), (String, &'static str)> {
    let Some(document) = documents.get(root) else { return Ok(()) };
    let mut meter = Meter { documents, known: HashMap::new(), open: HashSet::new(), depth: 0 };
    match meter.applied(document, &document.value)? {
        0..=MAX_APPLIED => Ok(()),
        _ => Err((
            format!("it applies more than {MAX_APPLIED} schemas to one page, counted as often as each is applied"),
            "name each schema once, and let the others refer to it from one place",
        )),
    }
}

struct Meter<'d> {
    documents: &'d Documents,
    known: HashMap<*const Value, u64>,
    /// Schemas that are being counted, and apply to the same value as the one that is counted now.
    open: HashSet<*const Value>,
    depth: usize,
}

impl<'d> Meter<'d> {
    /// How many schemas one application of `schema` applies, itself included.
    fn applied(&mut self, document: &'d Document, schema: &'d Value) -> Result<u64, (String, &'static str)> {
        let Some(object) = schema.as_object() else { return Ok(1) };
        if let Some(&known) = self.known.get(&std::ptr::from_ref(schema)) {
            return Ok(known);
        }
        if !self.open.insert(schema) {
            let message = "it refers to itself, so that it never ends".to_owned();
            return Err((message, "take one of the references out of the circle"));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("its schemas stand more than {MAX_DEPTH} deep within each other");
            return Err((message, "make it flatter"));
        }
        let mut sum = 1u64;
        let reference = object.get("$ref").and_then(Value::as_str);
        if let Some((document, target)) = reference.and_then(|to| target(self.documents, document, to)) {
            sum = sum.saturating_add(self.applied(document, target)?);
        }
        for part in below(schema, SAME, SAME_LISTS, SAME_MAPS) {
            sum = sum.saturating_add(self.applied(document, part)?);
        }
        // A part is another value: a schema may well describe a tree by referring to itself there. Such a reference is counted
        // as nothing, since pages end.
        self.known.insert(schema, 0);
        let open = std::mem::take(&mut self.open);
        for part in below(schema, PARTS, PART_LISTS, PART_MAPS) {
            sum = sum.saturating_add(self.applied(document, part)?);
        }
        self.open = open;
        self.open.remove(&std::ptr::from_ref(schema));
        self.depth -= 1;
        self.known.insert(schema, sum);
        Ok(sum)
    }
}

fn below<'v>(
    schema: &'v Value,
    single: &'static [&'static str],
    lists: &'static [&'static str],
    maps: &'static [&'static str],
) -> impl Iterator<Item = &'v Value> {
    let single = single.iter().filter_map(|keyword| schema.get(*keyword));
    let lists = lists.iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    let maps = maps.iter().filter_map(|keyword| schema.get(*keyword)?.as_object()).flat_map(|map| map.values());
    single.chain(lists).chain(maps)
}
