//! A type's schema, compiled once, and what pages violate of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{Draft, JsonType, PatternOptions, Retrieve, Uri, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::documents::{Documents, Library, step, steps};
use super::fields::Shape;
use super::instance::Instance;
use super::{TypeProblem, Violation, cost, messages, paths};
use crate::lint::Level;
use crate::nearest;
use crate::page::Page;
use crate::text::Span;
use crate::yaml::Node;

/// Steps that a pattern with look-around may take on one value: enough for any honest one, and done in a millisecond.
const BACKTRACKING: usize = 50_000;

/// Places of one page that are told one by one.
const MAX_VIOLATIONS: usize = 200;

/// The schema of schemas, formats such as `regex` included.
static META: LazyLock<Validator> = LazyLock::new(|| {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(&json!({ "$ref": "https://json-schema.org/draft/2020-12/schema" }))
        .expect("the schema library knows the draft")
});

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
        let mut problems: Vec<TypeProblem> = documents
            .iter()
            .flat_map(|(path, document)| {
                META.iter_errors(&document.value).map(move |error| {
                    let pointer = error.instance_path().as_str();
                    let hint = "write what JSON Schema 2020-12 allows there";
                    document.problem(page, path, node, pointer, &messages::reason(&error), hint)
                })
            })
            .collect();
        // The drafts' schema consists of several that say the same of the whole.
        problems.dedup();
        if !problems.is_empty() {
            return Err(problems);
        }
        cost::check(&documents, &root).map_err(|(message, hint)| {
            vec![TypeProblem {
                span: node.span,
                message: format!("the schema cannot be used: {message}"),
                hint: hint.into(),
            }]
        })?;
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

    /// What a page violates, in the order of the schema. Its `type` may be written in any of the forms `type_forms`.
    pub(super) fn violations(&self, page: &Page, type_forms: &[&str]) -> Vec<Violation> {
        let instance = Instance::new(page, self.shape.envelope);
        let mut value = instance.value();
        if self.validator.is_valid(&value) || self.accepts_type(&instance, &mut value, type_forms) {
            return Vec::new();
        }
        self.read_as_text(&instance, &mut value);
        // A schema that fails evaluates nothing, so what it allows is unevaluated beside it.
        let others_fail = self.validator.iter_errors(&value).any(|error| !is_unevaluated(&error));
        let mut seen = BTreeSet::new();
        let mut violations = self
            .validator
            .iter_errors(&value)
            .flat_map(|error| self.explain(&instance, &error, others_fail))
            .filter(|violation| violation.level != Some(Level::Off))
            // A base that is reached by two ways says everything twice.
            .filter(|violation| seen.insert((violation.span, violation.message.clone())));
        let mut told: Vec<Violation> = violations.by_ref().take(MAX_VIOLATIONS).collect();
        let (mut more, mut level) = (0, Some(Level::Off));
        for other in violations {
            more += 1;
            // As grave as the gravest of them; without a level of its own that is the rule's.
            level = level.and_then(|level| Some(level.min(other.level?)));
        }
        if more > 0 {
            told.push(Violation {
                level,
                span: instance.span(None),
                message: format!("{more} more places do not satisfy the schema"),
                hint: "mend the others first".into(),
            });
        }
        told
    }

    /// Puts another form of the page's `type` where the schema refuses the one that is written, if that helps: a schema
    /// that names its own type does so in one form. Whether nothing else is wrong.
    fn accepts_type(&self, instance: &Instance, value: &mut Value, forms: &[&str]) -> bool {
        let pointer = instance.pointer("type");
        let refused = |value: &Value| {
            let mut refused = false;
            for error in self.validator.iter_errors(value) {
                blame(&error, &mut |error| refused |= error.instance_path().as_str() == pointer);
            }
            refused
        };
        let Some(written) = value.pointer(&pointer).filter(|_| refused(value)).cloned() else { return false };
        for form in forms {
            put(value, &pointer, (*form).into());
            if self.validator.is_valid(value) {
                return true;
            }
            if !refused(value) {
                return false;
            }
        }
        put(value, &pointer, written);
        false
    }

    /// Puts the source text of scalars where that satisfies the schema, and the typed scalar does not.
    fn read_as_text(&self, instance: &Instance, value: &mut Value) {
        let mut texts = BTreeMap::new();
        let mut mistyped = HashSet::new();
        let mut bounded = HashSet::new();
        for error in self.validator.iter_errors(value) {
            if bounds_number(error.kind()) {
                // No bound holds for a text: it would satisfy by not being asked.
                bounded.insert(error.instance_path().as_str().to_owned());
            }
            blame(&error, &mut |error| {
                let pointer = error.instance_path().as_str();
                if asks_for_text(error) {
                    instance.texts(pointer, &mut texts);
                }
                if matches!(error.kind(), Kind::Type { .. }) {
                    mistyped.insert(pointer.to_owned());
                    instance.unquoted_link(pointer, &mut texts);
                }
            });
        }
        texts.retain(|pointer, _| !bounded.contains(pointer));
        let typed: Vec<(String, Value)> = texts
            .into_iter()
            .filter_map(|(pointer, text)| put(value, &pointer, text.into()).map(|typed| (pointer, typed)))
            .collect();
        if typed.is_empty() {
            return;
        }
        // What fails as text too is told in the reading that comes nearer: the text, where it is of a type that the schema
        // takes and the typed scalar is not.
        let (mut failing, mut mistyped_text) = (HashSet::new(), HashSet::new());
        for error in self.validator.iter_errors(value) {
            blame(&error, &mut |error| {
                let pointer = error.instance_path().as_str();
                if is_about(error) {
                    failing.insert(pointer.to_owned());
                }
                if matches!(error.kind(), Kind::Type { .. }) {
                    mistyped_text.insert(pointer.to_owned());
                }
            });
        }
        for (pointer, typed) in typed {
            let fails = outwards(&pointer).any(|outer| failing.contains(outer));
            let nearer = mistyped.contains(&pointer) && !mistyped_text.contains(&pointer);
            if fails && !nearer {
                put(value, &pointer, typed);
            }
        }
    }

    fn explain(&self, instance: &Instance, error: &ValidationError, others_fail: bool) -> Vec<Violation> {
        let (place, inner) = instance.place(error.instance_path().as_str());
        let constraint = self.constraint(error);
        let subject = instance.subject(place.as_ref(), inner);
        let about = |key: &str| {
            let path = format!("{inner}/{}", step(key));
            instance.subject(place.as_ref(), &path)
        };
        let violation = |span, message, hint| constraint.said(span, message, hint);
        match error.kind() {
            Kind::Required { property } => {
                let key = property.as_str().unwrap_or_default();
                let hint = match self.shape.meaning(inner, key) {
                    Some(meaning) => format!("add it: {meaning}"),
                    None => "add it".into(),
                };
                vec![violation(instance.span(place.as_ref()), format!("{} is missing", about(key)), hint)]
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .filter(|key| !(is_unevaluated(error) && others_fail && self.shape.may_allow(inner, key)))
                .map(|key| {
                    let known = if inner.is_empty() { self.shape.names() } else { Vec::new() };
                    let hint = match nearest::among(key, &known, 1).first() {
                        Some(near) if strsim::normalized_damerau_levenshtein(key, near) >= 0.5 => {
                            format!("did you mean `{near}`")
                        }
                        _ => "take it out; the type allows no other fields".into(),
                    };
                    violation(
                        instance.key_span(place.as_ref(), key),
                        format!("{} is no field of this type", about(key)),
                        hint,
                    )
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
                let span = match error.kind() {
                    Kind::PropertyNames { error } => {
                        error.instance().as_str().map(|key| instance.key_span(place.as_ref(), key))
                    }
                    _ => unwanted(error).and_then(|pattern| instance.found(place.as_ref(), pattern)),
                };
                vec![violation(span.unwrap_or_else(|| instance.span(place.as_ref())), message, messages::hint(error))]
            }
        }
    }

    /// The part of the schema that an error comes from.
    fn constraint(&self, error: &ValidationError) -> Constraint<'_> {
        let mut constraint = Constraint::default();
        if matches!(error.kind(), Kind::FalseSchema) {
            return constraint;
        }
        let Some((path, pointer)) = error.absolute_keyword_location().and_then(|uri| paths::of_uri(uri.as_str()))
        else {
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
    fn said(&self, span: Span, message: String, hint: String) -> Violation {
        let level = self.level;
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

/// The pattern that a text matches and must not.
fn unwanted<'e>(error: &'e ValidationError) -> Option<&'e str> {
    match error.kind() {
        Kind::Not { schema } => schema.get("pattern")?.as_str(),
        _ => None,
    }
}

fn is_unevaluated(error: &ValidationError) -> bool {
    matches!(error.kind(), Kind::UnevaluatedProperties { .. })
}

/// Whether a text might satisfy what refused a scalar. What forbids a value is satisfied by any other, so it does not ask.
fn asks_for_text(error: &ValidationError) -> bool {
    match error.kind() {
        Kind::Type { kind: TypeKind::Single(one) } => *one == JsonType::String,
        Kind::Type { kind: TypeKind::Multiple(set) } => set.iter().any(|one| one == JsonType::String),
        Kind::Enum { options } => options.as_array().is_some_and(|options| options.iter().any(Value::is_string)),
        Kind::Constant { expected_value } => expected_value.is_string(),
        Kind::Contains => true,
        _ => false,
    }
}

/// Whether an error may come from how a scalar at or below its place is read.
fn is_about(error: &ValidationError) -> bool {
    let instance = error.instance();
    !(instance.is_object() || instance.is_array()) || matches!(error.kind(), Kind::Contains)
}

/// Replaces what is at a pointer, and gives what was there.
fn put(value: &mut Value, pointer: &str, new: Value) -> Option<Value> {
    value.pointer_mut(pointer).map(|place| std::mem::replace(place, new))
}

fn bounds_number(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::ExclusiveMinimum { .. }
            | Kind::ExclusiveMaximum { .. }
            | Kind::MultipleOf { .. }
    )
}

/// A pointer and those around it.
fn outwards(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| pointer.rsplit_once('/').map(|(outer, _)| outer))
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
