//! `chemenu-auth serve`: answers the proxy.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{SignalKind, signal};
use tracing_appender::non_blocking::NonBlockingBuilder;

use crate::failure::Failure;
use crate::http::{self, Listener, Responder};

/// Answer a reverse proxy: `GET /verify` gives 200 and `X-Auth-User`, or 401.
///
/// The token file is read again for every request: a token that was added is good at once, one that was revoked is not.
/// While the file cannot be read, is not valid, or can be read by others, nobody gets in, and the log says why.
/// `GET /healthz` gives 200, or 503 while that is so.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  chemenu-auth serve --file /var/lib/chemenu-auth/tokens.toml
  chemenu-auth serve --file tokens.toml --listen unix:/run/chemenu-auth/socket --log json")]
pub(crate) struct Arguments {
    /// The file that `chemenu-auth token` keeps the tokens in.
    #[arg(long, value_name = "FILE")]
    file: PathBuf,

    /// Where to listen: `ADDRESS:PORT`, or `unix:PATH` for a socket with mode 0600.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8320")]
    listen: Listen,

    /// How to write the log, which goes to standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: Log,
}

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Listen {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("unix:") {
            Some("") => Err("`unix:` wants a path"),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text.parse().map(Self::Tcp).map_err(|_| "use `ADDRESS:PORT` or `unix:PATH`"),
        }
    }
}

/// How the log is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Log {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Answers until the process is asked to stop.
///
/// # Errors
/// The token file or the address cannot be used.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Whoever is to read the log may be gone, or its disk be full: then lines are lost, and answers are not.
    let (writer, _flushed) = NonBlockingBuilder::default().lossy(true).finish(std::io::stderr());
    let log = tracing_subscriber::fmt().with_writer(writer).with_ansi(false);
    match arguments.log {
        Log::Text => log.init(),
        Log::Json => log.json().init(),
    }
    let responder = Arc::new(Responder::new(&arguments.file)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Failure::fatal(format!("no threads could be started: {error}"), "raise the process's limits")
    })?;
    runtime.block_on(async {
        let (listener, _socket) = listen(&arguments.listen)?;
        let stop = stop_signal()
            .map_err(|error| Failure::fatal(format!("signals cannot be received: {error}"), "report this"))?;
        http::serve(listener, responder, stop).await;
        Ok(())
    })
}

/// A socket file of ours, removed with this; another process may have put its own there since.
struct SocketFile<'p> {
    path: &'p Path,
    identity: (u64, u64),
}

impl<'p> SocketFile<'p> {
    fn at(path: &'p Path) -> std::io::Result<Self> {
        Ok(Self { path, identity: identity(path)? })
    }
}

impl Drop for SocketFile<'_> {
    fn drop(&mut self) {
        if identity(self.path).is_ok_and(|there| there == self.identity) {
            let _ = std::fs::remove_file(self.path);
        }
    }
}

fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    path.symlink_metadata().map(|metadata| (metadata.dev(), metadata.ino()))
}

fn listen(listen: &Listen) -> Result<(Listener, Option<SocketFile<'_>>), Failure> {
    match listen {
        Listen::Tcp(address) => {
            let cannot = |error: std::io::Error| {
                Failure::fatal(
                    format!("cannot listen on `{address}`: {error}"),
                    "choose another address with `--listen`",
                )
            };
            let listener = std::net::TcpListener::bind(address).map_err(cannot)?;
            let bound = listener.local_addr().map_err(cannot)?;
            listener.set_nonblocking(true).map_err(cannot)?;
            if !bound.ip().is_loopback() {
                tracing::warn!("tokens come over plain HTTP: only the proxy should be able to reach this address");
            }
            tracing::info!(url = %format_args!("http://{bound}/verify"), "listening");
            TcpListener::from_std(listener).map(|listener| (Listener::Tcp(listener), None)).map_err(cannot)
        }
        Listen::Unix(path) => {
            let cannot = |error: std::io::Error| {
                Failure::fatal(
                    format!("cannot listen on `unix:{}`: {error}", path.display()),
                    "choose another path with `--listen`, in a folder that this user can write",
                )
            };
            make_room(path).map_err(cannot)?;
            let listener = UnixListener::bind(path).map_err(cannot)?;
            let socket = SocketFile::at(path).map_err(cannot)?;
            tracing::info!(socket = %path.display(), "listening");
            Ok((Listener::Unix(listener), Some(socket)))
        }
    }
}

/// Removes the socket of a process that is gone; nothing else.
fn make_room(path: &Path) -> std::io::Result<()> {
    let metadata = match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if !metadata.file_type().is_socket() {
        return Err(std::io::Error::new(ErrorKind::AlreadyExists, "there is something that is no socket"));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        Err(error) => Err(error),
        Ok(_) => Err(std::io::Error::new(ErrorKind::AddrInUse, "another process listens there")),
    }
}

/// Done when the process is asked to stop: SIGTERM, SIGINT.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_sockets_are_told_apart() {
        assert_eq!("127.0.0.1:0".parse(), Ok(Listen::Tcp("127.0.0.1:0".parse().unwrap())));
        assert_eq!("[::1]:80".parse(), Ok(Listen::Tcp("[::1]:80".parse().unwrap())));
        assert_eq!("unix:a/b".parse(), Ok(Listen::Unix("a/b".into())));
        for text in ["", "unix:", "localhost", "8320", "/run/x", "UNIX:/run/x"] {
            assert!(text.parse::<Listen>().is_err(), "{text}");
        }
    }
}
