//! Whether the work tree is what HEAD says.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use git2::{IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, Status, StatusOptions};

use super::names::{below, matters, shown};
use super::open::Place;
use super::unchanged::is_plainly_clean;
use crate::error::Error;

/// The files that differ and matter.
pub(super) fn changes(place: &Place) -> Result<Vec<String>, Error> {
    if place.root().is_none() {
        return Ok(Vec::new());
    }
    // A handle of its own: the kept one remembers configuration and attributes of the time when it was opened.
    let handle = place.reopen()?;
    if is_plainly_clean(place, &handle) {
        return Ok(Vec::new());
    }
    let failed = |error: git2::Error| place.failed("compare the work tree with HEAD", &error);
    let statuses = handle.statuses(Some(&mut status_options(place))).map_err(failed)?;
    let index = handle.index().map_err(failed)?;
    let mut changed = Vec::new();
    for entry in statuses.iter() {
        let Some(path) = below(place.folder(), entry.path_bytes()).filter(|path| matters(path)) else { continue };
        let mut status = entry.status();
        if status.contains(Status::WT_DELETED) {
            // libgit2 takes a file that a sparse checkout leaves out for deleted.
            let path = Path::new(OsStr::from_bytes(entry.path_bytes()));
            if index.get_path(path, 0).is_some_and(|entry| is_unwatched(&entry)) {
                status -= Status::WT_DELETED;
            }
        }
        if status != Status::CURRENT {
            changed.push(path.to_vec());
        }
    }
    changed.sort_unstable();
    Ok(changed.iter().map(|path| shown(path)).collect())
}

/// What git's own status asks, below the wiki's folder only: untracked files singly, no renames, no submodules.
pub(super) fn status_options(place: &Place) -> StatusOptions {
    let mut options = StatusOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).exclude_submodules(true).disable_pathspec_match(true);
    if !place.folder().is_empty() {
        options.pathspec(place.folder());
    }
    options
}

/// Whether git takes the file for unchanged without looking at it (`--assume-unchanged`, `--skip-worktree`, a sparse checkout).
pub(super) fn is_unwatched(entry: &IndexEntry) -> bool {
    IndexEntryFlag::from_bits_truncate(entry.flags).is_valid()
        || IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended).is_skip_worktree()
}
