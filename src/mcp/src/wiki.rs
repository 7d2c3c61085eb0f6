//! The wiki as the server's tasks see it: questions are asked on threads that may block, and answers are kept.

use std::sync::Arc;
use std::time::Duration;

use chemenu_core::snapshot::Snapshot;
use chemenu_core::{Answer, Corpus, Error, Request, Stamp};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use serde_json::{Map, Value};

use crate::answers::{Answers, Given};
use crate::http::JsonOnly;
use crate::problem::Problem;

/// Bytes that an answer's JSON may have where the caller gives no `budget`: what a model can read at once.
pub const DEFAULT_BUDGET: u64 = 32 * 1024;

/// How often progress is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// A corpus and the answers that it gave.
#[derive(Debug)]
pub(crate) struct Wiki {
    pub(crate) corpus: Corpus,
    pub(crate) answers: Answers,
}

impl Wiki {
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
        let mut task = tokio::task::spawn_blocking(move || work(&wiki));
        let message = tokio::select! {
            done = &mut task => match done {
                Ok(done) => return Ok(done),
                Err(error) => error.to_string(),
            },
            () = context.ct.cancelled() => {
                task.abort();
                "the call was cancelled".to_owned()
            }
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
