use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "invalid-title",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds titles that are a list or a mapping.",
    why: "A title is one text; this page gets its first heading or its file's name instead.",
    bad: &[("p.md", "---\ntitle: [P]\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\ntitle: P\n---\n# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        if let Some(node) = page.field("title").filter(|node| node.text().is_none()) {
            report.push(
                index,
                node.span,
                "`title` is not one text",
                format!("write a text, such as `title: {}`", page.title),
            );
        }
    }
}
