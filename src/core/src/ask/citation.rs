//! `path@commit#L10-L20`: lines that somebody cited, and what has become of them.

use std::cell::LazyCell;

use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::changes::pairs;
use super::page::outline;
use super::{Context, object};
use crate::answer::Body;
use crate::error::Error;
use crate::page::Page;
use crate::question;
use crate::snapshot::Snapshot;

/// Pages of more lines than these together are not compared line by line.
const MAX_LINES: usize = 10_000;
/// So many letters tell a passage from others in the wiki; a shorter one is looked for on its own page alone.
const TELLING: usize = 40;

/// A citation as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Citation<'n> {
    path: &'n str,
    commit: &'n str,
    /// The first line and the last, from 1; all lines if `None`.
    lines: Option<(usize, usize)>,
}

/// Where cited lines are now: the page, and the first line and the last, from 1.
struct Found {
    page: usize,
    lines: Option<(usize, usize)>,
}

impl<'n> Citation<'n> {
    /// The citation that a name is, if it is one.
    pub(super) fn parse(name: &'n str) -> Option<Self> {
        let (path, rest) = name.rsplit_once('@')?;
        let (commit, lines) = match rest.split_once("#L") {
            Some((commit, lines)) => (commit, Some(lines)),
            None => (rest, None),
        };
        let is_id = (4..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = |text: &str| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<usize>().ok().filter(|&number| is_number && number > 0)
        };
        let lines = match lines.map(|lines| lines.split_once('-').unwrap_or((lines, lines))) {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last.strip_prefix('L').unwrap_or(last))?);
                if first > last {
                    return None;
                }
                Some((first, last))
            }
            None => None,
        };
        (is_id && !path.is_empty()).then_some(Self { path, commit, lines })
    }

    /// What was cited, as the page was then, and what it is now.
    pub(super) fn answer(&self, context: &Context, arguments: &question::Page) -> Result<Body, Error> {
        for (argument, given) in [("section", &arguments.section), ("lines", &arguments.lines)] {
            if given.is_some() {
                return Err(Error::argument("page", argument, "does not go with a citation"));
            }
        }
        let then = context.revision(self.commit)?;
        let (number, via, form) = then.resolve(self.path)?;
        let page = then.page(number);
        let lines = page.text.lines();
        let (first, last) = self.lines.unwrap_or((1, lines.count().max(1)));
        let out_of_range = || Error::LinesOutOfRange {
            path: page.path.clone(),
            lines: format!("{first}-{last}"),
            count: lines.count(),
        };
        if last > lines.count() {
            return Err(out_of_range());
        }
        let span = lines.span(first, last).ok_or_else(out_of_range)?;
        let (status, found) = followed(&then, number, (first - 1, last), context.snapshot);
        let now = found.as_ref().map_or(Value::Null, |found| {
            let page = context.snapshot.page(found.page);
            let lines = page.text.lines();
            json!({
                "path": page.path,
                "lines": found.lines.map(|(first, last)| json!({ "first": first, "last": last, "total": lines.count() })),
            })
        });
        let said = found.as_ref().filter(|_| status == "changed").and_then(|found| {
            let page = context.snapshot.page(found.page);
            let (first, last) = found.lines?;
            Some(page.text.slice(page.text.lines().span(first, last)?))
        });
        Ok(Body::answered(
            object! {
                "path": page.path,
                "via": via,
                "form": form,
                "title": page.title,
                "type": page.field_text("type"),
                "outline": outline(page, &lines),
                "lines": { "first": first, "last": last, "total": lines.count() },
                "body": page.text.slice(span),
                "citation": {
                    "commit": then.stamp.commit,
                    "as_of": then.stamp.as_of,
                    "status": status,
                    "now": now,
                    "body": said,
                },
            },
            &["outline", "citation.body", "body"],
        ))
    }
}

/// What has become of some lines of a page, counted from 0, the last one excluded.
fn followed(then: &Snapshot, number: usize, cited: (usize, usize), now: &Snapshot) -> (&'static str, Option<Found>) {
    let page = then.page(number);
    let old = lines_of(page);
    let passage = &old[cited.0.min(old.len())..cited.1.min(old.len())];
    // All pages that differ are read for it, so only where the page itself does not say.
    let pairs = LazyCell::new(|| pairs(then, now));
    let successor = now
        .number_of(&page.path)
        .or_else(|| pairs.iter().find(|pair| pair.before == Some(number)).and_then(|pair| pair.now));
    let at = |page, (start, end): (usize, usize)| Some(Found { page, lines: Some((start + 1, end)) });
    if let Some(successor) = successor {
        let new = lines_of(now.page(successor));
        let place = if new == old { Some((cited, true)) } else { mapped(&old, &new, cited) };
        let is_here = now.table().path(successor) == page.path;
        match place {
            Some((range, true)) if is_here && range == cited => return ("unchanged", at(successor, range)),
            Some((range, true)) => return ("moved", at(successor, range)),
            _ => {}
        }
        if let Some(start) = position(&new, passage) {
            return ("moved", at(successor, (start, start + passage.len())));
        }
        if let Some(found) = elsewhere(passage, now, pairs.iter().filter_map(|pair| pair.now), successor) {
            return ("moved", at(found.0, found.1));
        }
        return match place {
            Some((range, false)) => ("changed", at(successor, range)),
            Some((range, true)) => ("moved", at(successor, range)),
            None if old.len() + new.len() > MAX_LINES => ("changed", Some(Found { page: successor, lines: None })),
            None => ("gone", Some(Found { page: successor, lines: None })),
        };
    }
    match elsewhere(passage, now, pairs.iter().filter_map(|pair| pair.now), usize::MAX) {
        Some((page, range)) => ("moved", at(page, range)),
        None => ("gone", None),
    }
}

fn lines_of(page: &Page) -> Vec<&str> {
    page.text.as_str().lines().collect()
}

/// Where some lines are in a changed text, and whether they are all there, one behind the other; `None` where none is left, or the
/// texts are too long to be compared.
fn mapped(old: &[&str], new: &[&str], cited: (usize, usize)) -> Option<((usize, usize), bool)> {
    if old.len() + new.len() > MAX_LINES {
        return None;
    }
    let mut range: Option<(usize, usize)> = None;
    let mut kept = 0;
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (of_old, of_new) = (op.old_range(), op.new_range());
        let (start, end) = (of_old.start.max(cited.0), of_old.end.min(cited.1));
        if start >= end {
            continue;
        }
        let now = match op {
            DiffOp::Equal { .. } => {
                kept += end - start;
                of_new.start + (start - of_old.start)..of_new.start + (end - of_old.start)
            }
            DiffOp::Replace { .. } => of_new,
            DiffOp::Delete { .. } | DiffOp::Insert { .. } => continue,
        };
        range = Some(range.map_or((now.start, now.end), |known| (known.0.min(now.start), known.1.max(now.end))));
    }
    let range = range.filter(|(start, end)| start < end)?;
    let is_whole = kept == cited.1 - cited.0 && range.1 - range.0 == kept;
    Some((range, is_whole))
}

/// A page that has changed and holds a passage now.
fn elsewhere(
    passage: &[&str],
    now: &Snapshot,
    pages: impl Iterator<Item = usize>,
    own: usize,
) -> Option<(usize, (usize, usize))> {
    if letters(passage) < TELLING {
        return None;
    }
    pages.filter(|&page| page != own).find_map(|number| {
        let start = position(&lines_of(now.page(number)), passage)?;
        Some((number, (start, start + passage.len())))
    })
}

/// Where a passage stands; a short one only where it stands once.
fn position(lines: &[&str], passage: &[&str]) -> Option<usize> {
    if letters(passage) == 0 || passage.len() > lines.len() {
        return None;
    }
    let mut places = lines.windows(passage.len()).enumerate().filter(|(_, window)| *window == passage);
    let (first, _) = places.next()?;
    (letters(passage) >= TELLING || places.next().is_none()).then_some(first)
}

fn letters(passage: &[&str]) -> usize {
    passage.iter().map(|line| line.trim().len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_told_from_names() {
        let citation = |path, commit, lines| Some(Citation { path, commit, lines });
        assert_eq!(Citation::parse("a/b.md@0123abcd#L10-L20"), citation("a/b.md", "0123abcd", Some((10, 20))));
        assert_eq!(Citation::parse("a b@c.md@0123abcd#L7"), citation("a b@c.md", "0123abcd", Some((7, 7))));
        assert_eq!(Citation::parse("a.md@0123abcd#L7-9"), citation("a.md", "0123abcd", Some((7, 9))));
        assert_eq!(Citation::parse("a.md@0123abcd"), citation("a.md", "0123abcd", None));
        for name in ["a.md", "me@example.org", "a.md@main#L1", "a.md@0123abcd#L0", "@0123abcd#L1", "a.md@012#L1"] {
            assert_eq!(Citation::parse(name), None, "{name}");
        }
        for lines in ["L9-L7", "L+7", "L7-LL9", "L7-", "L", "L7-L9-L11"] {
            assert_eq!(Citation::parse(&format!("a.md@0123abcd#{lines}")), None, "{lines}");
        }
    }

    #[test]
    fn lines_are_followed() {
        let old = ["a", "b", "c", "d", "e"];
        assert_eq!(mapped(&old, &["x", "a", "b", "c", "d", "e"], (1, 3)), Some(((2, 4), true)));
        assert_eq!(mapped(&old, &["a", "b", "x", "d", "e"], (1, 3)), Some(((1, 3), false)));
        assert_eq!(mapped(&old, &["a", "b", "x", "c", "d", "e"], (1, 3)), Some(((1, 4), false)));
        assert_eq!(mapped(&old, &["a", "e"], (1, 3)), None);
    }
}
