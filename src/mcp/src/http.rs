//! The server over streamable HTTP, without sessions: every request stands for itself.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rmcp::ErrorData;
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use serde_json::json;

use crate::access::{self, PublicUrl};
use crate::caller;
use crate::connections::Limits;
use crate::refusal;
use crate::server::Server;

/// The longest body that is read, in bytes; questions are short.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// How long `/readyz` waits for a snapshot that is being built.
const READY_PATIENCE: Duration = Duration::from_secs(1);

/// `/mcp`, `/healthz` and `/readyz`, answering on the machine itself and under the `public` names.
pub fn router(server: Server, public: &[PublicUrl], limits: Limits) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .with_allowed_hosts(access::hosts(public))
        .with_allowed_origins(access::origins(public))
        .enforce_origin_validation();
    let handler = server.clone();
    let service =
        StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(NeverSessionManager::default()), config);
    Router::new()
        .route_service("/mcp", service)
        .layer(middleware::from_fn_with_state(limits, speak_json))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn(caller::identify))
        .fallback(elsewhere)
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready).with_state(server))
}

async fn elsewhere(request: Request) -> Response {
    let message = format!("nothing is at `{}`", request.uri().path());
    let error = ErrorData::invalid_request(
        message,
        Some(json!({ "hint": "the server is at `/mcp`, without a slash behind it" })),
    );
    refusal::response(StatusCode::NOT_FOUND, None, error)
}

async fn ready(State(server): State<Server>) -> Response {
    match tokio::time::timeout(READY_PATIENCE, server.stamp()).await {
        Ok(stamp) if stamp.as_of.is_some() => {
            let body = serde_json::to_vec(&stamp).expect("stamps serialise");
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        _ => (StatusCode::SERVICE_UNAVAILABLE, "no snapshot is loaded\n").into_response(),
    }
}

/// Reads bodies within bounds, accepts what clients accept, and says refusals in JSON-RPC.
async fn speak_json(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    if let Some(host) = parts.uri.authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok()) {
        // HTTP has it so: the address in the first line counts.
        parts.headers.insert(header::HOST, host);
    }
    let read = Bytes::from_request(Request::from_parts(parts.clone(), body), &());
    let body = match tokio::time::timeout(limits.body, read).await {
        Ok(Ok(body)) => body,
        Ok(Err(rejection)) => {
            let status = rejection.status();
            let message = match status {
                StatusCode::PAYLOAD_TOO_LARGE => format!("the body is longer than {MAX_BODY_BYTES} bytes"),
                _ => "the body could not be read to its end".to_owned(),
            };
            return refusal::response(status, None, ErrorData::invalid_request(message, None));
        }
        Err(_) => {
            let error = ErrorData::invalid_request("the body did not come in time", None);
            return refusal::response(StatusCode::REQUEST_TIMEOUT, None, error);
        }
    };
    if let Some(error) = doubled(&parts.headers) {
        return refusal::response(StatusCode::BAD_REQUEST, refusal::id_in(&body), error);
    }
    if !accepts(&parts.headers, "text", "event-stream") {
        parts.extensions.insert(JsonOnly);
    }
    if accepts(&parts.headers, "application", "json") {
        // All answers are JSON. The SDK wants both types named, because it could answer with events too.
        parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
    let headers = parts.headers.clone();
    let response = next.run(Request::from_parts(parts, Body::from(body.clone()))).await;
    if !response.status().is_client_error() || refusal::is_json(response.headers()) {
        return response;
    }
    let status = response.status();
    let text = axum::body::to_bytes(response.into_body(), MAX_BODY_BYTES).await.unwrap_or_default();
    refusal::explain(status, &String::from_utf8_lossy(&text), &headers, &body)
}

/// What is wrong where a header that counts stands there twice: nobody knows which one the proxy before this server has looked at.
fn doubled(headers: &HeaderMap) -> Option<ErrorData> {
    let twice =
        ["Host", "Origin", PROTOCOL_VERSION].into_iter().find(|name| headers.get_all(*name).iter().count() > 1)?;
    let message = format!("there is more than one header `{twice}`");
    Some(match twice {
        PROTOCOL_VERSION => ErrorData::header_mismatch(message, None),
        _ => ErrorData::invalid_request(message, None),
    })
}

/// The header that names the revision of the protocol.
const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";

/// Marks a request whose sender reads no events, and so cannot be told of progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JsonOnly;

impl JsonOnly {
    /// Whether the request that these came with is marked so.
    pub(crate) fn is_wanted(extensions: &Extensions) -> bool {
        extensions.get::<Parts>().is_some_and(|parts| parts.extensions.get::<Self>().is_some())
    }
}

/// Whether `Accept` is absent or lets a type pass: many clients send `*/*`, or JSON alone.
fn accepts(headers: &HeaderMap, kind: &str, subtype: &str) -> bool {
    let mut entries = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    !headers.contains_key(header::ACCEPT)
        || entries.any(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
            let refused = parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let fits = |part: &str, wanted: &str| part == "*" || part == wanted;
            !refused && essence.split_once('/').is_some_and(|(a, b)| fits(a, kind) && fits(b, subtype))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_accepted_where_nothing_speaks_against_it() {
        let accept = |value: &'static str| HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(value))]);
        assert!(accepts(&HeaderMap::new(), "application", "json"));
        for value in ["*/*", "application/json", "text/event-stream, application/json;q=0.5", "Application/*"] {
            assert!(accepts(&accept(value), "application", "json"), "{value}");
        }
        for value in ["text/event-stream", "text/html", "application/json;q=0", "*/*; q=0.0"] {
            assert!(!accepts(&accept(value), "application", "json"), "{value}");
        }
    }
}
