//! Suppression by a comment in a page: `<!-- lint-disable RULE: reason -->`.
//!
//! Behind text it is for that line; alone in its line, from there to the page's end; alone and before all other text of the
//! body, for the whole page, front matter included. Several rules are separated by commas. Without a reason it suppresses
//! nothing.

use pulldown_cmark::{Event, Tag};

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
    scope: Span,
}

/// The rules that are about suppression, and cannot be suppressed themselves.
pub(super) const OWN_RULES: [&str; 2] = ["invalid-suppression", "unused-suppression"];

const KEYWORD: &str = "lint-disable";
const OPEN: &str = "<!--";
const CLOSE: &str = "-->";

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

    /// Whether it is meant for a finding of that rule at that place of its page.
    pub fn covers(&self, rule: &str, span: Span) -> bool {
        (self.scope.start..=self.scope.end).contains(&span.start) && self.rules().any(|name| name == rule)
    }
}

/// All such comments of a snapshot, in the order of pages and text.
pub(super) fn all(snapshot: &Snapshot) -> Vec<Suppression> {
    let finder = memchr::memmem::Finder::new(KEYWORD);
    let pages = snapshot.pages.iter().enumerate();
    // Hardly a page has one, and only such a page is read once more.
    pages
        .filter(|(_, page)| finder.find(page.text.as_str().as_bytes()).is_some())
        .flat_map(|(index, page)| of(index, page))
        .collect()
}

fn of(index: usize, page: &Page) -> Vec<Suppression> {
    let text = page.text.as_str();
    let mut found: Vec<Suppression> = Vec::new();
    // Where the comments end that the body begins with.
    let mut head = page.body.span.start as usize;
    for (event, range) in page.events() {
        if !matches!(event, Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock)) {
            continue;
        }
        for comment in comments(text, range) {
            let is_head = text[head..comment.start].trim().is_empty();
            if is_head {
                head = comment.end;
            }
            let Some((names, has_reason)) = parse(&text[comment.start + OPEN.len()..comment.end - CLOSE.len()]) else {
                continue;
            };
            found.push(Suppression {
                page: index,
                span: Span::new(comment.start, comment.end),
                has_reason,
                names,
                scope: scope(text, &comment, is_head),
            });
        }
    }
    found
}

/// The comments in a stretch of HTML.
fn comments(text: &str, within: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = within.start;
    while let Some(start) = text[at..within.end].find(OPEN).map(|start| at + start) {
        let Some(end) = text[start + OPEN.len()..within.end].find(CLOSE) else { break };
        at = start + OPEN.len() + end + CLOSE.len();
        found.push(start..at);
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

fn scope(text: &str, comment: &std::ops::Range<usize>, is_head: bool) -> Span {
    let line_start = text[..comment.start].rfind('\n').map_or(0, |end| end + 1);
    let line_end = text[comment.end..].find('\n').map_or(text.len(), |end| comment.end + end);
    let is_alone = text[line_start..comment.start].trim().is_empty() && text[comment.end..line_end].trim().is_empty();
    match (is_alone, is_head) {
        (true, true) => Span::new(0, text.len()),
        (true, false) => Span::new(line_start, text.len()),
        (false, _) => Span::new(line_start, line_end),
    }
}
