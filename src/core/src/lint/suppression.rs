//! Suppression by a comment in a page: `<!-- lint-disable RULE: reason -->`.
//!
//! Behind text it is for that line; alone in its line, from there to the page's end; alone and before all other text of the
//! body, for the whole page, front matter included. Other comments are no text. Several rules are separated by commas. Without
//! a reason it suppresses nothing.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::markdown::{self, COMMENT};
use crate::nearest;
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

/// A comment that suppresses findings, or means to.
pub struct Suppression {
    /// The number of its page.
    pub page: usize,
    /// The comment.
    pub span: Span,
    /// Whether it says why.
    pub has_reason: bool,
    /// What it names, as written.
    names: Vec<String>,
    /// Findings that begin here, its end included, are meant.
    pub(super) scope: Span,
}

/// The rules that are about suppression, and cannot be suppressed themselves.
pub(super) const OWN_RULES: [&str; 2] = ["invalid-suppression", "unused-suppression"];

const KEYWORD: &str = "lint-disable";

impl Suppression {
    /// The rules whose findings it suppresses.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|name| self.has_reason && super::rule(name).is_some() && !OWN_RULES.contains(name))
    }

    /// What is wrong with it: a message and a hint each.
    pub fn flaws(&self) -> Vec<(String, String)> {
        let pattern = "write `<!-- lint-disable RULE: reason -->`";
        let mut flaws = Vec::new();
        if self.names.is_empty() {
            flaws.push(("the comment names no rule".into(), pattern.into()));
        }
        for name in &self.names {
            if OWN_RULES.contains(&name.as_str()) {
                let hint = "set its level in `chemenu.toml`, or mend the comment";
                flaws.push((format!("`{name}` cannot be disabled in a page"), hint.into()));
            } else if super::rule(name).is_none() {
                let near = nearest::among(name, &super::names(), 3);
                flaws.push((
                    format!("no rule is named `{name}`"),
                    format!("did you mean {}", crate::error::list(&near, "or")),
                ));
            }
        }
        if !self.names.is_empty() && !self.has_reason {
            let hint = "say why behind a colon: `<!-- lint-disable RULE: reason -->`";
            flaws.push(("the comment gives no reason, so it disables nothing".into(), hint.into()));
        }
        flaws
    }
}

/// What comments suppress, by page and rule: a page may have as many comments as findings.
pub(super) struct Scopes<'s> {
    /// Where scopes start, in order, and the furthest end of those that start there or before.
    reach: HashMap<(usize, &'s str), Vec<(u32, u32)>>,
}

impl<'s> Scopes<'s> {
    pub(super) fn new(suppressions: &'s [Suppression]) -> Self {
        let mut reach: HashMap<(usize, &str), Vec<(u32, u32)>> = HashMap::new();
        for comment in suppressions {
            for rule in comment.rules() {
                reach.entry((comment.page, rule)).or_default().push((comment.scope.start, comment.scope.end));
            }
        }
        for scopes in reach.values_mut() {
            scopes.sort_unstable();
            let mut furthest = 0;
            for (_, end) in scopes {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        Self { reach }
    }

    /// Whether a comment is meant for a finding of that rule at that place of that page.
    pub(super) fn cover(&self, page: usize, rule: &str, span: Span) -> bool {
        self.reach.get(&(page, rule)).is_some_and(|scopes| {
            let before = scopes.partition_point(|&(start, _)| start <= span.start);
            before > 0 && scopes[before - 1].1 >= span.start
        })
    }
}

/// All such comments of a snapshot, in the order of pages and text.
pub(super) fn all(snapshot: &Snapshot) -> Vec<Suppression> {
    let finder = memchr::memmem::Finder::new(KEYWORD);
    let pages: Vec<_> = snapshot.checked().collect();
    let pages = pages.into_par_iter();
    // Hardly a page has one, and only such a page is read once more.
    pages
        .filter(|(_, page)| finder.find(page.text.as_str().as_bytes()).is_some())
        .flat_map_iter(|(index, page)| of(index, page))
        .collect()
}

fn of(index: usize, page: &Page) -> Vec<Suppression> {
    let text = page.text.as_str();
    let lines = page.text.lines();
    // From the start of one comment's line to the end of another's, without the line end.
    let whole = |first: &Range<usize>, last: &Range<usize>| {
        let span = lines.span(lines.line(first.start) as usize, lines.line(last.end) as usize).unwrap_or_default();
        Span { end: span.start + text[span.range()].trim_end_matches('\n').len() as u32, ..span }
    };
    let is_blank = |range: Range<usize>| text[range].trim().is_empty();
    let comments = markdown::comments(page);
    let mut found: Vec<Suppression> = Vec::new();
    // Whether only comments stand before, and where they end.
    let (mut is_head, mut head) = (true, page.body.span.start as usize);
    for group in comments.chunk_by(|one, next| lines.line(one.end) == lines.line(next.start)) {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let line = whole(first, last);
        let starts = std::iter::once(line.start as usize).chain(group.iter().map(|comment| comment.end));
        let ends = group.iter().map(|comment| comment.start).chain([line.end as usize]);
        let is_alone = starts.zip(ends).all(|(start, end)| is_blank(start..end));
        is_head = is_head && is_alone && is_blank(head..first.start);
        head = last.end;
        for comment in group {
            let (open, close) = COMMENT;
            let Some((names, has_reason)) = parse(&text[comment.start + open.len()..comment.end - close.len()]) else {
                continue;
            };
            let scope = match (is_head, is_alone) {
                (true, _) => Span::new(0, text.len()),
                (false, true) => Span { end: text.len() as u32, ..line },
                (false, false) => whole(comment, comment),
            };
            let span = Span::new(comment.start, comment.end);
            found.push(Suppression { page: index, span, has_reason, names, scope });
        }
    }
    found
}

/// The names in a comment's text, and whether there is a reason; `None` if it is a comment like any other.
fn parse(comment: &str) -> Option<(Vec<String>, bool)> {
    let rest = comment.trim().strip_prefix(KEYWORD)?;
    if rest.starts_with(|next: char| !next.is_whitespace() && next != ':') {
        return None;
    }
    let (names, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let names = names.split([',', ' ', '\t', '\n']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Some((names, !reason.trim().is_empty()))
}
