//! Replies to requests that need the wiki: its answers in the form of the protocol, and how they ended.

use std::sync::Arc;

use chemenu_core::{Answer, Outcome, Request, Stamp};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResult, CompleteRequestParams, CompleteResult, ContentBlock,
    GetPromptRequestParams, GetPromptResult, ListResourcesResult, ReadResourceResult,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, json};

use crate::answers::Given;
use crate::meta::{self, is_modern};
use crate::metrics::Ended;
use crate::problem::Problem;
use crate::wiki::{DEFAULT_BUDGET, Wiki};
use crate::{completions, prompts, resources, tools};

/// What is read from HEAD, which may be another commit in a moment.
const HEAD_TTL_MS: u64 = 5 * 1000;
/// What a full commit id says is the same for ever.
const COMMIT_TTL_MS: u64 = 30 * 24 * 60 * 60 * 1000;

type Reply<T> = Result<(T, Ended), ErrorData>;

/// `tools/call`: user mistakes are results too.
pub(crate) async fn call(
    wiki: &Arc<Wiki>,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Reply<CallToolResult> {
    let tool = tools::ALL.iter().find(|tool| tool.name == request.name).ok_or_else(|| unknown_tool(&request.name))?;
    let mut arguments = request.arguments.unwrap_or_default();
    arguments.entry("budget").or_insert_with(|| DEFAULT_BUDGET.into());
    let given = wiki.work(context, |wiki| wiki.ask(tool.name, arguments)).await;
    let given = given.unwrap_or_else(|error| Arc::new(Answer::error(&Stamp::default(), &error).into()));
    let mut result = result_of(&given);
    result.meta = meta::plain(context);
    let ended = match given.answer.outcome {
        _ if context.ct.is_cancelled() => Ended::Cancelled,
        Outcome::Answered => Ended::Answered,
        Outcome::Problem => Ended::Problem,
        Outcome::Failed => Ended::Failed,
    };
    Ok((result, ended))
}

/// `resources/list`.
pub(crate) async fn list(
    wiki: &Arc<Wiki>,
    cursor: Option<String>,
    context: &RequestContext<RoleServer>,
) -> Reply<ListResourcesResult> {
    let part = wiki.work(context, move |wiki| resources::list(wiki, cursor.as_deref())).await;
    let part = part.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?;
    let mut result = ListResourcesResult::with_all_items(part.resources);
    result.next_cursor = part.next;
    result.meta = Some(meta::stamped(context, &part.snapshot.stamp));
    if is_modern(context) {
        result = result.with_ttl_ms(HEAD_TTL_MS).with_cache_scope(CacheScope::Private);
    }
    Ok((result, Ended::Answered))
}

/// `resources/read`.
pub(crate) async fn read(
    wiki: &Arc<Wiki>,
    text: &str,
    uri: Result<resources::Uri, Problem>,
    context: &RequestContext<RoleServer>,
) -> Reply<ReadResourceResult> {
    let refused = |problem: Problem| problem.of_resource(text);
    let uri = Arc::new(uri.map_err(refused)?);
    let asked = Arc::clone(&uri);
    let read = wiki.work(context, move |wiki| resources::read(wiki, &asked)).await;
    let (snapshot, contents) = read.map_err(Problem::from).flatten().map_err(refused)?;
    let mut result = ReadResourceResult::new(vec![contents]);
    result.meta = Some(meta::stamped(context, &snapshot.stamp));
    if is_modern(context) {
        let ttl = if uri.is_pinned(snapshot.stamp.commit.as_deref()) && uri.resource.is_of_commit {
            COMMIT_TTL_MS
        } else {
            HEAD_TTL_MS
        };
        // Private, because not everybody may read this wiki.
        result = result.with_ttl_ms(ttl).with_cache_scope(CacheScope::Private);
    }
    Ok((result, Ended::Answered))
}

/// `prompts/get`.
pub(crate) async fn prompt(
    wiki: &Arc<Wiki>,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Reply<GetPromptResult> {
    let prompt = prompts::named(&request.name).map_err(Problem::of_parameters)?;
    let arguments = request.arguments.unwrap_or_default();
    let got = wiki.work(context, |wiki| prompts::get(&wiki.corpus, prompt, arguments)).await;
    let (stamp, messages) = got.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?;
    let mut result = GetPromptResult::new(messages).with_description(prompt.description);
    result.meta = Some(meta::stamped(context, &stamp));
    Ok((result, Ended::Answered))
}

/// `completion/complete`.
pub(crate) async fn complete(
    wiki: &Arc<Wiki>,
    request: CompleteRequestParams,
    context: &RequestContext<RoleServer>,
) -> Reply<CompleteResult> {
    let found = wiki.work(context, move |wiki| completions::complete(&wiki.corpus, &request)).await;
    let mut result = CompleteResult::new(found.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?);
    result.meta = meta::plain(context);
    Ok((result, Ended::Answered))
}

/// The answer's bytes as text, and the same as data: some clients read only the one, some only the other.
fn result_of(given: &Given) -> CallToolResult {
    let mut result = CallToolResult::default();
    result.content = vec![ContentBlock::text(String::from_utf8_lossy(&given.answer.json))];
    result.structured_content = Some(given.data.clone());
    result.is_error = Some(given.answer.is_error);
    result
}

/// An unknown tool is a malformed call, not a mistake in a tool's arguments; near names come with it all the same.
fn unknown_tool(name: &str) -> ErrorData {
    let known = Request::from_json(name, Map::new()).err();
    let data = known.map(|error| json!({ "hint": error.hint(), "candidates": error.candidates() }));
    ErrorData::invalid_params(format!("no tool is named `{name}`"), data)
}
