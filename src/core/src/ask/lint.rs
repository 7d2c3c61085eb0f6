//! `lint`: what is wrong, in the wiki or in a draft for it.

use serde_json::{Value, json};

use super::{Context, object};
use crate::answer::{Body, Outcome};
use crate::cursor::Cursor;
use crate::error::Error;
use crate::lint::{self, Comparison, Finding, Level, Selection};
use crate::question::{Draft, Lint};

pub(super) fn answer(context: &Context, arguments: &Lint) -> Result<Body, Error> {
    match &arguments.draft {
        None => wiki(context, arguments),
        Some(draft) => with_draft(context, arguments, draft),
    }
}

fn wiki(context: &Context, arguments: &Lint) -> Result<Body, Error> {
    let snapshot = context.snapshot;
    let mut selection = Selection::new(snapshot, &arguments.paths, &arguments.select, &arguments.ignore)?;
    if let Some(revision) = &arguments.changed_since {
        let since = context.revisions.commit(revision)?;
        selection.retain(snapshot, &snapshot.changed_since(&since)?);
    }
    let all = snapshot.lint();
    let findings = selection.of(&all.listed);
    let cursor = cursor(context, arguments, &findings)?;
    let shown: Vec<_> = findings.iter().skip(cursor.skips()).take(arguments.limit).collect();
    let mut object = object! {
        "findings": shown,
        "summary": lint::summary(&findings, selection.of(&all.suppressed).len()),
        "checked": lint::checked(snapshot, &selection),
    };
    if cursor.skips() + shown.len() < findings.len() {
        object.insert("next_cursor".into(), cursor.after(shown.len()).into());
    }
    Ok(Body {
        object,
        outcome: outcome(&findings),
        cuttable: &["findings", "checked"],
        cursor: Some(("findings", cursor)),
    })
}

/// The place in the list that is asked for.
fn cursor(context: &Context, arguments: &Lint, findings: &[&Finding]) -> Result<Cursor, Error> {
    let question = json!([arguments.paths, arguments.select, arguments.ignore, arguments.changed_since]).to_string();
    let mut identity = vec![question.as_str()];
    match &context.snapshot.stamp.commit {
        Some(commit) => identity.push(commit),
        // What files held at some moment is told apart by what was found in them.
        None => identity.extend(findings.iter().map(|finding| finding.fingerprint.as_str())),
    }
    Cursor::new(&identity, arguments.cursor.as_deref())
        .filter(|cursor| cursor.skips() <= findings.len())
        .ok_or_else(|| Error::argument("lint", "cursor", "is of an answer with another commit or other arguments"))
}

fn with_draft(context: &Context, arguments: &Lint, draft: &Draft) -> Result<Body, Error> {
    let snapshot = context.snapshot;
    lint::check_draft(&snapshot.config, &draft.path, &draft.text)?;
    let is_file = |path: &str| snapshot.page_at(path).is_some() || snapshot.tree().files.contains(path);
    if let Some((end, _)) = draft.path.match_indices('/').find(|&(end, _)| is_file(&draft.path[..end])) {
        return Err(Error::argument("lint", "draft", format!("has a path below a file: `{}`", &draft.path[..end])));
    }
    let is_new = snapshot.page_at(&draft.path).is_none();
    let with = snapshot.with_draft(&draft.path, &draft.text);
    let selection = Selection::new(&with, &arguments.paths, &arguments.select, &arguments.ignore)?;
    let of_draft = Selection::new(&with, std::slice::from_ref(&draft.path), &arguments.select, &arguments.ignore)?;
    let found = Comparison::new(
        &draft.path,
        is_new,
        &selection.of(&snapshot.lint().listed),
        &selection.of(&with.lint().listed),
    );
    let remaining: Vec<&Finding> = found.new.iter().chain(&found.unchanged).copied().collect();
    let mut summary = lint::summary(&remaining, of_draft.of(&with.lint().suppressed).len());
    let checked = lint::checked(&with, &of_draft);
    let shown = |findings: &[&Finding]| -> Value { json!(findings.iter().take(arguments.limit).collect::<Vec<_>>()) };
    let (object, cuttable) = if is_new {
        (object! { "findings": shown(&found.new), "summary": summary, "checked": checked }, &["findings"][..])
    } else {
        for (name, findings) in [("new", &found.new), ("fixed", &found.fixed), ("unchanged", &found.unchanged)] {
            summary.insert(name.into(), findings.len().into());
        }
        let object = object! {
            "new": shown(&found.new),
            "fixed": shown(&found.fixed),
            "unchanged": shown(&found.unchanged),
            "summary": summary,
            "checked": checked,
        };
        (object, &["fixed", "unchanged", "new"][..])
    };
    Ok(Body { object, outcome: outcome(&remaining), cuttable, cursor: None })
}

fn outcome(findings: &[&Finding]) -> Outcome {
    let errors = findings.iter().any(|finding| finding.level == Level::Error);
    if errors { Outcome::Problem } else { Outcome::Answered }
}
