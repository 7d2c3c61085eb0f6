//! The wiki's files in the work tree.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use git2::{Oid, Status, StatusShow};

use super::clean::{is_unwatched, status_options};
use super::names::{below, is_hidden, is_markdown, shown};
use super::open::Place;
use super::tree::{MAX_PATH_BYTES, REGULAR, SUBMODULE, TYPE_BITS, too_large};
use super::{File, Listing, MAX_PAGE_BYTES, Origin, Reason};
use crate::error::Error;

/// How often a file is tried that is replaced while it is being opened.
const ATTEMPTS: usize = 3;

/// What git knows of a path.
struct Known {
    /// The type bits of its mode in the index; those of a regular file if it is untracked.
    kind: u32,
    /// Its blob, if git takes the file for unchanged without looking at it.
    unwatched: Option<Oid>,
}

/// Lists what git tracks or would add, as far as it is there. The disk decides what is a file, the index which are meant.
pub(super) fn list(place: &Place) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    let Some(root) = place.root() else { return Ok(listing) };
    let mut folders = Folders::new(root);
    for (path, known) in known(place)? {
        let metadata = folders.metadata(&path);
        if is_hidden(&path) {
            if is_markdown(&path) && (metadata.is_some() || known.unwatched.is_some()) {
                listing.skip(&path, Reason::Hidden);
            }
            continue;
        }
        match (known, metadata) {
            (Known { kind: SUBMODULE, .. }, _) => listing.skip(&path, Reason::Submodule),
            (_, Some(metadata)) if metadata.is_symlink() => listing.skip(&path, Reason::Symlink),
            (_, Some(metadata)) if metadata.is_file() => {
                listing.files.push(File { path: shown(&path), origin: Origin::WorkTree(path) });
            }
            (Known { kind: REGULAR, unwatched: Some(id) }, None) => {
                listing.files.push(File { path: shown(&path), origin: Origin::Blob(id) });
            }
            (Known { unwatched: Some(_), .. }, None) => listing.skip(&path, Reason::Symlink),
            _ => {}
        }
    }
    Ok(listing)
}

/// All paths below the root that are in the index, or untracked and not ignored.
fn known(place: &Place) -> Result<BTreeMap<Vec<u8>, Known>, Error> {
    let handle = place.reopen()?;
    let failed = |error: git2::Error| place.failed("list the work tree", &error);
    let mut options = status_options(place);
    let statuses = handle.statuses(Some(options.show(StatusShow::Workdir))).map_err(failed)?;
    let index = handle.index().map_err(failed)?;

    let mut known = BTreeMap::new();
    for entry in index.iter() {
        // A conflict has up to three entries of one path.
        if let Some(path) = below(place.folder(), &entry.path) {
            let unwatched = is_unwatched(&entry).then_some(entry.id);
            known.insert(path.to_vec(), Known { kind: entry.mode & TYPE_BITS, unwatched });
        }
    }
    for entry in statuses.iter().filter(|entry| entry.status().contains(Status::WT_NEW)) {
        let Some(path) = below(place.folder(), entry.path_bytes()) else { continue };
        // The only folders that are named are those with a repository of their own.
        let (path, kind) = match path.strip_suffix(b"/") {
            Some(folder) => (folder, SUBMODULE),
            None => (path, REGULAR),
        };
        known.entry(path.to_vec()).or_insert(Known { kind, unwatched: None });
    }
    Ok(known)
}

/// A file's bytes, or a sentence on why there are none.
pub(super) fn read(place: &Place, stored: &[u8]) -> Result<Vec<u8>, String> {
    let root = place.root().ok_or("there is no work tree")?;
    let regular = || {
        // No memory between calls: what was a folder may have become a symlink.
        match Folders::new(root).metadata(stored) {
            Some(metadata) if metadata.is_file() => Ok(metadata),
            _ => Err("it is no regular file any more"),
        }
    };
    for _ in 0..ATTEMPTS {
        regular()?; // Opening anything else may hang or have effects.
        let file = fs::File::open(root.join(OsStr::from_bytes(stored))).map_err(|error| error.to_string())?;
        let opened = file.metadata().map_err(|error| error.to_string())?;
        let there = regular()?;
        // The same file is still found without passing a symlink, so none was passed when it was opened.
        if (opened.dev(), opened.ino()) == (there.dev(), there.ino()) {
            return bounded(file, opened.len());
        }
    }
    Err("it is being replaced again and again".into())
}

/// Reads a file that was `length` bytes long a moment ago and may be growing.
fn bounded(file: fs::File, length: u64) -> Result<Vec<u8>, String> {
    if length > MAX_PAGE_BYTES as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(length as usize + 1);
    file.take(MAX_PAGE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_PAGE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Looks at paths below a root without following a symlink in any component.
struct Folders<'a> {
    root: &'a Path,
    real: HashMap<Vec<u8>, bool>,
}

impl<'a> Folders<'a> {
    fn new(root: &'a Path) -> Self {
        Self { root, real: HashMap::new() }
    }

    /// What is at a stored path; `None` if there is nothing, or something other than folders on the way.
    fn metadata(&mut self, path: &[u8]) -> Option<Metadata> {
        let (folder, name) = match path.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => (&path[..slash], &path[slash + 1..]),
            None => (&b""[..], path),
        };
        // git makes no such names; an index made by somebody else may hold them.
        if path.len() > MAX_PATH_BYTES || path.starts_with(b"/") || matches!(name, b"" | b"." | b"..") {
            return None;
        }
        if !folder.is_empty() && !self.is_real(folder) {
            return None;
        }
        fs::symlink_metadata(self.root.join(OsStr::from_bytes(path))).ok()
    }

    fn is_real(&mut self, folder: &[u8]) -> bool {
        if let Some(&known) = self.real.get(folder) {
            return known;
        }
        let real = self.metadata(folder).is_some_and(|metadata| metadata.is_dir());
        self.real.insert(folder.to_vec(), real);
        real
    }
}
