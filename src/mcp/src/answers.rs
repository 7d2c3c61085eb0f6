//! Answers that were given before: of a commit and a question alone, so they can be given again.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chemenu_core::{Answer, Request};
use lru::LruCache;

/// What all of them may take, in bytes.
pub(crate) const MAX_BYTES: usize = 64 << 20;
/// One that takes more than this is not kept: it would push out too many others.
const MAX_SHARE: usize = 16;

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
    answers: LruCache<(String, Request), Arc<Answer>>,
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
    pub(crate) fn get(&self, commit: &str, request: Request, ask: impl FnOnce(&Request) -> Answer) -> Arc<Answer> {
        // By whatever name the commit was asked for.
        let key = (commit.to_owned(), Request { at: None, ..request });
        if let Some(known) = self.kept().answers.get(&key) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Arc::clone(known);
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let answer = Arc::new(ask(&key.1));
        let bytes = size(&key, &answer);
        if !answer.is_error && bytes <= self.max_bytes / MAX_SHARE {
            self.kept().keep(key, Arc::clone(&answer), bytes, self.max_bytes);
        }
        answer
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
    fn keep(&mut self, key: (String, Request), answer: Arc<Answer>, bytes: usize, max_bytes: usize) {
        if let Some((key, replaced)) = self.answers.push(key, answer) {
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

/// What an entry takes, about.
fn size(key: &(String, Request), answer: &Answer) -> usize {
    let entry = size_of::<(String, Request)>() + size_of::<Answer>() + 8 * size_of::<usize>();
    // Written out, a question is at least as long as the texts that it holds.
    entry + key.0.len() + format!("{:?}", key.1).len() + answer.json.len()
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
        Answer { json: vec![b'x'; bytes], outcome: Outcome::Answered, is_error: false }
    }

    #[test]
    fn an_answer_is_given_again_for_its_commit_and_question_alone() {
        let answers = Answers::default();
        let never = |_: &Request| -> Answer { unreachable!("it is known") };
        let first = answers.get("c1", request("a"), |_| answer(10));
        assert_eq!(first, answers.get("c1", Request { at: None, ..request("a") }, never));
        assert_eq!(answers.get("c2", request("a"), |_| answer(11)).json.len(), 11);
        assert_eq!(answers.get("c1", request("b"), |_| answer(12)).json.len(), 12);
        assert_eq!(answers.get("c1", Request { budget: Some(2000), ..request("a") }, |_| answer(13)).json.len(), 13);
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
        let answers = Answers::new(64_000);
        for number in 0..100 {
            answers.get("c", request(&number.to_string()), |_| answer(3000));
            answers.get("c", request("0"), |_| answer(3000));
            assert!(answers.figures().bytes <= 64_000);
        }
        assert!(answers.figures().bytes > 32_000);
        assert_eq!(answers.get("c", request("0"), |_| answer(1)).json.len(), 3000, "used all the time");
        assert_eq!(answers.get("c", request("1"), |_| answer(1)).json.len(), 1, "pushed out");
        let before = answers.figures().bytes;
        answers.get("c", request("large"), |_| answer(10_000));
        assert_eq!(answers.figures().bytes, before, "what is too large is not kept");
        assert_eq!(answers.kept().answers.iter().map(|(key, answer)| size(key, answer)).sum::<usize>(), before);
    }
}
