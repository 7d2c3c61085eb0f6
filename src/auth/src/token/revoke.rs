//! `chemenu-auth token revoke`: takes a token away.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::file;
use crate::tokens::check_name;

/// Take the token of a name away: from the next request on it is good no more.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  chemenu-auth token revoke ada --file tokens.toml")]
pub(crate) struct Arguments {
    /// Whose token it is.
    #[arg(value_parser = |name: &str| check_name(name).map(|()| name.to_owned()))]
    name: String,

    /// The file that keeps the tokens.
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
}

/// Takes the token away.
///
/// # Errors
/// Nobody of that name has one, or the file cannot be used.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Nothing to take away is in a file that is not there; making one would only hide a wrong path.
    file::read(&arguments.file)?;
    file::change(&arguments.file, |tokens| {
        if tokens.revoke(&arguments.name) {
            return Ok(());
        }
        Err(Failure::request(
            format!("`{}` has no token", arguments.name),
            "`chemenu-auth token list` shows who has one",
        ))
    })
}
