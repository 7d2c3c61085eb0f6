//! The protocol's side of the server: what there is is listed, requests go to the wiki, answers become results.

use std::sync::Arc;
use std::time::Duration;

use chemenu_core::{Answer, Corpus, Error, Request, Stamp};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, CustomRequest, CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, json};

use crate::answers::Answers;
use crate::instructions::{self, Instructions};
use crate::meta::{self, is_modern};
use crate::problem::Problem;
use crate::wiki::{DEFAULT_BUDGET, Wiki};
use crate::{completions, prompts, resources, tools};

/// What changes with the program only.
const PROGRAM_TTL_MS: u64 = 60 * 60 * 1000;
/// The instructions name the types of the current commit.
const DISCOVER_TTL_MS: u64 = 60 * 1000;
/// What is read from HEAD, which may be another commit in a moment.
const HEAD_TTL_MS: u64 = 5 * 1000;
/// What a full commit id says is the same for ever.
const COMMIT_TTL_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// How long a warning may go unnoticed.
const WARNINGS_EVERY: Duration = Duration::from_secs(1);

/// One wiki behind the protocol. A clone is two pointers: the HTTP transport wants one for every request.
#[derive(Clone)]
pub struct Server {
    wiki: Arc<Wiki>,
    instructions: Arc<Instructions>,
}

impl Server {
    /// A server for a wiki that was opened with `Options::resident`.
    pub fn new(corpus: Corpus) -> Self {
        Self { wiki: Arc::new(Wiki { corpus, answers: Answers::default() }), instructions: Arc::default() }
    }

    /// The stamp of the snapshot that a question asked now would read; empty where there is none.
    pub async fn stamp(&self) -> Stamp {
        let wiki = Arc::clone(&self.wiki);
        tokio::task::spawn_blocking(move || wiki.corpus.stamp()).await.unwrap_or_default()
    }

    /// Logs what goes wrong beside the answers, for as long as the server lives.
    pub async fn log_warnings(self) {
        let mut second = tokio::time::interval(WARNINGS_EVERY);
        loop {
            second.tick().await;
            self.wiki.corpus.warnings().iter().for_each(|warning| tracing::warn!("{warning}"));
        }
    }
}

/// A list that is the same for everybody and all on one page, with what newer peers want to know of it.
macro_rules! whole_list {
    ($result:ident, $what:literal, $items:expr, $request:expr, $context:expr) => {{
        refuse_cursor($request, $what)?;
        let result = $result::with_all_items($items.to_vec());
        Ok(if is_modern(&$context) {
            $result { meta: meta::plain(&$context), ..result }
                .with_ttl_ms(PROGRAM_TTL_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            result
        })
    }};
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder();
        let capabilities = capabilities.enable_completions().enable_prompts().enable_resources().enable_tools();
        ServerConfig::new(capabilities.build())
            .with_server_info(meta::implementation())
            .with_instructions(instructions::GENERAL)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request);
        result.instructions = Some(self.instructions.text(&self.wiki).await);
        Ok(result)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let info = self.get_info().with_instructions(self.instructions.text(&self.wiki).await);
        // Private, because the instructions quote the wiki, and not everybody may read it.
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info)
            .with_ttl_ms(DISCOVER_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        whole_list!(ListToolsResult, "tools", tools::definitions(), request, context)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool =
            tools::ALL.iter().find(|tool| tool.name == request.name).ok_or_else(|| unknown_tool(&request.name))?;
        let mut arguments = request.arguments.unwrap_or_default();
        arguments.entry("budget").or_insert_with(|| DEFAULT_BUDGET.into());
        let answer = self.wiki.work(&context, |wiki| wiki.ask(tool.name, arguments)).await;
        let mut result = result_of(&answer.unwrap_or_else(|error| Arc::new(Answer::error(&Stamp::default(), &error))))?;
        result.meta = meta::plain(&context);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let part = self.wiki.work(&context, move |wiki| resources::list(wiki, cursor.as_deref())).await;
        let part = part.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?;
        let mut result = ListResourcesResult::with_all_items(part.resources);
        result.next_cursor = part.next;
        result.meta = Some(meta::stamped(&context, &part.snapshot.stamp));
        Ok(match is_modern(&context) {
            true => result.with_ttl_ms(HEAD_TTL_MS).with_cache_scope(CacheScope::Private),
            false => result,
        })
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        whole_list!(ListResourceTemplatesResult, "resource templates", resources::definitions(), request, context)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let refused = |problem: Problem| problem.of_resource(&request.uri);
        let uri = Arc::new(resources::Uri::parse(&request.uri).map_err(refused)?);
        let asked = Arc::clone(&uri);
        let read = self.wiki.work(&context, move |wiki| resources::read(wiki, &asked)).await;
        let (snapshot, contents) = read.map_err(Problem::from).flatten().map_err(refused)?;
        let mut result = ReadResourceResult::new(vec![contents]);
        result.meta = Some(meta::stamped(&context, &snapshot.stamp));
        let ttl = if uri.is_pinned() && uri.resource.is_of_commit { COMMIT_TTL_MS } else { HEAD_TTL_MS };
        Ok(match is_modern(&context) {
            // Private, because not everybody may read this wiki.
            true => result.with_ttl_ms(ttl).with_cache_scope(CacheScope::Private),
            false => result,
        }
        .into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        whole_list!(ListPromptsResult, "prompts", prompts::definitions(), request, context)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = prompts::named(&request.name).map_err(Problem::of_parameters)?;
        let arguments = request.arguments.unwrap_or_default();
        let got = self.wiki.work(&context, |wiki| prompts::get(&wiki.corpus, prompt, arguments)).await;
        let (stamp, messages) = got.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?;
        let mut result = GetPromptResult::new(messages).with_description(prompt.description);
        result.meta = Some(meta::stamped(&context, &stamp));
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let found = self.wiki.work(&context, move |wiki| completions::complete(&wiki.corpus, &request)).await;
        let mut result = CompleteResult::new(found.map_err(Problem::from).flatten().map_err(Problem::of_parameters)?);
        result.meta = meta::plain(&context);
        Ok(result)
    }

    /// The SDK takes a request whose parameters do not fit its method for one of an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let known = match request.method.as_str() {
            "initialize" => !is_modern(&context),
            method => METHODS.contains(&method),
        };
        Err(if known {
            ErrorData::invalid_params(
                format!("the parameters of `{}` are malformed", request.method),
                Some(json!({ "hint": "`arguments`, `ref` and `_meta` must be objects, and names and URIs strings" })),
            )
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("no method is named `{}`", request.method), None)
        })
    }
}

/// The methods of both eras that take parameters.
const METHODS: &[&str] = &[
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// The answer's bytes as text, and the same as data: some clients read only the one, some only the other.
fn result_of(answer: &Answer) -> Result<CallToolResult, ErrorData> {
    let defect =
        |error: &dyn std::fmt::Display| ErrorData::internal_error(format!("the answer is no JSON: {error}"), None);
    let text = std::str::from_utf8(&answer.json).map_err(|error| defect(&error))?;
    let mut result = CallToolResult::default();
    result.content = vec![ContentBlock::text(text)];
    result.structured_content = Some(serde_json::from_str(text).map_err(|error| defect(&error))?);
    result.is_error = Some(answer.is_error);
    Ok(result)
}

/// No list but that of resources has a second part.
fn refuse_cursor(request: Option<PaginatedRequestParams>, what: &str) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(cursor) => Err(ErrorData::invalid_params(
            format!("no part of the list of {what} begins at the cursor `{cursor}`"),
            Some(json!({ "hint": "ask without a cursor; the list has one part" })),
        )),
    }
}

/// An unknown tool is a malformed call, not a mistake in a tool's arguments; near names come with it all the same.
fn unknown_tool(name: &str) -> ErrorData {
    let known: Option<Error> = Request::from_json(name, Map::new()).err();
    let data = known.map(|error| json!({ "hint": error.hint(), "candidates": error.candidates() }));
    ErrorData::invalid_params(format!("no tool is named `{name}`"), data)
}
