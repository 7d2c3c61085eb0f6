//! The core's tables, from which the Python package makes exceptions and checks its parameters.

use pyo3::prelude::*;

/// All errors: `(code, name of the exception class, exit status)`.
#[pyfunction]
pub(crate) fn error_codes() -> Vec<(&'static str, &'static str, u8)> {
    chemenu_core::error::CODES.iter().map(|code| (code.code, code.class, code.outcome.exit_status())).collect()
}

/// The names of all questions.
#[pyfunction]
pub(crate) fn question_names() -> Vec<&'static str> {
    chemenu_core::question::NAMES.to_vec()
}

/// The JSON Schema of a question's arguments, as JSON text; `None` for an unknown name.
#[pyfunction]
pub(crate) fn question_schema(name: &str) -> Option<String> {
    chemenu_core::question::schema(name).map(|schema| schema.to_string())
}

/// All lint rules and their documentation, as JSON text.
#[pyfunction]
pub(crate) fn rules() -> String {
    chemenu_core::lint::reference().to_string()
}
