//! The protocol's side of the server: tools are listed, calls become questions, answers become results.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use chemenu_core::{Answer, Corpus, Error, Request, Stamp, VERSION};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use crate::instructions::{self, Instructions};
use crate::tools;

/// Bytes that an answer's JSON may have where the caller gives no `budget`: what a model can read at once.
pub const DEFAULT_BUDGET: u64 = 32 * 1024;

/// The tools change with the program only.
const TOOLS_TTL_MS: u64 = 60 * 60 * 1000;
/// The instructions name the types of the current commit.
const DISCOVER_TTL_MS: u64 = 60 * 1000;

/// How often progress is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How long a warning may go unnoticed.
const WARNINGS_EVERY: Duration = Duration::from_secs(1);

/// One wiki behind the protocol. A clone is two pointers: the HTTP transport wants one for every request.
#[derive(Clone)]
pub struct Server {
    corpus: Arc<Corpus>,
    instructions: Arc<Instructions>,
}

impl Server {
    /// A server for a wiki that was opened with `Options::resident`.
    pub fn new(corpus: Corpus) -> Self {
        Self { corpus: Arc::new(corpus), instructions: Arc::default() }
    }

    /// The stamp of the snapshot that a question asked now would read; empty where there is none.
    pub async fn stamp(&self) -> Stamp {
        let corpus = Arc::clone(&self.corpus);
        tokio::task::spawn_blocking(move || corpus.stamp()).await.unwrap_or_default()
    }

    /// Logs what goes wrong beside the answers, for as long as the server lives.
    pub async fn log_warnings(self) {
        let mut second = tokio::time::interval(WARNINGS_EVERY);
        loop {
            second.tick().await;
            self.corpus.warnings().iter().for_each(|warning| tracing::warn!("{warning}"));
        }
    }

    /// Asks the core on a thread that may block. A question that nobody waits for any more is not begun.
    async fn ask(
        &self,
        name: &'static str,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let corpus = Arc::clone(&self.corpus);
        let mut task = tokio::task::spawn_blocking(move || corpus.ask_json(name, arguments));
        let message = tokio::select! {
            answer = &mut task => match answer {
                Ok(answer) => return answer,
                Err(error) => error.to_string(),
            },
            () = context.ct.cancelled() => {
                task.abort();
                "the call was cancelled".to_owned()
            }
            () = self.tell_progress(context) => unreachable!("it is told until the answer is there"),
        };
        Answer::error(&Stamp::default(), &Error::Internal { message })
    }
}

/// For whoever asked to be told: how many pages have been read, while most of them must be.
impl Server {
    async fn tell_progress(&self, context: &RequestContext<RoleServer>) {
        let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
        let mut pause = tokio::time::interval(PROGRESS_EVERY);
        let mut told = 0;
        loop {
            pause.tick().await;
            // What is told must grow.
            if let Some((done, total)) = self.corpus.progress().filter(|&(done, _)| done > told) {
                told = done;
                let progress = ProgressNotificationParam::new(token.clone(), done as f64)
                    .with_total(total as f64)
                    .with_message("pages read");
                // Whoever does not listen any more gets an answer all the same.
                _ = context.peer.notify_progress(progress).await;
            }
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation())
            .with_instructions(instructions::GENERAL)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request);
        result.instructions = Some(self.instructions.text(&self.corpus).await);
        Ok(result)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let info = self.get_info().with_instructions(self.instructions.text(&self.corpus).await);
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
        if let Some(cursor) = request.and_then(|request| request.cursor) {
            return Err(ErrorData::invalid_params(
                format!("no page of the list of tools begins at the cursor `{cursor}`"),
                Some(json!({ "hint": "ask without a cursor; all tools are on one page" })),
            ));
        }
        let result = ListToolsResult::with_all_items(tools::definitions().to_vec());
        Ok(if is_modern(&context) {
            ListToolsResult { meta: Some(server_info()), ..result }
                .with_ttl_ms(TOOLS_TTL_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            result
        })
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
        let answer = self.ask(tool.name, arguments, &context).await;
        let mut result = result_of(answer)?;
        if is_modern(&context) {
            result.meta = Some(server_info());
        }
        Ok(result.into())
    }

    /// The SDK takes a request whose parameters do not fit its method for one of an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let known = match request.method.as_str() {
            "server/discover" | "tools/list" | "tools/call" => true,
            "initialize" => !is_modern(&context),
            _ => false,
        };
        Err(if known {
            ErrorData::invalid_params(
                format!("the parameters of `{}` are malformed", request.method),
                Some(json!({ "hint": "`arguments` and `_meta` must be objects, and names strings" })),
            )
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("no method is named `{}`", request.method), None)
        })
    }
}

/// The answer's bytes as text, and the same as data: some clients read only the one, some only the other.
fn result_of(answer: Answer) -> Result<CallToolResult, ErrorData> {
    let defect =
        |error: &dyn std::fmt::Display| ErrorData::internal_error(format!("the answer is no JSON: {error}"), None);
    let structured = serde_json::from_slice(&answer.json).map_err(|error| defect(&error))?;
    let text = String::from_utf8(answer.json).map_err(|error| defect(&error))?;
    let mut result = CallToolResult::default();
    result.content = vec![ContentBlock::text(text)];
    result.structured_content = Some(structured);
    result.is_error = Some(answer.is_error);
    Ok(result)
}

/// An unknown tool is a malformed call, not a mistake in a tool's arguments; near names come with it all the same.
fn unknown_tool(name: &str) -> ErrorData {
    let known = Request::from_json(name, Map::new()).err();
    let data = known.map(|error| json!({ "hint": error.hint(), "candidates": error.candidates() }));
    ErrorData::invalid_params(format!("no tool is named `{name}`"), data)
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}

fn implementation() -> Implementation {
    Implementation::new("chemenu", VERSION)
        .with_title("chemenu")
        .with_description("Reads a git-backed Markdown wiki and says which commit each answer comes from")
}

/// The `_meta` that every result for a modern peer should carry.
fn server_info() -> MetaObject {
    static META: LazyLock<MetaObject> = LazyLock::new(|| {
        let info = serde_json::to_value(implementation()).expect("names and versions serialise");
        MetaObject(Map::from_iter([("io.modelcontextprotocol/serverInfo".to_owned(), info)]))
    });
    META.clone()
}
