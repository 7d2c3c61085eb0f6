use crate::lint::dates;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "modified-before-created",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages whose `modified` lies before their `created`.",
    why: "One of the two is wrong, and whoever asks for what is new gets a wrong answer.",
    bad: &[("p.md", "---\ncreated: 2026-09-02\nmodified: 2026-09-01\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\ncreated: 2026-09-01\nmodified: 2026-09-02\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let date = |field: &str| dates::read(page.field_text(field)?);
        let (Some(created), Some(modified)) = (date("created"), date("modified")) else { continue };
        if modified.is_before(&created) {
            let span = page.field("modified").map(|node| node.span).unwrap_or_default();
            report.push(
                index,
                span,
                format!("the page was modified on {}, before it was created on {}", modified.day, created.day),
                "correct the one that is wrong",
            );
        }
    }
}
