//! Calling into Rust without holding up Python.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use chemenu_core::{Answer, Error, Stamp};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What Python gets: the JSON, the exit status, and whether the JSON is an error object.
pub(crate) type Triple<'py> = (Bound<'py, PyBytes>, u8, bool);

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own, so that other Python threads go on and Ctrl-C ends the wait.
///
/// `tell` is called again and again meanwhile. An interrupted `work` is left to finish alone; so this is for reading only.
pub(crate) fn interruptible(
    py: Python<'_>,
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce() -> Answer + Send + 'static,
) -> PyResult<Triple<'_>> {
    let (sender, mut receiver) = sync_channel(1);
    std::thread::Builder::new().name("chemenu".into()).spawn(move || sender.send(work()))?;
    loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(PATIENCE);
            (receiver, received)
        });
        match received {
            Ok(answer) => return Ok(triple(py, &answer)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                tell()?;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(triple(py, &panicked())),
        }
    }
}

/// An answer as Python gets it.
pub(crate) fn triple<'py>(py: Python<'py>, answer: &Answer) -> Triple<'py> {
    (PyBytes::new(py, &answer.json), answer.outcome.exit_status(), answer.is_error)
}

/// The thread ended without an answer; the panic's own words are on stderr.
fn panicked() -> Answer {
    Answer::error(&Stamp::default(), &Error::Internal { message: "the question could not be answered".into() })
}
