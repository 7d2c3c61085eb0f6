//! Refusals of what is no message, said in JSON-RPC.
//!
//! Over HTTP the SDK refuses what it cannot read in plain text, under statuses that clients do not expect. What it refuses is its
//! business; here it only gets the form that the protocol gives to errors.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcError, JsonRpcVersion2_0, ProtocolVersion, RequestId};
use serde::Serialize;
use serde_json::Value;

/// An error over stdio. Where nobody knows which request it is about, its `id` is null, as JSON-RPC wants it: which revision of the
/// protocol is spoken cannot be told from what could not be read.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    jsonrpc: JsonRpcVersion2_0,
    id: Option<RequestId>,
    error: ErrorData,
}

/// The message that a line is.
pub(crate) fn read(line: &[u8]) -> Result<ClientJsonRpcMessage, Box<Refusal>> {
    serde_json::from_slice(line)
        .map_err(|_| Box::new(Refusal { jsonrpc: JsonRpcVersion2_0, id: id_in(line), error: unreadable(line) }))
}

/// The refusal of a line of more than `most` bytes.
pub(crate) fn too_long(most: usize) -> Box<Refusal> {
    let error = ErrorData::invalid_request(format!("the message is longer than {most} bytes"), None);
    Box::new(Refusal { jsonrpc: JsonRpcVersion2_0, id: None, error })
}

/// An error over HTTP without a result, as the protocol writes it; `id` only where the request could be read that far.
pub(crate) fn response(status: StatusCode, id: Option<RequestId>, error: ErrorData) -> Response {
    let body = serde_json::to_vec(&JsonRpcError::new(id, error)).expect("errors serialise");
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// What the SDK refused with `status` and `text`, in the protocol's form.
pub(crate) fn explain(status: StatusCode, text: &str, headers: &HeaderMap, body: &Bytes) -> Response {
    let (status, error) = if status == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json(headers) {
        (StatusCode::BAD_REQUEST, unreadable(body))
    } else if let (StatusCode::BAD_REQUEST, Some(version)) = (status, unknown_version(headers)) {
        (status, ErrorData::unsupported_protocol_version(version, ProtocolVersion::KNOWN_VERSIONS))
    } else {
        (status, ErrorData::invalid_request(text.to_owned(), None))
    };
    response(status, id_in(body), error)
}

/// Whether the headers say that a body is JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let essence = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()?.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn unreadable(body: &[u8]) -> ErrorData {
    match serde_json::from_slice(body) {
        Err(error) => ErrorData::parse_error(format!("the message is no JSON: {error}"), None),
        Ok(Value::Array(_)) => {
            ErrorData::invalid_request("batches are not supported; send each message by itself", None)
        }
        Ok(_) => ErrorData::invalid_request("it is no JSON-RPC 2.0 message", None),
    }
}

/// The version that the header names, if this server does not know it.
fn unknown_version(headers: &HeaderMap) -> Option<ProtocolVersion> {
    let version = headers.get("mcp-protocol-version")?.to_str().ok()?;
    let version: ProtocolVersion = serde_json::from_value(Value::from(version)).ok()?;
    (!ProtocolVersion::KNOWN_VERSIONS.contains(&version)).then_some(version)
}

/// The id of a message that is otherwise none, if it has one.
pub(crate) fn id_in(body: &[u8]) -> Option<RequestId> {
    let message: Value = serde_json::from_slice(body).ok()?;
    serde_json::from_value(message.get("id")?.clone()).ok()
}
