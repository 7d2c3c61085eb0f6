use crate::lint::pages::is_customary;
use crate::lint::{Class, Level, Report, Rule, Source, markdown, Scope};
use crate::page::Page;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "multiple-h1",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages with several first-level headings, unless the wiki is full of them.",
    why: "The first of them is the page's title; the others are sections at the title's level.",
    bad: &[("p.md", "# P\n\n# Q\n\nText.\n")],
    good: &[("p.md", "# P\n\n## Q\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let found: Vec<_> =
        snapshot.pages().iter().enumerate().filter_map(|(index, page)| Some((index, second(page)?))).collect();
    if is_customary(found.len(), snapshot.pages().len()) {
        return;
    }
    for (index, span) in found {
        report.push(index, span, "a second heading of the first level", "begin it with `##`");
    }
}

fn second(page: &Page) -> Option<Span> {
    let all = || page.body.headings.iter().filter(|heading| heading.level == 1).map(|heading| heading.span);
    all().nth(1)?;
    // The marker between two versions makes a heading of the text above it, and each version may have a title.
    let conflicts = markdown::conflicts(page);
    all().filter(|span| !markdown::touches(&conflicts, &span.range())).nth(1)
}
