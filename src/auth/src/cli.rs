//! The options of `chemenu-auth`.

use clap::{Parser, Subcommand};

use crate::{serve, token};

/// Say to a reverse proxy who is asking: bearer tokens for wikis that chemenu serves.
#[derive(Debug, Parser)]
#[command(name = "chemenu-auth", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(serve::Arguments),
    /// Add, list and revoke tokens.
    #[command(subcommand)]
    Token(TokenCommand),
}

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    Add(token::add::Arguments),
    List(token::list::Arguments),
    Revoke(token::revoke::Arguments),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        let mut commands = vec![Cli::command()];
        let mut seen = 0;
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            if !command.has_subcommands() {
                seen += 1;
                let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(examples.contains("chemenu-auth "), "{}", command.get_name());
            }
        }
        assert_eq!(seen, 4);
    }
}
