//! Which findings are asked for, and how they are told.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Finding, Level, RULES, names};
use crate::error::Error;
use crate::graph::Destination;
use crate::nearest;
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;

/// The pages and rules that are asked for.
pub struct Selection {
    /// By page: whether it is asked for.
    pages: Vec<bool>,
    /// The paths of those that are.
    paths: HashSet<String>,
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
        let mut pages = vec![paths.is_empty(); snapshot.pages.len()];
        for path in paths {
            let folder = format!("{}/", path.trim_end_matches('/'));
            let mut any = false;
            for (page, asked) in snapshot.pages.iter().zip(&mut pages) {
                if page.path == *path || page.path.starts_with(&folder) || matches!(path.as_str(), "." | "/" | "./") {
                    (*asked, any) = (true, true);
                }
            }
            if !any {
                pages[snapshot.resolve(path)?.0] = true;
            }
        }
        let rules = RULES
            .iter()
            .map(|rule| rule.name)
            .filter(|name| select.is_empty() || select.iter().any(|wanted| wanted == name))
            .filter(|name| !ignore.iter().any(|unwanted| unwanted == name))
            .collect();
        let asked = snapshot.pages.iter().zip(&pages).filter(|(_, asked)| **asked);
        let paths = asked.map(|(page, _)| page.path.clone()).collect();
        Ok(Self { pages, paths, rules })
    }

    /// Whether a finding is asked for.
    pub fn takes(&self, finding: &Finding) -> bool {
        self.rules.contains(&finding.rule) && self.paths.contains(&finding.path)
    }
}

/// The answer's keys: the first `limit` findings, the counts of all, and what was looked at.
pub fn json(snapshot: &Snapshot, selection: &Selection, findings: &[&Finding], limit: usize) -> Map<String, Value> {
    let count = |level: Level| findings.iter().filter(|finding| finding.level == level).count();
    let mut by_rule = Map::new();
    for rule in RULES {
        let count = findings.iter().filter(|finding| finding.rule == rule.name).count();
        if count > 0 {
            by_rule.insert(rule.name.into(), count.into());
        }
    }
    let mut object = Map::new();
    object.insert("findings".into(), json!(findings.iter().take(limit).collect::<Vec<_>>()));
    object.insert(
        "summary".into(),
        json!({
            "total": findings.len(),
            "error": count(Level::Error),
            "warn": count(Level::Warn),
            "info": count(Level::Info),
            "rules": by_rule,
        }),
    );
    object.insert("checked".into(), checked(snapshot, selection));
    object
}

fn checked(snapshot: &Snapshot, selection: &Selection) -> Value {
    let asked = || selection.pages.iter().enumerate().filter(|(_, asked)| **asked).map(|(page, _)| page);
    let links = |is: &dyn Fn(&Destination) -> bool| -> usize {
        asked().map(|page| snapshot.graph().outgoing[page].iter().filter(|(_, to)| is(to)).count()).sum()
    };
    let mut types = std::collections::BTreeMap::new();
    for page in asked() {
        let name = snapshot.types.of(&snapshot.pages[page]).map_or("", |of| of.name.as_str());
        *types.entry(name).or_insert(0usize) += 1;
    }
    let untyped = types.remove("").unwrap_or_default();
    let unread = |kind| {
        let paths: Vec<&str> = asked()
            .map(|page| &snapshot.pages[page])
            .filter(|page| page.problems.iter().any(|problem| problem.kind == kind))
            .map(|page| page.path.as_str())
            .collect();
        paths
    };
    json!({
        "pages": asked().count(),
        "links": links(&|_| true),
        "links_foreign": links(&|to| *to == Destination::Foreign),
        "links_to_files": links(&|to| matches!(to, Destination::File | Destination::Folder)),
        "links_outside": links(&|to| *to == Destination::Outside),
        "footnotes": asked().map(|page| snapshot.pages[page].body.footnote_refs.len()).sum::<usize>(),
        "types": types,
        "untyped": untyped,
        "unread": unread(ProblemKind::Unreadable),
        "rules": selection.rules.len(),
    })
}
