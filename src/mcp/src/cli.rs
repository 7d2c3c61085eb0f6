//! The options of `chemenu-mcp`.

use std::net::Ipv4Addr;
use std::path::PathBuf;

use chemenu_core::{CacheFolder, Corpus, Dirty, Options};
use chemenu_mcp::{Address, PublicUrl, Telemetry};
use clap::{Parser, ValueEnum};

/// Serve a git-backed Markdown wiki to MCP clients, for reading only.
#[derive(Debug, Parser)]
#[command(name = "chemenu-mcp", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// The wiki's folder; else the nearest folder upwards that holds `chemenu.toml`, else the work tree's top.
    #[arg(long, value_name = "PATH", env = "CHEMENU_ROOT")]
    root: Option<PathBuf>,

    /// The revision to serve instead of the work tree; a bare repository is read at `HEAD`.
    #[arg(long = "ref", value_name = "REV")]
    reference: Option<String>,

    /// The wiki's folder inside a bare repository.
    #[arg(long, value_name = "PATH")]
    folder: Option<String>,

    /// Where the work tree differs from HEAD: `serve` reads the files and stamps answers with no commit, `ignore` reads
    /// HEAD, `refuse` does not answer.
    #[arg(long, value_name = "HOW", default_value = "serve")]
    dirty: Dirty,

    /// Where indexes of wikis are kept; else below `$XDG_CACHE_HOME`, else in `~/.cache`.
    #[arg(long, value_name = "PATH", conflicts_with = "no_cache")]
    cache_dir: Option<PathBuf>,

    /// Keep no index on disk.
    #[arg(long)]
    no_cache: bool,

    /// How clients reach this server: `stdio` or `streamable-http`.
    #[arg(long, value_name = "HOW", default_value = "stdio", value_parser = transport)]
    pub(crate) transport: Transport,

    /// Where to listen for HTTP, an address with a port or `unix:` and a path [default: 127.0.0.1:8321].
    ///
    /// A socket file is made for its owner alone, and removed at the end. It may not lie in the wiki.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<Address>,

    /// Where to listen for those who watch this server: `/metrics` in the format of Prometheus; as `--listen`.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<Address>,

    /// A URL under which HTTP clients reach this server, as `https://wiki.example.org`; may be given several times.
    ///
    /// Requests for other hosts and from web pages of other origins are refused. The machine itself may always ask.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Vec<PublicUrl>,

    /// A file to which a line of JSON is appended for each call: when, which tool, which commit, how long, how much. Not in the wiki.
    #[arg(long, value_name = "FILE")]
    telemetry: Option<PathBuf>,

    /// Record in the telemetry the queries that found nothing.
    #[arg(long)]
    record_queries: bool,

    /// Take the caller's name from `X-Auth-User`, for the log and the telemetry: only where nobody but the proxy can reach this server.
    #[arg(long)]
    pub(crate) trust_auth_headers: bool,

    /// How to write the log, which goes to standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log: Log,
}

/// How clients reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    StreamableHttp,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Log {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Cli {
    /// Refuses options that would do nothing; gives the message and the hint.
    pub(crate) fn check(&self) -> Result<(), (String, &'static str)> {
        if self.record_queries && self.telemetry.is_none() {
            return Err(("`--record-queries` has no meaning without telemetry".into(), "add `--telemetry FILE`"));
        }
        let given = [
            ("--listen", self.listen.is_some()),
            ("--metrics", self.metrics.is_some()),
            ("--public-url", !self.public_url.is_empty()),
            ("--trust-auth-headers", self.trust_auth_headers),
        ];
        match given.into_iter().find(|(_, given)| *given && self.transport == Transport::Stdio) {
            Some((idle, _)) => {
                Err((format!("`{idle}` has no meaning over stdio"), "add `--transport streamable-http`"))
            }
            None => Ok(()),
        }
    }

    /// What the core needs to know.
    pub(crate) fn options(&self) -> Options {
        Options {
            root: self.root.clone(),
            reference: self.reference.clone(),
            folder: self.folder.clone(),
            dirty: self.dirty,
            resident: true,
            cache: (!self.no_cache).then(|| self.cache_dir.clone().map_or(CacheFolder::Default, CacheFolder::At)),
        }
    }

    /// The telemetry, if there is one; else the message and the hint.
    pub(crate) fn telemetry(&self, corpus: &Corpus) -> Option<Result<Telemetry, (String, &'static str)>> {
        Some(Telemetry::open(self.telemetry.as_deref()?, self.record_queries, corpus.repository()))
    }

    /// Where to listen for HTTP.
    pub(crate) fn listen(&self) -> Address {
        self.listen.clone().unwrap_or(Address::Tcp((Ipv4Addr::LOCALHOST, 8321).into()))
    }
}

fn transport(name: &str) -> Result<Transport, &'static str> {
    match name {
        "stdio" => Ok(Transport::Stdio),
        "streamable-http" => Ok(Transport::StreamableHttp),
        "sse" => Err(
            "MCP replaced the SSE transport by streamable HTTP in 2025 and it is not built here; use `streamable-http`",
        ),
        _ => Err("use `stdio` or `streamable-http`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn sse_is_refused_with_the_reason() {
        let error = Cli::try_parse_from(["chemenu-mcp", "--transport", "sse"]).unwrap_err().to_string();
        assert!(error.contains("replaced the SSE transport"), "{error}");
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        for arguments in [["--listen", "127.0.0.1:1"], ["--metrics", "unix:m"], ["--public-url", "http://x"]] {
            let cli = Cli::try_parse_from(["chemenu-mcp"].into_iter().chain(arguments)).unwrap();
            assert!(cli.check().unwrap_err().0.contains(arguments[0]));
            let cli = ["chemenu-mcp", "--transport", "streamable-http"].into_iter().chain(arguments);
            assert!(Cli::try_parse_from(cli).unwrap().check().is_ok());
        }
        assert!(Cli::try_parse_from(["chemenu-mcp"]).unwrap().check().is_ok());
    }
}
