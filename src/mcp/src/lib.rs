//! The read-only MCP server of chemenu: the questions of [`chemenu_core`] as tools, resources and prompts, over stdio and streamable HTTP.
//!
//! The crate carries answers and thinks about none of them: a call's arguments go to [`chemenu_core::Corpus`] as they
//! came, the answer's bytes go back as they are. Nothing here writes a file or starts a process, and no crate that
//! changes a wiki is linked.

mod access;
mod answers;
mod completions;
mod http;
mod instructions;
pub mod meta;
mod problem;
pub mod prompts;
mod refusal;
pub mod resources;
mod server;
mod stdio;
pub mod tools;
mod wiki;

pub use access::PublicUrl;
pub use http::{MAX_BODY_BYTES, router, serve as serve_http};
pub use server::Server;
pub use stdio::serve as serve_stdio;
pub use wiki::DEFAULT_BUDGET;
