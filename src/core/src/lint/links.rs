//! Links that lead nowhere for a reason of their own.

use memchr::memmem;

use crate::graph::Destination;
use crate::names::{folder, join};
use crate::page::{Link, LinkKind, Page};
use crate::snapshot::Snapshot;

/// Whether a link that names no page is a citation by number: `[[1]]`, `[[1, 2]]`, `[[3-5]]`.
pub(super) fn is_numeric(link: &Link) -> bool {
    let digits = link.target.bytes().any(|byte| byte.is_ascii_digit());
    let numbers = link.target.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ';' | '-' | '–' | ' '));
    // Days and years name daily notes, which may not be written yet.
    let is_day = link.target.len() >= 4 && link.target.split(['-', ' ']).next().is_some_and(|year| year.len() >= 4);
    link.kind == LinkKind::Wikilink && link.fragment.is_none() && digits && numbers && !is_day
}

/// Why a link works on one machine only, if it does.
pub(super) fn unportable(
    page: &Page,
    link: &Link,
    destination: &Destination,
    snapshot: &Snapshot,
) -> Option<&'static str> {
    let target = link.target.as_str();
    match destination {
        Destination::Page(to) if matches!(link.kind, LinkKind::Markdown) => {
            let from = if target.starts_with('/') { "" } else { folder(&page.path) };
            let path = snapshot.table().path(*to);
            let differs = join(from, target).is_some_and(|joined| joined != path && joined.len() == path.len());
            differs.then_some("the file's name has other letters than the link, which only some file systems forgive")
        }
        Destination::Page(_) | Destination::Ambiguous(_) => None,
        _ if target.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) => {
            Some("the link leads to a file of one machine")
        }
        _ if has_drive(target) || target.starts_with("\\\\") => Some("the link leads to a path of one Windows machine"),
        Destination::Missing | Destination::File | Destination::Folder if is_home(target) => {
            Some("the link leads to a path of one machine")
        }
        Destination::Missing if target.contains('\\') => {
            Some("the link has backslashes, which part no folders outside of Windows")
        }
        _ => None,
    }
}

fn has_drive(target: &str) -> bool {
    matches!(target.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

/// Whether a path begins where the files of people, and not of wikis, lie.
fn is_home(target: &str) -> bool {
    const HOMES: &[&str] =
        &["/home/", "/Users/", "/root/", "/mnt/", "/media/", "/Volumes/", "/tmp/", "/var/", "/opt/", "~/"];
    HOMES.iter().any(|home| target.starts_with(home))
}

/// A link's text and its destination are not longer, or no link was meant; and a line may have a hundred thousand brackets.
const LENGTH: usize = 300;

/// What looks like a Markdown link to a page and is none, because of blanks in its destination; places are in the text.
///
/// Not looked at is whether it stands in code.
pub(super) fn with_blanks(page: &Page) -> Vec<(std::ops::Range<usize>, &str)> {
    let text = page.text.as_str();
    let body = page.body.span.range();
    let mut found = Vec::new();
    for at in memmem::find_iter(&text.as_bytes()[body.clone()], b"](").map(|at| at + body.start) {
        let rest = &text[at + 2..];
        let end = rest.char_indices().take(LENGTH).find(|(_, c)| matches!(c, ')' | '\n' | '<'));
        let Some((end, ')')) = end else { continue };
        let destination = rest[..end].trim();
        let path = destination.split('#').next().unwrap_or_default();
        // What follows a blank in quotes is a title, and then there is a link.
        if path.contains([' ', '\t']) && crate::page::is_page(path) && !destination.contains(['"', '\'']) {
            let before = text[body.start..at].char_indices().rev().take(LENGTH);
            let start = before.map(|(start, c)| (start + body.start, c)).find(|(_, c)| matches!(c, '[' | '\n'));
            if let Some((start, '[')) = start {
                found.push((start..at + 2 + end + 1, destination));
            }
        }
    }
    found
}
