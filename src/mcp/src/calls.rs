//! What is told of requests and calls, and of whom.

use std::time::Instant;

use rmcp::RoleServer;
use rmcp::model::CallToolResult;
use rmcp::service::RequestContext;
use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::telemetry::{Call, Telemetry};

/// How calls are told of.
#[derive(Default)]
pub struct Calls {
    /// Where to write a line for each; nowhere if `None`.
    pub telemetry: Option<Telemetry>,
    /// Whether `X-Auth-User` names the caller: only where nobody but the proxy can reach this server.
    pub trusts_headers: bool,
}

/// A call that has begun.
pub(crate) struct Begun {
    tool: &'static str,
    caller: Caller,
    at: Instant,
    asked: usize,
    query: Option<String>,
}

impl Calls {
    /// Who makes a request.
    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller::of(context, self.trusts_headers)
    }

    pub(crate) fn begin(
        &self,
        tool: &'static str,
        arguments: Option<&Map<String, Value>>,
        context: &RequestContext<RoleServer>,
    ) -> Begun {
        let records = self.telemetry.as_ref().is_some_and(Telemetry::records_queries);
        let query = arguments.and_then(|arguments| arguments.get("query")?.as_str());
        Begun {
            tool,
            caller: self.caller(context),
            at: Instant::now(),
            asked: arguments.and_then(|arguments| serde_json::to_vec(arguments).ok()).map_or(0, |json| json.len()),
            query: query.filter(|_| records && tool == "search").map(str::to_owned),
        }
    }

    pub(crate) fn end(&self, begun: &Begun, result: &CallToolResult) {
        let Some(telemetry) = &self.telemetry else { return };
        let answer = result.structured_content.as_ref().unwrap_or(&Value::Null);
        let text = result.content.first().and_then(|block| block.as_text());
        let Begun { tool, caller, at, asked, query } = begun;
        let call = Call {
            time: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            tool,
            commit: answer["commit"].as_str(),
            outcome: answer["error"]["code"].as_str().unwrap_or("answered"),
            ms: (at.elapsed().as_secs_f64() * 1e6).round() / 1e3,
            asked: *asked,
            answered: text.map_or(0, |text| text.text.len()),
            user: caller.user.as_deref(),
            request: caller.request.as_deref(),
            query: query.as_deref().filter(|_| answer["total"] == 0),
        };
        telemetry.record(&call);
    }
}
