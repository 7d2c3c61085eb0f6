//! Which findings are asked for, and how they are told.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value, json};

use super::{Finding, Level, RULES, names};
use crate::error::Error;
use crate::graph::Destination;
use crate::nearest;
use crate::page::{Page, ProblemKind};
use crate::snapshot::Snapshot;

/// The pages and rules that are asked for.
pub struct Selection {
    /// Paths of the pages.
    pages: HashSet<String>,
    rules: Vec<&'static str>,
}

impl Selection {
    /// From paths of pages or folders (all if empty), rules to take (all if empty) and rules to leave.
    ///
    /// # Errors
    /// A path that is neither page nor folder, a rule that does not exist.
    pub fn new(snapshot: &Snapshot, paths: &[String], select: &[String], ignore: &[String]) -> Result<Self, Error> {
        let known = |argument: &str, given: &[String]| match given.iter().find(|name| super::rule(name).is_none()) {
            Some(wrong) => Err(Error::ArgumentInvalid {
                question: "lint".into(),
                argument: argument.into(),
                message: format!("names no rule: `{wrong}`"),
                candidates: nearest::among(wrong, &names(), 3),
            }),
            None => Ok(()),
        };
        known("select", select)?;
        known("ignore", ignore)?;
        let all = || snapshot.pages().iter().map(|page| page.path.as_str());
        let mut pages: HashSet<String> = HashSet::new();
        if paths.is_empty() {
            pages.extend(all().map(str::to_owned));
        }
        for path in paths {
            let folder = format!("{}/", path.trim_end_matches('/'));
            let is_all = matches!(path.as_str(), "." | "/" | "./");
            let before = pages.len();
            pages.extend(all().filter(|page| is_all || page == path || page.starts_with(&folder)).map(str::to_owned));
            if pages.len() == before {
                pages.insert(snapshot.page(snapshot.resolve(path)?.0).path.clone());
            }
        }
        let rules = RULES
            .iter()
            .map(|rule| rule.name)
            .filter(|name| select.is_empty() || select.iter().any(|wanted| wanted == name))
            .filter(|name| !ignore.iter().any(|unwanted| unwanted == name))
            .collect();
        Ok(Self { pages, rules })
    }

    /// Takes the pages away for which `keep`, by their numbers in `snapshot`, is false.
    pub fn retain(&mut self, snapshot: &Snapshot, keep: &[bool]) {
        let kept: HashSet<&str> =
            snapshot.pages().iter().zip(keep).filter(|(_, keep)| **keep).map(|(page, _)| page.path.as_str()).collect();
        self.pages.retain(|path| kept.contains(path.as_str()));
    }

    /// The findings that are asked for.
    pub fn of<'f>(&self, findings: &'f [Finding]) -> Vec<&'f Finding> {
        findings
            .iter()
            .filter(|finding| self.rules.contains(&finding.rule) && self.pages.contains(&finding.path))
            .collect()
    }
}

/// Counts of findings: by level, by rule, and how many more the pages suppress.
pub fn summary(findings: &[&Finding], suppressed: usize) -> Map<String, Value> {
    let count = |level: Level| findings.iter().filter(|finding| finding.level == level).count();
    let mut rules = BTreeMap::new();
    for finding in findings {
        *rules.entry(finding.rule).or_insert(0usize) += 1;
    }
    let mut summary = Map::new();
    summary.insert("total".into(), findings.len().into());
    for (name, level) in [("error", Level::Error), ("warn", Level::Warn), ("info", Level::Info)] {
        summary.insert(name.into(), count(level).into());
    }
    summary.insert("suppressed".into(), suppressed.into());
    summary.insert("rules".into(), json!(rules));
    summary
}

/// What was looked at: the pages and rules that were asked for.
pub fn checked(snapshot: &Snapshot, selection: &Selection) -> Value {
    let asked = || snapshot.pages().iter().enumerate().filter(|(_, page)| selection.pages.contains(&page.path));
    let links = |is: &dyn Fn(&Destination) -> bool| -> usize {
        asked().map(|(index, _)| snapshot.graph().outgoing[index].iter().filter(|(_, to)| is(to)).count()).sum()
    };
    let mut types = BTreeMap::new();
    for (_, page) in asked() {
        let name = snapshot.types().of(page).map_or("", |of| of.name.as_str());
        *types.entry(name).or_insert(0usize) += 1;
    }
    let untyped = types.remove("").unwrap_or_default();
    let is_unread = |page: &Page| page.problems.iter().any(|problem| problem.kind == ProblemKind::Unreadable);
    let unread: Vec<&str> = asked().filter(|(_, page)| is_unread(page)).map(|(_, page)| page.path.as_str()).collect();
    json!({
        "pages": asked().count(),
        "links": links(&|_| true),
        "links_foreign": links(&|to| *to == Destination::Foreign),
        "links_to_files": links(&|to| matches!(to, Destination::File | Destination::Folder)),
        "links_outside": links(&|to| *to == Destination::Outside),
        "footnotes": asked().map(|(_, page)| page.body.footnote_refs.len()).sum::<usize>(),
        "types": types,
        "untyped": untyped,
        "unread": unread,
        "rules": selection.rules.len(),
    })
}
