use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::names::fold;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "title-mismatch",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages whose `title` differs from their first-level heading.",
    why: "The page has two names, and readers see another one than searchers.",
    bad: &[("p.md", "---\ntitle: P\n---\n# Q\n\nText.\n")],
    good: &[("p.md", "---\ntitle: P\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let (Some((title, _)), Some(heading)) = (page.front_matter.title(), page.body.first_heading(1)) else {
            continue;
        };
        if fold(title) != fold(&heading.text) {
            report.push(
                index,
                heading.span,
                format!("the heading says `{}`, `title` says `{title}`", heading.text),
                "give both the same text",
            );
        }
    }
}
