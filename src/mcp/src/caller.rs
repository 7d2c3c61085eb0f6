//! Who calls, as far as it is known: for the log and the telemetry, never for an answer.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use rmcp::RoleServer;
use rmcp::model::RequestId;
use rmcp::service::RequestContext;

use crate::metrics::Ended;

/// The header in which the proxy's authentication names the caller.
const USER: &str = "x-auth-user";
/// The header that carries a request's id, in and out.
pub(crate) const REQUEST_ID: &str = "x-request-id";
/// Headers of W3C Trace Context, and keys of a request's `_meta`.
const TRACE: [&str; 3] = ["traceparent", "tracestate", "baggage"];
/// Longer ids and names are nobody's.
const LONGEST: usize = 128;
/// Characters that are logged of what a client says.
const SHOWN: usize = 512;

/// Who calls.
pub(crate) struct Caller {
    /// The name in `X-Auth-User`, where the proxy is trusted.
    pub(crate) user: Option<String>,
    /// The HTTP request's id.
    pub(crate) request: Option<String>,
    /// The id of the protocol's request.
    id: RequestId,
    /// The trace that the request is part of, in the order of [`TRACE`].
    trace: [Option<String>; 3],
}

impl Caller {
    /// Reads a call's headers and `_meta`. `trusts_headers`: whoever calls cannot have written `X-Auth-User` himself.
    pub(crate) fn of(context: &RequestContext<RoleServer>, trusts_headers: bool) -> Self {
        let headers = context.extensions.get::<Parts>().map(|parts| &parts.headers);
        let header = |name| headers.and_then(|headers| only(headers, name));
        let trace = TRACE.map(|key| {
            let in_meta = context.meta.0.0.get(key).and_then(|value| value.as_str());
            in_meta.or_else(|| header(key)).filter(|text| key != TRACE[0] || is_trace(text)).map(shown)
        });
        Self {
            user: header(USER).filter(|_| trusts_headers).filter(|name| is_name(name)).map(str::to_owned),
            request: header(REQUEST_ID).filter(|id| is_id(id)).map(str::to_owned),
            id: context.id.clone(),
            trace,
        }
    }

    /// Logs a request that has ended, unless nobody has said anything to find it by.
    pub(crate) fn log(&self, method: &str, name: Option<&str>, ended: Ended, took: Duration) {
        let Self { user, request, id, trace: [traceparent, tracestate, baggage] } = self;
        let (outcome, ms) = (ended.name(), (took.as_secs_f64() * 1e6).round() / 1e3);
        // As a text, in which the log's formats escape what could pass for a line of theirs.
        let id = shown(&id.to_string());
        if user.is_some() || request.is_some() || traceparent.is_some() {
            tracing::info!(id, method, name, outcome, ms, user, request, traceparent, tracestate, baggage, "request");
        } else {
            tracing::debug!(id, method, name, outcome, ms, "request");
        }
    }
}

/// Gives each request an id, its own where it has a plain one, and tells it in the response.
pub(crate) async fn identify(mut request: Request, next: Next) -> Response {
    let known = only(request.headers(), REQUEST_ID).filter(|id| is_id(id)).map(str::to_owned);
    let id = HeaderValue::from_str(&known.unwrap_or_else(next_id)).expect("ids are plain");
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// An id that no other request to this or another server has, most likely.
fn next_id() -> String {
    static START: LazyLock<i64> = LazyLock::new(|| jiff::Timestamp::now().as_microsecond());
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("{:x}-{:x}", *START, COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A header that stands there once; of two, nobody knows which to believe.
pub(crate) fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// What can stand in a line of a log as it is.
pub(crate) fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_plain)
}

fn is_name(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_trace(text: &str) -> bool {
    let is_hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let parts: Vec<&str> = text.split('-').collect();
    // A later version may have more parts.
    let lengths: Vec<usize> = parts.iter().take(4).map(|part| part.len()).collect();
    lengths == [2, 32, 16, 2] && parts.iter().all(|part| is_hex(part)) && text.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn what_goes_into_a_log_is_plain() {
        for (text, is) in [("a-1.b_2", true), ("", false), ("a b", false), ("a\nb", false), ("ä", false)] {
            assert_eq!(is_id(text), is, "{text:?}");
        }
        assert!(is_id(&"a".repeat(128)) && !is_id(&"a".repeat(129)));
        assert!(is_name("ada@example.org") && !is_name("a b") && !is_name("a\u{7f}") && !is_name(""));
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(is_trace(trace) && !is_trace(&trace.to_uppercase()) && !is_trace(&trace[1..]) && !is_trace(""));
        assert!(!is_trace(&trace.replace("4b", "4\n")));
    }

    #[test]
    fn of_two_headers_none_is_believed() {
        let value = |text| (HeaderName::from_static(USER), HeaderValue::from_static(text));
        let headers: HeaderMap = [value("ada")].into_iter().collect();
        assert_eq!(only(&headers, USER), Some("ada"));
        let headers: HeaderMap = [value("ada"), value("eve")].into_iter().collect();
        assert_eq!(only(&headers, USER), None);
    }
}
