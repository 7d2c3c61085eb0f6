//! Why a command did not do what it was told.

use std::process::ExitCode;

/// What went wrong, what to do about it, and the exit status that says so.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    message: String,
    hint: String,
    status: u8,
}

impl Failure {
    /// The request itself has a problem: a name that is taken, or that nobody has.
    pub(crate) fn request(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), status: 1 }
    }

    /// It was not possible to look: misuse, or a file or an address that cannot be used.
    pub(crate) fn fatal(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), status: 2 }
    }

    /// What went wrong, in one sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// Writes both to standard error.
    pub(crate) fn tell(&self) -> ExitCode {
        eprintln!("error: {}\nhint: {}", self.message, self.hint);
        ExitCode::from(self.status)
    }
}
