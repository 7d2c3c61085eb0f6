//! A server over HTTP in this process, and requests and responses as bytes.

use std::net::SocketAddr;

use chemenu_mcp::{Address, Limits, Listener, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::{MODERN, Wiki, meta};

/// A server on a port of its own, and how to stop it.
pub(crate) struct Http {
    pub(crate) address: SocketAddr,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) serving: JoinHandle<()>,
    pub(crate) wiki: Wiki,
    pub(crate) server: Server,
}

impl Http {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub(crate) async fn start_with(public: &[&str]) -> Self {
        Self::start_within(public, Limits::default()).await
    }

    /// One that is known by `public` names, and takes no more than `limits`.
    pub(crate) async fn start_within(public: &[&str], limits: Limits) -> Self {
        Self::of(Wiki::new(), public, limits).await
    }

    /// One of a wiki.
    pub(crate) async fn of(wiki: Wiki, public: &[&str], limits: Limits) -> Self {
        let server = wiki.server();
        let listener = Listener::bind(&"127.0.0.1:0".parse().unwrap(), server.repository()).await.unwrap();
        let Address::Tcp(address) = *listener.address() else { panic!("no TCP address") };
        let public: Vec<_> = public.iter().map(|url| url.parse().unwrap()).collect();
        let (stop, stopped) = oneshot::channel();
        let stopped = async { stopped.await.unwrap_or_default() };
        let router = chemenu_mcp::router(server.clone(), &public, limits);
        let serving = tokio::spawn(chemenu_mcp::serve_http(listener, router, limits, stopped));
        Self { address, stop, serving, wiki, server }
    }

    pub(crate) async fn send(&self, request: Request) -> Response {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that refuses may hang up before it has read all.
        let _ = stream.write_all(&request.bytes()).await;
        Response::read(stream).await
    }
}

/// A request as bytes: headers can be anything, or missing.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            line: format!("{method} {path} HTTP/1.1"),
            headers: vec![("Host", "127.0.0.1".into())],
            body: Vec::new(),
        }
    }

    pub(crate) fn post(body: impl Into<Vec<u8>>) -> Self {
        let mut request = Self::new("POST", "/mcp")
            .with("Content-Type", "application/json")
            .with("Accept", "application/json, text/event-stream");
        request.body = body.into();
        request
    }

    /// A modern request with all that is due.
    pub(crate) fn modern(method: &str, mut params: Value) -> Self {
        params["_meta"] = meta(MODERN);
        let request =
            Self::post(message(method, &params)).with("MCP-Protocol-Version", MODERN).with("Mcp-Method", method);
        match params["name"].as_str() {
            Some(name) => request.with("Mcp-Name", name),
            None => request,
        }
    }

    pub(crate) fn call(name: &str, arguments: Value) -> Self {
        Self::modern("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{}\r\nConnection: close\r\nContent-Length: {}\r\n", self.line, self.body.len());
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend(&self.body);
        bytes
    }
}

pub(crate) fn message(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) async fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("no response");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", String::from_utf8_lossy(&self.body));
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The status and the code of a JSON-RPC error.
    pub(crate) fn error(&self) -> (u16, i64) {
        (self.status, self.json()["error"]["code"].as_i64().unwrap())
    }
}

/// What a server tells those who watch it.
pub(crate) async fn scrape(server: &Server) -> String {
    let listener = Listener::bind(&"127.0.0.1:0".parse().unwrap(), server.repository()).await.unwrap();
    let Address::Tcp(address) = *listener.address() else { panic!("no TCP address") };
    let (stop, stopped) = oneshot::channel::<()>();
    let router = chemenu_mcp::metrics::router(server.clone());
    let stopped = async { stopped.await.unwrap_or_default() };
    let serving = tokio::spawn(chemenu_mcp::serve_http(listener, router, Limits::default(), stopped));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&Request::new("GET", "/metrics").bytes()).await.unwrap();
    let response = Response::read(stream).await;
    stop.send(()).unwrap();
    serving.await.unwrap();
    assert_eq!(response.status, 200);
    String::from_utf8(response.body).unwrap()
}
