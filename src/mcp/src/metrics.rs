//! What operators watch, in the text format of Prometheus, on a listener of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chemenu_core::Corpus;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::answers::Figures;
use crate::server::Server;
use crate::tools;

/// A row of the table of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The name under which it is registered; those of counters are shown with `_total` behind them.
    pub name: &'static str,
    /// What it tells, in which unit.
    pub help: &'static str,
}

const REQUESTS: Metric = Metric {
    name: "chemenu_requests",
    help: "Requests by method, name (of a tool, resource or prompt) and outcome: answered, problem, failed, refused or cancelled",
};
const DURATION: Metric =
    Metric { name: "chemenu_request_duration_seconds", help: "How long requests took, by method and name" };
const REFRESHES: Metric =
    Metric { name: "chemenu_refreshes", help: "How often another commit came to be served, the first one not counted" };
const AGE: Metric = Metric {
    name: "chemenu_served_commit_age_seconds",
    help: "Time since the served commit was made; NaN where files are served that are not committed",
};
const BEHIND: Metric = Metric {
    name: "chemenu_commits_behind_upstream",
    help: "Commits that the upstream had at the last fetch and HEAD has not; NaN without an upstream",
};
const HITS: Metric = Metric { name: "chemenu_answer_cache_hits", help: "Answers that were given again" };
const MISSES: Metric =
    Metric { name: "chemenu_answer_cache_misses", help: "Answers that could have been given again and were not there" };
const BYTES: Metric = Metric { name: "chemenu_answer_cache_bytes", help: "What the kept answers take, about" };

/// All metrics, in the order in which they are shown.
pub const ALL: &[Metric] = &[REQUESTS, DURATION, REFRESHES, AGE, BEHIND, HITS, MISSES, BYTES];

/// Seconds that part the quick from the slow.
const BUCKETS: [f64; 12] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With an answer; nothing found is one too.
    Answered,
    /// The wiki or the request has a problem.
    Problem,
    /// Misuse or failure.
    Failed,
    /// The protocol has an error for it.
    Refused,
    /// Nobody waited for it any more.
    Cancelled,
}

impl Ended {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Problem => "problem",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    method: &'static str,
    name: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    name: &'static str,
    outcome: &'static str,
}

/// The metrics of one server.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    duration: Family<Asked, Histogram>,
    refreshes: Counter,
    age: Gauge<f64, AtomicU64>,
    behind: Gauge<f64, AtomicU64>,
    hits: Counter,
    misses: Counter,
    bytes: Gauge<f64, AtomicU64>,
    /// The commit that was served last.
    served: Mutex<Option<String>>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let metrics = Self {
            requests: register(&mut registry, REQUESTS, Family::default()),
            duration: register(&mut registry, DURATION, Family::new_with_constructor(|| Histogram::new(BUCKETS))),
            refreshes: register(&mut registry, REFRESHES, Counter::default()),
            age: register(&mut registry, AGE, Gauge::default()),
            behind: register(&mut registry, BEHIND, Gauge::default()),
            hits: register(&mut registry, HITS, Counter::default()),
            misses: register(&mut registry, MISSES, Counter::default()),
            bytes: register(&mut registry, BYTES, Gauge::default()),
            registry,
            served: Mutex::default(),
        };
        // A sample that is there from the beginning can be watched before anything happens.
        for name in tools::ALL.iter().map(|tool| tool.name) {
            let (method, outcome) = ("tools/call", Ended::Answered.name());
            drop(metrics.requests.get_or_create(&Answered { method, name, outcome }));
            drop(metrics.duration.get_or_create(&Asked { method, name }));
        }
        metrics
    }
}

fn register<M>(registry: &mut Registry, metric: Metric, value: M) -> M
where
    M: EncodeMetric + Clone + Send + Sync + std::fmt::Debug + 'static,
{
    registry.register(metric.name, metric.help, value.clone());
    value
}

impl Metrics {
    /// Notes a request that begins; what becomes of it is noted when the guard is dropped. Names come from our own tables, so that no
    /// client can make more of them.
    pub(crate) fn begin(&self, method: &'static str, name: &'static str) -> Begun<'_> {
        Begun { metrics: self, method, name, started: Instant::now(), ended: Ended::Cancelled }
    }

    /// Notes the commit that is served now.
    pub(crate) fn serves(&self, commit: Option<&str>) {
        let Some(commit) = commit else { return };
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if served.as_deref() != Some(commit) && served.replace(commit.to_owned()).is_some() {
            self.refreshes.inc();
        }
    }

    /// All metrics as text. Looks at the repository.
    pub(crate) fn text(&self, corpus: &Corpus, answers: Figures) -> String {
        let stamp = corpus.stamp();
        self.serves(stamp.commit.as_deref());
        let made = stamp.commit.and_then(|commit| corpus.repository().resolve(&commit).ok());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        self.age.set(made.map_or(f64::NAN, |commit| now - commit.seconds as f64));
        self.behind.set(corpus.repository().facts().behind.map_or(f64::NAN, |behind| behind as f64));
        self.hits.inner().store(answers.hits, Ordering::Relaxed);
        self.misses.inner().store(answers.misses, Ordering::Relaxed);
        self.bytes.set(answers.bytes as f64);
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a text can be written to");
        text
    }
}

/// A request under way.
pub(crate) struct Begun<'m> {
    metrics: &'m Metrics,
    method: &'static str,
    name: &'static str,
    started: Instant,
    ended: Ended,
}

impl Begun<'_> {
    /// Notes how it ended; gives how long it took.
    pub(crate) fn end(mut self, ended: Ended) -> Duration {
        self.ended = ended;
        self.started.elapsed()
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let Self { metrics, method, name, .. } = *self;
        metrics.requests.get_or_create(&Answered { method, name, outcome: self.ended.name() }).inc();
        metrics.duration.get_or_create(&Asked { method, name }).observe(self.started.elapsed().as_secs_f64());
    }
}

/// `/metrics` of a server.
pub fn router(server: Server) -> Router {
    Router::new().route("/metrics", get(metrics).with_state(server))
}

async fn metrics(State(server): State<Server>) -> Response {
    const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    match server.metrics().await {
        Some(text) => ([(header::CONTENT_TYPE, TYPE)], text).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
