use std::collections::HashSet;

use crate::graph::Destination;
use crate::lint::{Class, Level, Report, Rule, Source, links, Scope};
use crate::names::{fold, folder, join};
use crate::page::{Link, LinkKind, Page, is_page};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "missing-file",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds links to images, other files and folders that the wiki does not hold.",
    why: "Readers see a gap where the image should be, and the link leads nowhere.",
    bad: &[("p.md", "# P\n\n![How it works](drawing.svg)\n")],
    good: &[("drawing.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"), ("p.md", "# P\n\n![How it works](drawing.svg)\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let tree = snapshot.tree();
    // Embedded files are found by their name alone, wherever they lie.
    let names: HashSet<String> = tree.files.iter().map(|path| fold(name(path))).collect();
    // What was left out of the snapshot may be there all the same.
    let is_left_out = |path: &str| {
        path.split('/').any(|name| name.starts_with('.')) ||
        snapshot.skipped.iter().any(|skipped| {
            path.strip_prefix(skipped.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let is_there = |page: &Page, link: &Link| {
        let from = |folder: &str| join(folder, &link.target);
        let is_held = |path: String| {
            path.is_empty() || tree.files.contains(&path) || tree.folders.contains(&path) || is_page(&path) || is_left_out(&path)
        };
        let own = if link.target.starts_with('/') { "" } else { folder(&page.path) };
        match link.kind {
            LinkKind::Markdown | LinkKind::Image => from(own).is_none_or(is_held),
            _ => names.contains(&fold(name(&link.target))) || [own, ""].into_iter().filter_map(from).any(is_held),
        }
    };
    for (index, links) in snapshot.checked_links() {
        let page = snapshot.page(index);
        for (link, destination) in links {
            let what = match destination {
                Destination::File => "file",
                Destination::Folder => "folder",
                _ => continue,
            };
            // Another rule says what is wrong with these.
            if links::unportable(page, link, destination, snapshot).is_none() && !is_there(page, link) {
                report.push(
                    index,
                    link.span,
                    format!("the wiki has no {what} `{}`", link.target),
                    "add it, or mend the link; it leads from the page's own folder",
                );
            }
        }
    }
}

/// A path's last part.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
