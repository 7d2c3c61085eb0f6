use std::collections::HashMap;

use crate::error::list;
use crate::lint::pages::{is_entry, top};
use crate::lint::{Class, Level, Report, Rule, Source};
use crate::names::fold;
use crate::page::{Heading, Page};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-title",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    what: "Finds pages that have the same title, whatever its case.",
    why: "A link by that title is ambiguous, and readers cannot tell the pages apart in a list.",
    bad: &[("a.md", "# Setup\n\nText.\n"), ("b.md", "# Setup\n\nOther text.\n")],
    good: &[("a.md", "# Setup on Linux\n\nText.\n"), ("b.md", "# Setup on Windows\n\nOther text.\n")],
    check,
};

/// How many of the other pages a hint names.
const NAMED: usize = 3;

fn check(snapshot: &Snapshot, report: &mut Report) {
    let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, page) in snapshot.pages.iter().enumerate() {
        // An index is known by its folder.
        if is_chosen(page) && !is_entry(snapshot, page) && !snapshot.types.is_type_page(&page.path) {
            by_title.entry(fold(&page.title)).or_default().push(index);
        }
    }
    for pages in by_title.into_values().filter(|pages| pages.len() > 1) {
        for &page in &pages {
            let others: Vec<usize> = pages.iter().copied().filter(|&other| other != page).take(NAMED).collect();
            let title = &snapshot.pages[page].title;
            let span = snapshot.pages[page].front_matter.title().map_or_else(|| top(&snapshot.pages[page]), |(_, span)| span);
            report.push(
                page,
                span,
                format!("{} pages have the title `{title}`", pages.len()),
                format!("say in the title what sets this page apart from {}", list(&snapshot.paths(&others), "and")),
            );
        }
    }
}

/// Whether somebody gave the page its title: it is not its file's name, nor a heading that comes after the text's beginning.
fn is_chosen(page: &Page) -> bool {
    let opens = |heading: &Heading| page.text.as_str()[page.body.span.start as usize..heading.span.start as usize].trim().is_empty();
    page.front_matter.title().is_some() || page.body.first_heading(1).is_some_and(opens)
}
