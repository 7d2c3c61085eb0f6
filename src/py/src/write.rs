//! The operations that change a wiki, for `chemenu.commands`.

use std::path::PathBuf;

use chemenu_write::Touch;
use pyo3::prelude::*;

use crate::call::{Triple, triple};

/// Sets `modified` of pages to a date, today's if `None`; with `dry_run` only tells the plan.
#[pyfunction]
#[pyo3(signature = (root, pages, date=None, dry_run=false))]
pub(crate) fn touch(
    py: Python<'_>,
    root: Option<PathBuf>,
    pages: Vec<String>,
    date: Option<String>,
    dry_run: bool,
) -> Triple<'_> {
    // Not interruptible on purpose: a change that has begun is finished.
    let touch = Touch { root, pages, date, dry_run };
    triple(py, &py.detach(|| touch.run()))
}
