//! Connections: how many there may be, how slow they may be, and how they end.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

use crate::listen::{Listener, Stream};

/// What a client may take of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once; who comes later waits until another one ends.
    pub connections: usize,
    /// How long a connection may go without a whole head of a request: new ones, slow ones, and those that rest after an answer.
    pub head: Duration,
    /// How long a body may take.
    pub body: Duration,
    /// How long a client may read nothing of an answer that is being sent.
    pub write: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let patience = Duration::from_secs(30);
        Self { connections: 512, head: patience, body: patience, write: patience }
    }
}

/// What the head of a request may take, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// How long requests under way may take after the server was told to stop.
const STOP_PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection that was made before the server was told to stop may take to be found.
const QUEUED: Duration = Duration::from_millis(1);
/// How long its request may take to come.
const LATE_PATIENCE: Duration = Duration::from_millis(100);
/// How long no connection is taken after one could not be, for want of file descriptors mostly.
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

/// Answers on `listener` until `stop`, then finishes what is under way, for ten seconds at most.
pub async fn serve(listener: Listener, router: Router, limits: Limits, stop: impl Future<Output = ()> + Send) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = GracefulShutdown::new();
    let take = |stream: Stream, place: OwnedSemaphorePermit| {
        let (router, watcher) = (router.clone(), connections.watcher());
        tokio::spawn(async move {
            match stream {
                Stream::Tcp(stream) => converse(stream, router, limits, watcher).await,
                Stream::Unix(stream) => converse(stream, router, limits, watcher).await,
            }
            drop(place);
        });
    };
    let accepting = async {
        loop {
            // Never closed, so there is always a place to wait for.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            match listener.accept().await {
                Ok(stream) => take(stream, place),
                Err(error) => {
                    tracing::warn!("a connection could not be taken: {error}");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    };
    tokio::select! {
        () = accepting => (),
        () = stop => (),
    }
    // Whoever has connected already may have sent a request.
    let mut is_waited_for = false;
    while let Ok(place) = Arc::clone(&places).try_acquire_owned()
        && let Ok(Ok(stream)) = tokio::time::timeout(QUEUED, listener.accept()).await
    {
        take(stream, place);
        is_waited_for = true;
    }
    // Whoever comes now is refused, and a socket file is gone before the process is.
    drop(listener);
    if is_waited_for {
        // A connection that is told to end before its request was read ends without an answer.
        tokio::time::sleep(LATE_PATIENCE).await;
    }
    _ = tokio::time::timeout(STOP_PATIENCE, connections.shutdown()).await;
}

/// Answers one client until it goes, is too slow, or the server stops.
async fn converse<S>(stream: S, router: Router, limits: Limits, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(Patient::new(stream, limits.write)), service);
    // Clients come and go as they like: how one has gone is nothing to be told.
    _ = watcher.watch(connection).await;
}

/// A stream whose other end must go on reading.
struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Until when something must have been taken of what is being written.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, until: None }
    }

    fn wait<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let patience = self.patience;
        let until = self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wait(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.wait(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.wait(context, closed)
    }
}
