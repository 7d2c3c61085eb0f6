//! The only crate that changes a wiki: one operation a file, each planned before it is applied.
//!
//! Edits go by the spans of core's parse, so that there is one grammar and every byte that an operation does not mean
//! stays as it is. `chemenu-mcp` does not depend on this crate, and that is what "read-only" means there.

// Writing files is what this crate is for; everywhere else the calls are banned.
#![allow(clippy::disallowed_methods)]

mod plan;
mod touch;

pub use plan::{Change, Plan};
pub use touch::Touch;
