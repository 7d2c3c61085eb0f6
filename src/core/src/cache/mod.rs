//! The cache: a wiki's index on disk, so that it is made once and not once a process.
//!
//! A folder of its own for each wiki holds a *manifest* and the segments that it names. Segments are never changed; a manifest is
//! replaced as a whole, so that what is stored and the commit that it is of change in one step. Whatever cannot be read, or is not what
//! was written, is as good as not there: everything can be made anew from git.

#![allow(clippy::disallowed_methods, reason = "it writes, below its own folder, and nothing else does")]

mod container;
mod directory;
mod manifest;

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub(crate) use container::Container;
pub(crate) use directory::Folder;

use crate::answer::Stamp;
use crate::error::Error;
use crate::snapshot::{Snapshot, Summary};
use crate::source::{Commit, Repository};

/// The name of a wiki's manifest.
const MANIFEST: &str = "manifest";
/// What `status` counted, of one commit.
const SUMMARY: &str = "summary";
/// What a file is called while it is written.
const NEW: &str = "new-";
/// The file that whoever writes holds a lock on.
const LOCK: &str = "lock";
/// What all wikis' folders may hold together, in bytes; then those used longest ago are removed.
const MAX_BYTES: u64 = 4 << 30;
/// A manifest's time says when it was last used, give or take this.
const USED_EVERY: Duration = Duration::from_secs(3600);
/// How often a manifest is read again whose segments were replaced meanwhile.
const ATTEMPTS: usize = 5;

/// Where the indexes of wikis are kept, unless the user says otherwise: `$XDG_CACHE_HOME/chemenu`, else `~/.cache/chemenu`.
pub fn default_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(base.join("chemenu"))
}

/// The part of the cache that is one wiki's.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Of all wikis.
    base: PathBuf,
    /// Of this one.
    folder: PathBuf,
    /// Its [`Repository::identity`], hashed.
    identity: String,
}

impl Cache {
    /// The cache of a wiki in a folder; nothing is written yet.
    ///
    /// # Errors
    /// The folder lies in the wiki, or in git's own folder.
    pub(crate) fn new(base: &Path, repository: &Repository) -> Result<Self, Error> {
        if repository.holds(base) {
            return Err(Error::CacheInsideWiki { folder: base.display().to_string() });
        }
        let identity: String = Sha256::digest(repository.identity()).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { base: base.to_owned(), folder: base.join(&identity[..32]), identity })
    }

    /// The snapshot that is stored, of whatever commit; `resident` keeps its index in memory.
    pub(crate) fn load(&self, repository: &Arc<Repository>, resident: bool) -> Option<Snapshot> {
        if !is_ours(&self.folder) {
            return None;
        }
        for _ in 0..ATTEMPTS {
            match manifest::read(&self.folder, &self.identity, repository, resident) {
                Ok(snapshot) => {
                    self.note_use();
                    return snapshot;
                }
                // Another process has put another manifest there, and taken away what this one named.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => return None,
            }
        }
        None
    }

    fn note_use(&self) {
        let Ok(manifest) = File::open(self.folder.join(MANIFEST)) else { return };
        let age =
            manifest.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_none_or(|age| age > USED_EVERY) {
            _ = manifest.set_modified(SystemTime::now());
        }
    }

    /// Stores a snapshot of a commit with its index. While another process is at it nothing is done: that one's is as good.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn save(&self, snapshot: &Snapshot) -> io::Result<()> {
        self.make()?;
        let lock = File::options().create(true).truncate(false).write(true).open(self.folder.join(LOCK))?;
        match lock.try_lock() {
            Err(fs::TryLockError::WouldBlock) => return Ok(()),
            locked => locked?,
        }
        let named = manifest::write(snapshot, &self.identity, |name, parts| self.put(name, parts))?;
        // Whoever writes holds the lock, so what is left is nobody's.
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let name = entry.file_name();
            let is_wanted = named.iter().any(|known| name == **known) || name == LOCK || name == SUMMARY;
            if is_file_of_ours(&name) && !is_wanted {
                _ = fs::remove_file(entry.path());
            }
        }
        self.evict();
        Ok(())
    }

    /// Makes the folder, if it is not there.
    fn make(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        if !is_ours(&self.folder) {
            return Err(io::Error::other(format!("`{}` is no folder of this user's alone", self.folder.display())));
        }
        Ok(())
    }

    /// The folder of all wikis' indexes, made if it is not there; `None` where nothing can be written.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.make().ok().map(|()| self.base.as_path())
    }

    /// The numbers of a commit, if they were counted last.
    pub(crate) fn load_summary(&self, commit: &Commit) -> Option<Summary> {
        if !is_ours(&self.folder) {
            return None;
        }
        manifest::read_summary(&self.folder.join(SUMMARY), &self.identity, commit).ok().flatten()
    }

    /// Stores the numbers of a commit.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn save_summary(&self, commit: &Commit, summary: &Summary) -> io::Result<()> {
        self.make()?;
        let part = manifest::summary(&self.identity, commit, summary)?;
        self.put(SUMMARY, &[(SUMMARY.to_owned(), &part)]).map(|_| ())
    }

    /// Puts a file there as a whole; gives the checksum that it is known by.
    fn put(&self, name: &str, parts: &[(String, &[u8])]) -> io::Result<u32> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let new = self.folder.join(format!("{NEW}{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        let written = File::create(&new)
            .and_then(|mut file| Container::write(&mut file, parts.iter().map(|(name, part)| (name.clone(), *part))))
            .and_then(|checksum| fs::rename(&new, self.folder.join(name)).map(|()| checksum));
        if written.is_err() {
            _ = fs::remove_file(&new);
        }
        written
    }

    /// Takes away what is stored of this wiki.
    pub(crate) fn discard(&self) {
        if !is_ours(&self.folder) {
            return;
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if is_file_of_ours(&entry.file_name()) {
                _ = fs::remove_file(entry.path());
            }
        }
        // What somebody else has put there stays, and the folder with it.
        _ = fs::remove_dir(&self.folder);
    }

    /// Takes away the wikis used longest ago, while all are too large together.
    fn evict(&self) {
        let folders = fs::read_dir(&self.base).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut wikis: Vec<(SystemTime, u64, PathBuf)> = folders
            .filter(|folder| *folder != self.folder && is_ours(folder))
            .filter_map(|folder| {
                let used = fs::metadata(folder.join(MANIFEST)).and_then(|metadata| metadata.modified()).ok()?;
                Some((used, size(&folder), folder))
            })
            .collect();
        wikis.sort();
        let mut total = size(&self.folder) + wikis.iter().map(|(_, size, _)| size).sum::<u64>();
        for (_, size, folder) in wikis {
            if total <= MAX_BYTES {
                return;
            }
            total -= size;
            _ = fs::remove_dir_all(folder);
        }
    }

    /// What is stored: the stamp of its commit, and where and how much it is.
    pub(crate) fn describe(&self, repository: &Arc<Repository>) -> (Stamp, Value) {
        let stored = self.load(repository, false);
        let cache = json!({
            "folder": self.folder.display().to_string(),
            "pages": stored.as_ref().map(|snapshot| snapshot.table().len()),
            "bytes": size(&self.folder),
            "limit": MAX_BYTES,
        });
        (stored.map(|snapshot| snapshot.stamp).unwrap_or_default(), cache)
    }
}

/// Whether a folder is a real one of this user's, that nobody else may write to.
fn is_ours(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok_and(|metadata| {
        let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
        metadata.is_dir() && is_own && metadata.permissions().mode() & 0o022 == 0
    })
}

/// Whether a file is called as those are that are stored.
fn is_file_of_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    [MANIFEST, SUMMARY, LOCK].contains(&&*name) || name.ends_with(".segment") || name.starts_with(NEW)
}

/// The bytes that a folder's files take.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.blocks() * 512).sum()
}
