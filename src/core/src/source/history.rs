//! Who changed what, and when, as the commits claim it.

use std::collections::HashSet;

use git2::{Oid, Tree};

use super::Commit;
use super::open::Place;
use crate::error::Error;

/// How many commits are looked at for a page's last change: what lies further back is not worth the wait.
const MAX_COMMITS: usize = 20_000;

/// A commit as somebody who changed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The commit.
    pub commit: Commit,
    /// The author's name.
    pub author: String,
    /// The name of whoever committed it.
    pub committer: String,
}

impl From<&git2::Commit<'_>> for Change {
    fn from(commit: &git2::Commit<'_>) -> Self {
        let name = |signature: git2::Signature| String::from_utf8_lossy(signature.name_bytes()).into_owned();
        Self { commit: commit.into(), author: name(commit.author()), committer: name(commit.committer()) }
    }
}

/// The commit that made a file what it is: the last one in which it is another than in each of the commit's parents, where a parent
/// that has the same file answers for the others.
///
/// `None` where that cannot be known: the history is cut off (a shallow clone), or goes on for too long.
pub(super) fn last_change(
    place: &Place,
    handle: &git2::Repository,
    start: &Commit,
    path: &str,
) -> Result<Option<Change>, Error> {
    let failed = |error: git2::Error| place.failed("walk the history", &error);
    let path = match place.folder() {
        [] => path.as_bytes().to_vec(),
        folder => [folder, b"/", path.as_bytes()].concat(),
    };
    let shallow = grafts(handle);
    let mut commit = handle.find_commit(start.id).map_err(failed)?;
    let mut entry = Path::of(handle, &commit, &path);
    'commits: for _ in 0..MAX_COMMITS {
        if shallow.contains(&commit.id()) {
            return Ok(None);
        }
        for parent in commit.parent_ids() {
            let Ok(parent) = handle.find_commit(parent) else { return Ok(None) };
            let before = entry.in_parent(handle, &parent, &path);
            if before.blob() == entry.blob() {
                (commit, entry) = (parent, before);
                continue 'commits;
            }
        }
        return Ok(Some((&commit).into()));
    }
    Ok(None)
}

/// The commits that the second has and the first has not, and that touch the wiki's folder; the newest first.
pub(super) fn between(
    place: &Place,
    handle: &git2::Repository,
    before: &Commit,
    after: &Commit,
) -> Result<Vec<Change>, Error> {
    let failed = |error: git2::Error| place.failed("walk the history", &error);
    let mut walk = handle.revwalk().map_err(failed)?;
    walk.push(after.id).map_err(failed)?;
    walk.hide(before.id).map_err(failed)?;
    walk.set_sorting(git2::Sort::TOPOLOGICAL | git2::Sort::TIME).map_err(failed)?;
    let mut changes = Vec::new();
    for id in walk {
        // A shallow history ends in commits whose parents are not there.
        let Ok(commit) = id.and_then(|id| handle.find_commit(id)) else { break };
        let own = folder_of(&commit, place.folder());
        let touches =
            commit.parent_count() == 0 || commit.parents().all(|parent| folder_of(&parent, place.folder()) != own);
        if touches {
            changes.push((&commit).into());
        }
    }
    Ok(changes)
}

/// The id of the wiki's tree in a commit.
fn folder_of(commit: &git2::Commit, folder: &[u8]) -> Option<Oid> {
    if folder.is_empty() {
        return Some(commit.tree_id());
    }
    let path = std::path::Path::new(std::str::from_utf8(folder).ok()?);
    Some(commit.tree().ok()?.get_path(path).ok()?.id())
}

/// Commits whose parents a shallow clone has left out; libgit2 shows them as if they had none.
fn grafts(handle: &git2::Repository) -> HashSet<Oid> {
    let text = std::fs::read_to_string(handle.commondir().join("shallow")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// The ids on the way to a file: whoever has the same tree has the same file, and need not be looked through.
struct Path(Vec<Option<Oid>>);

impl Path {
    fn of(handle: &git2::Repository, commit: &git2::Commit, path: &[u8]) -> Self {
        Self::walk(handle, commit, path, None)
    }

    fn in_parent(&self, handle: &git2::Repository, commit: &git2::Commit, path: &[u8]) -> Self {
        Self::walk(handle, commit, path, Some(self))
    }

    fn walk(handle: &git2::Repository, commit: &git2::Commit, path: &[u8], child: Option<&Self>) -> Self {
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        let mut ids = vec![Some(commit.tree_id())];
        for name in names {
            let level = ids.len() - 1;
            if let Some(child) = child.filter(|child| child.0[level] == ids[level]) {
                ids.extend_from_slice(&child.0[level + 1..]);
                break;
            }
            let tree = ids[level].and_then(|id| handle.find_tree(id).ok());
            ids.push(tree.and_then(|tree: Tree| Some(tree.get_name_bytes(name)?.id())));
        }
        Self(ids)
    }

    fn blob(&self) -> Option<Oid> {
        self.0.last().copied().flatten()
    }
}
