//! Cursors: where a list that was answered in part goes on.

use sha2::{Digest, Sha256};

/// A place in a list. As text it is opaque, and good only for the list that it was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    list: String,
    at: usize,
}

impl Cursor {
    /// The start of a list, or the place that `given` names in it; `None` if that is no place in this list.
    ///
    /// `identity` is all that the list depends on: the commit and the arguments.
    pub fn new(identity: &[&str], given: Option<&str>) -> Option<Self> {
        let mut hash = Sha256::new();
        for part in identity {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        let list: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let at = match given {
            None => 0,
            Some(given) => given.strip_prefix(&list)?.strip_prefix('.')?.parse().ok()?,
        };
        Some(Self { list, at })
    }

    /// How many items come before this place.
    pub fn skips(&self) -> usize {
        self.at
    }

    /// The place behind the next `count` items, as text.
    pub fn after(&self, count: usize) -> String {
        format!("{}.{}", self.list, self.at.saturating_add(count))
    }
}
