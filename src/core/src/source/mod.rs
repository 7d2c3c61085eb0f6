//! Reading a wiki from git: the repository, its revisions, its work tree, and whether the two differ.
//!
//! Everything here reads; nothing is written, no program is run, no network is touched.

use crate::corpus::Options;
use crate::error::Error;

/// Pages beyond this many bytes are listed and not parsed.
pub const MAX_PAGE_BYTES: usize = 64 << 20;

/// A repository and the wiki's folder in it.
pub struct Repository {}

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

/// A path that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Path below the root, shown as in [`File::path`].
    pub path: String,
    /// Why.
    pub reason: Reason,
}

/// Why a path is no page. (The config's `exclude` is applied by the snapshot, not here.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub fn open(options: &Options) -> Result<Self, Error> {
        let _ = options;
        todo!()
    }

    /// The commit that `--ref` or HEAD names; `None` where HEAD names none yet.
    pub fn head(&self) -> Result<Option<Commit>, Error> {
        todo!()
    }

    /// The commit that a user's revision or date names.
    pub fn resolve(&self, revision: &str) -> Result<Commit, Error> {
        let _ = revision;
        todo!()
    }

    /// Whether there is a work tree to compare with (not bare, no `--ref`).
    pub fn has_work_tree(&self) -> bool {
        todo!()
    }

    /// Whether git is changing the work tree right now (`index.lock` exists).
    pub fn locked(&self) -> bool {
        todo!()
    }

    /// Files below the root that differ from HEAD, staged or not, or are untracked and not ignored, as git sees it; only
    /// names that an answer can depend on: `*.md` in any case, `chemenu.toml`, `*.yaml`, `*.yml`, `*.json`. Sorted.
    pub fn changes(&self) -> Result<Vec<String>, Error> {
        todo!()
    }

    /// The wiki's files at a commit.
    pub fn list_commit(&self, commit: &Commit) -> Result<Listing, Error> {
        let _ = commit;
        todo!()
    }

    /// The wiki's files in the work tree: tracked ones that exist, and untracked ones that are not ignored.
    pub fn list_work_tree(&self) -> Result<Listing, Error> {
        todo!()
    }

    /// A file's bytes. From the work tree: never through a symlink.
    pub fn read(&self, file: &File) -> Result<Vec<u8>, Error> {
        let _ = file;
        todo!()
    }

    /// What is true of the repository now.
    pub fn facts(&self) -> Facts {
        todo!()
    }
}
