//! Finding the repository and the wiki's folder in it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{ErrorCode, RepositoryOpenFlags};

use super::names::shown;
use crate::corpus::Options;
use crate::error::Error;

/// As many symlinks in a row are followed, as by the kernel.
const MAX_SYMLINKS: usize = 40;

/// Where a wiki is.
#[derive(Debug)]
pub(super) struct Place {
    /// The folder that git finds the repository by: the one with `.git` in it, or the bare repository itself.
    top: PathBuf,
    /// The wiki's folder on disk, without symlinks; `None` where a revision is read and not the work tree.
    root: Option<PathBuf>,
    /// The wiki's folder in the repository, as stored, without slashes at the ends; empty for the top.
    folder: Vec<u8>,
    /// `--ref`.
    reference: Option<String>,
}

impl Place {
    pub(super) fn find(options: &Options) -> Result<(Self, git2::Repository), Error> {
        // As git itself does when it reads; zlib's checksum still catches damaged objects, and blobs cost a third less.
        git2::opts::strict_hash_verification(false);
        // Objects are read once a snapshot; a cache of all that were ever read would be what grows in a server.
        git2::opts::enable_caching(false);
        let written = options.root.as_deref().unwrap_or(Path::new("."));
        let not_a_wiki = || Error::NotAWiki { root: written.display().to_string() };
        let start = fs::canonicalize(written).ok().filter(|path| path.is_dir()).ok_or_else(not_a_wiki)?;
        let (top, handle) = discover(&start, written)?;

        let work_tree = handle.workdir().and_then(|path| fs::canonicalize(path).ok());
        let mut folder = match &work_tree {
            None if start == top => Vec::new(),
            None => return Err(not_a_wiki()),
            Some(work_tree) => {
                let inside_git = fs::canonicalize(handle.path()).is_ok_and(|git| start.starts_with(git));
                if inside_git || !start.starts_with(work_tree) {
                    return Err(not_a_wiki());
                }
                let root = if options.root.is_some() { &start } else { configured(&start, work_tree) };
                root.strip_prefix(work_tree).map_err(|_| not_a_wiki())?.as_os_str().as_bytes().to_vec()
            }
        };
        let reads_files = options.reference.is_none() && work_tree.is_some();
        let revision = || match reads_files {
            true => "the work tree".to_owned(),
            false => format!("`{}`", options.reference.as_deref().unwrap_or("HEAD")),
        };
        if let Some(name) = &options.folder {
            let not_found = || Error::FolderNotFound { folder: name.clone(), revision: revision() };
            folder = joined(folder, name).ok_or_else(not_found)?;
            let path = work_tree.as_ref().map(|top| top.join(OsStr::from_bytes(&folder)));
            // A symlink may lead out of the repository.
            if let Some(path) = path.filter(|_| reads_files)
                && !(path.is_dir() && fs::canonicalize(&path).is_ok_and(|real| real == path))
            {
                return Err(not_found());
            }
        }
        let root = work_tree.filter(|_| reads_files).map(|top| match folder.as_slice() {
            [] => top,
            folder => top.join(OsStr::from_bytes(folder)),
        });
        Ok((Self { top, root, folder, reference: options.reference.clone() }, handle))
    }

    /// The wiki's folder on disk; `None` where a revision is read and not the work tree.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// What tells this wiki from every other on this machine.
    pub(super) fn identity(&self) -> Vec<u8> {
        let reference = self.reference.as_deref().unwrap_or_default();
        let source: &[u8] = if self.root.is_some() { b"work tree" } else { b"revision" };
        [self.top.as_os_str().as_bytes(), &self.folder, source, reference.as_bytes()].join(&0)
    }

    /// The folders in which nothing may be written: the wiki's, also where a revision of it is read, and git's own.
    pub(super) fn untouchable(&self, handle: &git2::Repository) -> Vec<PathBuf> {
        let wiki = handle.workdir().map(|top| top.join(OsStr::from_bytes(&self.folder)));
        [handle.path().to_owned(), handle.commondir().to_owned()].into_iter().chain(wiki).collect()
    }

    /// Where a stored name is on disk.
    pub(super) fn on_disk(&self, stored: &[u8]) -> Option<PathBuf> {
        Some(self.root()?.join(OsStr::from_bytes(stored)))
    }

    /// The wiki's folder in the repository, as stored.
    pub(super) fn folder(&self) -> &[u8] {
        &self.folder
    }

    /// `--ref`.
    pub(super) fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }

    /// A new handle, which sees the configuration, attributes and ignore rules of now.
    pub(super) fn reopen(&self) -> Result<git2::Repository, Error> {
        open_at(&self.top).map_err(|error| self.failed("open the repository", &error))
    }

    /// That the wiki's folder is not in a revision.
    pub(super) fn folder_not_found(&self, revision: String) -> Error {
        Error::FolderNotFound { folder: shown(&self.folder), revision }
    }

    /// libgit2's error as one of ours.
    pub(super) fn failed(&self, action: impl Into<String>, error: &git2::Error) -> Error {
        failed(&self.top, action.into(), error)
    }

    /// libgit2's words without the place on this machine.
    pub(super) fn words(&self, error: &git2::Error) -> String {
        words(&self.top, error)
    }
}

/// A path without symlinks, as far as it exists.
pub(super) fn real(path: &Path) -> PathBuf {
    let mut path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for _ in 0..MAX_SYMLINKS {
        let split = |start: &Path| Some((fs::canonicalize(start).ok()?, path.strip_prefix(start).ok()?.to_owned()));
        let Some((start, rest)) = path.ancestors().find_map(split) else { break };
        let mut missing = rest.components();
        let target = missing.next().and_then(|first| fs::read_link(start.join(first)).ok());
        let Some(target) = target else {
            path = start.join(rest);
            break;
        };
        // It leads to what is not there yet: whoever writes there makes it.
        path = start.join(target).join(missing.as_path());
    }
    // What does not exist may lead upwards all the same.
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => _ = clean.pop(),
            component => clean.push(component),
        }
    }
    clean
}

/// A folder's folder, by the name that the user gave it; `None` if that leads upwards.
fn joined(mut folder: Vec<u8>, name: &str) -> Option<Vec<u8>> {
    for part in name.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            return None;
        }
        if !folder.is_empty() {
            folder.push(b'/');
        }
        folder.extend_from_slice(part.as_bytes());
    }
    Some(folder)
}

/// The repository that holds a folder, and the folder that has its `.git` (or is it).
fn discover(start: &Path, written: &Path) -> Result<(PathBuf, git2::Repository), Error> {
    for (level, folder) in start.ancestors().enumerate() {
        match open_at(folder) {
            Ok(handle) => return Ok((folder.to_owned(), handle)),
            Err(error) if error.code() == ErrorCode::NotFound => {}
            Err(error) if error.code() == ErrorCode::Owner => {
                let path = (0..level).fold(written.to_owned(), |path, _| path.join(".."));
                return Err(Error::ForeignOwner { path: path.display().to_string() });
            }
            Err(error) => return Err(failed(folder, "open the repository".into(), &error)),
        }
    }
    Err(Error::NotAWiki { root: written.display().to_string() })
}

/// Opens the repository of exactly this folder. Unlike `Repository::open_from_env` this heeds none of git's variables.
fn open_at(folder: &Path) -> Result<git2::Repository, git2::Error> {
    git2::Repository::open_ext(folder, RepositoryOpenFlags::NO_SEARCH, &[] as &[&OsStr])
}

/// The nearest folder from `start` up to the work tree's top that holds `chemenu.toml`, else that top.
fn configured<'a>(start: &'a Path, work_tree: &'a Path) -> &'a Path {
    start
        .ancestors()
        .take_while(|folder| folder.starts_with(work_tree))
        .find(|folder| folder.join("chemenu.toml").is_file())
        .unwrap_or(work_tree)
}

fn failed(top: &Path, action: String, error: &git2::Error) -> Error {
    match unsupported(error.message()) {
        Some(feature) => Error::UnsupportedRepository { feature },
        None => Error::Git { action, message: words(top, error) },
    }
}

fn words(top: &Path, error: &git2::Error) -> String {
    error.message().replace(&format!("{}/", top.display()), "")
}

/// The format that libgit2 refuses. It has no error codes for them, only words.
fn unsupported(message: &str) -> Option<String> {
    if let Some(name) = message.strip_prefix("unsupported extension name extensions.") {
        return Some(match name {
            "refstorage" => "the reference storage reftable".into(),
            _ => format!("the repository extension {name}"),
        });
    }
    if let Some(name) = message.strip_prefix("unknown object format ") {
        return Some(format!("the object format {}", name.trim_matches('\'')));
    }
    if let Some(rest) = message.strip_prefix("unsupported repository version ") {
        return Some(format!("the repository format {}", rest.split(';').next().unwrap_or(rest)));
    }
    let (_, name) = message.split_once("unsupported mandatory extension: ")?;
    Some(match name.trim_matches('\'') {
        "link" => "a split index".into(),
        "sdir" => "a sparse index".into(),
        name => format!("the index extension {name}"),
    })
}
