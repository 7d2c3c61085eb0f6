use crate::lint::{Class, Level, Report, Rule, Source};
use crate::page::ProblemKind;
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "missing-title",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    what: "Finds pages with neither a `title` nor a first-level heading.",
    why: "The page is shown under its file's name.",
    bad: &[("p.md", "Text.\n")],
    good: &[("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.pages.iter().enumerate() {
        let unread = page.problems.iter().any(|problem| problem.kind == ProblemKind::Unreadable);
        if !unread && page.field("title").is_none() && page.body.first_heading(1).is_none() {
            let start = Span { start: page.body.span.start, end: page.body.span.start };
            report.push(
                index,
                start,
                "the page has no title",
                format!("begin its text with a heading, such as `# {}`", page.title),
            );
        }
    }
}
