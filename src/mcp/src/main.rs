//! The program `chemenu-mcp`: options, logs, exit statuses.

mod cli;

use std::process::ExitCode;

use chemenu_core::Corpus;
use chemenu_mcp::Server;
use clap::Parser;
use tokio::net::TcpListener;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::{Cli, Log, Transport};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Why the program ends with status 2.
struct Failure {
    message: String,
    hint: String,
}

impl Failure {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    log(cli.log);
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, hint }) => {
            eprintln!("error: {message}\nhint: {hint}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    cli.check().map_err(|(message, hint)| Failure::new(message, hint))?;
    let corpus = Corpus::open(cli.options()).map_err(|error| Failure::new(error.to_string(), error.hint()))?;
    let server = Server::new(corpus);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("no threads could be started: {error}"), "raise the process's limits"))?;
    let result = runtime.block_on(async {
        // The first question should find a snapshot; whoever asks earlier waits for the same one.
        tokio::spawn({
            let server = server.clone();
            async move { server.stamp().await }
        });
        tokio::spawn(server.clone().log_warnings());
        match cli.transport {
            Transport::Stdio => chemenu_mcp::serve_stdio(server)
                .await
                .map_err(|message| Failure::new(message, "let an MCP client start this program")),
            Transport::StreamableHttp => serve_http(&cli, server).await,
        }
    });
    // A question that still runs is nobody's any more.
    runtime.shutdown_background();
    result
}

async fn serve_http(cli: &Cli, server: Server) -> Result<(), Failure> {
    let address = cli.listen();
    let cannot = |error| {
        Failure::new(format!("cannot listen on `{address}`: {error}"), "choose another address with `--listen`")
    };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    if !bound.ip().is_loopback() && cli.public_url.is_empty() {
        tracing::warn!("only clients that call this machine `localhost` are answered; name others with `--public-url`");
    }
    tracing::info!(url = %format_args!("http://{bound}/mcp"), "listening");
    let stop =
        stop_signal().map_err(|error| Failure::new(format!("signals cannot be received: {error}"), "report this"))?;
    chemenu_mcp::serve_http(listener, chemenu_mcp::router(server, &cli.public_url), stop).await.map_err(cannot)
}

/// Done when the process is asked to stop: SIGTERM, SIGINT, Ctrl-C.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => (),
            _ = interrupt.recv() => (),
        }
        tracing::info!("stopping");
    })
}

/// Done when the process is asked to stop: SIGTERM, SIGINT, Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
        tracing::info!("stopping");
    })
}

/// Logs go to standard error. The SDK tells two lines a request at `info`: only its warnings are of use.
fn log(format: Log) {
    let filter = Targets::new().with_default(LevelFilter::INFO).with_target("rmcp", LevelFilter::WARN);
    let registry = tracing_subscriber::registry().with(filter);
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        Log::Text => registry.with(layer.with_ansi(false)).init(),
        Log::Json => registry.with(layer.json()).init(),
    }
}
