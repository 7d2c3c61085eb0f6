//! What a client says about the trace that its request is part of (W3C Trace Context): it belongs in the log, and nowhere else.

use std::time::Duration;

use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::RequestId;
use rmcp::service::RequestContext;

use crate::metrics::Ended;

/// Characters that are logged of what a client says.
const SHOWN: usize = 512;

/// The trace of one request, in the order of [`KEYS`].
pub(crate) struct Trace {
    id: RequestId,
    said: [Option<String>; 3],
}

/// The keys in `_meta`, which are those of HTTP headers too.
const KEYS: [&str; 3] = ["traceparent", "tracestate", "baggage"];

impl Trace {
    /// What a request says, in its `_meta` or else in its headers.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        let headers = context.extensions.get::<Parts>().map(|parts| &parts.headers);
        let said = KEYS.map(|key| {
            let in_meta = context.meta.0.0.get(key).and_then(|value| value.as_str());
            let text = in_meta.or_else(|| headers?.get(key)?.to_str().ok())?;
            Some(text.chars().take(SHOWN).collect())
        });
        Self { id: context.id.clone(), said }
    }

    /// Logs a request that has ended: always if it is traced, else only where everything is logged.
    pub(crate) fn log(&self, method: &str, name: Option<&str>, ended: Ended, took: Duration) {
        let Self { id, said: [traceparent, tracestate, baggage] } = self;
        let (outcome, ms) = (ended.name(), took.as_secs_f64() * 1000.0);
        if self.said.iter().any(Option::is_some) {
            // As a text, in which the log's formats escape what could pass for a line of theirs.
            let id: String = id.to_string().chars().take(SHOWN).collect();
            tracing::info!(id, method, name, outcome, ms, traceparent, tracestate, baggage, "request");
        } else {
            tracing::debug!(?id, method, name, outcome, ms, "request");
        }
    }
}
