//! A type page, read: what it declares in its front matter and says in its body.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::documents::{Library, key_span};
use super::schema::Schema;
use super::{LinkField, Relation, Section, Type, TypeProblem};
use crate::nearest;
use crate::page::{Heading, Page, stem};
use crate::text::Span;
use crate::yaml::Node;

/// Keys that make a page in a folder of types a type page.
pub(super) const KEYS: &[&str] =
    &["name", "summary", "description", "schema", "sections", "relations", "links", "stale_after", "owner"];

/// Whether a page declares a type wherever it lies.
pub(crate) fn declares(page: &Page) -> bool {
    page.field("name").is_some() && page.field("schema").is_some()
}

/// Reads a type page.
pub(super) fn read(page: &Page, library: &mut Library) -> Type {
    let mut problems = Vec::new();
    let schema = match page.field("schema").filter(|node| !node.is_null()) {
        Some(node) => Schema::compile(library, page, node).map_err(|found| problems.extend(found)).ok(),
        None => None,
    };
    let (when_to_use, when_not_to_use) = uses(page);
    let template = template(page);
    if let Some(heading) = page.body.headings.iter().find(|heading| is_template(heading)).filter(|_| template.is_none())
    {
        problems.push(TypeProblem {
            span: heading.span,
            message: format!("the section `{}` has no fenced block, so there is no template", heading.text),
            hint: "put the template between two lines of three backticks".into(),
        });
    }
    Type {
        name: page.field_text("name").unwrap_or_else(|| stem(&page.path)).to_owned(),
        path: Some(page.path.clone()),
        summary: page.field_text("summary").or_else(|| page.field_text("description")).map(str::to_owned),
        when_to_use,
        when_not_to_use,
        template,
        sections: list(page, "sections", "heading", &mut problems),
        relations: relations(page, &mut problems),
        links: links(page, &mut problems),
        stale_after: days(page, &mut problems),
        owner: page.field_text("owner").map(str::to_owned),
        schema,
        problems,
    }
}

/// The items of a list of mappings; `short` is the key that a bare text stands for.
fn list<T: for<'de> Deserialize<'de> + Known>(
    page: &Page,
    field: &str,
    short: &str,
    problems: &mut Vec<TypeProblem>,
) -> Vec<T> {
    let Some(node) = page.field(field).filter(|node| !node.is_null()) else { return Vec::new() };
    if node.items().is_empty() && node.to_json() != Value::Array(Vec::new()) {
        problems.push(TypeProblem {
            span: node.span,
            message: format!("`{field}` is no list"),
            hint: format!("write a list of mappings, each with `{short}`"),
        });
    }
    node.items().iter().filter_map(|item| read_item(field, short, item, problems)).collect()
}

/// The keys that an item may have.
trait Known {
    const KEYS: &'static [&'static str];
}

impl Known for Section {
    const KEYS: &'static [&'static str] = &["heading", "required", "repeat", "min_words", "max_words", "description"];
}

impl Known for Relation {
    const KEYS: &'static [&'static str] =
        &["name", "target", "inverse", "symmetric", "role", "min", "max", "description"];
}

fn read_item<T: for<'de> Deserialize<'de> + Known>(
    field: &str,
    short: &str,
    item: &Node,
    problems: &mut Vec<TypeProblem>,
) -> Option<T> {
    for (key, _) in item.entries() {
        let name = key.text().unwrap_or_default();
        if !T::KEYS.contains(&name) {
            let near = nearest::among(name, T::KEYS, 1);
            problems.push(TypeProblem {
                span: key.span,
                message: format!("`{field}` has no key `{name}`"),
                hint: format!("did you mean {}", crate::error::list(&near, "or")),
            });
        }
    }
    let value = match item.text() {
        Some(text) => Value::Object(Map::from_iter([(short.to_owned(), text.into())])),
        None => item.to_json(),
    };
    serde_path_to_error::deserialize(value)
        .map_err(|error| {
            let path = error.path().to_string();
            let key = path.split(['.', '[']).next().unwrap_or_default();
            let (message, hint) = if item.get(key).is_some() {
                (format!("`{key}` in `{field}` has a value of the wrong kind"), expected(key))
            } else {
                (format!("an item of `{field}` has no `{short}`"), "add it")
            };
            let span = item.get(key).map_or(item.span, |node| node.span);
            problems.push(TypeProblem { span, message, hint: hint.into() });
        })
        .ok()
}

fn expected(key: &str) -> &'static str {
    match key {
        "heading" | "target" => "write a text, or a list of texts",
        "required" | "repeat" | "symmetric" => "write `true` or `false`",
        "min" | "max" | "min_words" | "max_words" => "write a whole number",
        _ => "write a text",
    }
}

fn relations(page: &Page, problems: &mut Vec<TypeProblem>) -> Vec<Relation> {
    let relations: Vec<Relation> = list(page, "relations", "name", problems);
    for relation in &relations {
        if let Some(role) = relation.role.as_deref().filter(|role| *role != "supersedes") {
            problems.push(TypeProblem {
                span: field_span(page, "relations"),
                message: format!("the relation `{}` has the unknown role `{role}`", relation.name),
                hint: "the only role is `supersedes`; take it out otherwise".into(),
            });
        }
    }
    relations
}

/// `links` in either form: a mapping from fields to types, or a list of fields, or of `{field, target}`.
fn links(page: &Page, problems: &mut Vec<TypeProblem>) -> Vec<LinkField> {
    let Some(node) = page.field("links") else { return Vec::new() };
    let targets = |node: &Node| {
        let node = node.get("target").unwrap_or(node);
        node.names().into_iter().map(|(name, _)| name.to_owned()).collect()
    };
    let by_key = node
        .entries()
        .iter()
        .filter_map(|(key, value)| Some(LinkField { field: key.name()?.to_owned(), target: targets(value) }));
    let by_item = node.items().iter().filter_map(|item| match item.name() {
        Some(field) => Some(LinkField { field: field.to_owned(), target: Vec::new() }),
        None => Some(LinkField {
            field: item.get("field")?.name()?.to_owned(),
            target: item.get("target").map(targets).unwrap_or_default(),
        }),
    });
    let fields: Vec<LinkField> = by_key.chain(by_item).collect();
    if fields.len() < node.entries().len() + node.items().len() || node.name().is_some() {
        problems.push(TypeProblem {
            span: node.span,
            message: "`links` names something that is no field".into(),
            hint: "write a mapping from fields to the types of pages that they name, such as `sources: [source]`"
                .into(),
        });
    }
    fields
}

fn days(page: &Page, problems: &mut Vec<TypeProblem>) -> Option<u32> {
    let node = page.field("stale_after").filter(|node| !node.is_null())?;
    let days = node.text().and_then(|text| text.parse().ok()).filter(|&days| days > 0);
    if days.is_none() {
        problems.push(TypeProblem {
            span: node.span,
            message: "`stale_after` is no number of days".into(),
            hint: "write a whole number above zero".into(),
        });
    }
    days
}

/// The span of a field's key, to show what is wrong with the field as a whole.
pub(super) fn field_span(page: &Page, field: &str) -> Span {
    page.front_matter.root.as_ref().and_then(|root| key_span(root, field)).unwrap_or(page.front_matter.span)
}

/// When to use the type and when not: the sections that say so, else what stands under the title.
fn uses(page: &Page) -> (Option<String>, Option<String>) {
    let (mut when, mut when_not) = (None, None);
    for (at, heading) in page.body.headings.iter().enumerate() {
        let title = heading.text.to_lowercase();
        let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| title.starts_with(beginning));
        let text = || said(page, Span { start: heading.span.end, ..page.body.section_span(at) });
        if starts(&["when not", "when to avoid", "not for", "do not use", "don't use", "wann nicht"]) {
            when_not = when_not.or_else(text);
        } else if starts(&["when", "use when", "use for", "wann"]) {
            when = when.or_else(text);
        }
    }
    (when.or_else(|| introduction(page)), when_not)
}

/// What stands under the title, or else under the first heading that introduces anything.
fn introduction(page: &Page) -> Option<String> {
    let headings = &page.body.headings;
    let until = |next: usize| headings.get(next).map_or(page.body.span.end, |heading| heading.span.start);
    let below = |at: usize| said(page, Span { start: headings[at].span.end, end: until(at + 1) });
    let first = usize::from(headings.first().is_some_and(|heading| heading.level == 1));
    let start = if first == 1 { headings[0].span.end } else { page.body.span.start };
    said(page, Span { start, end: until(first) })
        .or_else(|| headings.get(first).filter(|heading| !is_template(heading)).and_then(|_| below(first)))
}

fn is_template(heading: &Heading) -> bool {
    matches!(heading.text.to_lowercase().as_str(), "template" | "vorlage")
}

fn said(page: &Page, span: Span) -> Option<String> {
    Some(page.text.slice(span).trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The first fenced block of the section `Template`.
fn template(page: &Page) -> Option<String> {
    let at = page.body.headings.iter().position(is_template)?;
    let section = page.text.slice(page.body.section_span(at));
    let mut events = Parser::new(section)
        .skip_while(|event| !matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))))
        .skip(1)
        .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)))
        .peekable();
    events.peek()?;
    Some(
        events
            .filter_map(|event| if let Event::Text(text) = event { Some(text.into_string()) } else { None })
            .collect(),
    )
}
