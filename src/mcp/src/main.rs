//! The program `chemenu-mcp`: options, logs, exit statuses.

mod cli;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chemenu_core::Corpus;
use chemenu_mcp::{Address, Calls, Limits, Listener, Server, Telemetry};
use clap::Parser;
use tokio::sync::watch;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
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
    match run(Cli::parse()) {
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
    let telemetry = cli.telemetry(&corpus).transpose();
    let telemetry = telemetry.map_err(|(message, hint)| Failure::new(message, hint))?;
    let listen = cli.listen();
    let sockets = [Some(&listen), cli.metrics.as_ref()].into_iter().flatten().filter_map(Address::folder);
    let folders = sockets.chain(telemetry.as_ref().map(Telemetry::folder)).map(Path::to_owned);
    let writable: Vec<PathBuf> = folders.chain(corpus.cache_folder()).collect();
    let confined = chemenu_mcp::confine(&writable);
    let _flushed = log(cli.log);
    match confined {
        Ok(()) => tracing::info!(?writable, "confined: nothing else can be written, started or connected to"),
        Err(reason) => tracing::warn!("not confined: {reason}"),
    }
    let server = Server::new(corpus).telling(Calls { telemetry, trusts_headers: cli.trust_auth_headers });
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
    let listener = listen(&cli.listen(), "--listen", &server).await?;
    let metrics = match &cli.metrics {
        Some(address) => Some(listen(address, "--metrics", &server).await?),
        None => None,
    };
    if !listener.is_local() && cli.public_url.is_empty() {
        tracing::warn!("only clients that call this machine `localhost` are answered; name others with `--public-url`");
    }
    match listener.address() {
        Address::Tcp(address) => tracing::info!(url = %format_args!("http://{address}/mcp"), "listening"),
        socket => tracing::info!(url = %socket, "listening"),
    }
    let stop =
        stop_signal().map_err(|error| Failure::new(format!("signals cannot be received: {error}"), "report this"))?;
    let (stopping, stopped) = watch::channel(false);
    tokio::spawn(async move {
        stop.await;
        _ = stopping.send(true);
    });
    let stop = |mut stopped: watch::Receiver<bool>| async move { _ = stopped.wait_for(|stopped| *stopped).await };
    let watching = async {
        if let Some(metrics) = metrics {
            tracing::info!(address = %metrics.address(), "telling metrics");
            let router = chemenu_mcp::metrics::router(server.clone());
            chemenu_mcp::serve_http(metrics, router, Limits::default(), stop(stopped.clone())).await;
        }
    };
    let router = chemenu_mcp::router(server.clone(), &cli.public_url, Limits::default());
    let serving = chemenu_mcp::serve_http(listener, router, Limits::default(), stop(stopped.clone()));
    tokio::join!(serving, watching);
    Ok(())
}

async fn listen(address: &Address, option: &str, server: &Server) -> Result<Listener, Failure> {
    Listener::bind(address, server.repository()).await.map_err(|error| {
        Failure::new(
            format!("cannot listen on `{address}`: {error}"),
            format!("choose another place with `{option}`; one outside the wiki, where nothing lies yet"),
        )
    })
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

/// Logs go to standard error, until what is given is dropped. The SDK tells two lines a request at `info`, and one for every mistake of a
/// client at `warn`.
fn log(format: Log) -> WorkerGuard {
    // Whoever started the program may not read what it says: then lines are lost, and answers are not.
    let (writer, guard) =
        NonBlockingBuilder::default().lossy(true).thread_name("chemenu-log").finish(std::io::stderr());
    let filter = Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("rmcp", LevelFilter::WARN)
        .with_target("rmcp::service", LevelFilter::ERROR);
    let registry = tracing_subscriber::registry().with(filter);
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    match format {
        Log::Text => registry.with(layer.with_ansi(false)).init(),
        Log::Json => registry.with(layer.json()).init(),
    }
    guard
}
