//! Findings: where they are, and how they are told apart when lines move.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::suppression::Scopes;
use super::{Class, Level, Rule, Source, Suppression, rules};
use crate::nearest::HINTS;
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;
use crate::text::{Lines, Position, Span};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// The level that the config gives it here.
    pub level: Level,
    /// Where the rule comes from.
    pub source: Source,
    /// What kind of thing is wrong.
    pub class: Class,
    /// The page.
    pub path: String,
    /// First line, from 1.
    pub line: u32,
    /// First column in code points, from 1.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column behind the last character.
    pub end_column: u32,
    /// What is wrong, one sentence, no period.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Who looks after pages of this type, where the type says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The same for the same finding when lines move: 16 hex digits.
    pub fingerprint: String,
    /// The name that no page has, until the hint says which ones come nearest: that costs more than all the rest of a finding.
    #[serde(skip)]
    missing: Option<String>,
}

/// What is wrong in a wiki; both lists sorted by path, line, rule, column.
#[derive(Debug, Default)]
pub struct Findings {
    /// What is to be told.
    pub listed: Vec<Finding>,
    /// What comments in the pages suppress.
    pub suppressed: Vec<Finding>,
}

/// Collects findings, rule by rule.
pub struct Report<'s> {
    snapshot: &'s Snapshot,
    suppressions: &'s [Suppression],
    rule: Option<&'static Rule>,
    found: Vec<Raw>,
}

struct Raw {
    rule: &'static Rule,
    level: Level,
    page: usize,
    span: Span,
    message: String,
    hint: Hint,
}

/// A hint, or the name whose nearest pages make one.
enum Hint {
    Text(String),
    Nearest(String),
}

impl<'s> Report<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, suppressions: &'s [Suppression]) -> Self {
        Self { snapshot, suppressions, rule: None, found: Vec::new() }
    }

    /// The comments that suppress findings, or mean to.
    pub fn suppressions(&self) -> &'s [Suppression] {
        self.suppressions
    }

    /// The comments and the rules they name that suppress nothing of what has been found so far.
    pub fn unused_suppressions(&self) -> Vec<(&'s Suppression, &'s str)> {
        let mut places: Vec<(usize, &str, u32)> =
            self.found.iter().map(|raw| (raw.page, raw.rule.name, raw.span.start)).collect();
        places.sort_unstable();
        let is_used = |comment: &Suppression, rule: &str| {
            let next = places.partition_point(|place| *place < (comment.page, rule, comment.scope.start));
            places.get(next).is_some_and(|place| *place <= (comment.page, rule, comment.scope.end))
        };
        let all = self.suppressions.iter().flat_map(|comment| comment.rules().map(move |rule| (comment, rule)));
        all.filter(|(comment, rule)| !is_used(comment, rule)).collect()
    }

    /// Adds what a rule finds.
    pub(super) fn check(&mut self, rule: &'static Rule) {
        self.rule = Some(rule);
        (rule.check)(self.snapshot, self);
    }

    /// Adds what another report of the same snapshot has found.
    pub(super) fn merge(&mut self, other: Self) {
        self.found.extend(other.found);
    }

    /// Reports a finding at the rule's own level.
    pub fn push(&mut self, page: usize, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.add(page, span, message.into(), Hint::Text(hint.into()), None);
    }

    /// Reports a finding whose author asked for another level than the rule's.
    pub fn push_at(
        &mut self,
        level: Level,
        page: usize,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.add(page, span, message.into(), Hint::Text(hint.into()), Some(level));
    }

    /// Reports a name that no page has; the hint names the nearest.
    pub fn push_missing(&mut self, page: usize, span: Span, message: impl Into<String>, name: &str) {
        self.add(page, span, message.into(), Hint::Nearest(name.to_owned()), None);
    }

    /// Reports the problems of these kinds that the pages have by themselves.
    pub fn problems(&mut self, snapshot: &Snapshot, kinds: &[ProblemKind]) {
        for (index, page) in snapshot.checked() {
            for problem in page.problems.iter().filter(|problem| kinds.contains(&problem.kind)) {
                self.push(index, problem.span, problem.message.clone(), problem.hint.clone());
            }
        }
    }

    fn add(&mut self, page: usize, span: Span, message: String, hint: Hint, level: Option<Level>) {
        let rule = self.rule.expect("a rule reports");
        let configured = self.snapshot.config.level(rule, self.snapshot.table().path(page));
        // A constraint may lower its finding, not raise it above what the config allows.
        let level = level.map_or(configured, |level| level.max(configured));
        if level != Level::Off {
            self.found.push(Raw { rule, level, page, span, message, hint });
        }
    }

    pub(super) fn finish(mut self) -> Findings {
        // Pages are sorted by path, so their numbers are too.
        self.found
            .sort_by(|a, b| (a.page, a.span, a.rule.name, &a.message).cmp(&(b.page, b.span, b.rule.name, &b.message)));
        let mut findings = Findings::default();
        let scopes = Scopes::new(self.suppressions);
        let mut found = std::mem::take(&mut self.found).into_iter().peekable();
        while let Some(first) = found.peek() {
            let index = first.page;
            let page = &self.snapshot.page(index);
            let lines = Lines::new(page.text.as_str());
            let owner = self.snapshot.types().owner(page);
            let mut seen: HashMap<(&str, String, String), usize> = HashMap::new();
            while let Some(raw) = found.next_if(|raw| raw.page == index) {
                let [start, end] = positions(&lines, raw.span);
                let subject = page.text.slice(raw.span).chars().take(200).collect::<String>();
                // Numbers in a message are lines and counts, which move.
                let said = steady(&raw.message);
                let nth = seen.entry((raw.rule.name, subject.clone(), said.clone())).or_default();
                *nth += 1;
                let fingerprint = fingerprint(&[raw.rule.name, &page.path, &subject, &said, &nth.to_string()]);
                let is_suppressed = scopes.cover(index, raw.rule.name, raw.span);
                let (hint, missing) = match raw.hint {
                    Hint::Text(text) => (text, None),
                    Hint::Nearest(name) => (String::new(), Some(name)),
                };
                let list = if is_suppressed { &mut findings.suppressed } else { &mut findings.listed };
                list.push(Finding {
                    rule: raw.rule.name,
                    level: raw.level,
                    source: raw.rule.source,
                    class: raw.rule.class,
                    path: page.path.clone(),
                    line: start.line,
                    column: start.column,
                    end_line: end.line,
                    end_column: end.column,
                    message: told(raw.message),
                    hint: told(hint),
                    owner: owner.map(str::to_owned),
                    fingerprint,
                    missing,
                });
            }
        }
        // Within a line the rule's name decides, as the contract has it.
        for list in [&mut findings.listed, &mut findings.suppressed] {
            list.sort_by(|a, b| (&a.path, a.line, a.rule, a.column).cmp(&(&b.path, b.line, b.rule, b.column)));
        }
        findings
    }
}

fn positions(lines: &Lines, span: Span) -> [Position; 2] {
    [lines.position(span.start as usize), lines.position(span.end as usize)]
}

/// A message without the numbers that the rule counted; names and values, which stand in backticks, keep theirs.
fn steady(message: &str) -> String {
    let mut is_name = false;
    let steady = message.chars().map(|c| {
        is_name ^= c == '`';
        if c.is_ascii_digit() && !is_name { '#' } else { c }
    });
    steady.collect()
}

/// Gives findings the hints that they have not got yet.
pub(crate) fn add_hints<'f>(snapshot: &Snapshot, findings: impl IntoIterator<Item = &'f mut Finding>) {
    let mut missing: Vec<(&mut Finding, String)> = Vec::new();
    missing.extend(findings.into_iter().filter_map(|finding| finding.missing.take().map(|name| (finding, name))));
    let mut seen = HashSet::new();
    let names: Vec<&str> =
        missing.iter().map(|(_, name)| name.as_str()).filter(|name| seen.insert(*name)).take(HINTS).collect();
    let nearest: HashMap<&str, Vec<usize>> = names.iter().copied().zip(snapshot.nearest(&names)).collect();
    let hints: Vec<String> = missing
        .iter()
        .map(|(finding, name)| {
            let near = nearest.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            told(did_you_mean(snapshot, near, snapshot.number_of(&finding.path)))
        })
        .collect();
    missing.into_iter().zip(hints).for_each(|((finding, _), hint)| finding.hint = hint);
}

/// A sentence as it is told: without secrets, and shortened, for a name in it may be as long as a page.
fn told(sentence: String) -> String {
    const LONGEST: usize = 500;
    // First of all: a part of a secret would not be known.
    let sentence = rules::masked(sentence);
    let Some((end, _)) = sentence.char_indices().nth(LONGEST) else { return sentence };
    let kept = &sentence[..end];
    let close = if kept.matches('`').count() % 2 == 1 { "`" } else { "" };
    format!("{kept}…{close}")
}

fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn did_you_mean(snapshot: &Snapshot, nearest: &[usize], own: Option<usize>) -> String {
    // Nobody means the page itself by another name.
    let others: Vec<usize> = nearest.iter().copied().filter(|&page| Some(page) != own).collect();
    if others.is_empty() {
        "write that page, or take the link out".into()
    } else {
        format!("did you mean {}", crate::error::list(&snapshot.paths(&others), "or"))
    }
}
