//! `chemenu-auth token add`: makes a token.

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use crate::failure::Failure;
use crate::file;
use crate::tokens::{DEFAULT_DAYS, MAX_DAYS, check_name};

/// Make a token and print it, alone, on standard output: it is shown this once and kept nowhere.
///
/// The file is made if it is not there. A name has one token; an expired one makes room.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  chemenu-auth token add ada --file tokens.toml
  chemenu-auth token add ci-bot --file tokens.toml --days 7 > token")]
pub(crate) struct Arguments {
    /// Whose token it is: what the server is told in `X-Auth-User`.
    #[arg(value_parser = |name: &str| check_name(name).map(|()| name.to_owned()))]
    name: String,

    /// The file that keeps the tokens; mode 0600.
    #[arg(long, value_name = "FILE")]
    file: PathBuf,

    /// How many days the token is good: 1 to 90.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DAYS, value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_DAYS)))]
    days: u16,
}

/// Makes the token and prints it.
///
/// # Errors
/// The name is taken, or the file cannot be used.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = &arguments.name;
    if is_nowhere(&std::io::stdout()) {
        return Err(Failure::fatal(
            format!("the token of `{name}` would be shown to nobody: standard output leads nowhere"),
            "let it be shown on a terminal, or send it to a file or program",
        ));
    }
    let token = file::change(&arguments.file, |tokens| {
        tokens.add(name, arguments.days, Timestamp::now()).map_err(|message| {
            Failure::request(
                format!("no token was made for `{name}`: {message}"),
                format!("revoke it first, or use a name of its own for each device, such as `{name}-laptop`"),
            )
        })
    })?;
    writeln!(std::io::stdout(), "{token}").map_err(|error| {
        Failure::fatal(
            format!("the token of `{name}` was made but could not be printed: {error}"),
            format!("revoke it with `chemenu-auth token revoke {name}` and make another"),
        )
    })
}

/// Whether what is written there is lost: `/dev/null`, which a closed output becomes when a program starts.
fn is_nowhere(output: &impl AsFd) -> bool {
    let null = Path::new("/dev/null").metadata().map(|null| null.rdev());
    let there = rustix::fs::fstat(output).map(|there| there.st_rdev);
    matches!((null, there), (Ok(null), Ok(there)) if null == there)
}
