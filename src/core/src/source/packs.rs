//! Blobs straight from packs: unpacking is a third of reading a wiki, and libdeflate needs half of zlib's time for it.
//!
//! Only what is plain is read here: a blob that stands whole in one of the repository's own packs. Of everything else
//! (differences, loose objects, what other repositories lend, whatever is damaged) libgit2 is the judge.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use git2::Oid;
use libdeflater::Decompressor;

/// Larger blobs are rare, and have to be unpacked within bounds.
const MAX_BYTES: usize = 1 << 20;

/// There are many packs only between two `git gc`, and then the largest have the most.
const MAX_PACKS: usize = 8;

/// What is read of a pack at first: the whole of most pages.
const CHUNK: usize = 4 << 10;

/// How many names of an index are looked through at once.
const NAMES: u32 = 128;

/// Of blobs beyond [`MAX_BYTES`] the header is longer.
const MAX_HEADER: usize = 4;

const MAGIC: &[u8] = b"\xfftOc\0\0\0\x02";
const FANOUT: usize = 256;
const ID: usize = 20;

/// The packs of a repository, opened when the first blob is asked for.
pub(super) struct Packs {
    folder: PathBuf,
    packs: Option<Vec<Pack>>,
    inflate: Decompressor,
    /// The bytes read of a pack, kept for the next blob.
    packed: Vec<u8>,
}

struct Pack {
    index: File,
    /// By first byte of an id, how many ids are below it.
    below: [u32; FANOUT + 1],
    objects: File,
}

impl Packs {
    pub(super) fn of(handle: &git2::Repository) -> Self {
        let folder = handle.commondir().join("objects/pack");
        Self { folder, packs: None, inflate: Decompressor::new(), packed: Vec::new() }
    }

    /// A blob's bytes; `None` where libgit2 has to be asked.
    pub(super) fn blob(&mut self, id: Oid) -> Option<Vec<u8>> {
        let packs = self.packs.get_or_insert_with(|| open_all(&self.folder));
        let (pack, offset) = packs.iter().find_map(|pack| Some((pack, pack.offset(id.as_bytes())?)))?;
        let packed = pack.read(&mut self.packed, offset, CHUNK)?;
        let (size, header) = blob_header(packed).filter(|&(size, _)| size <= MAX_BYTES)?;
        let mut blob = vec![0; size];
        // It compares the checksum of what it unpacked, as zlib does.
        let mut unpack = |packed: &[u8]| self.inflate.zlib_decompress(packed.get(header..)?, &mut blob).ok();
        let unpacked = match unpack(packed) {
            None if packed.len() == CHUNK => unpack(pack.read(&mut self.packed, offset, header + longest(size))?)?,
            unpacked => unpacked?,
        };
        (unpacked == size).then_some(blob)
    }
}

fn open_all(folder: &Path) -> Vec<Pack> {
    let mut found: Vec<(u64, PathBuf)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "idx"))
        .filter_map(|path| {
            let is_file = |path: &Path| path.metadata().ok().filter(fs::Metadata::is_file);
            is_file(&path.with_extension("pack"))?;
            Some((is_file(&path)?.len(), path))
        })
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.iter().take(MAX_PACKS).filter_map(|(_, path)| Pack::open(path)).collect()
}

impl Pack {
    fn open(path: &Path) -> Option<Self> {
        let (index, objects) = (File::open(path).ok()?, File::open(path.with_extension("pack")).ok()?);
        let mut head = [0; MAGIC.len() + FANOUT * 4];
        index.read_exact_at(&mut head, 0).ok()?;
        let mut below = [0; FANOUT + 1];
        for (count, bytes) in below[1..].iter_mut().zip(head.strip_prefix(MAGIC)?.chunks_exact(4)) {
            *count = u32::from_be_bytes(bytes.try_into().ok()?);
        }
        Some(Self { index, below, objects })
    }

    /// The bytes from `offset` on, `length` of them where there are so many.
    fn read<'b>(&self, bytes: &'b mut Vec<u8>, offset: u64, length: usize) -> Option<&'b [u8]> {
        bytes.resize(length, 0);
        let read = self.objects.read_at(bytes, offset).ok()?;
        Some(&bytes[..read])
    }

    /// Where the object stands, if it is in this pack.
    fn offset(&self, id: &[u8]) -> Option<u64> {
        const NAMES_START: u64 = (MAGIC.len() + FANOUT * 4) as u64;
        let place = |number: u32| NAMES_START + u64::from(number) * ID as u64;
        let first = usize::from(*id.first()?);
        let (mut low, mut high) = (self.below[first], self.below[first + 1]);
        while high.checked_sub(low)? > NAMES {
            let middle = low + (high - low) / 2;
            let mut name = [0; ID];
            self.index.read_exact_at(&mut name, place(middle)).ok()?;
            if name[..] <= *id { low = middle } else { high = middle }
        }
        let mut names = [0; NAMES as usize * ID];
        let names = &mut names[..(high - low) as usize * ID];
        self.index.read_exact_at(names, place(low)).ok()?;
        let number = low + names.chunks_exact(ID).position(|name| name == id)? as u32;
        // Behind the names stand as many checksums of four bytes, then the offsets.
        let mut offset = [0; 4];
        let at = place(self.below[FANOUT]) + 4 * (u64::from(self.below[FANOUT]) + u64::from(number));
        self.index.read_exact_at(&mut offset, at).ok()?;
        // With the highest bit it is the number of a longer offset, of a pack beyond 2 GiB.
        Some(u32::from_be_bytes(offset)).filter(|offset| offset >> 31 == 0).map(u64::from)
    }
}

/// The size of a blob and the length of the header that says so; `None` for what is no whole blob.
fn blob_header(packed: &[u8]) -> Option<(usize, usize)> {
    const BLOB: u8 = 3;
    let length = 1 + packed.iter().take(MAX_HEADER).position(|byte| byte & 0x80 == 0)?;
    // Seven bits a byte, the last first; the first byte has four, below three that say what it is.
    let size = packed[1..length].iter().rev().fold(0, |size, byte| size << 7 | usize::from(byte & 0x7F));
    (packed[0] >> 4 & 7 == BLOB).then_some((size << 4 | usize::from(packed[0] & 0xF), length))
}

/// The most bytes that zlib makes of `size`.
fn longest(size: usize) -> usize {
    size + (size >> 12) + (size >> 14) + 32
}
