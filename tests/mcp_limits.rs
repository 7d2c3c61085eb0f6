//! Slow, silent and many clients: none of them keeps others from being answered.

mod mcp_support;

use std::time::Duration;

use chemenu_mcp::Limits;
use mcp_support::Wiki;
use mcp_support::http::{Http, Request, Response, message};
use mcp_support::{MODERN, meta};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Patience that a test can wait for. The limits that it is not about are left as they are.
const SHORT: Duration = Duration::from_millis(200);

async fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    _ = stream.read_to_end(&mut bytes).await;
    bytes
}

#[tokio::test]
async fn heads_that_do_not_come_are_not_waited_for() {
    let http = Http::start_within(&[], Limits { head: SHORT, ..Limits::default() }).await;
    for begun in ["", "P", "POST /mcp HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let mut stream = TcpStream::connect(http.address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        // It ends by itself: the client has not closed it.
        rest(stream).await;
    }
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
}

#[tokio::test]
async fn connections_do_not_rest_for_ever() {
    let http = Http::start_within(&[], Limits { head: SHORT, ..Limits::default() }).await;
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    assert!(rest(stream).await.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test]
async fn bodies_that_do_not_come_are_refused() {
    let http = Http::start_within(&[], Limits { body: SHORT, ..Limits::default() }).await;
    let bytes = Request::call("types", json!({})).bytes();
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(&bytes[..bytes.len() - 5]).await.unwrap();
    assert_eq!(Response::read(stream).await.error(), (408, -32600));
    // Drop by drop is not enough either.
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    let split = bytes.len() - 40;
    stream.write_all(&bytes[..split]).await.unwrap();
    for byte in bytes[split..].chunks(1) {
        tokio::time::sleep(SHORT / 10).await;
        if stream.write_all(byte).await.is_err() {
            break;
        }
    }
    assert_eq!(Response::read(stream).await.error(), (408, -32600));
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
}

#[tokio::test]
async fn whoever_comes_too_many_waits_for_a_place() {
    let http = Http::start_within(&[], Limits { connections: 1, head: SHORT, ..Limits::default() }).await;
    let silent = TcpStream::connect(http.address).await.unwrap();
    // The only place is taken, and free again once the silent one has been given up.
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
    assert!(rest(silent).await.is_empty());
}

#[tokio::test]
async fn whoever_does_not_read_loses_its_place() {
    let limits = Limits { connections: 1, write: SHORT, ..Limits::default() };
    let http = Http::of(Wiki::golden(), &[], limits).await;
    let mut deaf = TcpStream::connect(http.address).await.unwrap();
    let mut request = Request::call("lint", json!({ "budget": 1_000_000 })).bytes();
    let close = request.windows(17).position(|window| window == b"Connection: close").unwrap();
    request.splice(close..close + 17, b"Connection: open ".iter().copied());
    // More answers than all buffers between the two can hold.
    let (mut input, mut output) = deaf.split();
    let sending = async {
        loop {
            if output.write_all(&request).await.is_err() {
                return;
            }
        }
    };
    sending.await;
    // It was cut off: what it has not read ends, or is gone.
    let mut bytes = Vec::new();
    _ = input.read_to_end(&mut bytes).await;
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
}

#[tokio::test]
async fn heads_are_bounded() {
    let http = Http::start().await;
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "x".repeat(1 << 20));
    _ = stream.write_all(head.as_bytes()).await;
    let answer = rest(stream).await;
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
}

#[tokio::test]
async fn clients_that_go_leave_nothing_behind() {
    let http = Http::start_within(&[], Limits { connections: 2, ..Limits::default() }).await;
    let bytes = Request::call("types", json!({})).bytes();
    for sent in [0, 10, bytes.len() - 5, bytes.len()] {
        for _ in 0..5 {
            let mut stream = TcpStream::connect(http.address).await.unwrap();
            stream.write_all(&bytes[..sent]).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    }
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200);
}

/// A call that reads a wiki for the first time, of somebody who wants to be told how far it is.
fn long_call(accept: &str) -> Request {
    let mut meta = meta(MODERN);
    meta["progressToken"] = json!("reading");
    let params = json!({ "name": "search", "arguments": { "query": "compost" }, "_meta": meta });
    Request::post(message("tools/call", &params))
        .with("MCP-Protocol-Version", MODERN)
        .with("Mcp-Method", "tools/call")
        .with("Mcp-Name", "search")
        .with("Accept", accept)
}

#[tokio::test]
async fn progress_is_told_as_events_to_whoever_reads_them() {
    for (accept, reads_events) in [("application/json, text/event-stream", true), ("application/json", false)] {
        let http = Http::of(Wiki::large(), &[], Limits::default()).await;
        let response = http.send(long_call(accept)).await;
        assert_eq!(response.status, 200);
        if !reads_events {
            assert_eq!(response.json()["result"]["structuredContent"]["commit"], http.wiki.commit);
            continue;
        }
        assert_eq!(response.header("content-type"), Some("text/event-stream"));
        let text = String::from_utf8(response.body).unwrap();
        let data =
            text.lines().filter_map(|line| line.strip_prefix("data:").map(str::trim)).filter(|data| !data.is_empty());
        let messages: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
        let (answer, told) = messages.split_last().unwrap();
        assert_eq!(answer["result"]["structuredContent"]["commit"], http.wiki.commit, "{text:.400}");
        assert!(!told.is_empty());
        for message in told {
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], "reading");
        }
    }
}
