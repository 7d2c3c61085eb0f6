use crate::lint::dates;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::yaml::Node;

pub(super) static RULE: Rule = Rule {
    name: "invalid-date",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds `created` and `modified` that are no dates, unless the type's schema says so already.",
    why: "The page cannot be found by its date, and nobody can tell whether it is stale.",
    bad: &[("p.md", "---\nmodified: 2.9.2026\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\nmodified: 2026-09-02\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for field in ["created", "modified"] {
            let Some(node) = page.field(field).filter(|node| says_something(node)) else { continue };
            if node.name().and_then(dates::read).is_some() {
                continue;
            }
            if !snapshot.types().violations(page).iter().any(|violation| violation.span == node.span) {
                report.push(
                    index,
                    node.span,
                    format!("`{field}` is no date"),
                    "write a day that exists, as `YYYY-MM-DD`",
                );
            }
        }
    }
}

fn says_something(node: &Node) -> bool {
    !node.is_null() && node.text().is_none_or(|text| !text.trim().is_empty())
}
