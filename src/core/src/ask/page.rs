//! `page`: one page, a section or some lines of it.

use serde_json::{Value, json};

use super::citation::Citation;
use super::{Context, object};
use crate::answer::Body;
use crate::error::Error;
use crate::names::{Resolution, Resolve};
use crate::nearest;
use crate::page::{Anchor, Page, ProblemKind};
use crate::question;
use crate::source::as_of;
use crate::text::{Lines, Span};

pub(super) fn answer(context: &Context, arguments: &question::Page) -> Result<Body, Error> {
    let snapshot = context.snapshot;
    // A page may be called like a citation; what is none is not worth a look for near names.
    if let Some(citation) = Citation::parse(&arguments.name)
        && Resolve::resolve(snapshot, &arguments.name, None) == Resolution::NotFound
    {
        return citation.answer(context, arguments);
    }
    let (index, via, form) = snapshot.resolve(&arguments.name)?;
    let page = snapshot.page(index);
    if let Some(problem) = page.problems.iter().find(|problem| problem.kind == ProblemKind::Unreadable) {
        return Err(Error::PageUnreadable { path: page.path.clone(), message: problem.message.clone() });
    }
    let lines = page.text.lines();
    let span = match (&arguments.section, &arguments.lines) {
        (Some(section), _) => section_span(page, section)?,
        (None, Some(range)) => lines_span(page, &lines, range)?,
        (None, None) => page.body.span,
    };
    let body = page.text.slice(span);
    let first = lines.line(span.start as usize);
    let count = body.lines().count() as u32;
    let frontmatter = page.front_matter.root.as_ref().map_or(Value::Null, |root| root.to_json());
    Ok(Body::answered(
        object! {
            "path": page.path,
            "via": via,
            "form": form,
            "title": page.title,
            "type": page.field_text("type"),
            "frontmatter": frontmatter,
            "problems": problems(page, &lines),
            "outline": outline(page, &lines),
            "last_change": last_change(context, index)?,
            "lines": { "first": first, "last": (first + count).saturating_sub(1), "total": lines.count() },
            "body": body,
        },
        &["body", "outline", "frontmatter"],
    ))
}

/// The commit that made the page what it is, as git claims it; null where the page is not committed, or the history does not say.
fn last_change(context: &Context, number: usize) -> Result<Value, Error> {
    let Some(commit) = context.snapshot.commit_of(number) else { return Ok(Value::Null) };
    let change = context.repository.last_change(&commit, context.snapshot.table().path(number))?;
    Ok(change.map_or(Value::Null, |change| {
        json!({
            "commit": change.commit.id.to_string(),
            "as_of": as_of(change.commit.seconds),
            "author": change.author,
        })
    }))
}

pub(super) fn outline(page: &Page, lines: &Lines) -> Vec<Value> {
    page.body
        .headings
        .iter()
        .map(|heading| {
            json!({
                "level": heading.level,
                "text": heading.text,
                "line": lines.line(heading.span.start as usize),
                "anchor": heading.anchor,
            })
        })
        .collect()
}

/// What makes this page read otherwise than it was meant: an agent should know before it relies on the front matter.
fn problems(page: &Page, lines: &Lines) -> Vec<Value> {
    page.problems
        .iter()
        .map(|problem| {
            let at = lines.position(problem.span.start as usize);
            json!({ "line": at.line, "column": at.column, "message": problem.message, "hint": problem.hint })
        })
        .collect()
}

fn section_span(page: &Page, section: &str) -> Result<Span, Error> {
    match page.body.anchor(section.trim_start_matches('#')) {
        Some(Anchor::Heading(heading)) => Ok(page.body.section_span(heading)),
        _ => {
            let headings: Vec<&str> = page.body.headings.iter().map(|heading| heading.text.as_str()).collect();
            Err(Error::SectionNotFound {
                path: page.path.clone(),
                section: section.into(),
                candidates: nearest::among(section, &headings, 3),
            })
        }
    }
}

/// The lines `A-B`, or `A` alone; of a range that runs beyond the end what there is.
fn lines_span(page: &Page, lines: &Lines, range: &str) -> Result<Span, Error> {
    let number = |text: &str| text.trim().trim_start_matches('L').parse::<usize>().ok();
    let (first, last) = match range.split_once('-') {
        Some((first, last)) => (number(first), number(last)),
        None => (number(range), number(range)),
    };
    let (Some(first), Some(last)) = (first, last) else {
        return Err(Error::argument("page", "lines", "must be `A-B` or `A`, two line numbers from 1"));
    };
    lines.span(first, last).ok_or_else(|| Error::LinesOutOfRange {
        path: page.path.clone(),
        lines: range.into(),
        count: lines.count(),
    })
}
