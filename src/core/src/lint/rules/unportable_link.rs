use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, links, markdown, Scope};
use crate::page::{LinkKind, Page};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "unportable-link",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Page,
    what: "Finds links to paths of one machine, with backslashes, with letters in another case than the file's, and with blanks for which CommonMark sees no link.",
    why: "They work for their author at best, and for nobody who reads the wiki elsewhere.",
    bad: &[("index.md", "# All\n\nSee [P](My Page.md) and [P](C:\\wiki\\p.md).\n"), ("My Page.md", "# P\n\nText.\n")],
    good: &[("index.md", "# All\n\nSee [P](My%20Page.md).\n"), ("My Page.md", "# P\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, links) in snapshot.checked_links() {
        let page = snapshot.page(index);
        for (link, destination) in links.iter().filter(|(link, _)| link.kind != LinkKind::FrontMatter) {
            if let Some(message) = links::unportable(page, link, destination, snapshot) {
                let hint = match destination {
                    Destination::Page(to) => {
                        format!("write the name as the file has it: `{}`", snapshot.table().path(*to))
                    }
                    _ => "link to a page of this wiki by a path from this page, with `/` between folders".into(),
                };
                report.push(index, link.span, message, hint);
            }
        }
        with_blanks(index, page, report);
    }
}

fn with_blanks(index: usize, page: &Page, report: &mut Report) {
    let suspects = links::with_blanks(page);
    if suspects.is_empty() {
        return;
    }
    let code = markdown::code(page);
    for (at, destination) in suspects {
        if !markdown::holds(&code, &at) {
            report.push(
                index,
                Span::new(at.start, at.end),
                format!("a destination with blanks makes no link: `{destination}`"),
                format!("write `{}`, or put the destination between `<` and `>`", destination.replace(' ', "%20")),
            );
        }
    }
}
