//! Which commit is meant.

use std::collections::BTreeSet;

use git2::{ErrorCode, ObjectType, Oid};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::Commit;
use super::open::Place;
use crate::error::Error;

/// Fewer digits are no abbreviated id, as in git. libgit2 calls them ambiguous.
const MIN_PREFIX: usize = 4;

/// A point in time as RFC 3339 in UTC, to the second: `2026-09-02T10:00:00Z`.
///
/// A commit may claim any time; what lies beyond the years that can be written becomes the nearest that can.
pub fn as_of(seconds: i64) -> String {
    let seconds = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

/// The commit that `--ref` or HEAD names.
pub(super) fn head(place: &Place, handle: &git2::Repository) -> Result<Option<Commit>, Error> {
    match place.reference() {
        Some(reference) => match find(place, handle, reference, || checked_out(place, handle))? {
            Some(commit) => Ok(Some(commit)),
            None => Err(Error::RevisionNotFound { revision: reference.to_owned() }),
        },
        None => checked_out(place, handle),
    }
}

/// The commit that a user's revision or date names.
pub(super) fn resolve(place: &Place, handle: &git2::Repository, revision: &str) -> Result<Commit, Error> {
    find(place, handle, revision, || head(place, handle))?
        .ok_or_else(|| Error::RevisionNotFound { revision: revision.to_owned() })
}

/// Whether a branch, a tag or HEAD leads to a commit.
pub(super) fn leads_to(place: &Place, handle: &git2::Repository, commit: &Commit) -> Result<bool, Error> {
    let failed = |error: git2::Error| place.failed("walk the history", &error);
    let mut walk = handle.revwalk().map_err(failed)?;
    for names in ["refs/heads/*", "refs/remotes/*", "refs/tags/*"] {
        // A tag may name a blob, and a remote's HEAD a branch that is gone.
        let references = handle.references_glob(names).map_err(failed)?;
        for commit in references.flatten().filter_map(|reference| reference.peel_to_commit().ok()) {
            walk.push(commit.id()).map_err(failed)?;
        }
    }
    if let Some(head) = head(place, handle)? {
        walk.push(head.id).map_err(failed)?;
    }
    // A shallow history ends in commits whose parents are not there.
    Ok(walk.flatten().any(|id| id == commit.id))
}

fn checked_out(place: &Place, handle: &git2::Repository) -> Result<Option<Commit>, Error> {
    let head = match handle.head() {
        Ok(head) => head,
        Err(error) if error.code() == ErrorCode::UnbornBranch => return Ok(None),
        Err(error) => return Err(place.failed("read HEAD", &error)),
    };
    head.peel_to_commit()
        .map(|commit| Some((&commit).into()))
        .map_err(|error| place.failed("read the commit of HEAD", &error))
}

/// A revision by name, else by date on the first-parent line that `start` begins.
fn find(
    place: &Place,
    handle: &git2::Repository,
    revision: &str,
    start: impl FnOnce() -> Result<Option<Commit>, Error>,
) -> Result<Option<Commit>, Error> {
    if let Some(commit) = named(place, handle, revision)? {
        return Ok(Some(commit));
    }
    let (Some(latest), Some(start)) = (instant(revision), start()?) else { return Ok(None) };
    let mut next = handle.find_commit(start.id);
    while let Ok(commit) = next {
        if Timestamp::from_second(commit.time().seconds()).is_ok_and(|time| time <= latest) {
            return Ok(Some((&commit).into()));
        }
        next = commit.parent(0);
    }
    Ok(None)
}

fn named(place: &Place, handle: &git2::Repository, revision: &str) -> Result<Option<Commit>, Error> {
    let (base, steps) = revision.split_at(revision.find(['~', '^']).unwrap_or(revision.len()));
    if !is_name(base) || !are_steps(steps) {
        return Ok(None);
    }
    let object = match handle.revparse_single(revision) {
        // Of several objects whose ids begin alike, git takes the one that is a commit.
        Err(error) if error.code() == ErrorCode::Ambiguous => match only_commit(place, handle, base)? {
            Some(id) => handle.revparse_single(&format!("{id}{steps}")),
            None => return Ok(None),
        },
        other => other,
    };
    // libgit2 has many ways to say that there is no such thing: no reference, no valid one, no parent, no object.
    Ok(object.and_then(|object| object.peel_to_commit()).ok().map(|commit| (&commit).into()))
}

/// Whether it may name a reference or an object: git's own rules for names, which leave out everything that searches
/// (`:/text`, `rev:path`, `name@{upstream}`).
fn is_name(base: &str) -> bool {
    (1..=1024).contains(&base.len())
        && !base.contains(|char: char| char.is_ascii_control() || " :?*[\\".contains(char))
        && !base.contains("..")
        && !base.contains("@{")
}

/// Whether it is nothing but `~`, `~N`, `^`, `^N`, `^{}` and `^{commit}`.
fn are_steps(mut steps: &str) -> bool {
    while !steps.is_empty() {
        let rest = &steps[1..];
        steps = (steps.strip_prefix("^{}"))
            .or_else(|| steps.strip_prefix("^{commit}"))
            .unwrap_or_else(|| rest.trim_start_matches(|char: char| char.is_ascii_digit()));
        if !steps.starts_with(['~', '^']) && !steps.is_empty() {
            return false;
        }
    }
    true
}

/// The one commit (or tag) among all objects whose ids begin alike.
fn only_commit(place: &Place, handle: &git2::Repository, prefix: &str) -> Result<Option<Oid>, Error> {
    if prefix.len() < MIN_PREFIX {
        return Ok(None);
    }
    let failed = |error: git2::Error| place.failed("list the objects", &error);
    let odb = handle.odb().map_err(failed)?;
    let digits = prefix.to_ascii_lowercase();
    let mut found = BTreeSet::new();
    odb.foreach(|id| {
        if id.to_string().starts_with(&digits)
            && matches!(odb.read_header(*id), Ok((_, ObjectType::Commit | ObjectType::Tag)))
        {
            found.insert(*id);
        }
        true
    })
    .map_err(failed)?;
    if found.len() > 1 {
        let candidates = found.iter().map(Oid::to_string).collect();
        return Err(Error::RevisionAmbiguous { revision: prefix.to_owned(), candidates });
    }
    Ok(found.pop_first())
}

/// The last moment that a date means.
fn instant(text: &str) -> Option<Timestamp> {
    // Other shapes that the date parser takes (`20260901`) might as well be commit ids.
    let is_plain = text.len() == 10 && text.split('-').map(str::len).eq([4, 2, 2]);
    if is_plain {
        return text.parse::<Date>().ok().map(|day| moment(day.at(23, 59, 59, 999_999_999)));
    }
    // The last hours of the last year that can be written are beyond what can be counted.
    text.parse().ok().or_else(|| text.strip_suffix('Z')?.parse().ok().map(moment))
}

fn moment(utc: DateTime) -> Timestamp {
    TimeZone::UTC.to_timestamp(utc).unwrap_or(if utc.year() > 0 { Timestamp::MAX } else { Timestamp::MIN })
}

impl From<&git2::Commit<'_>> for Commit {
    fn from(commit: &git2::Commit<'_>) -> Self {
        Self { id: commit.id(), seconds: commit.time().seconds() }
    }
}
