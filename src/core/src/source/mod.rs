//! Reading a wiki from git: the repository, its revisions, its work tree, and whether the two differ.
//!
//! Everything here reads; nothing is written, no program is run, no network is touched: libgit2 runs neither hooks nor
//! external filters nor `core.fsmonitor`, fetches nothing by itself, and is never asked to refresh the index file.

mod clean;
mod difference;
mod facts;
mod history;
mod names;
mod open;
mod packs;
mod revision;
mod tree;
mod unchanged;
mod work_tree;

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::corpus::Options;
use crate::error::Error;
use open::Place;
use packs::Packs;

pub use difference::Difference;
pub use history::Change;
pub use revision::as_of;

/// Pages beyond this many bytes are listed and not parsed.
pub const MAX_PAGE_BYTES: usize = 64 << 20;

/// A repository and the wiki's folder in it. May be asked from several threads; they take turns, and those that read many
/// files take a [`Reader`] each.
pub struct Repository {
    place: Place,
    handle: Mutex<Handle>,
    progress: Progress,
}

/// A handle that is kept. What it knows of where history is cut off, it knows from when it was opened.
struct Handle {
    open: git2::Repository,
    /// What told then where history is cut off.
    shallow: Option<(SystemTime, u64)>,
}

impl Handle {
    fn new(open: git2::Repository) -> Self {
        Self { shallow: shallow(&open), open }
    }
}

fn shallow(handle: &git2::Repository) -> Option<(SystemTime, u64)> {
    let metadata = handle.commondir().join("shallow").metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Deref for Handle {
    type Target = git2::Repository;

    fn deref(&self) -> &git2::Repository {
        &self.open
    }
}

/// How far those are who read many files.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
}

/// Reads files, independently of other threads.
pub struct Reader<'a> {
    place: &'a Place,
    handle: git2::Repository,
    progress: &'a Progress,
    packs: RefCell<Packs>,
}

/// A commit that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The object id.
    pub id: git2::Oid,
    /// Committer time in seconds since 1970.
    pub seconds: i64,
}

/// The files of a wiki at a revision or in the work tree.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// All regular files below the root outside hidden folders, pages and others, sorted by their stored names.
    pub files: Vec<File>,
    /// What was left out, and why, in the same order.
    pub skipped: Vec<Skipped>,
}

/// A regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path below the root with `/`; bytes that are not UTF-8 shown as `\xNN` (a literal backslash in such a name as `\\`).
    pub path: String,
    /// Where its bytes are.
    pub origin: Origin,
}

/// Where a file's bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the object database.
    Blob(git2::Oid),
    /// In the work tree, at the stored name below the root.
    WorkTree(Vec<u8>),
}

/// What a listing says of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File(File),
    /// Something that was left out.
    Skipped(Skipped),
}

/// A path that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Path below the root, shown as in [`File::path`].
    pub path: String,
    /// Why.
    pub reason: Reason,
}

/// Why a path is no page. (The config's `exclude` is applied by the snapshot, not here.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// A Markdown file in a hidden folder, or one whose own name begins with a dot.
    Hidden,
    /// A symbolic link; never followed.
    Symlink,
    /// A submodule, or another repository inside the work tree.
    Submodule,
}

/// What is true of the repository right now, for `status.source`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The commit HEAD names; `None` if it names none yet.
    pub head: Option<String>,
    /// The branch checked out; `None` if HEAD is detached.
    pub branch: Option<String>,
    /// The branch's upstream, such as `origin/main`.
    pub upstream: Option<String>,
    /// Commits that the upstream has and HEAD has not.
    pub behind: Option<usize>,
    /// When git last fetched, in seconds since 1970.
    pub last_fetch: Option<i64>,
}

impl Repository {
    /// Finds the repository and the wiki's folder in it.
    ///
    /// # Errors
    /// No repository there, one of somebody else's, or one in a format that cannot be read.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let (place, handle) = Place::find(options)?;
        Ok(Self { place, handle: Mutex::new(Handle::new(handle)), progress: Progress::default() })
    }

    /// The commit that `--ref` or HEAD names; `None` where HEAD names none yet.
    ///
    /// # Errors
    /// The repository has no such revision, or the commit cannot be read.
    pub fn head(&self) -> Result<Option<Commit>, Error> {
        revision::head(&self.place, &self.handle())
    }

    /// The commit that a user's revision or date names: an id, full or abbreviated, a tag, a branch, each with `~N` and `^N`;
    /// else an RFC 3339 date, meaning the last first-parent commit not later (a plain date: not later than the end of that
    /// day, UTC).
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn resolve(&self, revision: &str) -> Result<Commit, Error> {
        revision::resolve(&self.place, &self.handle(), revision)
    }

    /// Whether a branch, a tag or HEAD leads to a commit.
    ///
    /// # Errors
    /// The references or the history cannot be read.
    pub fn leads_to(&self, commit: &Commit) -> Result<bool, Error> {
        revision::leads_to(&self.place, &self.handle(), commit)
    }

    /// The wiki's folder below the repository's top, shown as in [`File::path`]; empty if it is the top.
    pub fn folder(&self) -> String {
        names::shown(self.place.folder())
    }

    /// What tells this wiki, as it is read, from every other on this machine.
    pub fn identity(&self) -> Vec<u8> {
        self.place.identity()
    }

    /// Whether a folder, which need not be there yet, lies where nothing may be written: in the wiki, or in git's own folder.
    pub fn holds(&self, folder: &std::path::Path) -> bool {
        let real = open::real(folder);
        let handle = self.handle();
        self.place.untouchable(&handle).iter().any(|own| real.starts_with(open::real(own)))
    }

    /// Whether there is a work tree to compare with (not bare, no `--ref`).
    pub fn has_work_tree(&self) -> bool {
        self.place.root().is_some()
    }

    /// Of files below the wiki's root, by their paths: what tells whether they have changed.
    pub fn seen(&self, paths: &[String]) -> Vec<Option<[i64; 6]>> {
        let of = |path: &String| {
            let metadata = self.place.root()?.join(path).symlink_metadata().ok()?;
            let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
            Some([times[0], times[1], times[2], times[3], metadata.ino().cast_signed(), metadata.size().cast_signed()])
        };
        paths.iter().map(of).collect()
    }

    /// Whether git is changing the work tree right now (`index.lock` exists).
    pub fn locked(&self) -> bool {
        self.handle().path().join("index.lock").symlink_metadata().is_ok()
    }

    /// Files below the root that differ from HEAD, staged or not, or are untracked and not ignored, as git sees it; only
    /// names that an answer can depend on: `*.md` in any case, `chemenu.toml`, `*.yaml`, `*.yml`, `*.json`. Sorted.
    ///
    /// Empty where there is no work tree to compare with.
    ///
    /// # Errors
    /// The index or a tree cannot be read.
    pub fn changes(&self) -> Result<Vec<String>, Error> {
        clean::changes(&self.place)
    }

    /// The wiki's files at a commit.
    ///
    /// # Errors
    /// The wiki's folder is not in it, or one of its trees cannot be read.
    pub fn list_commit(&self, commit: &Commit) -> Result<Listing, Error> {
        tree::list(&self.place, &self.handle(), commit)
    }

    /// The wiki's file at a path in a commit; `None` where there is none that a listing would name.
    ///
    /// # Errors
    /// As [`Repository::list_commit`].
    pub fn find(&self, commit: &Commit, path: &str) -> Result<Option<File>, Error> {
        tree::find(&self.place, &self.handle(), commit, path)
    }

    /// The commit that made the file at a path what it is at a commit; `None` where that cannot be known.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn last_change(&self, commit: &Commit, path: &str) -> Result<Option<Change>, Error> {
        history::last_change(&self.place, &self.handle(), commit, path)
    }

    /// The commits that the second has and the first has not, as far as they touch the wiki; the newest first.
    ///
    /// # Errors
    /// A commit cannot be read.
    pub fn between(&self, before: &Commit, after: &Commit) -> Result<Vec<Change>, Error> {
        history::between(&self.place, &self.handle(), before, after)
    }

    /// The paths whose entries in two listings would differ, in no order; what is the same in both costs nothing.
    ///
    /// # Errors
    /// A commit or tree cannot be read.
    pub fn differences(&self, before: &Commit, after: &Commit) -> Result<Vec<Difference>, Error> {
        difference::differences(&self.place, &self.handle(), before, after)
    }

    /// The wiki's files in the work tree: tracked ones that exist, and untracked ones that are not ignored. Of files that
    /// git was told not to check out (a sparse checkout) the index's version.
    ///
    /// Empty where there is no work tree.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn list_work_tree(&self) -> Result<Listing, Error> {
        work_tree::list(&self.place)
    }

    /// Where a file of the work tree is on disk; `None` for one in the object database.
    pub fn path_on_disk(&self, file: &File) -> Option<std::path::PathBuf> {
        let Origin::WorkTree(stored) = &file.origin else { return None };
        self.place.on_disk(stored)
    }

    /// A file's bytes. From the work tree: never through a symlink.
    ///
    /// # Errors
    /// The file or object is missing, damaged, or larger than [`MAX_PAGE_BYTES`].
    pub fn read(&self, file: &File) -> Result<Vec<u8>, Error> {
        read(&self.place, &self.handle(), file)
    }

    /// An own handle for a thread that reads many files.
    ///
    /// # Errors
    /// The repository can no longer be opened.
    pub fn reader(&self) -> Result<Reader<'_>, Error> {
        let handle = self.place.reopen()?;
        let packs = RefCell::new(Packs::of(&handle));
        Ok(Reader { place: &self.place, packs, handle, progress: &self.progress })
    }

    /// Says that so many files are going to be read by [`Reader`]s.
    pub(crate) fn begin(&self, total: usize) {
        self.progress.done.store(0, Ordering::Relaxed);
        self.progress.total.store(total, Ordering::Relaxed);
    }

    /// How many files have been read, of how many; `None` where nobody reads many.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let (done, total) = (self.progress.done.load(Ordering::Relaxed), self.progress.total.load(Ordering::Relaxed));
        (done < total).then_some((done, total))
    }

    /// Whether the history is cut off, until somebody fetches the rest.
    pub fn is_shallow(&self) -> bool {
        self.handle().is_shallow()
    }

    /// What is true of the repository now.
    pub fn facts(&self) -> Facts {
        facts::facts(&self.handle())
    }

    fn handle(&self) -> MutexGuard<'_, Handle> {
        let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody has fetched more of the history, or less.
        if shallow(&handle) != handle.shallow
            && let Ok(open) = self.place.reopen()
        {
            *handle = Handle::new(open);
        }
        handle
    }
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Reader<'_> {
    /// As [`Repository::read`].
    ///
    /// # Errors
    /// The file or object is missing, damaged, or larger than [`MAX_PAGE_BYTES`].
    pub fn read(&self, file: &File) -> Result<Vec<u8>, Error> {
        self.progress.done.fetch_add(1, Ordering::Relaxed);
        let plain = match file.origin {
            Origin::Blob(id) => self.packs.borrow_mut().blob(id),
            Origin::WorkTree(_) => None,
        };
        plain.map_or_else(|| read(self.place, &self.handle, file), Ok)
    }
}

fn read(place: &Place, handle: &git2::Repository, file: &File) -> Result<Vec<u8>, Error> {
    match &file.origin {
        Origin::Blob(id) => tree::read(place, handle, *id),
        Origin::WorkTree(stored) => work_tree::read(place, stored),
    }
    .map_err(|message| Error::PageUnreadable { path: file.path.clone(), message })
}
