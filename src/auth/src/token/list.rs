//! `chemenu-auth token list`: whose tokens there are.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use crate::failure::Failure;
use crate::file;

/// List the tokens, one a line: name, when it was made, when it expires, and `good` or `expired`.
///
/// Neither tokens nor their hashes are shown.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  chemenu-auth token list --file tokens.toml
  chemenu-auth token list --file tokens.toml | grep expired")]
pub(crate) struct Arguments {
    /// The file that keeps the tokens.
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
}

/// Prints the list.
///
/// # Errors
/// The file cannot be used.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tokens = file::parse(&arguments.file, &file::read(&arguments.file)?)?;
    let now = Timestamp::now();
    let width = tokens.entries().iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let lines: String = tokens
        .entries()
        .iter()
        .map(|entry| {
            let state = if entry.is_good(now) { "good" } else { "expired" };
            format!("{:width$}  {}  {}  {state}\n", entry.name, entry.created, entry.expires)
        })
        .collect();
    match std::io::stdout().write_all(lines.as_bytes()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Failure::fatal(format!("the list cannot be written: {error}"), "free some space")),
    }
}
