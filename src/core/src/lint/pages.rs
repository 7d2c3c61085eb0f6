//! What rules ask about a page as a whole.

use crate::page::{self, FrontMatterState, Page, ProblemKind};
use crate::snapshot::Snapshot;
use crate::text::Span;

/// Where to show what concerns the page as a whole: its title's heading, else where its text begins.
pub(super) fn top(page: &Page) -> Span {
    match page.body.first_heading(1) {
        Some(heading) => heading.span,
        None => Span { start: page.body.span.start, end: page.body.span.start },
    }
}

/// Whether so many of the pages do something that it is this wiki's way, and no slip.
pub(super) fn is_customary(pages: usize, of: usize) -> bool {
    pages >= 5 && pages * 5 > of
}

/// Whether the page's bytes could be read.
pub(super) fn is_read(page: &Page) -> bool {
    !has_problem(page, &[ProblemKind::Unreadable])
}

/// Whether it is known what the page's front matter holds, nothing included.
pub(super) fn front_matter_is_known(page: &Page) -> bool {
    const UNKNOWN: &[ProblemKind] = &[
        ProblemKind::FrontMatterInvalid,
        ProblemKind::FrontMatterMisplaced,
        ProblemKind::FrontMatterUnclosed,
        ProblemKind::Unreadable,
    ];
    page.front_matter.state != FrontMatterState::Invalid && !has_problem(page, UNKNOWN)
}

fn has_problem(page: &Page, kinds: &[ProblemKind]) -> bool {
    page.problems.iter().any(|problem| kinds.contains(&problem.kind))
}

/// Files that people and programs open by their name, in any case, and that nothing needs to link to.
const ENTRIES: &[&str] = &[
    "_index",
    "agents",
    "changelog",
    "claude",
    "code_of_conduct",
    "contributing",
    "home",
    "index",
    "license",
    "readme",
    "security",
    "skill",
];

/// Whether a page is found without a link: the guide, an index, a README.
pub(super) fn is_entry(snapshot: &Snapshot, page: &Page) -> bool {
    let stem = page::stem(&page.path).to_ascii_lowercase();
    ENTRIES.binary_search(&stem.as_str()).is_ok() || snapshot.config.guide.as_deref() == Some(&page.path)
}

#[cfg(test)]
mod tests {
    #[test]
    fn entries_are_sorted() {
        assert!(super::ENTRIES.is_sorted());
    }
}
