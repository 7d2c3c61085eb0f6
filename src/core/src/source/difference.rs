//! What differs between two commits: a walk over both trees that does not open what is the same in both.

use std::cmp::Ordering;

use git2::{Oid, Tree};

use super::open::Place;
use super::tree::{FOLDER, MAX_PATH_BYTES, TYPE_BITS, classify, find_tree, wiki_tree};
use super::{Commit, Entry};
use crate::error::Error;

/// A path of the wiki whose entry is not the same in two commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What is there in the first; `None` for nothing that a listing names.
    pub before: Option<Entry>,
    /// What is there in the second.
    pub after: Option<Entry>,
}

/// One name in a tree.
struct Child {
    name: Vec<u8>,
    kind: u32,
    id: Oid,
}

/// Two folders of one path that differ; one of them may not be there.
struct Pair<'a> {
    path: Vec<u8>,
    hidden: bool,
    trees: [Option<Tree<'a>>; 2],
}

/// What differs below the wiki's folder, in no order.
///
/// # Errors
/// One of the commits has no such folder, or one of the trees that differ cannot be read.
pub(super) fn differences(
    place: &Place,
    handle: &git2::Repository,
    before: &Commit,
    after: &Commit,
) -> Result<Vec<Difference>, Error> {
    let tree = |commit| wiki_tree(place, handle, commit).map(Some);
    let mut found = Vec::new();
    let mut open = vec![Pair { path: Vec::new(), hidden: false, trees: [tree(before)?, tree(after)?] }];
    while let Some(pair) = open.pop() {
        compare(place, handle, &pair, &mut open, &mut found)?;
    }
    Ok(found)
}

fn compare<'a>(
    place: &Place,
    handle: &'a git2::Repository,
    pair: &Pair<'a>,
    open: &mut Vec<Pair<'a>>,
    found: &mut Vec<Difference>,
) -> Result<(), Error> {
    if pair.path.len() > MAX_PATH_BYTES {
        let message = format!("a path is longer than {MAX_PATH_BYTES} bytes");
        return Err(Error::Git { action: "compare two commits".into(), message });
    }
    let [before, after] = pair.trees.each_ref().map(|tree| tree.as_ref().map(children).unwrap_or_default());
    let (mut before, mut after) = (before.into_iter().peekable(), after.into_iter().peekable());
    loop {
        let order = match (before.peek(), after.peek()) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.name.cmp(&right.name),
        };
        let left = if order.is_le() { before.next() } else { None };
        let right = if order.is_ge() { after.next() } else { None };
        let same = |left: &Child, right: &Child| left.id == right.id && left.kind == right.kind;
        if left.as_ref().zip(right.as_ref()).is_some_and(|(left, right)| same(left, right)) {
            continue;
        }
        let Some(name) = left.as_ref().or(right.as_ref()).map(|child| child.name.clone()) else { continue };
        let path = [pair.path.as_slice(), &name].concat();
        let hidden = pair.hidden || name.starts_with(b".");
        let sides = [left, right];
        let is_folder = |child: &&Child| child.kind == FOLDER && name != b".git";
        if sides.iter().flatten().any(|child| is_folder(&child)) {
            let mut trees = [None, None];
            for (tree, child) in trees.iter_mut().zip(&sides) {
                if let Some(child) = child.as_ref().filter(is_folder) {
                    *tree = Some(find_tree(place, handle, child.id, &path)?);
                }
            }
            open.push(Pair { path: [&path, &b"/"[..]].concat(), hidden, trees });
        }
        let [before, after] = sides.map(|child| child.and_then(|child| classify(&path, child.kind, hidden, child.id)));
        if before != after {
            found.push(Difference { before, after });
        }
    }
}

/// A tree's entries sorted by name; git sorts folders as if their names ended in a slash.
fn children(tree: &Tree) -> Vec<Child> {
    let child = |entry: git2::TreeEntry| Child {
        name: entry.name_bytes().to_vec(),
        kind: entry.filemode_raw() as u32 & TYPE_BITS,
        id: entry.id(),
    };
    let mut children: Vec<Child> = tree.iter().map(child).collect();
    children.sort_by(|a, b| a.name.cmp(&b.name));
    children
}
