//! The manifest: which commit is stored, its pages, and the segments that hold them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::container::{Container, numbers};
use super::{MANIFEST, SUMMARY};
use crate::config::Config;
use crate::search::{Index, Shape};
use crate::snapshot::{Snapshot, Summary};
use crate::source::{Commit, Origin, Reason, Repository, Skipped};
use crate::table::Table;

/// Which program wrote it: what is made of a page's text may change with every line of the reader.
const READER: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("CHEMENU_READER"));

/// What a manifest says in words; the rest are tables.
#[derive(Serialize, Deserialize)]
struct Head {
    reader: String,
    identity: String,
    /// The commit's id, and its time in seconds since 1970.
    commit: (String, i64),
    shape: Shape,
    excluded: usize,
    skipped: Vec<(String, Reason)>,
    /// Their files' names and checksums: whole files may have been exchanged.
    segments: Vec<(String, u32)>,
    mean_lengths: Vec<f64>,
}

const HEAD: &str = "head";
const CONFIG: &str = "config";
const PATHS: &str = "paths";
const ENDS: &str = "ends";
const BLOBS: &str = "blobs";

/// The part that has a segment's pages.
fn pages_of(segment: &str) -> String {
    format!("pages {segment}")
}

/// Puts a snapshot's new segments and its manifest, in this order, by `put`; gives the names of all its files.
///
/// # Errors
/// Something could not be put.
pub(super) fn write(
    snapshot: &Snapshot,
    identity: &str,
    mut put: impl FnMut(&str, &[(String, &[u8])]) -> io::Result<u32>,
) -> io::Result<Vec<String>> {
    let missing = |what| io::Error::other(format!("the snapshot has no {what}"));
    let index = snapshot.made_index().ok_or_else(|| missing("index"))?;
    let commit = snapshot.commit().ok_or_else(|| missing("commit"))?;
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    let mut segments = Vec::new();
    for segment in index.stored()? {
        let checksum = match &segment.source {
            Ok(files) => {
                let files: Vec<(String, &[u8])> = files.iter().map(|(name, bytes)| (name.clone(), &**bytes)).collect();
                put(&segment.name, &files)?
            }
            Err(stored) => stored.checksum(),
        };
        parts.push((pages_of(&segment.name), bytes_of(segment.pages)));
        segments.push((segment.name, checksum));
    }
    let table = snapshot.table();
    let mut blobs = Vec::with_capacity(table.len() * 20);
    for number in 0..table.len() {
        let Some(Origin::Blob(id)) = table.origin(number) else { return Err(missing("blob")) };
        blobs.extend_from_slice(id.as_bytes());
    }
    let head = Head {
        reader: READER.to_owned(),
        identity: identity.to_owned(),
        commit: (commit.id.to_string(), commit.seconds),
        shape: index.shape().clone(),
        excluded: snapshot.excluded,
        skipped: snapshot.skipped.iter().map(|skipped| (skipped.path.clone(), skipped.reason)).collect(),
        segments,
        mean_lengths: index.mean_lengths().to_vec(),
    };
    let (paths, ends) = table.raw();
    parts.push((HEAD.into(), serde_json::to_vec(&head)?));
    parts.push((CONFIG.into(), snapshot.config.source.clone()));
    parts.push((PATHS.into(), paths.as_bytes().to_vec()));
    parts.push((ENDS.into(), bytes_of(ends)));
    parts.push((BLOBS.into(), blobs));
    let parts: Vec<(String, &[u8])> = parts.iter().map(|(name, part)| (name.clone(), &part[..])).collect();
    put(MANIFEST, &parts)?;
    Ok(head.segments.into_iter().map(|(name, _)| name).chain([MANIFEST.to_owned()]).collect())
}

/// Reads what is stored; `None` where it is of another program, another wiki, or does not fit together.
///
/// # Errors
/// A file is missing or not what was written.
pub(super) fn read(
    folder: &Path,
    identity: &str,
    repository: &Arc<Repository>,
    resident: bool,
) -> io::Result<Option<Snapshot>> {
    let manifest = Container::open(&folder.join(MANIFEST), true)?;
    let head: Head = serde_json::from_slice(&manifest.part(HEAD)?)?;
    if head.reader != READER || head.identity != identity {
        return Ok(None);
    }
    let mut segments = Vec::new();
    for (name, checksum) in &head.segments {
        // A name is not a path.
        if name.contains(['/', '\\']) {
            return Ok(None);
        }
        let container = Container::open(&folder.join(name), resident)?;
        if container.checksum() != *checksum {
            return Ok(None);
        }
        segments.push((name.clone(), container, numbers(&manifest.part(&pages_of(name))?)));
    }
    let whole = || {
        let paths = String::from_utf8(manifest.part(PATHS).ok()?.to_vec()).ok()?;
        let ends = numbers(&manifest.part(ENDS).ok()?);
        let blobs = manifest.part(BLOBS).ok()?;
        let id: git2::Oid = head.commit.0.parse().ok()?;
        let blobs = blobs.chunks_exact(id.as_bytes().len()).map(|bytes| git2::Oid::from_bytes(bytes).ok());
        let origins: Vec<Option<Origin>> = blobs.map(|id| id.map(Origin::Blob)).collect();
        let table = Arc::new(Table::of_raw(paths, ends, origins)?);
        let config = Config::parse(&manifest.part(CONFIG).ok()?).ok()?;
        let mean_lengths = head.mean_lengths.try_into().ok()?;
        let index = Index::of_stored(&table, &head.shape, segments, mean_lengths)?;
        let skipped = head.skipped.into_iter().map(|(path, reason)| Skipped { path, reason }).collect();
        let commit = Commit { id, seconds: head.commit.1 };
        Some(Snapshot::of_stored(repository, &commit, config, table, skipped, head.excluded, index))
    };
    Ok(whole())
}

/// The numbers of a commit, and whose they are.
#[derive(Serialize, Deserialize)]
struct Counted {
    reader: String,
    identity: String,
    commit: String,
    summary: Summary,
}

/// A commit's numbers as they are stored.
///
/// # Errors
/// None that is known.
pub(super) fn summary(identity: &str, commit: &Commit, summary: &Summary) -> io::Result<Vec<u8>> {
    let counted = Counted {
        reader: READER.to_owned(),
        identity: identity.to_owned(),
        commit: commit.id.to_string(),
        summary: summary.clone(),
    };
    Ok(serde_json::to_vec(&counted)?)
}

/// The numbers of a commit; `None` where they are another's.
///
/// # Errors
/// The file is missing or not what was written.
pub(super) fn read_summary(file: &Path, identity: &str, commit: &Commit) -> io::Result<Option<Summary>> {
    let counted: Counted = serde_json::from_slice(&Container::open(file, true)?.part(SUMMARY)?)?;
    let is_its = counted.reader == READER && counted.identity == identity && counted.commit == commit.id.to_string();
    Ok(is_its.then_some(counted.summary))
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
