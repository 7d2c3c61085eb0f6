//! The wiki as the server's tasks see it: questions are asked on threads that may block, and answers are kept.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chemenu_core::snapshot::Snapshot;
use chemenu_core::{Answer, Corpus, Error, Request, Stamp};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::answers::{Answers, Given};
use crate::http::JsonOnly;
use crate::problem::Problem;

/// Bytes that an answer's JSON may have where the caller gives no `budget`: what a model can read at once.
pub const DEFAULT_BUDGET: u64 = 32 * 1024;

/// How often progress is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// How much work is done at once: more than there are cores, for some of it waits for a commit that is being read.
const PLACES_PER_CORE: usize = 8;

/// Work that nobody waits for any more is not begun.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A corpus and the answers that it gave.
#[derive(Debug)]
pub(crate) struct Wiki {
    pub(crate) corpus: Corpus,
    pub(crate) answers: Answers,
    /// Places for work under way: each takes memory of its own, and more of it than there are cores is not done earlier.
    places: Arc<Semaphore>,
}

impl Wiki {
    pub(crate) fn new(corpus: Corpus) -> Self {
        let places = PLACES_PER_CORE * std::thread::available_parallelism().map_or(1, usize::from);
        Self { corpus, answers: Answers::default(), places: Arc::new(Semaphore::new(places)) }
    }

    /// What is done for one request, on a thread that may block. It is not begun where nobody waits for it any more.
    ///
    /// # Errors
    /// The request was cancelled, or the work was a defect of this program.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let wiki = Arc::clone(self);
        let places = Arc::clone(&self.places);
        let mut done = pin!(async move {
            // Never closed, so there is always a place to wait for.
            let place = places.acquire_owned().await;
            let mut task = AbortOnDrop(tokio::task::spawn_blocking(move || {
                let done = work(&wiki);
                drop(place);
                done
            }));
            (&mut task.0).await
        });
        let message = tokio::select! {
            done = &mut done => match done {
                Ok(done) => return Ok(done),
                Err(error) => error.to_string(),
            },
            () = context.ct.cancelled() => "the call was cancelled".to_owned(),
            () = self.tell_progress(context) => unreachable!("it is told until the work is done"),
        };
        Err(Error::Internal { message })
    }

    /// The answer to a question, by its name and arguments, of the revision that they name.
    pub(crate) fn ask(&self, name: &str, arguments: Map<String, Value>) -> Arc<Given> {
        let request = match Request::from_json(name, arguments) {
            Ok(request) => request,
            Err(error) => return Arc::new(Answer::error(&self.corpus.stamp(), &error).into()),
        };
        match self.corpus.snapshot(request.at.as_deref()) {
            Ok(snapshot) => self.ask_of(&snapshot, request),
            Err(error) => Arc::new(Answer::error(&Stamp::default(), &error).into()),
        }
    }

    /// The answer to a question about a snapshot; its `at` is not looked at.
    pub(crate) fn ask_of(&self, snapshot: &Arc<Snapshot>, request: Request) -> Arc<Given> {
        // A page tells of its last change, which a history that is cut off does not know yet.
        let may_be_kept = request.question.is_of_commit() && !self.corpus.repository().is_shallow();
        match snapshot.stamp.commit.as_deref().filter(|_| may_be_kept) {
            Some(commit) => self.answers.get(commit, request, |request| self.corpus.answer(snapshot, request)),
            None => Arc::new(self.corpus.answer(snapshot, &request).into()),
        }
    }

    /// The JSON of an answer about a snapshot, cut to the budget of tools.
    ///
    /// # Errors
    /// The answer is an error.
    pub(crate) fn json_of(
        &self,
        snapshot: &Arc<Snapshot>,
        name: &str,
        mut arguments: Map<String, Value>,
    ) -> Result<String, Problem> {
        arguments.insert("budget".into(), DEFAULT_BUDGET.into());
        let given = self.ask_of(snapshot, Request::from_json(name, arguments)?);
        match given.answer.is_error {
            true => Err(Problem::of_answer(&given.data)),
            false => Ok(String::from_utf8_lossy(&given.answer.json).into_owned()),
        }
    }

    /// Tells whoever asked for it how many pages have been read, while most of them must be. Never done.
    async fn tell_progress(&self, context: &RequestContext<RoleServer>) {
        let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
        if JsonOnly::is_wanted(&context.extensions) {
            return std::future::pending().await;
        }
        let mut pause = tokio::time::interval(PROGRESS_EVERY);
        let mut told = 0;
        loop {
            pause.tick().await;
            // What is told must grow.
            if let Some((done, total)) = self.corpus.progress().filter(|&(done, _)| done > told) {
                told = done;
                let progress = ProgressNotificationParam::new(token.clone(), done as f64)
                    .with_total(total as f64)
                    .with_message("pages read");
                // Whoever does not listen any more gets an answer all the same.
                _ = context.peer.notify_progress(progress).await;
            }
        }
    }
}
