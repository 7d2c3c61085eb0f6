use crate::lint::pages::{is_customary, is_read};
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::{LinkStyle, Page};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "missing-title",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages with neither a `title` nor a first-level heading, unless their type or most of the wiki does without.",
    why: "The page is shown under its file's name.",
    bad: &[("p.md", "Text.\n")],
    good: &[("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let is_untitled = |page: &Page| {
        let of = snapshot.types().of(page).and_then(|of| of.template.as_deref());
        is_read(page)
            && page.field("title").is_none()
            && page.body.first_heading(1).is_none()
            // A type whose template has no title does without.
            && of.is_none_or(has_title)
    };
    let untitled: Vec<usize> = (0..snapshot.pages().len()).filter(|&index| is_untitled(snapshot.page(index))).collect();
    if is_customary(untitled.len(), snapshot.pages().len()) {
        return;
    }
    for index in untitled {
        let page = snapshot.page(index);
        let start = Span { start: page.body.span.start, end: page.body.span.start };
        report.push(
            index,
            start,
            "the page has no title",
            format!("begin its text with a heading, such as `# {}`", page.title),
        );
    }
}

fn has_title(template: &str) -> bool {
    let page = Page::parse("template.md".into(), template.as_bytes(), LinkStyle::default());
    page.field("title").is_some() || page.body.first_heading(1).is_some()
}
