//! The read-only MCP server of chemenu: the questions of [`chemenu_core`] as tools, resources and prompts, over stdio and streamable HTTP.
//!
//! The crate carries answers and thinks about none of them: a call's arguments go to [`chemenu_core::Corpus`] as they
//! came, the answer's bytes go back as they are. Nothing here writes a file, sockets and the telemetry apart, or starts a process, and
//! no crate that changes a wiki is linked.

mod access;
mod answers;
mod caller;
mod calls;
mod completions;
mod confine;
mod connections;
mod http;
mod instructions;
mod listen;
pub mod meta;
pub mod metrics;
mod problem;
pub mod prompts;
mod refusal;
mod replies;
pub mod resources;
mod server;
mod stdio;
mod telemetry;
pub mod tools;
mod wiki;

pub use access::PublicUrl;
pub use calls::Calls;
pub use confine::confine;
pub use connections::{Limits, serve as serve_http};
pub use http::{MAX_BODY_BYTES, router};
pub use listen::{Address, Listener};
pub use server::Server;
pub use stdio::{serve as serve_stdio, serve_on as serve_streams};
pub use telemetry::Telemetry;
pub use wiki::DEFAULT_BUDGET;
