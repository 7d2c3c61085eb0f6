//! A file of named parts whose every block is checked before it is used.
//!
//! What lies in a cache may be torn, cut off, or somebody else's. Reading all of it to find that out would cost more than the question;
//! so each block has a checksum of its own, held in a table that is read and checked first. Nothing is mapped into memory: a file that
//! is cut off meanwhile is an error and not the end of the process.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

/// Begins every file, and changes with this format.
const MAGIC: [u8; 8] = *b"chemenu1";
/// Bytes that are checked at once.
const BLOCK: usize = 4 << 10;
/// The most bytes that are kept from the last read.
const KEPT: usize = 4 * BLOCK;
/// The last bytes of a file: the lengths of the table of parts and of the blocks' checksums, and the checksum of both.
const TRAILER: usize = 12;

/// A file of named parts, open for reading.
#[derive(Debug)]
pub(crate) struct Container {
    file: File,
    /// The whole of it, where it is to be read often.
    memory: Option<OwnedBytes>,
    /// Of the tables, and so of all blocks: what tells this file's contents from any other's.
    checksum: u32,
    /// Bytes before the table.
    length: usize,
    /// Where each part lies.
    parts: BTreeMap<String, Range<usize>>,
    /// By block: its checksum.
    checksums: Vec<u32>,
    /// By block: whether it has been checked.
    is_checked: Vec<AtomicBool>,
    /// The blocks that were read last, and where they begin: short pieces are mostly read one after the other.
    last: Mutex<(usize, OwnedBytes)>,
    /// Whether something was not as it was written.
    is_damaged: AtomicBool,
}

impl Container {
    /// Writes parts into a new file; gives the checksum that it is known by.
    pub(crate) fn write<'p>(file: &mut File, parts: impl IntoIterator<Item = (String, &'p [u8])>) -> io::Result<u32> {
        let mut table = BTreeMap::new();
        let mut bytes = MAGIC.to_vec();
        for (name, part) in parts {
            table.insert(name, bytes.len()..bytes.len() + part.len());
            bytes.extend_from_slice(part);
        }
        let checksums: Vec<u8> = bytes.chunks(BLOCK).flat_map(|block| crc32fast::hash(block).to_le_bytes()).collect();
        let start = bytes.len();
        let table = serde_json::to_vec(&table)?;
        bytes.extend_from_slice(&table);
        bytes.extend_from_slice(&checksums);
        let checksum = crc32fast::hash(&bytes[start..]);
        for number in [table.len() as u32, checksums.len() as u32, checksum] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        file.write_all(&bytes)?;
        Ok(checksum)
    }

    /// Opens a file; `resident` keeps it in memory.
    ///
    /// # Errors
    /// It cannot be read, or is not what [`Container::write`] writes.
    pub(crate) fn open(path: &Path, resident: bool) -> io::Result<Arc<Self>> {
        // What is no regular file is not opened: that might wait for ever.
        if !path.symlink_metadata()?.is_file() {
            return Err(damaged("it is no regular file"));
        }
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut trailer = [0; TRAILER];
        let end = size.checked_sub(TRAILER as u64).ok_or_else(|| damaged("it is too short"))?;
        file.read_exact_at(&mut trailer, end)?;
        let [table, checksums, checksum] = [0, 1, 2].map(|at| numbers(&trailer)[at]);
        let behind = u64::from(table) + u64::from(checksums);
        let length = end.checked_sub(behind).ok_or_else(|| damaged("it is cut off"))?;
        let mut footer = vec![0; behind as usize];
        file.read_exact_at(&mut footer, length)?;
        if crc32fast::hash(&footer) != checksum {
            return Err(damaged("its table is not what was written"));
        }
        let (table, checksums) = footer.split_at(table as usize);
        let parts: BTreeMap<String, Range<usize>> = serde_json::from_slice(table)?;
        let checksums = numbers(checksums);
        let length = length as usize;
        let is_within = |part: &Range<usize>| part.start <= part.end && part.end <= length;
        if checksums.len() != length.div_ceil(BLOCK) || !parts.values().all(is_within) {
            return Err(damaged("its table does not fit it"));
        }
        let is_checked = checksums.iter().map(|_| AtomicBool::new(false)).collect();
        let (last, is_damaged) = (Mutex::new((0, OwnedBytes::empty())), AtomicBool::new(false));
        let mut container =
            Self { file, memory: None, checksum, length, parts, checksums, is_checked, last, is_damaged };
        if container.read(0..length.min(MAGIC.len()))?.as_slice() != MAGIC {
            return Err(damaged("it is of another program"));
        }
        if resident {
            container.memory = Some(container.read(0..length)?);
        }
        Ok(Arc::new(container))
    }

    /// The checksum that the file is known by.
    pub(crate) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// A part's bytes.
    pub(crate) fn part(&self, name: &str) -> io::Result<OwnedBytes> {
        self.read(self.parts.get(name).cloned().ok_or_else(|| damaged("a part is missing"))?)
    }

    /// A part, to be read piece by piece.
    pub(crate) fn handle(self: &Arc<Self>, name: &str) -> Option<Part> {
        Some(Part { range: self.parts.get(name)?.clone(), container: Arc::clone(self) })
    }

    /// Whether something that was read was not as it was written; what was made of it is not to be relied on.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    fn read(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let read = self.try_read(range);
        if read.is_err() {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
        read
    }

    fn try_read(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.length {
            return Err(damaged("what is asked for lies outside"));
        }
        if let Some(memory) = &self.memory {
            return Ok(memory.slice(range));
        }
        if let Ok(last) = self.last.try_lock()
            && last.0 <= range.start
            && range.end <= last.0 + last.1.len()
        {
            return Ok(last.1.slice(range.start - last.0..range.end - last.0));
        }
        let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
        let start = blocks.start * BLOCK;
        let mut bytes = vec![0; (blocks.end * BLOCK).min(self.length).saturating_sub(start)];
        self.file.read_exact_at(&mut bytes, start as u64)?;
        for (block, bytes) in blocks.zip(bytes.chunks(BLOCK)) {
            if !self.is_checked[block].load(Ordering::Relaxed) {
                if crc32fast::hash(bytes) != self.checksums[block] {
                    return Err(damaged("a block is not what was written"));
                }
                self.is_checked[block].store(true, Ordering::Relaxed);
            }
        }
        let bytes = OwnedBytes::new(bytes);
        let piece = bytes.slice(range.start - start..range.end - start);
        if bytes.len() <= KEPT
            && let Ok(mut last) = self.last.try_lock()
        {
            *last = (start, bytes);
        }
        Ok(piece)
    }
}

/// A part of a container.
#[derive(Debug)]
pub(crate) struct Part {
    container: Arc<Container>,
    range: Range<usize>,
}

impl HasLen for Part {
    fn len(&self) -> usize {
        self.range.len()
    }
}

impl FileHandle for Part {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.end > self.range.len() {
            self.container.is_damaged.store(true, Ordering::Relaxed);
            return Err(damaged("what is asked for lies outside of its part"));
        }
        self.container.read(self.range.start + range.start..self.range.start + range.end)
    }
}

/// Numbers as they are stored: four bytes each, the lowest first.
pub(super) fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect()
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let parts = parts.iter().map(|&(name, part)| (name.to_owned(), part));
        Container::write(&mut File::create(&path).unwrap(), parts).unwrap();
        std::fs::read(path).unwrap()
    }

    fn opened(bytes: &[u8], resident: bool) -> io::Result<Arc<Container>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        Container::open(&path, resident)
    }

    #[test]
    fn parts_are_read_as_they_were_written() {
        let long: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
        let bytes = written(&[("a", b"first"), ("b", &long), ("c", b"")]);
        for resident in [false, true] {
            let container = opened(&bytes, resident).unwrap();
            assert_eq!(container.part("a").unwrap().as_slice(), b"first");
            assert_eq!(container.part("b").unwrap().as_slice(), long);
            assert_eq!(container.part("c").unwrap().as_slice(), b"");
            let part = container.handle("b").unwrap();
            assert_eq!(part.read_bytes(16_000..17_000).unwrap().as_slice(), &long[16_000..17_000]);
            assert!(!container.is_damaged());
            assert!(part.read_bytes(0..long.len() + 1).is_err() && container.is_damaged());
            assert!(container.part("d").is_err());
        }
    }

    #[test]
    fn whatever_byte_is_changed_or_cut_off_is_noticed() {
        let long: Vec<u8> = (0..20_000u32).flat_map(u32::to_le_bytes).collect();
        let bytes = written(&[("a", b"first"), ("b", &long)]);
        let reads = |bytes: &[u8]| {
            let container = opened(bytes, false)?;
            Ok::<_, io::Error>((container.part("a")?.to_vec(), container.part("b")?.to_vec()))
        };
        assert!(reads(&bytes).is_ok());
        for at in (0..bytes.len()).step_by(997).chain(bytes.len() - 40..bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(reads(&changed).is_err(), "changed at {at}");
            assert!(opened(&changed, true).is_err(), "changed at {at}");
            assert!(reads(&bytes[..at]).is_err(), "cut off at {at}");
        }
    }
}
