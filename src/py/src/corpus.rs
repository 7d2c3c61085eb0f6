//! The door, for Python.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use chemenu_core::{Answer, CacheFolder, Dirty, Error, Options, Stamp};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments;
use crate::call::{Triple, interruptible, triple};

/// A wiki that can be asked.
///
/// Making one never raises for what the wiki is: if it cannot be opened, `problem` tells, and is the answer to every
/// question.
#[pyclass(frozen, module = "chemenu._chemenu")]
pub(crate) struct Corpus {
    opened: Result<Arc<chemenu_core::Corpus>, Answer>,
}

#[pymethods]
impl Corpus {
    #[new]
    #[pyo3(signature = (root=None, r#ref=None, folder=None, dirty="serve", cache_dir=None, cache=true))]
    fn new(
        root: Option<PathBuf>,
        r#ref: Option<String>,
        folder: Option<String>,
        dirty: &str,
        cache_dir: Option<PathBuf>,
        cache: bool,
    ) -> Self {
        let cache = cache.then(|| cache_dir.map_or(CacheFolder::Default, CacheFolder::At));
        let opened = policy(dirty)
            .and_then(|dirty| {
                chemenu_core::Corpus::open(Options { root, reference: r#ref, folder, dirty, resident: false, cache })
            })
            .map(Arc::new)
            .map_err(|error| Answer::error(&Stamp::default(), &error));
        Self { opened }
    }

    /// Why the wiki could not be opened, as an answer; `None` if it was.
    fn problem<'py>(&self, py: Python<'py>) -> Option<Triple<'py>> {
        self.opened.as_ref().err().map(|answer| triple(py, answer))
    }

    /// One state of the wiki to ask several questions of: that of a revision, or of what is there at the first of them.
    ///
    /// If it cannot be read, why is the answer to all of them.
    #[pyo3(signature = (at=None))]
    fn snapshot(&self, at: Option<String>) -> Snapshot {
        Snapshot { opened: self.opened.clone(), at, taken: Arc::default() }
    }

    /// What went wrong beside the answers since this was asked last: sentences for people.
    fn warnings(&self) -> Vec<String> {
        self.opened.as_ref().map(|corpus| corpus.warnings()).unwrap_or_default()
    }

    /// What is stored of the wiki on this machine, after taking it away if `clear`.
    #[pyo3(signature = (clear=false))]
    fn doctor<'py>(&self, py: Python<'py>, clear: bool) -> Triple<'py> {
        match &self.opened {
            Ok(corpus) => triple(py, &py.detach(|| corpus.doctor(clear))),
            Err(answer) => triple(py, answer),
        }
    }

    /// The wiki's folder below its repository's top; empty if it is the top, or nothing was opened.
    fn folder(&self) -> String {
        self.opened.as_ref().map(|corpus| corpus.repository().folder()).unwrap_or_default()
    }

    /// Answers the question of that name. What is wrong with name or arguments is an answer too.
    ///
    /// While many pages are read, `progress` is called with how many have been, and of how many.
    #[pyo3(signature = (name, arguments, progress=None))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: &Bound<'py, PyDict>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Triple<'py>> {
        let corpus = match &self.opened {
            Ok(corpus) => Arc::clone(corpus),
            Err(answer) => return Ok(triple(py, answer)),
        };
        let name = name.to_owned();
        let arguments = arguments::from_python(&name, arguments);
        let watched = Arc::clone(&corpus);
        interruptible(
            py,
            || tell(&watched, progress),
            move || match arguments {
                Ok(arguments) => corpus.ask_json(&name, arguments),
                Err(error) => Answer::error(&corpus.stamp(), &error),
            },
        )
    }
}

/// One state of a wiki.
#[pyclass(frozen, module = "chemenu._chemenu")]
pub(crate) struct Snapshot {
    opened: Result<Arc<chemenu_core::Corpus>, Answer>,
    at: Option<String>,
    taken: Arc<OnceLock<Result<Arc<chemenu_core::snapshot::Snapshot>, Error>>>,
}

#[pymethods]
impl Snapshot {
    /// Answers the question of that name from this state; `at` is not looked at. `progress` as for [`Corpus`].
    #[pyo3(signature = (name, arguments, progress=None))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: &Bound<'py, PyDict>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Triple<'py>> {
        let corpus = match &self.opened {
            Ok(corpus) => Arc::clone(corpus),
            Err(answer) => return Ok(triple(py, answer)),
        };
        let (name, at, taken) = (name.to_owned(), self.at.clone(), Arc::clone(&self.taken));
        let arguments = arguments::from_python(&name, arguments);
        let watched = Arc::clone(&corpus);
        interruptible(
            py,
            || tell(&watched, progress),
            move || match (taken.get_or_init(|| corpus.snapshot(at.as_deref())), arguments) {
                (Ok(snapshot), Ok(arguments)) => corpus.answer_json(snapshot, &name, arguments),
                (Ok(snapshot), Err(error)) => Answer::error(&snapshot.stamp, &error),
                (Err(error), _) => Answer::error(&Stamp::default(), error),
            },
        )
    }
}

/// Tells how many pages have been read, where somebody wants to know.
fn tell(corpus: &chemenu_core::Corpus, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match (progress, corpus.progress()) {
        (Some(progress), Some(read)) => progress.call1(read).map(|_| ()),
        _ => Ok(()),
    }
}

fn policy(name: &str) -> Result<Dirty, Error> {
    match name {
        "serve" => Ok(Dirty::Serve),
        "ignore" => Ok(Dirty::Ignore),
        "refuse" => Ok(Dirty::Refuse),
        _ => Err(Error::ArgumentInvalid {
            question: "Corpus".into(),
            argument: "dirty".into(),
            message: format!("is `{name}`"),
            candidates: ["serve", "ignore", "refuse"].map(String::from).to_vec(),
        }),
    }
}
