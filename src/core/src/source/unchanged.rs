//! Whether the work tree is plainly what HEAD says: the quick look that nearly always suffices.
//!
//! Only "yes" is said here, and only where git's index vouches for it: its tree is HEAD's, each file that matters has the very times,
//! number and size that git saw when it compared the contents, and beside them there is none. libgit2 comes to the same in three
//! times the time; of whatever is not plain it is the judge.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rayon::prelude::*;

use super::names::{below, is_hidden, matters};
use super::open::Place;

/// How many paths that git does not track may be looked up in its rules of what is ignored.
const MAX_IGNORED: usize = 64;
/// How many files are worth a job.
const FILES_PER_JOB: usize = 1024;

/// Bytes of an object's id.
const ID: usize = 20;
/// The numbers before an entry's id: what git saw of the file.
const SEEN: usize = 10;
/// In the index's flags: there is a second word of them, whose bits say what is not plain.
const EXTENDED: u16 = 0x4000;
/// The file is taken for unchanged, or is one side of a conflict.
const NOT_PLAIN: u16 = 0xb000;

/// Whether that can be said at once.
pub(super) fn is_plainly_clean(place: &Place, handle: &git2::Repository) -> bool {
    look(place, handle).unwrap_or(false)
}

fn look(place: &Place, handle: &git2::Repository) -> Option<bool> {
    let root = place.root()?;
    let head = handle.head().ok()?.peel_to_commit().ok()?.tree_id();
    let mut file = File::open(handle.path().join("index")).ok()?;
    let written = times(&file.metadata().ok()?)[1];
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let index = Index::parse(&bytes, place.folder())?;
    if index.tree != head.as_bytes() {
        return None;
    }
    let mut walk = Walk { handle, place, index: &index, found: 0, asked: 0 };
    walk.folder(root, &mut Vec::new())?;
    let is_same = |entry: &Entry| {
        let metadata = fs::symlink_metadata(root.join(OsStr::from_bytes(&entry.path)));
        // What was changed in the moment in which the index was written may have been changed after it.
        metadata.is_ok_and(|metadata| seen(&metadata) == Some(entry.seen) && times(&metadata)[1] < written)
    };
    (walk.found == index.entries.len())
        .then(|| index.entries.par_iter().with_min_len(FILES_PER_JOB).all(is_same))
        .filter(|&is_clean| is_clean)
}

/// A file as git saw it: times of its last change in seconds and nanoseconds, its number, mode, owner, group and size.
type Seen = [u32; 9];

/// What git would see of a file; `None` for what it does not keep.
fn seen(metadata: &Metadata) -> Option<Seen> {
    let mode = match metadata.file_type() {
        kind if kind.is_symlink() => 0o120_000,
        kind if kind.is_file() && metadata.mode() & 0o100 != 0 => 0o100_755,
        kind if kind.is_file() => 0o100_644,
        _ => return None,
    };
    let [changed, modified] = times(metadata);
    let [ino, size] = [metadata.ino(), metadata.size()].map(|number| number as u32);
    Some([changed.0, changed.1, modified.0, modified.1, ino, mode, metadata.uid(), metadata.gid(), size])
}

/// When a file's state and its contents were last changed, as far as git keeps it.
fn times(metadata: &Metadata) -> [(u32, u32); 2] {
    let pair = |seconds: i64, nanoseconds: i64| (seconds as u32, nanoseconds as u32);
    [pair(metadata.ctime(), metadata.ctime_nsec()), pair(metadata.mtime(), metadata.mtime_nsec())]
}

/// What git's index says of the wiki.
struct Index {
    /// The tree that it is the same as.
    tree: Vec<u8>,
    /// The files that matter, sorted by path.
    entries: Vec<Entry>,
}

struct Entry {
    /// Below the root.
    path: Vec<u8>,
    seen: Seen,
}

impl Index {
    /// Reads versions 2 to 4, as `gitformat-index(5)` has them; `None` for whatever is not plain.
    fn parse(bytes: &[u8], folder: &[u8]) -> Option<Self> {
        let mut rest = bytes.get(..bytes.len().checked_sub(ID)?)?.strip_prefix(b"DIRC")?;
        let (version, count) = (number(&mut rest)?, number(&mut rest)?);
        if !(2..=4).contains(&version) {
            return None;
        }
        let (mut entries, mut path) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let start = rest.len();
            let mut numbers = [0; SEEN];
            for seen in &mut numbers {
                *seen = number(&mut rest)?;
            }
            take(&mut rest, ID)?;
            let flags = u16::from_be_bytes(take(&mut rest, 2)?.try_into().ok()?);
            let extended =
                if flags & EXTENDED == 0 { 0 } else { u16::from_be_bytes(take(&mut rest, 2)?.try_into().ok()?) };
            if flags & NOT_PLAIN != 0 || extended != 0 {
                return None;
            }
            if version == 4 {
                let kept = path.len().checked_sub(varint(&mut rest)?)?;
                path.truncate(kept);
            } else {
                path.clear();
            }
            let length = memchr::memchr(0, rest)?;
            path.extend_from_slice(take(&mut rest, length)?);
            let padding = if version == 4 { 1 } else { 8 - (start - rest.len()) % 8 };
            take(&mut rest, padding)?;
            if let Some(path) = below(folder, &path).filter(|path| matters(path)) {
                let [changed, changed_part, modified, modified_part, _device, ino, mode, owner, group, size] = numbers;
                let seen = [changed, changed_part, modified, modified_part, ino, mode, owner, group, size];
                entries.push(Entry { path: path.to_vec(), seen });
            }
        }
        let mut tree = None;
        while !rest.is_empty() {
            let name = take(&mut rest, 4)?;
            let length = number(&mut rest)? as usize;
            let content = take(&mut rest, length)?;
            match name {
                b"TREE" => tree = Some(root_of(content)?),
                // It says what must be known to read the rest.
                [first, ..] if !first.is_ascii_uppercase() => return None,
                _ => {}
            }
        }
        entries.is_sorted_by(|a, b| a.path < b.path).then_some(())?;
        Some(Self { tree: tree?, entries })
    }

    /// Whether a file that matters is at a path.
    fn has(&self, path: &[u8]) -> bool {
        self.entries.binary_search_by(|entry| entry.path.as_slice().cmp(path)).is_ok()
    }

    /// Whether a file that matters lies below a folder.
    fn has_below(&self, folder: &[u8]) -> bool {
        let start = [folder, b"/"].concat();
        let next = self.entries.partition_point(|entry| entry.path < start);
        self.entries.get(next).is_some_and(|entry| entry.path.starts_with(&start))
    }
}

/// The tree of the whole index, where it is known: the first of what is kept of trees.
fn root_of(content: &[u8]) -> Option<Vec<u8>> {
    let content = content.strip_prefix(b"\0")?;
    let line = memchr::memchr(b'\n', content)?;
    let is_known = !content.starts_with(b"-");
    is_known.then(|| content.get(line + 1..line + 1 + ID).map(<[u8]>::to_vec))?
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(take(bytes, 4)?.try_into().ok()?))
}

/// A number of as many bytes as it needs; each but the last has its highest bit set, and one less is stored for each that follows.
fn varint(bytes: &mut &[u8]) -> Option<usize> {
    let mut byte = take(bytes, 1)?[0];
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = take(bytes, 1)?[0];
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
    }
    Some(value)
}

/// Goes through the work tree below the root.
struct Walk<'a> {
    handle: &'a git2::Repository,
    place: &'a Place,
    index: &'a Index,
    /// The files of the index that are there.
    found: usize,
    /// How often git's rules were asked.
    asked: usize,
}

impl Walk<'_> {
    /// `None` where something is not plain, or a file that matters is not in the index.
    fn folder(&mut self, at: &Path, path: &mut Vec<u8>) -> Option<()> {
        let length = path.len();
        for entry in fs::read_dir(at).ok()? {
            let entry = entry.ok()?;
            let (name, kind) = (entry.file_name(), entry.file_type().ok()?);
            // A repository of its own.
            if name == ".git" && length > 0 {
                return None;
            }
            path.truncate(length);
            if length > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name.as_bytes());
            if is_hidden(name.as_bytes()) {
                continue;
            }
            if kind.is_dir() {
                if self.index.has_below(path) || !self.is_ignored(path)? {
                    self.folder(&entry.path(), path)?;
                }
            } else if matters(path) {
                match self.index.has(path) {
                    true => self.found += 1,
                    false => self.is_ignored(path)?.then_some(())?,
                }
            }
        }
        path.truncate(length);
        Some(())
    }

    /// Whether git ignores a path that it does not track.
    fn is_ignored(&mut self, path: &[u8]) -> Option<bool> {
        self.asked += 1;
        let folder = self.place.folder();
        let whole = if folder.is_empty() { path.to_vec() } else { [folder, b"/", path].concat() };
        (self.asked <= MAX_IGNORED).then(|| self.handle.is_path_ignored(OsStr::from_bytes(&whole)).ok())?
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "it makes the wikis that are looked at")]

    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::corpus::Options;

    struct Wiki(tempfile::TempDir);

    impl Wiki {
        /// Committed long after its files were written.
        fn new(index_version: &str) -> Self {
            let wiki = Self(tempfile::tempdir().unwrap());
            wiki.git(&["init", "--quiet"]);
            for path in ["a.md", "b/c/d.md", "b/e.yaml", "x.txt", ".gitignore", "b/s.md"] {
                fs::create_dir_all(wiki.at(path).parent().unwrap()).unwrap();
                let text = if path == ".gitignore" { "/ignored\n*.tmp.md\n" } else { "one\n" };
                fs::write(wiki.at(path), text).unwrap();
                let file = File::options().write(true).open(wiki.at(path)).unwrap();
                file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
            }
            wiki.git(&["update-index", "--index-version", index_version]);
            wiki.git(&["add", "."]);
            wiki.git(&["commit", "--quiet", "--message=one"]);
            wiki
        }

        fn at(&self, path: &str) -> std::path::PathBuf {
            self.0.path().join(path)
        }

        fn git(&self, arguments: &[&str]) {
            let mut git = Command::new("git");
            git.arg("-C").arg(self.0.path()).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
            assert!(git.args(arguments).output().unwrap().status.success(), "{arguments:?}");
        }

        fn is_plainly_clean(&self, folder: &str) -> bool {
            let root = Some(self.at(folder));
            let (place, handle) = Place::find(&Options { root, ..Options::default() }).unwrap();
            is_plainly_clean(&place, &handle)
        }
    }

    #[test]
    fn what_is_plain_is_said_at_once() {
        for version in ["2", "3", "4"] {
            let wiki = Wiki::new(version);
            assert!(wiki.is_plainly_clean("") && wiki.is_plainly_clean("b"), "version {version}");
            for path in ["ignored/node/x.md", "y.tmp.md", ".hidden/y.md", "b/y.txt"] {
                fs::create_dir_all(wiki.at(path).parent().unwrap()).unwrap();
                fs::write(wiki.at(path), "two\n").unwrap();
                assert!(wiki.is_plainly_clean(""), "version {version}: {path}");
            }
            fs::write(wiki.at("x.txt"), "changed\n").unwrap();
            assert!(wiki.is_plainly_clean(""), "version {version}: a file that does not matter");
        }
    }

    #[test]
    fn what_is_changed_is_not_plain() {
        type Change = fn(&Wiki);
        let changes: &[(&str, Change)] = &[
            ("a text of the same length and time", |wiki| {
                let modified = wiki.at("a.md").metadata().unwrap().modified().unwrap();
                fs::write(wiki.at("a.md"), "two\n").unwrap();
                File::options().write(true).open(wiki.at("a.md")).unwrap().set_modified(modified).unwrap();
            }),
            ("removed", |wiki| fs::remove_file(wiki.at("b/c/d.md")).unwrap()),
            ("new", |wiki| fs::write(wiki.at("b/new.md"), "new\n").unwrap()),
            ("in a new folder", |wiki| {
                fs::create_dir(wiki.at("new")).unwrap();
                fs::write(wiki.at("new/new.md"), "new\n").unwrap();
            }),
            ("runs", |wiki| fs::set_permissions(wiki.at("a.md"), fs::Permissions::from_mode(0o755)).unwrap()),
            ("staged", |wiki| wiki.git(&["rm", "--quiet", "--cached", "x.txt"])),
            ("not looked at", |wiki| wiki.git(&["update-index", "--assume-unchanged", "a.md"])),
            ("left out", |wiki| wiki.git(&["update-index", "--skip-worktree", "a.md"])),
            ("only meant to be added", |wiki| {
                fs::write(wiki.at("n.md"), "new\n").unwrap();
                wiki.git(&["add", "--intent-to-add", "n.md"]);
            }),
            ("behind a link", |wiki| {
                fs::rename(wiki.at("b/c"), wiki.at("b/.c")).unwrap();
                symlink(".c", wiki.at("b/c")).unwrap();
            }),
            ("a repository of its own", |wiki| wiki.git(&["init", "--quiet", "b/c"])),
            ("without an index", |wiki| fs::remove_file(wiki.at(".git/index")).unwrap()),
            ("with half an index", |wiki| {
                let index = fs::read(wiki.at(".git/index")).unwrap();
                fs::write(wiki.at(".git/index"), &index[..index.len() / 2]).unwrap();
            }),
            ("in the moment in which the index was written", |wiki| {
                let written = wiki.at(".git/index").metadata().unwrap().modified().unwrap();
                File::options().write(true).open(wiki.at("a.md")).unwrap().set_modified(written).unwrap();
                wiki.git(&["add", "a.md"]);
                let index = File::options().write(true).open(wiki.at(".git/index")).unwrap();
                index.set_modified(written).unwrap();
            }),
        ];
        for (what, change) in changes {
            let wiki = Wiki::new("2");
            assert!(wiki.is_plainly_clean(""), "before: {what}");
            change(&wiki);
            assert!(!wiki.is_plainly_clean(""), "{what}");
        }
    }
}
