//! `/verify` and `/healthz`, over TCP or a unix socket.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Body;
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use jiff::Timestamp;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use crate::failure::Failure;
use crate::file;
use crate::refusals::Refusals;
use crate::tokens::Tokens;
use crate::verify::{Refusal, verify};

/// The header that tells the server behind the proxy who is asking.
const USER: &str = "X-Auth-User";

/// The most connections at once; further ones wait.
const MAX_CONNECTIONS: usize = 1024;
/// The longest head of a request, in bytes. Proxies send the client's headers along.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// How long a head may take to come, and a connection may wait for one.
const HEAD_PATIENCE: Duration = Duration::from_secs(30);
/// How long a client may read nothing of an answer.
const READ_PATIENCE: Duration = Duration::from_secs(30);
/// How long requests under way may take after the program was told to stop.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait when no connection can be taken, as when there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where requests come from.
#[derive(Debug)]
pub(crate) enum Listener {
    /// An address of this machine.
    Tcp(TcpListener),
    /// A socket in the file system.
    Unix(UnixListener),
}

trait Stream: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Stream for T {}

impl Listener {
    async fn accept(&self) -> io::Result<Pin<Box<dyn Stream>>> {
        Ok(match self {
            Self::Tcp(listener) => Box::pin(listener.accept().await?.0),
            Self::Unix(listener) => Box::pin(listener.accept().await?.0),
        })
    }
}

/// Answers by the tokens of one file.
#[derive(Debug)]
pub(crate) struct Responder {
    path: PathBuf,
    /// The last text that was read and the tokens in it.
    last: std::sync::Mutex<(String, Arc<Tokens>)>,
    refusals: Refusals,
}

impl Responder {
    /// Answers by the tokens in the file at `path`.
    ///
    /// # Errors
    /// The file cannot be used as it is now.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        let text = file::read(path)?;
        let tokens = Arc::new(file::parse(path, &text)?);
        Ok(Self { path: path.to_owned(), last: (text, tokens).into(), refusals: Refusals::default() })
    }

    /// The tokens as they are in the file at this moment. It is read for every request, which costs microseconds: no
    /// token stays good after it was taken away, and a file that went wrong lets nobody in.
    fn tokens(&self) -> Result<Arc<Tokens>, Failure> {
        let text = file::read(&self.path)?;
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.0 != text {
            let tokens = Arc::new(file::parse(&self.path, &text)?);
            tracing::info!(tokens = tokens.entries().len(), "the token file has changed");
            *last = (text, tokens);
        }
        Ok(last.1.clone())
    }

    fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<String> {
        match (path, method) {
            ("/verify", &Method::GET) => self.verify(headers),
            ("/healthz", &Method::GET) => self.health(),
            ("/verify" | "/healthz", _) => {
                let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered\n");
                response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
                response
            }
            _ => plain(StatusCode::NOT_FOUND, "there are `/verify` and `/healthz`\n"),
        }
    }

    fn verify(&self, headers: &HeaderMap) -> Response<String> {
        let (refusal, why, hint) = match self.tokens() {
            Ok(tokens) => match verify(headers, &tokens, Timestamp::now()) {
                Ok(name) => {
                    let mut response = plain(StatusCode::OK, "");
                    let name = HeaderValue::try_from(name).expect("names of tokens are fit for headers");
                    response.headers_mut().insert(USER, name);
                    return response;
                }
                Err(refusal) => (refusal.clone(), refusal.reason(), None),
            },
            Err(failure) => (Refusal::NoTokens, failure.message().to_owned(), Some(failure.hint().to_owned())),
        };
        self.refusals.tell(&why, hint.as_deref(), client(headers));
        let mut response = plain(StatusCode::UNAUTHORIZED, "a token is needed: `Authorization: Bearer TOKEN`\n");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(refusal.challenge()));
        response
    }

    fn health(&self) -> Response<String> {
        match self.tokens() {
            Ok(_) => plain(StatusCode::OK, "ok\n"),
            // What is wrong is for the log: this may be reached by others.
            Err(failure) => {
                self.refusals.tell(failure.message(), Some(failure.hint()), None);
                plain(StatusCode::SERVICE_UNAVAILABLE, "the token file cannot be used\n")
            }
        }
    }
}

/// Answers on `listener` until `stop`, then finishes what is under way, for five seconds at most.
pub(crate) async fn serve(listener: Listener, responder: Arc<Responder>, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    // Who has asked and only listens from then on is answered as well.
    http.half_close(true);
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE).max_buf_size(MAX_HEAD_BYTES);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let accepting = async {
        loop {
            let place = room.clone().acquire_owned().await.expect("it is never closed");
            let stream = match listener.accept().await {
                Ok(stream) => stream,
                Err(error) => {
                    responder.refusals.tell(&format!("no connection could be taken: {error}"), None, None);
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let responder = responder.clone();
            let service = service_fn(move |request| respond(responder.clone(), request));
            let mut stream = Box::pin(TimeoutStream::new(stream));
            stream.as_mut().set_write_timeout_pinned(Some(READ_PATIENCE));
            let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(async move {
                // A client that goes away, or that is too slow, is no event.
                let _ = connection.await;
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accepting => (),
        () = stop => (),
    }
    drop(listener);
    let _ = tokio::time::timeout(STOP_PATIENCE, graceful.shutdown()).await;
}

async fn respond(responder: Arc<Responder>, request: Request<impl Body>) -> Result<Response<String>, Infallible> {
    // The body is never read: the answer depends on the head alone.
    let (head, _) = request.into_parts();
    let answering = tokio::task::spawn_blocking(move || responder.answer(&head.method, head.uri.path(), &head.headers));
    Ok(answering.await.unwrap_or_else(|_| plain(StatusCode::INTERNAL_SERVER_ERROR, "")))
}

fn plain(status: StatusCode, text: &str) -> Response<String> {
    let mut response = Response::new(text.to_owned());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The client as the nearest proxy saw it, if that is an address and nothing else.
fn client(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get_all("X-Forwarded-For").iter().next_back()?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}
