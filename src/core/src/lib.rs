//! The core of chemenu: all reading and thinking, behind one door.
//!
//! [`Corpus`] takes a [`Request`] and gives an [`Answer`]: JSON bytes that carry the commit they were computed from.
//! No network, no Python, and no change of a wiki.

pub mod answer;
mod ask;
pub mod cache;
pub mod config;
pub mod corpus;
mod cursor;
pub mod error;
pub mod graph;
pub mod lint;
pub mod names;
mod nearest;
pub mod page;
pub mod question;
mod renames;
pub mod search;
pub mod snapshot;
pub mod source;
pub mod table;
pub mod text;
pub mod types;
pub mod yaml;

pub use answer::{Answer, Outcome, Stamp};
pub use corpus::{About, AboutType, Beginning, CacheFolder, Completions, Corpus, Dirty, Named, Options};
pub use cursor::Cursor;
pub use error::Error;
pub use question::{Question, Request};

/// This program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
