//! A type's schema, compiled once, and what pages violate of it.

use std::collections::{BTreeSet, HashSet};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Draft, PatternOptions, Retrieve, Uri, ValidationError, Validator};
use serde_json::{Map, Value};

use super::documents::{Documents, Library, step, steps};
use super::fields::Shape;
use super::instance::Instance;
use super::{TypeProblem, Violation, messages, paths};
use crate::lint::Level;
use crate::nearest;
use crate::page::Page;
use crate::yaml::Node;

/// Steps that a pattern with look-around may take on one value: enough for any honest one, and done in a millisecond.
const BACKTRACKING: usize = 50_000;

/// A schema that pages can be held against.
#[derive(Debug)]
pub(super) struct Schema {
    validator: Validator,
    documents: Documents,
    /// What it says about the front matter, inheritance resolved.
    pub(super) shape: Shape,
}

impl Schema {
    /// Compiles the schema of a type page.
    ///
    /// # Errors
    /// All that is wrong with it, placed on that page.
    pub(super) fn compile(library: &mut Library, page: &Page, node: &Node) -> Result<Self, Vec<TypeProblem>> {
        let (root, documents) = library.schema(page, node)?;
        let meta = jsonschema::draft202012::meta::validator();
        let problems: Vec<TypeProblem> = documents
            .iter()
            .flat_map(|(path, document)| {
                meta.iter_errors(&document.value).map(move |error| {
                    let pointer = error.instance_path().as_str();
                    let said = messages::sentence(&error, &format!("`{}`", pointer.trim_start_matches('/')), &error.instance().to_string(), None);
                    document.problem(page, path, node, pointer, &said, "write what JSON Schema 2020-12 allows there")
                })
            })
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let shape = Shape::new(&documents, &root);
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_base_uri(paths::uri(&root))
            .with_retriever(Read(documents.clone()))
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING))
            .should_validate_formats(true)
            .build(&documents[&root].value)
            .map_err(|error| {
                vec![TypeProblem {
                    span: node.span,
                    message: format!("the schema cannot be used: {}", messages::reason(&error)),
                    hint: "correct the reference or keyword that it names".into(),
                }]
            })?;
        Ok(Self { validator, documents, shape })
    }

    /// What a page violates, in the order of the schema; `names` are other ways to write the page's type.
    pub(super) fn violations<'p>(&self, page: &'p Page, names: &[&'p str]) -> Vec<Violation> {
        let mut instance = Instance::new(page, self.shape.envelope);
        let mut value = instance.value(&HashSet::new());
        if self.validator.is_valid(&value) {
            return Vec::new();
        }
        // A schema that asks for one type means the type, however a page writes it: by a path of its own, or by name.
        let pointer = instance.type_pointer();
        let mistaken = |value: &Value| self.validator.iter_errors(value).any(|error| error.instance_path().as_str() == pointer);
        if mistaken(&value) {
            instance.type_as = names.iter().copied().find(|name| {
                instance.type_as = Some(name);
                !mistaken(&instance.value(&HashSet::new()))
            });
            value = instance.value(&HashSet::new());
            if self.validator.is_valid(&value) {
                return Vec::new();
            }
        }
        let as_text = self.texts(&instance, &value);
        let value = instance.value(&as_text);
        let mut seen = BTreeSet::new();
        self.validator
            .iter_errors(&value)
            .flat_map(|error| self.explain(&instance, &error))
            // A base that is reached by two ways says everything twice.
            .filter(|violation| seen.insert((violation.span, violation.message.clone())))
            .collect()
    }

    /// The scalars that satisfy the schema as their source text, not as they are typed.
    fn texts(&self, instance: &Instance, typed: &Value) -> HashSet<String> {
        let mut failing = HashSet::new();
        let mut mistyped = HashSet::new();
        for error in self.validator.iter_errors(typed) {
            blame(&error, &mut |error| {
                let pointer = error.instance_path().as_str();
                if is_about(error.instance(), error.kind()) {
                    instance.readable_as_text(pointer, &mut failing);
                }
                if matches!(error.kind(), Kind::Type { .. }) {
                    mistyped.insert(pointer.to_owned());
                }
            });
        }
        if failing.is_empty() {
            return failing;
        }
        // Once more as text. What still fails is told in the reading that comes nearer: where the text is of a type that
        // the schema takes and the typed scalar is not, the text.
        let text = instance.value(&failing);
        let mut kept = failing.clone();
        let mut mistyped_text = HashSet::new();
        for error in self.validator.iter_errors(&text) {
            blame(&error, &mut |error| {
                let pointer = error.instance_path().as_str();
                if matches!(error.kind(), Kind::Type { .. }) {
                    mistyped_text.insert(pointer.to_owned());
                }
                kept.retain(|known| {
                    let inside = is_about(error.instance(), error.kind()) && within(known, pointer);
                    !inside || (mistyped.contains(known) && !mistyped_text.contains(known))
                });
            });
        }
        kept
    }

    fn explain(&self, instance: &Instance, error: &ValidationError) -> Vec<Violation> {
        let (place, inner) = instance.place(error.instance_path().as_str());
        let constraint = self.constraint(error);
        let level = constraint.level;
        let subject = instance.subject(place.as_ref(), &inner);
        let about = |key: &str| {
            let path = format!("{inner}/{}", step(key));
            instance.subject(place.as_ref(), &path)
        };
        let violation = |span, message, hint| constraint.said(level, span, message, hint);
        match error.kind() {
            Kind::Required { property } => {
                let key = property.as_str().unwrap_or_default();
                let hint = match self.shape.meaning(&inner, key) {
                    Some(meaning) => format!("add it: {meaning}"),
                    None => "add it".into(),
                };
                vec![violation(instance.span(place.as_ref()), format!("{} is missing", about(key)), hint)]
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .map(|key| {
                    let known = if inner.is_empty() { self.shape.names() } else { Vec::new() };
                    let hint = match nearest::among(key, &known, 1).first() {
                        Some(near) if strsim::normalized_damerau_levenshtein(key, near) >= 0.5 => format!("did you mean `{near}`"),
                        _ => "take it out; the type allows no other fields".into(),
                    };
                    violation(instance.key_span(place.as_ref(), key), format!("{} is no field of this type", about(key)), hint)
                })
                .collect(),
            Kind::FalseSchema => {
                let (parent, key) = error.instance_path().as_str().rsplit_once('/').unwrap_or_default();
                let (parent, _) = instance.place(parent);
                let key = steps(&format!("/{key}")).next().unwrap_or_default();
                vec![violation(
                    instance.key_span(parent.as_ref(), &key),
                    format!("{subject} is not allowed here"),
                    "take it out".into(),
                )]
            }
            _ => {
                let shown = instance.shown(place.as_ref(), error.instance());
                let message = messages::sentence(error, &subject, &shown, constraint.object);
                vec![violation(instance.span(place.as_ref()), message, messages::hint(error))]
            }
        }
    }

    /// The part of the schema that an error comes from.
    fn constraint(&self, error: &ValidationError) -> Constraint<'_> {
        let mut constraint = Constraint::default();
        if matches!(error.kind(), Kind::FalseSchema) {
            return constraint;
        }
        let Some((path, pointer)) = error.absolute_keyword_location().and_then(|uri| paths::of_uri(uri.as_str())) else {
            return constraint;
        };
        let Some(document) = self.documents.get(&path) else { return constraint };
        let mut pointer = pointer.as_str();
        let mut own = true;
        while let Some((parent, _)) = pointer.rsplit_once('/') {
            pointer = parent;
            let Some(object) = document.value.pointer(pointer).and_then(Value::as_object) else { continue };
            let description = object.get("description").and_then(Value::as_str);
            let severity = object.get("severity").and_then(Value::as_str).and_then(level);
            if own {
                constraint.object = Some(object);
                constraint.description = description;
                constraint.of_field = severity.is_none() && is_field(pointer);
            }
            if severity.is_some() {
                constraint.level = severity;
                constraint.description = constraint.description.or(description);
                break;
            }
            own = false;
        }
        constraint
    }
}

/// The schema object that holds the failing keyword, and what it says for people.
#[derive(Clone, Copy, Default)]
struct Constraint<'s> {
    object: Option<&'s Map<String, Value>>,
    /// Its severity, or that of the nearest schema around it which has one.
    level: Option<Level>,
    description: Option<&'s str>,
    /// Whether the description is a field's: it says what the field means, not what is wrong.
    of_field: bool,
}

impl Constraint<'_> {
    fn said(&self, level: Option<Level>, span: crate::text::Span, message: String, hint: String) -> Violation {
        match self.description.map(|text| text.trim().trim_end_matches('.')).filter(|text| !text.is_empty()) {
            Some(meaning) if self.of_field => Violation { level, span, message: format!("{message}: {meaning}"), hint },
            Some(said) => Violation { level, span, message: said.to_owned(), hint: format!("{message}; {hint}") },
            None => Violation { level, span, message, hint },
        }
    }
}

fn level(severity: &str) -> Option<Level> {
    match severity {
        "error" | "fail" => Some(Level::Error),
        "warn" | "warning" => Some(Level::Warn),
        "info" => Some(Level::Info),
        "off" => Some(Level::Off),
        _ => None,
    }
}

/// Whether a pointer leads to a field's own schema.
fn is_field(pointer: &str) -> bool {
    let mut steps = pointer.rsplit('/').skip(1);
    matches!(steps.next(), Some("properties" | "patternProperties" | "$defs" | "definitions"))
}

/// Calls `visit` with an error and with those that it summarises.
fn blame(error: &ValidationError, visit: &mut dyn FnMut(&ValidationError)) {
    visit(error);
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
        context.iter().flatten().for_each(|error| blame(error, visit));
    }
}

/// Whether an error may come from how a scalar at or below its place is read.
fn is_about(instance: &Value, kind: &Kind) -> bool {
    !(instance.is_object() || instance.is_array()) || matches!(kind, Kind::Contains)
}

fn within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Gives the schema library the documents that were read already, and nothing else.
struct Read(Documents);

impl Retrieve for Read {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        paths::of_uri(uri.as_str())
            .and_then(|(path, _)| self.0.get(&path))
            .map(|document| document.value.clone())
            .ok_or_else(|| "no such schema in this wiki".into())
    }
}
