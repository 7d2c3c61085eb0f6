use std::collections::HashMap;

use crate::error::list;
use crate::lint::pages::{is_entry, top};
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::names::fold;
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-title",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
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
    for (index, page) in snapshot.pages().iter().enumerate() {
        // An index is known by its folder.
        if is_chosen(page) && !is_entry(snapshot, page) && !snapshot.types().is_type_page(&page.path) {
            by_title.entry(fold(&page.title)).or_default().push(index);
        }
    }
    for pages in by_title.into_values().filter(|pages| pages.len() > 1) {
        for &page in &pages {
            let others: Vec<usize> = pages.iter().copied().filter(|&other| other != page).take(NAMED).collect();
            let title = &snapshot.page(page).title;
            let span =
                snapshot.page(page).front_matter.title().map_or_else(|| top(snapshot.page(page)), |(_, span)| span);
            report.push(
                page,
                span,
                format!("{} pages have the title `{title}`", pages.len()),
                format!("say in the title what sets this page apart from {}", list(&snapshot.paths(&others), "and")),
            );
        }
    }
}

/// Whether somebody gave the page its title: in the front matter, or by the one first-level heading that opens the text.
///
/// Where there are several, they are the page's sections, and the file's name is what it is called by.
fn is_chosen(page: &Page) -> bool {
    let mut headings = page.body.headings.iter().filter(|heading| heading.level == 1);
    let opening = headings.next().filter(|heading| {
        let before = Span { start: page.body.span.start, end: heading.span.start };
        page.text.slice(before).trim().is_empty()
    });
    page.front_matter.title().is_some() || (opening.is_some() && headings.next().is_none())
}
