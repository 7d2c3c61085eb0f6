use crate::lint::pages::{is_read, top};
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::Page;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "empty-page",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages that have no text, only headings or nothing at all; type pages may be so.",
    why: "A link to the page promises something to read.",
    bad: &[("p.md", "# P\n\n## Use\n")],
    good: &[("p.md", "# P\n\n## Use\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        if is_read(page) && !snapshot.types().is_type_page(&page.path) && !has_text(page) {
            report.push(index, top(page), "the page has no text", "write some, or take the page out");
        }
    }
}

/// Whether anything but blanks stands between the headings.
fn has_text(page: &Page) -> bool {
    let text = page.text.as_str();
    let mut at = page.body.span.start as usize;
    for heading in &page.body.headings {
        let span = heading.span.range();
        // Headings that are hidden in a comment come in no order with it.
        if span.start >= at {
            if !text[at..span.start].trim().is_empty() {
                return true;
            }
            at = span.end;
        }
    }
    !text[at..].trim().is_empty()
}
