//! The protocol's side of the server: what there is is listed, requests go to the wiki, answers become results.

use std::sync::Arc;
use std::time::Duration;

use chemenu_core::source::Repository;
use chemenu_core::{Corpus, Stamp};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, InitializeRequestParams,
    InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use crate::calls::Calls;
use crate::instructions::{self, Instructions};
use crate::meta::{self, is_modern};
use crate::metrics::{Ended, Metrics};
use crate::wiki::Wiki;
use crate::{prompts, replies, resources, tools};

/// What changes with the program only.
const PROGRAM_TTL_MS: u64 = 60 * 60 * 1000;
/// The instructions name the types of the current commit.
const DISCOVER_TTL_MS: u64 = 60 * 1000;
/// How long a warning may go unnoticed.
const WARNINGS_EVERY: Duration = Duration::from_secs(1);

/// One wiki behind the protocol. A clone is four pointers: the HTTP transport wants one for every request.
#[derive(Clone)]
pub struct Server {
    wiki: Arc<Wiki>,
    instructions: Arc<Instructions>,
    metrics: Arc<Metrics>,
    calls: Arc<Calls>,
}

impl Server {
    /// A server for a wiki that was opened with `Options::resident`.
    pub fn new(corpus: Corpus) -> Self {
        let wiki = Arc::new(Wiki::new(corpus));
        Self { wiki, instructions: Arc::default(), metrics: Arc::default(), calls: Arc::default() }
    }

    /// The same, telling of its calls in another way.
    #[must_use]
    pub fn telling(self, calls: Calls) -> Self {
        Self { calls: Arc::new(calls), ..self }
    }

    /// The repository that is read.
    pub fn repository(&self) -> &Repository {
        self.wiki.corpus.repository()
    }

    /// The stamp of the snapshot that a question asked now would read; empty where there is none.
    pub async fn stamp(&self) -> Stamp {
        let wiki = Arc::clone(&self.wiki);
        tokio::task::spawn_blocking(move || wiki.corpus.stamp()).await.unwrap_or_default()
    }

    /// All metrics as text; `None` where they could not be had.
    pub(crate) async fn metrics(&self) -> Option<String> {
        let Self { wiki, metrics, .. } = self.clone();
        tokio::task::spawn_blocking(move || metrics.text(&wiki.corpus, wiki.answers.figures())).await.ok()
    }

    /// Does one request and notes how it ended.
    async fn noted<T>(
        &self,
        method: &'static str,
        name: Option<&'static str>,
        context: &RequestContext<RoleServer>,
        done: impl Future<Output = Result<(T, Ended), ErrorData>>,
    ) -> Result<T, ErrorData> {
        let begun = self.metrics.begin(method, name.unwrap_or_default());
        let result = done.await;
        let ended = match &result {
            Ok((_, ended)) => *ended,
            Err(error) if error.code == ErrorCode::INTERNAL_ERROR => Ended::Failed,
            Err(_) => Ended::Refused,
        };
        self.calls.caller(context).log(method, name, ended, begun.end(ended));
        if let Some(served) = self.wiki.corpus.served() {
            self.metrics.serves(served.stamp.commit.as_deref());
        }
        result.map(|(result, _)| result)
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
        let name = tools::ALL.iter().map(|tool| tool.name).find(|name| **name == request.name);
        let begun = name.map(|name| self.calls.begin(name, request.arguments.as_ref(), &context));
        let call = replies::call(&self.wiki, request, &context);
        let result = self.noted("tools/call", name, &context, call).await?;
        if let Some(begun) = begun {
            self.calls.end(&begun, &result);
        }
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.noted("resources/list", None, &context, replies::list(&self.wiki, cursor, &context)).await
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
        let uri = resources::Uri::parse(&request.uri);
        let name = uri.as_ref().ok().map(|uri| uri.resource.name);
        let read = replies::read(&self.wiki, &request.uri, uri, &context);
        self.noted("resources/read", name, &context, read).await.map(ReadResourceResponse::from)
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
        let name = prompts::named(&request.name).ok().map(|prompt| prompt.name);
        let got = replies::prompt(&self.wiki, request, &context);
        self.noted("prompts/get", name, &context, got).await.map(GetPromptResponse::from)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.noted("completion/complete", None, &context, replies::complete(&self.wiki, request, &context)).await
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
