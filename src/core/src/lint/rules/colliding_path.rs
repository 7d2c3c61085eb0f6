use std::collections::HashMap;

use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::names::{fold, folder};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "colliding-path",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages and folders whose paths differ only in case, or in how their letters are composed.",
    why: "On macOS and Windows both are one file, and a checkout there loses one of them.",
    bad: &[("Setup.md", "# Setup\n\nText.\n"), ("setup.md", "# How to set up\n\nText.\n")],
    good: &[("Setup.md", "# Setup\n\nText.\n"), ("steps.md", "# How to set up\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    // By folded path: the paths that are one there, each with the first page at or below it.
    let mut paths: HashMap<String, Vec<(&str, usize)>> = HashMap::new();
    let mut last = "";
    for (index, page) in snapshot.pages().iter().enumerate() {
        paths.entry(fold(&page.path)).or_default().push((&page.path, index));
        // Pages are sorted, so that a folder's pages mostly follow each other.
        let mut path = folder(&page.path);
        if path == last {
            continue;
        }
        last = path;
        while !path.is_empty() {
            let known = paths.entry(fold(path)).or_default();
            if known.iter().any(|(other, _)| *other == path) {
                break;
            }
            known.push((path, index));
            path = folder(path);
        }
    }
    for same in paths.into_values().filter(|same| same.len() > 1) {
        for &(path, page) in &same {
            let other = same.iter().find(|(other, _)| *other != path).map_or("", |(other, _)| other);
            report.push(
                page,
                top(snapshot.page(page)),
                format!("the path `{path}` is the same as `{other}` where case does not count"),
                "rename one of them",
            );
        }
    }
}
