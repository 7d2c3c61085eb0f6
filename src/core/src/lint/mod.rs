//! Lint: one table of rules, one shape of findings.

mod dates;
mod draft;
mod finding;
mod invisible;
mod likeness;
mod links;
mod markdown;
mod pages;
mod reference;
mod relations;
mod rules;
mod sections;
mod selection;
mod sources;
mod suppression;
mod types;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use draft::{Comparison, check_draft};
pub(crate) use finding::add_hints;
pub use finding::{Finding, Findings, Report};
pub use reference::reference;
pub(crate) use relations::superseded;
pub use rules::RULES;
pub use selection::{Selection, checked, summary};
pub use suppression::Suppression;

use crate::snapshot::Snapshot;

/// A rule. Each stands in a file of its own under `rules/`, its parts in this order.
pub struct Rule {
    /// Its name, so that "allow NAME" reads well; the file's name with `-` for `_`.
    pub name: &'static str,
    /// The level where the config says nothing.
    pub level: Level,
    /// What the rule's text is about: every wiki, the types' own rules, or the schemas.
    pub source: Source,
    /// Whether the text is read otherwise than it was meant, or says something wrong.
    pub class: Class,
    /// What a finding depends on.
    pub scope: Scope,
    /// What it does.
    pub what: &'static str,
    /// Why that is bad.
    pub why: &'static str,
    /// A wiki in which exactly this rule finds something: paths and texts.
    pub bad: &'static [(&'static str, &'static str)],
    /// The same wiki, mended.
    pub good: &'static [(&'static str, &'static str)],
    /// Reports what it finds in a snapshot.
    pub check: fn(&Snapshot, &mut Report),
}

/// How much a finding matters. Only errors make `lint` exit with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Wrong.
    Error,
    /// Probably wrong.
    Warn,
    /// Worth knowing.
    Info,
    /// Not reported.
    Off,
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It holds in every wiki.
    Base,
    /// A type page asks for it.
    Type,
    /// A type's schema asks for it.
    Schema,
}

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The text is read otherwise than it was meant.
    Structure,
    /// The text says something wrong.
    Content,
}

/// What a finding depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The page that it stands on, those that it links to, and the types.
    Page,
    /// Any page of the wiki.
    Wiki,
}

/// The rule of that name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

/// The names of all rules.
pub fn names() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.name).collect()
}

/// Runs all rules over a snapshot; findings sorted by path, line, rule, column.
pub fn run(snapshot: &Snapshot) -> Findings {
    let mut findings = run_unhinted(snapshot);
    add_hints(snapshot, findings.listed.iter_mut().chain(&mut findings.suppressed));
    findings
}

/// Runs all rules over a snapshot, or those of [`Scope::Page`] over the pages that it is focused on; findings sorted by path, line,
/// rule, column, which want [`add_hints`].
pub(crate) fn run_unhinted(snapshot: &Snapshot) -> Findings {
    // Links are resolved by the same threads that run the rules: a rule that had to wait for them would wait for itself.
    snapshot.graph();
    snapshot.superseded();
    let suppressions = suppression::all(snapshot);
    let mut report = Report::new(snapshot, &suppressions);
    // What suppresses nothing is known when everything else has been found.
    let asked = RULES.iter().filter(|rule| !snapshot.is_focused() || rule.scope == Scope::Page);
    let (last, others): (Vec<&Rule>, Vec<&Rule>) = asked.partition(|rule| rule.name == "unused-suppression");
    // Findings are sorted in the end, so the rules need no order.
    let found = others.into_par_iter().map(|rule| {
        let mut report = Report::new(snapshot, &suppressions);
        report.check(rule);
        report
    });
    found.collect::<Vec<_>>().into_iter().for_each(|other| report.merge(other));
    last.into_iter().for_each(|rule| report.check(rule));
    report.finish()
}
