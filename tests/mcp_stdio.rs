//! Lines: whatever stands in one, the client is answered and the server goes on.

mod mcp_support;

use chemenu_mcp::MAX_BODY_BYTES;
use mcp_support::client::Client;
use mcp_support::{MODERN, Wiki, meta};
use serde_json::{Value, json};

/// Sends a line and gives the error that it gets.
async fn refused(client: &mut Client, line: &[u8]) -> Value {
    client.write(line).await;
    client.write(b"\n").await;
    let answer = client.receive().await;
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    answer
}

#[tokio::test]
async fn what_is_no_json_gets_an_error_without_an_id() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    for line in [
        b"this is no message".as_slice(),
        b"{",
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"",
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"pi\\ud800ng\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xFF\xFE\"}",
        b"\x00",
        b"NaN",
        b"Content-Length: 20\r",
        b"{} {}",
        &deep,
    ] {
        let answer = refused(&mut client, line).await;
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert_eq!(answer.get("id"), Some(&Value::Null), "{answer}");
    }
    assert!(client.request("tools/list", json!({})).await.get("result").is_some(), "the server serves on");
}

#[tokio::test]
async fn what_is_json_and_no_message_gets_an_error_with_its_id() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    for (line, id) in [
        ("17", Value::Null),
        ("null", Value::Null),
        ("{}", Value::Null),
        ("[]", Value::Null),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, Value::Null),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7)),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a")),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":7,"method":9}"#, json!(7)),
    ] {
        let answer = refused(&mut client, line.as_bytes()).await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id), "{line}: {answer}");
    }
    assert!(client.request("tools/list", json!({})).await.get("result").is_some(), "the server serves on");
}

#[tokio::test]
async fn lines_are_bounded() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let call = |length: usize| {
        let params = json!({ "name": "search", "arguments": { "query": "x".repeat(length) }, "_meta": meta(MODERN) });
        json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": params }).to_string()
    };
    let answer = refused(&mut client, call(MAX_BODY_BYTES - 1000).as_bytes()).await;
    assert_eq!(answer["id"], 70, "{answer:.300}");
    for length in [MAX_BODY_BYTES, 5 * MAX_BODY_BYTES] {
        let answer = refused(&mut client, call(length).as_bytes()).await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &Value::Null), "{answer}");
    }
    assert!(client.request("tools/list", json!({})).await.get("result").is_some(), "the server serves on");
}

#[tokio::test]
async fn lines_may_end_in_any_way_and_be_empty() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let request = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": { "_meta": meta(MODERN) } });
    for bytes in [format!("\n\r\n  \n{request}\r\n"), format!("\u{feff}{request}\n"), format!("  {request}  \n")] {
        client.write(bytes.as_bytes()).await;
        assert!(client.receive().await.get("result").is_some());
    }
    // In pieces, with an answer between them.
    let request = request.to_string();
    let (first, rest) = request.split_at(20);
    client.write(first.as_bytes()).await;
    client.write(rest.as_bytes()).await;
    client.write(b"\n").await;
    assert_eq!(client.receive().await["id"], 5);
}

#[tokio::test]
async fn notifications_get_no_answer_whatever_they_say() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    client.request("tools/list", json!({})).await;
    for (method, params) in [
        ("notifications/cancelled", json!({ "requestId": 9999 })),
        ("notifications/cancelled", json!({ "requestId": "no such" })),
        ("notifications/cancelled", json!({})),
        ("notifications/progress", json!({ "progressToken": 1, "progress": 1 })),
        ("notifications/roots/list_changed", json!({})),
        ("notifications/no_such", json!({ "x": 1 })),
    ] {
        client.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
        let answer = client.request("tools/list", json!({})).await;
        assert!(answer.get("result").is_some(), "{method}: {answer}");
    }
}

#[tokio::test]
async fn a_refusal_comes_before_any_handshake_too_and_a_last_line_needs_no_end() {
    let wiki = Wiki::new();
    let mut client = Client::start(&wiki, None);
    assert_eq!(refused(&mut client, b"hello").await["error"]["code"], -32700);
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    assert!(client.request("initialize", params).await.get("result").is_some());
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    client.write(br#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#).await;
    let Client { output, mut input, server, .. } = client;
    let mut output = output;
    tokio::io::AsyncWriteExt::shutdown(&mut output).await.unwrap();
    let answer: Value = serde_json::from_str(&input.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": 8, "result": {} }));
    assert_eq!(input.next_line().await.unwrap(), None);
    server.await.unwrap();
}
