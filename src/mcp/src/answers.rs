//! Answers that were given before: of a commit and a question alone, so they can be given again.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chemenu_core::{Answer, Request};
use lru::LruCache;
use serde_json::Value;

/// What all of them may take, in bytes.
pub(crate) const MAX_BYTES: usize = 64 << 20;
/// One that takes more than this is not kept: it would push out too many others.
const MAX_SHARE: usize = 16;

/// An answer, and the same as data. To read the text anew each time would take longer than to copy what was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) answer: Answer,
    pub(crate) data: Value,
}

impl From<Answer> for Given {
    fn from(answer: Answer) -> Self {
        let data = serde_json::from_slice(&answer.json).expect("answers are JSON");
        Self { answer, data }
    }
}

/// The last answers, as many as fit.
#[derive(Debug)]
pub(crate) struct Answers {
    kept: Mutex<Kept>,
    max_bytes: usize,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Debug)]
struct Kept {
    answers: LruCache<(String, Request), Arc<Given>>,
    bytes: usize,
}

/// How often an answer was there already, and what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) bytes: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Self::new(MAX_BYTES)
    }
}

impl Answers {
    fn new(max_bytes: usize) -> Self {
        let kept = Mutex::new(Kept { answers: LruCache::unbounded(), bytes: 0 });
        Self { kept, max_bytes, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// The answer to a question about a commit: the one that was given before, or else the one that `ask` gives. Errors are not kept,
    /// since what could not be read may be there the next time.
    pub(crate) fn get(&self, commit: &str, request: Request, ask: impl FnOnce(&Request) -> Answer) -> Arc<Given> {
        // By whatever name the commit was asked for.
        let key = (commit.to_owned(), Request { at: None, ..request });
        if let Some(known) = self.kept().answers.get(&key) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Arc::clone(known);
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let given = Arc::new(Given::from(ask(&key.1)));
        let bytes = size(&key, &given);
        if !given.answer.is_error && bytes <= self.max_bytes / MAX_SHARE {
            self.kept().keep(key, Arc::clone(&given), bytes, self.max_bytes);
        }
        given
    }

    pub(crate) fn figures(&self) -> Figures {
        Figures {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.kept().bytes,
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn keep(&mut self, key: (String, Request), given: Arc<Given>, bytes: usize, max_bytes: usize) {
        if let Some((key, replaced)) = self.answers.push(key, given) {
            self.bytes -= size(&key, &replaced);
        }
        self.bytes += bytes;
        while self.bytes > max_bytes
            && let Some((key, oldest)) = self.answers.pop_lru()
        {
            self.bytes -= size(&key, &oldest);
        }
    }
}

/// What the table and the counted pointer take for an entry, in bytes, about.
const OVERHEAD: usize = 64;
/// How much longer data are than the text that says them, about.
const SPREAD: usize = 4;

/// What an entry takes, about.
fn size(key: &(String, Request), given: &Given) -> usize {
    let entry = size_of::<(String, Request)>() + size_of::<Given>() + OVERHEAD;
    // Written out, a question is at least as long as the texts that it holds.
    entry + key.0.len() + format!("{:?}", key.1).len() + given.answer.json.len() * (1 + SPREAD)
}

#[cfg(test)]
mod tests {
    use chemenu_core::Outcome;
    use serde_json::{Map, json};

    use super::*;

    fn request(query: &str) -> Request {
        let arguments = Map::from_iter([("query".to_owned(), json!(query)), ("at".to_owned(), json!("HEAD"))]);
        Request::from_json("search", arguments).unwrap()
    }

    fn answer(bytes: usize) -> Answer {
        Answer {
            json: format!("\"{}\"", "x".repeat(bytes - 2)).into_bytes(),
            outcome: Outcome::Answered,
            is_error: false,
        }
    }

    #[test]
    fn an_answer_is_given_again_for_its_commit_and_question_alone() {
        let answers = Answers::default();
        let never = |_: &Request| -> Answer { unreachable!("it is known") };
        let first = answers.get("c1", request("a"), |_| answer(10));
        assert_eq!(first, answers.get("c1", Request { at: None, ..request("a") }, never));
        assert_eq!(answers.get("c2", request("a"), |_| answer(11)).answer.json.len(), 11);
        assert_eq!(answers.get("c1", request("b"), |_| answer(12)).answer.json.len(), 12);
        assert_eq!(
            answers.get("c1", Request { budget: Some(2000), ..request("a") }, |_| answer(13)).answer.json.len(),
            13
        );
        assert_eq!((answers.figures().hits, answers.figures().misses), (1, 4));
    }

    #[test]
    fn errors_are_not_kept() {
        let answers = Answers::default();
        for _ in 0..2 {
            answers.get("c", request("a"), |_| Answer { is_error: true, ..answer(10) });
        }
        assert_eq!(answers.figures(), Figures { hits: 0, misses: 2, bytes: 0 });
    }

    #[test]
    fn the_answers_longest_unused_make_room() {
        let answers = Answers::new(320_000);
        for number in 0..100 {
            answers.get("c", request(&number.to_string()), |_| answer(3000));
            answers.get("c", request("0"), |_| answer(3000));
            assert!(answers.figures().bytes <= 320_000);
        }
        assert!(answers.figures().bytes > 160_000);
        assert_eq!(answers.get("c", request("0"), |_| answer(2)).answer.json.len(), 3000, "used all the time");
        assert_eq!(answers.get("c", request("1"), |_| answer(2)).answer.json.len(), 2, "pushed out");
        let before = answers.figures().bytes;
        answers.get("c", request("large"), |_| answer(10_000));
        assert_eq!(answers.figures().bytes, before, "what is too large is not kept");
        assert_eq!(answers.kept().answers.iter().map(|(key, answer)| size(key, answer)).sum::<usize>(), before);
    }
}
