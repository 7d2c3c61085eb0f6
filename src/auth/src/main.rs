//! The program `chemenu-auth`: says to a reverse proxy whether a request carries a good token, and whose it is.
//!
//! It knows nothing of wikis and is linked with none of the other crates. The proxy asks `GET /verify` before it lets a
//! request pass (Traefik's ForwardAuth, Caddy's `forward_auth`, nginx's `auth_request`).

// The token file and the socket are written here, and nothing of a wiki is near.
#![allow(clippy::disallowed_methods)]

mod cli;
mod failure;
mod file;
mod http;
mod refusals;
mod serve;
mod token;
mod tokens;
mod verify;

use std::process::ExitCode;

use clap::Parser;
use rustix::fs::Mode;

use crate::cli::{Cli, Command, TokenCommand};

fn main() -> ExitCode {
    // Whatever this process makes, it makes for its own user alone; a socket too.
    rustix::process::umask(Mode::from_bits_truncate(0o177));
    let done = match Cli::parse().command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Token(TokenCommand::Add(arguments)) => token::add::run(&arguments),
        Command::Token(TokenCommand::List(arguments)) => token::list::run(&arguments),
        Command::Token(TokenCommand::Revoke(arguments)) => token::revoke::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}
