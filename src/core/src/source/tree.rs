//! The wiki's files at a commit.

use std::path::Path;

use git2::{ErrorCode, ObjectType, Oid, Tree};

use super::names::{is_hidden, is_markdown, shown};
use super::open::Place;
use super::{Commit, Entry, File, Listing, MAX_PAGE_BYTES, Origin, Reason, Skipped};
use crate::error::Error;

/// What the type bits of a mode say; libgit2's own `kind` takes a symlink for a blob.
pub(super) const TYPE_BITS: u32 = 0o170_000;
pub(super) const FOLDER: u32 = 0o040_000;
pub(super) const REGULAR: u32 = 0o100_000;
pub(super) const SYMLINK: u32 = 0o120_000;
pub(super) const SUBMODULE: u32 = 0o160_000;

/// The longest path that is followed, in bytes: what a file system takes. It bounds the depth of crafted trees.
pub(super) const MAX_PATH_BYTES: usize = 4096;

/// A folder on the way down.
struct Level<'a> {
    tree: Tree<'a>,
    next: usize,
    /// How much of the path is the folder's own, the slash included.
    length: usize,
    hidden: bool,
}

/// Lists all files below the wiki's folder. git stores trees so that walking them gives the files sorted by their whole paths.
pub(super) fn list(place: &Place, handle: &git2::Repository, commit: &Commit) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    let mut path = Vec::new();
    let mut levels = vec![Level { tree: wiki_tree(place, handle, commit)?, next: 0, length: 0, hidden: false }];
    while let Some(level) = levels.last_mut() {
        path.truncate(level.length);
        let Some(entry) = level.tree.get(level.next) else {
            levels.pop();
            continue;
        };
        level.next += 1;
        let name = entry.name_bytes();
        let hidden = level.hidden || name.starts_with(b".");
        path.extend_from_slice(name);
        match (entry.filemode_raw() as u32 & TYPE_BITS, hidden) {
            (FOLDER, _) if name == b".git" => {}
            (FOLDER, _) => {
                if path.len() > MAX_PATH_BYTES {
                    let message = format!("a path is longer than {MAX_PATH_BYTES} bytes");
                    return Err(Error::Git { action: format!("list `{}`", shown(&path[..64])), message });
                }
                let tree = find_tree(place, handle, entry.id(), &path)?;
                drop(entry);
                path.push(b'/');
                levels.push(Level { tree, next: 0, length: path.len(), hidden });
            }
            (kind, _) => listing.extend(classify(&path, kind, hidden, entry.id())),
        }
    }
    Ok(listing)
}

/// What a listing says of a path that is no folder; `None` for what does not concern a wiki.
pub(super) fn classify(path: &[u8], kind: u32, hidden: bool, id: Oid) -> Option<Entry> {
    let skipped = |reason| Some(Entry::Skipped(Skipped { path: shown(path), reason }));
    match (kind, hidden) {
        (REGULAR | SYMLINK, true) if is_markdown(path) => skipped(Reason::Hidden),
        (_, true) => None,
        (REGULAR, false) => Some(Entry::File(File { path: shown(path), origin: Origin::Blob(id) })),
        (SYMLINK, false) => skipped(Reason::Symlink),
        (SUBMODULE, false) => skipped(Reason::Submodule),
        _ => None,
    }
}

impl Extend<Entry> for Listing {
    fn extend<I: IntoIterator<Item = Entry>>(&mut self, entries: I) {
        for entry in entries {
            match entry {
                Entry::File(file) => self.files.push(file),
                Entry::Skipped(skipped) => self.skipped.push(skipped),
            }
        }
    }
}

impl Listing {
    pub(super) fn skip(&mut self, path: &[u8], reason: Reason) {
        self.skipped.push(Skipped { path: shown(path), reason });
    }
}

/// A blob's bytes, or a sentence on why there are none.
pub(super) fn read(place: &Place, handle: &git2::Repository, id: Oid) -> Result<Vec<u8>, String> {
    let words = |error: git2::Error| match error.code() {
        ErrorCode::NotFound => format!("its object `{id}` is missing"),
        _ => place.words(&error),
    };
    let odb = handle.odb().map_err(words)?;
    // The header comes first: a few bytes may unpack to gigabytes.
    match odb.read_header(id).map_err(words)? {
        (size, _) if size > MAX_PAGE_BYTES => Err(too_large()),
        (_, ObjectType::Blob) => Ok(odb.read(id).map_err(words)?.data().to_vec()),
        (_, kind) => Err(format!("its object `{id}` is a {kind} and no file")),
    }
}

/// The regular file at a path below the wiki's folder, as it is shown, in a commit.
pub(super) fn find(
    place: &Place,
    handle: &git2::Repository,
    commit: &Commit,
    path: &str,
) -> Result<Option<File>, Error> {
    // A name that is not UTF-8 is shown otherwise than it is stored: such a path finds nothing, or a file of that very name.
    if is_hidden(path.as_bytes()) {
        return Ok(None);
    }
    let tree = wiki_tree(place, handle, commit)?;
    let entry = match tree.get_path(Path::new(path)) {
        Ok(entry) if entry.filemode_raw() as u32 & TYPE_BITS == REGULAR => entry,
        _ => return Ok(None),
    };
    Ok(Some(File { path: path.to_owned(), origin: Origin::Blob(entry.id()) }))
}

/// Why a file beyond the bound is not read.
pub(super) fn too_large() -> String {
    format!("it is larger than {} MiB", MAX_PAGE_BYTES >> 20)
}

/// The tree of the wiki's folder.
pub(super) fn wiki_tree<'a>(place: &Place, handle: &'a git2::Repository, commit: &Commit) -> Result<Tree<'a>, Error> {
    let object = handle
        .find_commit(commit.id)
        .map_err(|error| place.failed(format!("read the commit `{}`", commit.id), &error))?;
    let mut tree = find_tree(place, handle, object.tree_id(), b"")?;
    let folder = place.folder();
    for name in folder.split(|&byte| byte == b'/').filter(|name| !name.is_empty()) {
        let id = match tree.get_name_bytes(name) {
            Some(entry) if entry.kind() == Some(ObjectType::Tree) => entry.id(),
            _ => return Err(place.folder_not_found(format!("commit `{:.10}`", commit.id.to_string()))),
        };
        tree = find_tree(place, handle, id, folder)?;
    }
    Ok(tree)
}

/// A tree by its id.
pub(super) fn find_tree<'a>(
    place: &Place,
    handle: &'a git2::Repository,
    id: Oid,
    path: &[u8],
) -> Result<Tree<'a>, Error> {
    handle.find_tree(id).map_err(|error| {
        let folder =
            if path.is_empty() { "the top folder".to_owned() } else { format!("the folder `{}`", shown(path)) };
        place.failed(format!("read {folder} (tree `{id}`)"), &error)
    })
}
