//! What a schema says about a page's fields, inheritance resolved: `allOf` and `$ref` followed, the rest read.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::documents::{Document, Documents, target};

/// Mappings within mappings are described so far down.
const DEPTH: usize = 4;
/// So many values are described as far; of all others, which a schema that refers to itself has without end, only what they are.
const DESCRIBED: usize = 1_000;

/// A schema as fields.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Whether it applies to `{frontmatter, body, headings, links, body_dates}`, not to the front matter alone.
    pub(super) envelope: bool,
    /// The fields it allows, in its own order, a base's first.
    pub(super) fields: Vec<Field>,
    /// The fields it names to forbid them.
    pub(super) forbidden: Vec<String>,
    /// Whether no other fields exist.
    pub(super) closed: bool,
    /// Whether it allows fields by patterns of their names.
    patterned: bool,
    /// Headings that it asks for, as sections: `{heading, level, required}` or `{pattern, required}`.
    pub(super) headings: Vec<Value>,
    /// What it demands beyond single fields and headings, as `{of, schema}`: conditions, and rules for the page's text.
    pub(super) constraints: Vec<Value>,
}

/// A field of the front matter.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) required: bool,
    /// Whether it is allowed whatever the other fields hold.
    always: bool,
    /// Its type, bounds, default, meaning: the answer's keys.
    pub(super) about: Map<String, Value>,
}

/// A schema within the documents.
#[derive(Clone, Copy)]
struct Spot<'d> {
    document: &'d Document,
    value: &'d Value,
    /// Whether it is an item of `allOf`: then its description says what it demands, not what the value means.
    demand: bool,
}

impl<'d> Spot<'d> {
    fn get(self, keyword: &str) -> Option<Self> {
        self.value.get(keyword).map(|value| Self { value, demand: false, ..self })
    }

    fn list(self, keyword: &str, demand: bool) -> impl Iterator<Item = Self> {
        let items = self.value.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().map(move |value| Self { value, demand, ..self })
    }

    fn map(self, keyword: &str) -> impl Iterator<Item = (&'d String, Self)> {
        let schemas = self.value.get(keyword).and_then(Value::as_object);
        schemas.into_iter().flatten().map(move |(name, value)| (name, Self { value, demand: false, ..self }))
    }

    fn text(self, keyword: &str) -> Option<&'d str> {
        self.value.get(keyword)?.as_str()
    }
}

struct Reader<'d> {
    documents: &'d Documents,
    /// How many values are described.
    described: Cell<usize>,
}

impl Shape {
    pub(super) fn new(documents: &Documents, root: &str) -> Self {
        let reader = Reader { documents, described: Cell::new(0) };
        let Some(document) = documents.get(root) else { return Self::default() };
        let whole = reader.all([Spot { document, value: &document.value, demand: false }]);
        let part = |name: &'static str| move |spot: &Spot<'_>| spot.value["properties"].get(name).is_some();
        let envelope = whole.iter().any(part("frontmatter"));
        let sometimes = reader.conditional(&whole);
        let (always, sometimes) = if envelope {
            let always = reader.inner(&whole, "frontmatter");
            let mut sometimes = reader.inner(&sometimes, "frontmatter");
            sometimes.extend(reader.conditional(&always));
            (always, sometimes)
        } else {
            (whole.clone(), sometimes)
        };
        let mut shape = Self { envelope, ..Self::default() };
        shape.closed = always.iter().any(|spot| {
            ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|key| spot.value.get(*key) == Some(&Value::Bool(false)))
        });
        shape.patterned = always.iter().any(|spot| spot.value.get("patternProperties").is_some());
        shape.collect(&reader, &always, &sometimes, 0);
        shape.constrain("frontmatter", &always, |keyword| ACROSS_FIELDS.contains(&keyword));
        if envelope {
            let headings = reader.inner(&whole, "headings");
            let sections = headings.iter().map(|spot| spot.value.get("contains").and_then(section));
            let (sections, others): (Vec<_>, Vec<_>) =
                sections.zip(&headings).partition(|(section, _)| section.is_some());
            shape.headings = sections.into_iter().filter_map(|(section, _)| section).collect();
            shape.constrain("page", &whole, |keyword| ACROSS_FIELDS.contains(&keyword));
            let says = |keyword: &str| !matches!(keyword, "$ref" | "$defs" | "allOf" | "type" | "items");
            shape.constrain("headings", others.into_iter().map(|(_, spot)| spot), says);
            for part in ["body", "links", "body_dates"] {
                shape.constrain(part, &reader.inner(&whole, part), says);
            }
        }
        shape
    }

    fn collect<'d>(&mut self, reader: &Reader<'d>, always: &[Spot<'d>], sometimes: &[Spot<'d>], depth: usize) {
        let mut found: Vec<(&str, bool, Vec<Spot>)> = Vec::new();
        for (&spot, unconditional) in
            always.iter().map(|spot| (spot, true)).chain(sometimes.iter().map(|spot| (spot, false)))
        {
            for (name, schema) in spot.map("properties") {
                match found.iter_mut().find(|(known, ..)| known == name) {
                    // What holds only sometimes does not narrow what holds always.
                    Some((.., schemas)) => schemas.extend(unconditional.then_some(schema)),
                    None => found.push((name, unconditional, vec![schema])),
                }
            }
        }
        let mut required: Vec<&str> = Vec::new();
        for spot in always {
            let names = spot.value.get("required").and_then(Value::as_array).into_iter().flatten();
            required.extend(names.filter_map(Value::as_str));
        }
        for &name in &required {
            if !found.iter().any(|(known, ..)| *known == name) {
                found.push((name, false, Vec::new()));
            }
        }
        for (name, always, schemas) in found {
            let required = required.contains(&name);
            match reader.value(&schemas, depth) {
                Some(about) => self.fields.push(Field { name: name.into(), required, always, about }),
                None => self.forbidden.push(name.into()),
            }
        }
    }

    /// Adds what schemas of a part of the page say by those keywords.
    fn constrain<'s, 'd: 's>(
        &mut self,
        of: &str,
        spots: impl IntoIterator<Item = &'s Spot<'d>>,
        says: impl Fn(&str) -> bool,
    ) {
        for object in spots.into_iter().filter_map(|spot| spot.value.as_object()) {
            // On their own these say nothing.
            let is_said = |keyword: &str| matches!(keyword, "description" | "severity");
            if object.keys().any(|keyword| says(keyword) && !is_said(keyword)) {
                let schema: Map<String, Value> = object
                    .iter()
                    .filter(|(keyword, _)| says(keyword) || is_said(keyword))
                    .map(|(keyword, value)| (keyword.clone(), value.clone()))
                    .collect();
                let constraint = json!({ "of": of, "schema": schema });
                if !self.constraints.contains(&constraint) {
                    self.constraints.push(constraint);
                }
            }
        }
    }

    /// The names of the fields.
    pub(super) fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|field| field.name.as_str()).collect()
    }

    /// Whether a field may be one that the schema allows, `within` as in [`Shape::meaning`].
    pub(super) fn may_allow(&self, within: &str, name: &str) -> bool {
        !within.is_empty() || self.patterned || self.fields.iter().any(|field| field.always && field.name == name)
    }

    /// What a field of the front matter itself means; `within` is the pointer to the mapping it stands in.
    pub(super) fn meaning(&self, within: &str, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| within.is_empty() && field.name == name)?;
        Some(field.about.get("description")?.as_str()?.trim().trim_end_matches('.'))
    }
}

impl<'d> Reader<'d> {
    /// The schemas that always apply where `spots` do: themselves, their `$ref` and `allOf`, a base before what refines it.
    fn all(&self, spots: impl IntoIterator<Item = Spot<'d>>) -> Vec<Spot<'d>> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        spots.into_iter().for_each(|spot| self.gather(spot, &mut found, &mut seen));
        found
    }

    fn gather(&self, spot: Spot<'d>, found: &mut Vec<Spot<'d>>, seen: &mut HashSet<*const Value>) {
        if !seen.insert(spot.value) {
            return;
        }
        if let Some(target) = spot.text("$ref").and_then(|reference| self.target(spot.document, reference)) {
            self.gather(target, found, seen);
        }
        spot.list("allOf", true).for_each(|part| self.gather(part, found, seen));
        found.push(spot);
    }

    fn target(&self, document: &'d Document, reference: &str) -> Option<Spot<'d>> {
        let (document, value) = target(self.documents, document, reference)?;
        Some(Spot { document, value, demand: false })
    }

    /// The schemas of a property.
    fn inner(&self, spots: &[Spot<'d>], name: &str) -> Vec<Spot<'d>> {
        self.all(spots.iter().filter_map(|spot| spot.get("properties").and_then(|properties| properties.get(name))))
    }

    /// The schemas that apply only sometimes where `spots` do.
    fn conditional(&self, spots: &[Spot<'d>]) -> Vec<Spot<'d>> {
        let branches = spots.iter().flat_map(|spot| {
            let either = ["anyOf", "oneOf"].into_iter().flat_map(|keyword| spot.list(keyword, false));
            let then = ["then", "else"].into_iter().filter_map(|keyword| spot.get(keyword));
            either.chain(then).chain(spot.map("dependentSchemas").map(|(_, schema)| schema))
        });
        self.all(branches.collect::<Vec<_>>())
    }

    /// What a value must be; `None` where none is allowed.
    fn value(&self, schemas: &[Spot<'d>], depth: usize) -> Option<Map<String, Value>> {
        let mut about = Map::new();
        let mut advice: Vec<&str> = Vec::new();
        let spots = self.all(schemas.iter().copied());
        for spot in &spots {
            let object = match spot.value {
                Value::Bool(false) => return None,
                Value::Object(object) => object,
                _ => continue,
            };
            let demand = spot.text("description").filter(|_| spot.demand);
            advice.extend(demand);
            if demand.is_some() && matches!(spot.text("severity"), Some("warn" | "warning" | "info")) {
                continue;
            }
            for (keyword, value) in object {
                merge(&mut about, keyword, value, spot.demand);
            }
        }
        self.described.set(self.described.get() + 1);
        if depth < DEPTH && (depth == 0 || self.described.get() <= DESCRIBED) {
            self.below(&spots, &mut about, depth);
        }
        if !about.contains_key("type") {
            about.insert("type".into(), inferred(&about).into());
        }
        if !advice.is_empty() {
            about.insert("advice".into(), json!(advice));
        }
        let mut about: Vec<(String, Value)> = about.into_iter().collect();
        about.sort_by_key(|(key, _)| order(key));
        Some(about.into_iter().collect())
    }

    fn below(&self, spots: &[Spot<'d>], about: &mut Map<String, Value>, depth: usize) {
        let items: Vec<Spot> = spots.iter().filter_map(|spot| spot.get("items")).collect();
        if !items.is_empty() {
            about.insert("items".into(), self.value(&items, depth + 1).into());
        }
        let mut shape = Shape::default();
        shape.collect(self, spots, &[], depth + 1);
        if !shape.fields.is_empty() {
            let fields = shape.fields.into_iter().map(|field| {
                let mut entry = Map::from_iter([
                    ("name".to_owned(), field.name.into()),
                    ("required".to_owned(), field.required.into()),
                ]);
                entry.extend(field.about);
                Value::Object(entry)
            });
            about.insert("fields".into(), fields.collect());
        }
        for keyword in ["anyOf", "oneOf"] {
            for spot in spots {
                let forms: Vec<_> =
                    spot.list(keyword, false).filter_map(|form| self.value(&[form], depth + 1)).collect();
                if forms.is_empty() {
                    continue;
                }
                if !about.contains_key("type") {
                    let types: Vec<&Value> = forms.iter().flat_map(|form| listed(&form["type"])).collect();
                    about.insert("type".into(), one_or_list(distinct(types)));
                }
                let values: Option<Vec<Vec<&Value>>> = forms.iter().map(values_of).collect();
                if let (Some(values), false) = (values, about.contains_key("values")) {
                    about.insert("values".into(), distinct(values.concat()).into_iter().cloned().collect());
                }
            }
        }
    }
}

/// Keywords that concern several fields at once, and so belong to none.
const ACROSS_FIELDS: &[&str] = &[
    "anyOf",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "patternProperties",
    "propertyNames",
    "then",
];
/// Keywords that are shown as they are; of two, the later one counts.
const SHOWN: &[&str] = &["default", "format", "pattern", "const", "multipleOf", "uniqueItems"];
/// Lower bounds: of two, the higher one counts.
const LOWER: &[&str] = &["minimum", "exclusiveMinimum", "minLength", "minItems"];
/// Upper bounds: of two, the lower one counts.
const UPPER: &[&str] = &["maximum", "exclusiveMaximum", "maxLength", "maxItems"];

fn merge(about: &mut Map<String, Value>, keyword: &str, value: &Value, demand: bool) {
    let narrower = |known: Option<&Value>, higher: bool| match (known.and_then(Value::as_f64), value.as_f64()) {
        (Some(known), Some(new)) => (new > known) == higher,
        _ => true,
    };
    match keyword {
        "type" => match about.get("type") {
            Some(known) => {
                let both: Vec<&Value> = listed(known).into_iter().filter(|name| listed(value).contains(name)).collect();
                // A `number` that is refined to an `integer` has no name in common.
                let both = if both.is_empty() { listed(value) } else { both };
                let both = one_or_list(both);
                about.insert("type".into(), both);
            }
            None => {
                about.insert("type".into(), value.clone());
            }
        },
        "enum" => {
            let known = about.get("values").and_then(Value::as_array);
            let values = value.as_array().into_iter().flatten();
            let values: Value =
                values.filter(|value| known.is_none_or(|known| known.contains(value))).cloned().collect();
            about.insert("values".into(), values);
        }
        "description" if !demand => {
            about.insert("description".into(), value.clone());
        }
        "title" if !demand => {
            about.entry("description").or_insert_with(|| value.clone());
        }
        _ if SHOWN.contains(&keyword)
            || (LOWER.contains(&keyword) && narrower(about.get(keyword), true))
            || (UPPER.contains(&keyword) && narrower(about.get(keyword), false)) =>
        {
            about.insert(keyword.to_owned(), value.clone());
        }
        _ => {}
    }
}

/// The keys in the order in which they answer what a writer asks.
fn order(key: &str) -> usize {
    const FIRST: &[&str] = &["type", "values", "const", "default", "format", "pattern"];
    const LAST: &[&str] = &["items", "fields", "description", "advice"];
    match (FIRST.iter().position(|first| *first == key), LAST.iter().position(|last| *last == key)) {
        (Some(at), _) => at,
        (_, Some(at)) => 100 + at,
        _ => 50,
    }
}

/// A value's type, as JSON Schema calls it.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type that the other keywords speak of.
fn inferred(about: &Map<String, Value>) -> &'static str {
    let has = |keys: &[&str]| keys.iter().any(|key| about.contains_key(*key));
    if let Some(values) = values_of(about).filter(|values| !values.is_empty()) {
        return if values.iter().all(|value| kind(value) == kind(values[0])) { kind(values[0]) } else { "any" };
    }
    match () {
        () if has(&["format", "pattern", "minLength", "maxLength"]) => "string",
        () if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => "number",
        () if has(&["items", "minItems", "maxItems", "uniqueItems"]) => "array",
        () if has(&["fields"]) => "object",
        () => "any",
    }
}

fn values_of(about: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (about.get("const"), about.get("values")) {
        (Some(constant), _) => Some(vec![constant]),
        (None, Some(values)) => values.as_array().map(|values| values.iter().collect()),
        (None, None) => None,
    }
}

fn listed(types: &Value) -> Vec<&Value> {
    match types {
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    }
}

fn one_or_list(types: Vec<&Value>) -> Value {
    match types[..] {
        [one] => one.clone(),
        _ => types.into_iter().cloned().collect(),
    }
}

fn distinct(values: Vec<&Value>) -> Vec<&Value> {
    let mut kept: Vec<&Value> = Vec::new();
    values.into_iter().for_each(|value| {
        if !kept.contains(&value) {
            kept.push(value)
        }
    });
    kept
}

/// A heading that `contains` asks for.
fn section(contains: &Value) -> Option<Value> {
    if let Some(heading) = contains.get("const").and_then(Value::as_str) {
        let text = heading.trim_start_matches('#');
        let level = heading.len() - text.len();
        return Some(json!({ "heading": [text.trim()], "level": level, "required": true }));
    }
    let pattern = contains.get("pattern")?.as_str()?;
    Some(json!({ "pattern": pattern, "required": true }))
}
