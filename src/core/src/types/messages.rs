//! What is wrong, in words: one sentence for every keyword that may fail.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value};

use super::instance::{quoted, shown};
use super::paths::decoded;

/// How many allowed values a sentence names.
const NAMED: usize = 12;

/// What is wrong: `subject` is the place, `shown` its value, `object` the schema object that says so.
pub(super) fn sentence(
    error: &ValidationError,
    subject: &str,
    shown: &str,
    object: Option<&Map<String, Value>>,
) -> String {
    match error.kind() {
        Kind::Type { kind } => format!("{subject} is {shown}, not {}", types(kind)),
        Kind::Enum { options } => format!("{subject} is {shown}, not {}", one_of(options)),
        Kind::Constant { expected_value } => format!("{subject} is {shown}, not {}", value(expected_value)),
        Kind::Format { format } => format!("{subject} is {shown}, {}", not_of_format(format)),
        Kind::Minimum { limit } => format!("{subject} is {shown}, less than `{limit}`"),
        Kind::ExclusiveMinimum { limit } => format!("{subject} is {shown}, not more than `{limit}`"),
        Kind::Maximum { limit } => format!("{subject} is {shown}, more than `{limit}`"),
        Kind::ExclusiveMaximum { limit } => format!("{subject} is {shown}, not less than `{limit}`"),
        Kind::MultipleOf { multiple_of } => format!("{subject} is {shown}, not a multiple of `{multiple_of}`"),
        Kind::MinLength { .. } if shown == "empty" => format!("{subject} is empty"),
        Kind::MinLength { limit } => format!("{subject} has {}, fewer than {limit}", characters(error)),
        Kind::MaxLength { limit } => format!("{subject} has {}, more than {limit}", characters(error)),
        Kind::MinItems { limit } => format!("{subject} has {}, fewer than {limit}", items(error)),
        Kind::MaxItems { limit } => format!("{subject} has {}, more than {limit}", items(error)),
        Kind::AdditionalItems { limit } => format!("{subject} has {}, more than {limit}", items(error)),
        Kind::UnevaluatedItems { .. } => format!("{subject} has items that are not allowed"),
        Kind::MinProperties { limit } => format!("{subject} has fewer than {limit} fields"),
        Kind::MaxProperties { limit } => format!("{subject} has more than {limit} fields"),
        Kind::UniqueItems => format!("{subject} has the same item twice"),
        Kind::Pattern { pattern } => match subject.strip_prefix("the page's ") {
            Some(_) => format!("{subject} does not match {}", quoted(pattern)),
            None => format!("{subject} is {shown}, which does not match {}", quoted(pattern)),
        },
        Kind::Contains => {
            let bound = |keyword: &str| {
                let is_it = error.schema_path().as_str().ends_with(&format!("/{keyword}"));
                object.and_then(|object| object.get(keyword)).filter(|_| is_it)
            };
            let sought = object.and_then(|object| object.get("contains"));
            let item = sought.map_or_else(|| "of the kind that is asked for".into(), wanted);
            match (bound("minContains"), bound("maxContains")) {
                (Some(limit), _) => format!("{subject} has fewer than {limit} items {item}"),
                (_, Some(limit)) => format!("{subject} has more than {limit} items {item}"),
                _ => contains(subject, sought),
            }
        }
        Kind::Not { schema } => match schema.get("pattern").and_then(Value::as_str) {
            Some(pattern) => format!("{subject} matches {}, which is not allowed", quoted(pattern)),
            None => match schema.get("contains").map(wanted) {
                Some(wanted) => format!("{subject} has {wanted}, which is not allowed"),
                None => format!("{subject} is {shown}, which is not allowed"),
            },
        },
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => any_of(error, context, subject, shown),
        Kind::OneOfMultipleValid { .. } => {
            format!("{subject} is {shown}, which fits more than one of the forms that exclude each other")
        }
        Kind::PropertyNames { error } => {
            let key = error.instance().as_str().unwrap_or_default();
            sentence(error, &format!("the key {} in {subject}", quoted(key)), &quoted(key), None)
        }
        Kind::ContentEncoding { content_encoding } => format!("{subject} is not encoded as `{content_encoding}`"),
        Kind::ContentMediaType { content_media_type } => format!("{subject} is no `{content_media_type}`"),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            format!("{subject} could not be held against the schema's `pattern`, which takes too long")
        }
        // Reported by whoever knows the keys, or of no keyword of ours.
        _ => format!(
            "{subject} does not satisfy `{}`",
            error.schema_path().as_str().rsplit('/').next().unwrap_or_default()
        ),
    }
}

/// What to do about it.
pub(super) fn hint(error: &ValidationError) -> String {
    match error.kind() {
        Kind::Type { kind } if is_number_in_quotes(error.instance(), kind) => "take the quotes away".into(),
        Kind::Type { .. } | Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } | Kind::OneOfMultipleValid { .. } => {
            "write a value of the kind that the type asks for".into()
        }
        Kind::Enum { options } => nearest(error.instance(), options).map_or_else(
            || "choose one of the allowed values".into(),
            |near| format!("did you mean {}", quoted(&near)),
        ),
        Kind::Constant { expected_value } => format!("write {}", value(expected_value)),
        Kind::Format { format } if format == "date" => "write a day that exists, as `YYYY-MM-DD`".into(),
        Kind::Format { format } if format == "date-time" => "write it as `YYYY-MM-DDThh:mm:ssZ`".into(),
        Kind::MinLength { .. } => "write more".into(),
        Kind::MaxLength { .. } => "shorten it".into(),
        Kind::Contains if error.schema_path().as_str().ends_with("/maxContains") => "take out what is too much".into(),
        Kind::MinItems { .. } | Kind::Contains => "add what is missing".into(),
        Kind::MaxItems { .. } | Kind::UniqueItems | Kind::Not { .. } => "take out what is too much".into(),
        Kind::Minimum { .. } | Kind::ExclusiveMinimum { .. } | Kind::Maximum { .. } | Kind::ExclusiveMaximum { .. } => {
            "write a number within the bounds".into()
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "simplify the pattern in the schema".into()
        }
        _ => "see `describe_type` for what the type asks for".into(),
    }
}

fn is_number_in_quotes(value: &Value, wanted: &TypeKind) -> bool {
    let wants = |of: JsonType| match wanted {
        TypeKind::Single(one) => *one == of,
        TypeKind::Multiple(set) => set.iter().any(|one| one == of),
    };
    let is = |text: &str| match text {
        "true" | "false" => wants(JsonType::Boolean),
        text if text.parse::<i64>().is_ok() => wants(JsonType::Integer) || wants(JsonType::Number),
        text => text.parse::<f64>().is_ok_and(f64::is_finite) && wants(JsonType::Number),
    };
    value.as_str().is_some_and(is)
}

/// What is wrong with a schema itself, or why it could not be compiled.
pub(super) fn reason(error: &ValidationError) -> String {
    match error.kind() {
        Kind::Referencing(jsonschema::ReferencingError::PointerToNowhere { pointer }) => {
            format!("no part of it is at {}", quoted(&decoded(pointer)))
        }
        Kind::Referencing(jsonschema::ReferencingError::NoSuchAnchor { anchor }) => {
            format!("no part of it has the anchor {}", quoted(&decoded(anchor)))
        }
        Kind::Referencing(jsonschema::ReferencingError::Unretrievable { uri, .. }) => {
            format!("it refers to {}, which is not in this wiki", quoted(&decoded(uri)))
        }
        Kind::Referencing(_) => "it refers to something that cannot be found".into(),
        _ => {
            let place = error.instance_path().as_str();
            let subject =
                if place.is_empty() { "the schema".to_owned() } else { quoted(place.trim_start_matches('/')) };
            sentence(error, &subject, &shown(error.instance()), None)
        }
    }
}

fn types(kind: &TypeKind) -> String {
    let name = |of: JsonType| match of {
        JsonType::Null => "empty",
        JsonType::Boolean => "`true` or `false`",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "text",
        JsonType::Array => "a list",
        JsonType::Object => "a mapping",
    };
    match kind {
        TypeKind::Single(one) => name(*one).into(),
        TypeKind::Multiple(set) => set.iter().map(name).collect::<Vec<_>>().join(" or "),
    }
}

fn one_of(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let named: Vec<String> = options.iter().take(NAMED).map(value).collect();
    match options.len().checked_sub(NAMED + 1) {
        Some(more) => format!("one of {} or {} more", named.join(", "), more + 1),
        None if named.len() == 1 => named.concat(),
        None => format!("one of {}", named.join(", ")),
    }
}

/// A value of the schema, as it would be written.
fn value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

fn not_of_format(format: &str) -> String {
    match format {
        "date" => "not a date".into(),
        "date-time" => "not a date with time and zone".into(),
        "time" => "not a time of day".into(),
        "email" => "not an email address".into(),
        other => format!("not of the format `{other}`"),
    }
}

fn characters(error: &ValidationError) -> String {
    count(error.instance().as_str().map_or(0, |text| text.chars().count()), "character")
}

fn items(error: &ValidationError) -> String {
    count(error.instance().as_array().map_or(0, Vec::len), "item")
}

fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn contains(subject: &str, schema: Option<&Value>) -> String {
    match schema.map(wanted) {
        Some(wanted) if subject == "the page's headings" => format!("the page has no heading {wanted}"),
        Some(wanted) => format!("{subject} has no item {wanted}"),
        None => format!("{subject} has no item of the kind that is asked for"),
    }
}

/// What a `contains` looks for.
fn wanted(schema: &Value) -> String {
    match (schema.get("const"), schema.get("pattern").and_then(Value::as_str), schema.get("enum")) {
        (Some(constant), ..) => value(constant),
        (_, Some(pattern), _) => format!("that matches {}", quoted(pattern)),
        (.., Some(options)) => one_of(options),
        _ => "of the kind that is asked for".into(),
    }
}

/// Of several forms the one that was probably meant is the one of the right type; where none is, all types are named.
fn any_of(error: &ValidationError, context: &[Vec<ValidationError<'static>>], subject: &str, shown: &str) -> String {
    let here = error.instance_path().as_str();
    let mistyped = |errors: &Vec<ValidationError>| {
        errors.iter().find_map(|error| match error.kind() {
            Kind::Type { kind } if error.instance_path().as_str() == here => Some(types(kind)),
            _ => None,
        })
    };
    let kinds: Vec<String> = context.iter().filter_map(mistyped).collect();
    if !kinds.is_empty() && kinds.len() == context.len() {
        let mut distinct: Vec<String> = Vec::new();
        kinds.into_iter().for_each(|kind| {
            if !distinct.contains(&kind) {
                distinct.push(kind)
            }
        });
        return format!("{subject} is {shown}, not {}", distinct.join(" or "));
    }
    let lacking: Option<Vec<String>> = context
        .iter()
        .map(|errors| match errors.first()?.kind() {
            Kind::Required { property } if errors.len() == 1 && errors[0].instance_path().as_str() == here => {
                Some(value(property))
            }
            _ => None,
        })
        .collect();
    if let Some(lacking) = lacking.filter(|lacking| !lacking.is_empty()) {
        return format!("{subject} has none of {}", lacking.join(", "));
    }
    match context.iter().find(|errors| mistyped(errors).is_none()).and_then(|errors| errors.first()) {
        Some(first) if first.instance_path().as_str() == here => sentence(first, subject, shown, None),
        Some(first) => {
            let below = first.instance_path().as_str().strip_prefix(here).unwrap_or_default();
            let subject = format!("{} in {subject}", quoted(below.trim_start_matches('/')));
            sentence(first, &subject, &self::shown(first.instance()), None)
        }
        None => format!("{subject} is {shown}, which fits none of the allowed forms"),
    }
}

fn nearest(instance: &Value, options: &Value) -> Option<String> {
    let written = instance.as_str()?;
    let options: Vec<&str> = options.as_array()?.iter().filter_map(Value::as_str).collect();
    let near = crate::nearest::among(written, &options, 1).pop()?;
    (strsim::normalized_damerau_levenshtein(written, &near) >= 0.5).then_some(near)
}
