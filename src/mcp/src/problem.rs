//! Why a resource, a prompt or a completion cannot be given: the same object that answers carry, as a protocol error.

use chemenu_core::Error;
use rmcp::ErrorData;
use serde_json::{Map, Value, json};

/// What is wrong and what to do: an error of the core, or of a request that never came to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The stable name of an error of the core.
    code: Option<String>,
    message: String,
    hint: String,
    candidates: Vec<String>,
}

/// The errors that mean that what was asked for is not there.
const MISSING: &[&str] = &[
    "page_not_found",
    "page_ambiguous",
    "type_not_found",
    "type_ambiguous",
    "revision_not_found",
    "revision_ambiguous",
    "revision_unreachable",
];

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self {
            code: Some(error.code().code.to_owned()),
            message: error.to_string(),
            hint: error.hint(),
            candidates: error.candidates().to_vec(),
        }
    }
}

impl Problem {
    /// Whether an error only says that something is not there.
    pub(crate) fn is_missing(error: &Error) -> bool {
        MISSING.contains(&error.code().code)
    }

    /// A mistake in the request itself.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>, candidates: Vec<String>) -> Self {
        Self { code: None, message: message.into(), hint: hint.into(), candidates }
    }

    /// The error that an answer is.
    pub(crate) fn of_answer(object: &Value) -> Self {
        let text = |key: &str| object["error"][key].as_str().unwrap_or_default().to_owned();
        let candidates = object["error"]["candidates"].as_array().into_iter().flatten();
        Self {
            code: Some(text("code")),
            message: text("message"),
            hint: text("hint"),
            candidates: candidates.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        }
    }

    /// As an error of `resources/read`. A resource that is not there has a code of its own, which the SDK turns into the one that newer
    /// peers expect.
    pub(crate) fn of_resource(self, uri: &str) -> ErrorData {
        let is_missing = self.code.as_deref().is_none_or(|code| MISSING.contains(&code));
        let (message, data) = (self.message.clone(), self.data(Some(uri)));
        match is_missing {
            true => ErrorData::resource_not_found(message, Some(data)),
            false => ErrorData::internal_error(message, Some(data)),
        }
    }

    /// As an error of a request whose parameters name something.
    pub(crate) fn of_parameters(self) -> ErrorData {
        let is_ours = self.code.as_deref().is_some_and(|code| !MISSING.contains(&code));
        let (message, data) = (self.message.clone(), self.data(None));
        match is_ours {
            true => ErrorData::internal_error(message, Some(data)),
            false => ErrorData::invalid_params(message, Some(data)),
        }
    }

    fn data(self, uri: Option<&str>) -> Value {
        let mut data = Map::new();
        if let Some(uri) = uri {
            data.insert("uri".into(), uri.into());
        }
        if let Some(code) = self.code {
            data.insert("code".into(), code.into());
        }
        data.insert("hint".into(), self.hint.into());
        data.insert("candidates".into(), json!(self.candidates));
        Value::Object(data)
    }
}
