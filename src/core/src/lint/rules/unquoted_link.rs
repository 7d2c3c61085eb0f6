use crate::lint::{Class, Level, Report, Rule, Source};
use crate::page::LinkKind;
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unquoted-link",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    what: "Finds wikilinks in the front matter that are not quoted.",
    why: "To YAML `[[A]]` is a list in a list; here it is taken for a link, other programs lose it.",
    bad: &[("index.md", "---\nrelated: [[P]]\n---\n# All\n\nText.\n"), ("p.md", "# P\n\nText.\n")],
    good: &[("index.md", "---\nrelated: \"[[P]]\"\n---\n# All\n\nText.\n"), ("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (page, links) in snapshot.graph().outgoing.iter().enumerate() {
        let text = &snapshot.pages[page].text;
        for (link, _) in links.iter().filter(|(link, _)| link.kind == LinkKind::FrontMatter) {
            let source = text.slice(link.span);
            if source.starts_with("[[") {
                report.push(page, link.span, format!("`{source}` is not quoted"), format!("write `\"{source}\"`"));
            }
        }
    }
}
