use std::collections::HashMap;

use crate::graph::Destination;
use crate::lint::pages::{is_entry, is_read, top};
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::names::folder;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "orphan-page",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages that no other page links to, in wikis and folders whose pages mostly are linked; an index and the like need no link.",
    why: "Who reads from page to page never gets there.",
    bad: &[("index.md", "# All\n\n[[P]]\n"), ("p.md", "# P\n\nText.\n"), ("q.md", "# Q\n\nText.\n")],
    good: &[("index.md", "# All\n\n[[P]], [[Q]]\n"), ("p.md", "# P\n\nText.\n"), ("q.md", "# Q\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut linked = vec![false; snapshot.pages().len()];
    for (page, links) in snapshot.graph().outgoing.iter().enumerate() {
        for (_, destination) in links {
            let to = match destination {
                Destination::Page(to) => std::slice::from_ref(to),
                Destination::Ambiguous(pages) => pages,
                _ => &[],
            };
            to.iter().filter(|&&to| to != page).for_each(|&to| linked[to] = true);
        }
    }
    let wants_links = |index: usize| {
        let page = snapshot.page(index);
        is_read(page) && !is_entry(snapshot, page) && !snapshot.types().is_type_page(&page.path)
    };
    let (linked, orphans): (Vec<usize>, Vec<usize>) =
        (0..snapshot.pages().len()).filter(|&page| wants_links(page)).partition(|&page| linked[page]);
    // Notes that do not link to each other have no orphans, they have another order: so a wiki, so a folder of many.
    if orphans.len() > linked.len() {
        return;
    }
    let mut folders: HashMap<&str, (usize, usize)> = HashMap::new();
    let of = |&page: &usize| folder(&snapshot.page(page).path);
    orphans.iter().map(of).for_each(|folder| folders.entry(folder).or_default().0 += 1);
    linked.iter().map(of).for_each(|folder| folders.entry(folder).or_default().1 += 1);
    let is_catalogue = |page: &usize| matches!(folders[of(page)], (orphans, linked) if orphans >= 5 && orphans > linked);
    for page in orphans.iter().copied().filter(|page| !is_catalogue(page)) {
        report.push(
            page,
            top(snapshot.page(page)),
            "no other page links here",
            "link to it where a reader would want it",
        );
    }
}
