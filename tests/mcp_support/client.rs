//! A client over a pair of pipes, in the process of the server.

use chemenu_mcp::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

use super::{MODERN, Wiki, meta};

/// A client that knows JSON and nothing of the protocol.
pub(crate) struct Client {
    pub(crate) output: WriteHalf<DuplexStream>,
    pub(crate) input: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub(crate) server: JoinHandle<()>,
    version: Option<&'static str>,
    next_id: u64,
}

impl Client {
    /// One of a server of its own, which puts `version` into every request.
    pub(crate) fn start(wiki: &Wiki, version: Option<&'static str>) -> Self {
        Self::of(wiki.server(), version)
    }

    /// One of a server.
    pub(crate) fn of(server: Server, version: Option<&'static str>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (their_input, their_output) = tokio::io::split(theirs);
        let server = tokio::spawn(async move {
            _ = chemenu_mcp::serve_streams(server, their_input, their_output).await;
        });
        let (input, output) = tokio::io::split(ours);
        Self { output, input: BufReader::new(input).lines(), server, version, next_id: 0 }
    }

    /// One that puts the version into every request.
    pub(crate) fn modern(wiki: &Wiki) -> Self {
        Self::start(wiki, Some(MODERN))
    }

    /// One that has shaken hands, and what the server said.
    pub(crate) async fn legacy(wiki: &Wiki, version: &str) -> (Self, Value) {
        let mut client = Self::start(wiki, None);
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.request("initialize", params).await;
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        (client, answer)
    }

    /// Sends a message.
    pub(crate) async fn send(&mut self, message: Value) {
        self.write(format!("{message}\n").as_bytes()).await;
    }

    /// Sends anything.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).await.unwrap();
    }

    /// The next message.
    pub(crate) async fn receive(&mut self) -> Value {
        serde_json::from_str(&self.input.next_line().await.unwrap().expect("the server hung up")).unwrap()
    }

    /// Asks, and gives the answer.
    pub(crate) async fn request(&mut self, method: &str, mut params: Value) -> Value {
        if let Some(version) = self.version {
            params["_meta"] = meta(version);
        }
        self.next_id += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], self.next_id, "{answer}");
        answer
    }

    /// Calls a tool.
    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// The tools, as they are listed.
    pub(crate) async fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", json!({})).await["result"]["tools"].as_array().unwrap().clone()
    }
}
