//! The pages of a snapshot by number: their paths, in order, and where their bytes are.

use std::sync::Arc;

use git2::{ObjectType, Oid};

use crate::page::Page;
use crate::source::{File, Origin};

/// Pages, numbered by the order of their paths. One text holds all paths, so that a hundred thousand are read and copied at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    paths: String,
    /// Where each path ends.
    ends: Vec<u32>,
    /// `None` for a text that is stored nowhere.
    origins: Vec<Option<Origin>>,
}

/// Marks, in a list of new numbers, a page that is gone.
pub const GONE: u32 = u32::MAX;

impl Table {
    /// From files sorted by path.
    pub fn new(files: impl IntoIterator<Item = File>) -> Self {
        let mut table = Self::default();
        files.into_iter().for_each(|file| table.push(&file.path, Some(file.origin)));
        table
    }

    /// From pages in memory, sorted by path, each known by its text.
    pub fn of_pages(pages: &[Arc<Page>]) -> Arc<Self> {
        let mut table = Self::default();
        for page in pages {
            let id = Oid::hash_object(ObjectType::Blob, page.text.as_str().as_bytes());
            table.push(&page.path, id.ok().map(Origin::Blob));
        }
        Arc::new(table)
    }

    /// Adds a page behind all others; its path must be the greatest.
    pub(crate) fn push(&mut self, path: &str, origin: Option<Origin>) {
        self.paths.push_str(path);
        self.ends.push(self.paths.len() as u32);
        self.origins.push(origin);
    }

    /// All paths one behind the other, and where each ends.
    pub(crate) fn raw(&self) -> (&str, &[u32]) {
        (&self.paths, &self.ends)
    }

    /// The table of which these are the parts; `None` where they do not fit together.
    pub(crate) fn of_raw(paths: String, ends: Vec<u32>, origins: Vec<Option<Origin>>) -> Option<Self> {
        let are_within = ends.iter().all(|&end| paths.is_char_boundary(end as usize));
        let fits = ends.len() == origins.len() && ends.last().is_none_or(|&end| end as usize == paths.len());
        let table = Self { paths, ends, origins };
        (fits && are_within && table.ends.is_sorted() && table.paths().is_sorted()).then_some(table)
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The path of a page.
    pub fn path(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.paths[start as usize..self.ends[number] as usize]
    }

    /// All paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).map(|number| self.path(number))
    }

    /// Where a page's bytes are.
    pub fn origin(&self, number: usize) -> Option<&Origin> {
        self.origins[number].as_ref()
    }

    /// A page as a file; `None` for a text that is stored nowhere.
    pub fn file(&self, number: usize) -> Option<File> {
        Some(File { path: self.path(number).to_owned(), origin: self.origin(number)?.clone() })
    }

    /// The number of the page at exactly that path, or the one it would have.
    pub fn find(&self, path: &str) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.path(middle).cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// The numbers of the pages below a folder, at any depth; all for the empty one.
    pub fn below(&self, folder: &str) -> std::ops::Range<usize> {
        let folder = folder.trim_matches('/');
        if folder.is_empty() {
            return 0..self.len();
        }
        // `/` comes right before `0`.
        let first = |path: String| self.find(&path).unwrap_or_else(|number| number);
        first(format!("{folder}/"))..first(format!("{folder}0"))
    }

    /// This table with other pages at some paths: sorted by path, each with what is there now, `None` for nothing.
    pub(crate) fn with(&self, changes: &[(String, Option<Option<Origin>>)]) -> Self {
        let mut table = Self {
            paths: String::with_capacity(self.paths.len()),
            ends: Vec::with_capacity(self.len()),
            origins: Vec::with_capacity(self.len()),
        };
        let mut next = 0;
        for (path, now) in changes {
            let (at, behind) = match self.find(path) {
                Ok(number) => (number, number + 1),
                Err(number) => (number, number),
            };
            table.append(self, next..at);
            next = behind;
            if let Some(origin) = now {
                table.push(path, origin.clone());
            }
        }
        table.append(self, next..self.len());
        table
    }

    fn append(&mut self, other: &Self, range: std::ops::Range<usize>) {
        let start = range.start.checked_sub(1).map_or(0, |before| other.ends[before]);
        let end = range.end.checked_sub(1).map_or(0, |last| other.ends[last]);
        let offset = self.paths.len() as u32;
        self.paths.push_str(&other.paths[start as usize..end as usize]);
        self.ends.extend(other.ends[range.clone()].iter().map(|end| end - start + offset));
        self.origins.extend_from_slice(&other.origins[range]);
    }

    /// By page of an earlier table: its number in this one, or [`GONE`] where this one has not the very same page. What lies in
    /// the work tree is never the same, for nobody knows what became of it.
    pub fn numbers_of(&self, earlier: &Self) -> Vec<u32> {
        let mut now = 0;
        let number = |then: usize| {
            let path = earlier.path(then);
            while now < self.len() && self.path(now) < path {
                now += 1;
            }
            let origin = earlier.origin(then).filter(|origin| matches!(origin, Origin::Blob(_)));
            let same = now < self.len() && self.path(now) == path && origin.is_some() && self.origin(now) == origin;
            if same { now as u32 } else { GONE }
        };
        (0..earlier.len()).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(byte: u8) -> Option<Origin> {
        Some(Origin::Blob(git2::Oid::from_bytes(&[byte; 20]).expect("twenty bytes")))
    }

    fn table(pages: &[(&str, Option<Origin>)]) -> Table {
        let mut table = Table::default();
        pages.iter().for_each(|(path, origin)| table.push(path, origin.clone()));
        table
    }

    #[test]
    fn pages_are_found_below_folders() {
        let table = table(&[("a.md", blob(1)), ("a/b.md", blob(1)), ("a/c/d.md", blob(1)), ("a0.md", blob(1))]);
        assert_eq!(table.below("a"), 1..3);
        assert_eq!(table.below("a/c/"), 2..3);
        assert_eq!(table.below(""), 0..4);
        assert_eq!(table.below("b"), 4..4);
        assert_eq!(table.find("a/c/d.md"), Ok(2));
        assert_eq!(table.find("a/z.md"), Err(3));
    }

    #[test]
    fn changes_are_laid_over() {
        let old = table(&[("b.md", blob(1)), ("c.md", blob(2)), ("d.md", blob(3))]);
        let changes = [
            ("a.md".to_owned(), Some(blob(4))),
            ("c.md".to_owned(), None),
            ("d.md".to_owned(), Some(None)),
            ("e.md".to_owned(), Some(blob(5))),
        ];
        let new = old.with(&changes);
        assert_eq!(new, table(&[("a.md", blob(4)), ("b.md", blob(1)), ("d.md", None), ("e.md", blob(5))]));
        assert_eq!(new.numbers_of(&old), [1, GONE, GONE]);
        assert_eq!(new.with(&[]), new);
    }
}
