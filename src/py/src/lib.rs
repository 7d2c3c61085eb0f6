//! Python bindings: carry questions in and answers out, and decide nothing.
//!
//! Nothing here raises for what a user got wrong: every answer is `(json, exit status, is_error)`, errors included, and
//! the Python package makes exceptions of them where they are wanted.

mod arguments;
mod call;
mod corpus;
mod tables;
mod write;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Carries questions in and answers out.
#[pyo3::pymodule]
mod _chemenu {
    #[pymodule_export]
    use crate::corpus::{Corpus, Snapshot};
    #[pymodule_export]
    use crate::tables::{error_codes, question_names, question_schema, rules};
    #[pymodule_export]
    use crate::write::touch;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python sees")]
    const version: &str = chemenu_core::VERSION;
}
