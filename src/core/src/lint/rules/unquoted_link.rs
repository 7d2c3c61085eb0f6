use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::page::{LinkKind, unquoted};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "unquoted-link",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds wikilinks in the front matter that are not quoted.",
    why: "To YAML `[[A]]` is a list in a list; here it is taken for a link, other programs lose it.",
    bad: &[("index.md", "---\nrelated: [[P]]\n---\n# All\n\nText.\n"), ("p.md", "# P\n\nText.\n")],
    good: &[("index.md", "---\nrelated: \"[[P]]\"\n---\n# All\n\nText.\n"), ("p.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, links) in snapshot.checked_links() {
        let page = snapshot.page(index);
        let front = links.iter().filter(|(link, _)| link.kind == LinkKind::FrontMatter).map(|(link, _)| link.span);
        // A type is named as a page is, and is no link.
        let of = page.front_matter.root.as_ref().and_then(|root| root.get("type"));
        let of = of.filter(|of| unquoted(of).is_some()).map(|of| of.span);
        for span in front.chain(of) {
            let source = page.text.slice(span);
            if source.starts_with("[[") {
                report.push(index, span, format!("`{source}` is not quoted"), format!("write `\"{source}\"`"));
            }
        }
    }
}
