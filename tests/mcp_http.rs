//! Streamable HTTP over a real socket: the headers' duties, who may ask, bodies of every kind, and stopping.

mod mcp_support;

use mcp_support::http::{Http, Request, Response, message};
use mcp_support::{LEGACY, MODERN, calls, checked, meta};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_modern_call_is_answered() {
    let http = Http::start().await;
    let list = http.send(Request::modern("tools/list", json!({}))).await;
    assert_eq!(list.status, 200);
    let tools = list.json()["result"]["tools"].as_array().unwrap().clone();
    for ((name, arguments), tool) in calls().into_iter().zip(&tools) {
        let response = http.send(Request::call(name, arguments)).await;
        let answer = response.json();
        assert_eq!((response.status, &answer["id"]), (200, &json!(7)));
        assert_eq!(checked(&answer["result"], tool)["commit"], http.wiki.commit, "{name}");
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "chemenu");
    }
}

#[tokio::test]
async fn legacy_clients_are_answered_without_a_session() {
    let http = Http::start().await;
    for version in LEGACY {
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let response = http.send(Request::post(message("initialize", &params))).await;
        assert_eq!(response.json()["result"]["protocolVersion"], version);
        assert_eq!(response.header("mcp-session-id"), None);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        assert_eq!(http.send(Request::post(initialized).with("MCP-Protocol-Version", version)).await.status, 202);
        let list = Request::post(message("tools/list", &json!({}))).with("MCP-Protocol-Version", version);
        let list = http.send(list).await.json()["result"].clone();
        assert_eq!(list["tools"].as_array().unwrap().len(), calls().len());
        assert!(list.get("ttlMs").is_none() && list.get("resultType").is_none(), "{version}");
    }
    let ping = http.send(Request::post(message("ping", &json!({})))).await;
    assert_eq!(ping.json()["result"], json!({}));
}

#[tokio::test]
async fn metadata_is_required_of_modern_requests() {
    let http = Http::start().await;
    let bare = Request::post(message("tools/list", &json!({})))
        .with("MCP-Protocol-Version", MODERN)
        .with("Mcp-Method", "tools/list");
    assert_eq!(http.send(bare).await.error(), (400, -32602));
    let partial = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": MODERN } });
    let partial = Request::post(message("tools/list", &partial))
        .with("MCP-Protocol-Version", MODERN)
        .with("Mcp-Method", "tools/list");
    assert_eq!(http.send(partial).await.error(), (400, -32602));
}

#[tokio::test]
async fn headers_must_say_what_the_body_says() {
    let http = Http::start().await;
    let call = Request::call("types", json!({}));
    for request in [
        call.clone().without("MCP-Protocol-Version"),
        call.clone().with("MCP-Protocol-Version", "2025-11-25"),
        call.clone().without("Mcp-Method"),
        call.clone().with("Mcp-Method", "tools/list"),
        call.clone().without("Mcp-Name"),
        call.clone().with("Mcp-Name", "status"),
        call.clone().with("Mcp-Name", "=?base64?c3RhdHVz?="),
    ] {
        let headers = request.headers.clone();
        assert_eq!(http.send(request).await.error(), (400, -32020), "{headers:?}");
    }
    assert_eq!(http.send(call.with("Mcp-Name", "=?base64?dHlwZXM=?=")).await.status, 200);
}

#[tokio::test]
async fn unsupported_versions_are_named_with_the_supported() {
    let http = Http::start().await;
    let unknown = Request::post(message("tools/list", &json!({ "_meta": meta("2099-01-01") })))
        .with("MCP-Protocol-Version", "2099-01-01")
        .with("Mcp-Method", "tools/list");
    let only_header = Request::post(message("tools/list", &json!({}))).with("MCP-Protocol-Version", "1999-01-01");
    for (request, version) in [(unknown, "2099-01-01"), (only_header, "1999-01-01")] {
        let response = http.send(request).await;
        assert_eq!(response.error(), (400, -32022));
        let data = response.json()["error"]["data"].clone();
        assert_eq!(data["requested"], version);
        assert!(data["supported"].as_array().unwrap().contains(&json!(MODERN)));
    }
}

#[tokio::test]
async fn unknown_methods_are_not_found_and_malformed_ones_invalid() {
    let http = Http::start().await;
    assert_eq!(http.send(Request::modern("no/such", json!({}))).await.error(), (404, -32601));
    assert_eq!(http.send(Request::modern("logging/setLevel", json!({ "level": "info" }))).await.error(), (404, -32601));
    assert_eq!(http.send(Request::modern("initialize", json!({}))).await.error(), (404, -32601));
    assert_eq!(http.send(Request::call("search", json!([]))).await.error(), (200, -32602));
    assert_eq!(http.send(Request::call("serch", json!({}))).await.error(), (200, -32602));
}

#[tokio::test]
async fn there_is_no_stream_and_no_session() {
    let http = Http::start().await;
    for method in ["GET", "DELETE", "PUT"] {
        let response = http.send(Request::new(method, "/mcp").with("Accept", "text/event-stream")).await;
        assert_eq!((response.status, response.header("allow")), (405, Some("post")), "{method}");
    }
    let stray = Request::call("types", json!({})).with("Mcp-Session-Id", "stray").with("Last-Event-ID", "3");
    assert_eq!(http.send(stray).await.status, 200);
}

#[tokio::test]
async fn only_known_hosts_and_origins_are_answered() {
    let http =
        Http::start_with(&["https://wiki.example.org:443", "http://inner.example:8080/mcp", "HTTP://[2001:DB8::1]"])
            .await;
    let call = Request::call("types", json!({}));
    for host in [
        "localhost:8321",
        "[::1]:1",
        "wiki.example.org",
        "wiki.example.org:443",
        "Wiki.Example.ORG",
        "inner.example:8080",
        "[2001:db8::1]:80",
        "[2001:db8::1]",
    ] {
        assert_eq!(http.send(call.clone().with("Host", host)).await.status, 200, "{host}");
    }
    for host in ["evil.example", "wiki.example.org.evil.example", "inner.example", "inner.example:81"] {
        assert_eq!(http.send(call.clone().with("Host", host)).await.error(), (403, -32600), "{host}");
    }
    for origin in [
        "http://localhost:6274",
        "https://wiki.example.org",
        "https://wiki.example.org:443",
        "HTTPS://Wiki.Example.org",
        "http://inner.example:8080",
        "http://[2001:db8::1]",
    ] {
        assert_eq!(http.send(call.clone().with("Origin", origin)).await.status, 200, "{origin}");
    }
    for origin in ["https://evil.example", "http://wiki.example.org", "https://wiki.example.org:8443", "null", "", "x"]
    {
        assert_eq!(http.send(call.clone().with("Origin", origin)).await.error(), (403, -32600), "{origin}");
    }
}

#[tokio::test]
async fn of_two_hosts_or_origins_none_is_believed_and_the_first_line_counts() {
    let http = Http::start().await;
    let call = Request::call("types", json!({}));
    for name in ["Host", "Origin"] {
        let mut twice = call.clone().with("Origin", "http://localhost");
        twice.headers.push((name, "localhost".into()));
        assert_eq!(http.send(twice).await.error(), (400, -32600), "{name}");
    }
    let mut twice = call.clone();
    twice.headers.push(("MCP-Protocol-Version", "2025-11-25".into()));
    let response = http.send(twice).await;
    assert_eq!((response.error(), &response.json()["id"]), ((400, -32020), &json!(7)));
    for (address, status) in [("http://localhost/mcp", 200), ("http://evil.example/mcp", 403)] {
        let absolute = Request { line: format!("POST {address} HTTP/1.1"), ..call.clone() };
        assert_eq!(http.send(absolute).await.status, status, "{address}");
    }
}

#[tokio::test]
async fn origins_are_checked_without_a_public_url_too() {
    let http = Http::start().await;
    let call = Request::call("types", json!({}));
    assert_eq!(http.send(call.clone().with("Origin", "https://evil.example")).await.status, 403);
    assert_eq!(http.send(call.clone().with("Host", "evil.example")).await.status, 403);
    assert_eq!(http.send(call).await.status, 200);
}

#[tokio::test]
async fn bodies_that_are_no_message_get_a_json_rpc_error() {
    let http = Http::start().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (body, error) in [
        ("{", -32700),
        ("", -32700),
        ("query=x", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("{}", -32600),
        ("17", -32600),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, -32600),
    ] {
        let response = http.send(Request::post(body)).await;
        assert_eq!(response.error(), (400, error), "{:.60}", body);
    }
    let with_id = http.send(Request::post(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#)).await;
    assert_eq!(with_id.json()["id"], 7);
    assert!(http.send(Request::post("{")).await.json().get("id").is_none());
    let text = Request::call("types", json!({})).with("Content-Type", "text/plain");
    assert_eq!(http.send(text).await.error(), (415, -32600));
    let response = Request::post(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    assert_eq!(http.send(response).await.error(), (400, -32600));
}

#[tokio::test]
async fn bodies_are_bounded() {
    let http = Http::start().await;
    let fits = Request::call("search", json!({ "query": "x".repeat(chemenu_mcp::MAX_BODY_BYTES - 1000) }));
    assert_eq!(http.send(fits).await.status, 200);
    let too_long = Request::call("search", json!({ "query": "x".repeat(chemenu_mcp::MAX_BODY_BYTES) }));
    assert_eq!(http.send(too_long).await.status, 413);
    assert_eq!(http.send(Request::call("types", json!({}))).await.status, 200, "the server serves on");
}

#[tokio::test]
async fn clients_that_accept_json_in_any_way_get_it() {
    let http = Http::start().await;
    let call = Request::call("types", json!({}));
    for accept in ["*/*", "application/json", "application/*, text/html;q=0.1", "text/event-stream, application/json"] {
        assert_eq!(http.send(call.clone().with("Accept", accept)).await.status, 200, "{accept}");
    }
    assert_eq!(http.send(call.clone().without("Accept")).await.status, 200);
    for accept in ["text/html", "text/event-stream"] {
        assert_eq!(http.send(call.clone().with("Accept", accept)).await.error(), (406, -32600), "{accept}");
    }
}

#[tokio::test]
async fn health_and_readiness_are_told() {
    let http = Http::start().await;
    let health = http.send(Request::new("GET", "/healthz").with("Host", "probe")).await;
    assert_eq!((health.status, health.body.as_slice()), (200, b"ok\n".as_slice()));
    let ready = http.send(Request::new("GET", "/readyz").with("Host", "probe")).await;
    assert_eq!(ready.status, 200);
    assert_eq!(ready.json()["commit"], http.wiki.commit);
    assert_eq!(http.send(Request::new("GET", "/")).await.status, 404);
}

#[tokio::test]
async fn stopping_finishes_what_is_under_way() {
    let http = Http::start().await;
    let bytes = Request::call("types", json!({})).bytes();
    let (begun, rest) = bytes.split_at(bytes.len() - 10);
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(begun).await.unwrap();
    // The server has taken this connection when it answers one that came later.
    assert_eq!(http.send(Request::new("GET", "/healthz")).await.status, 200);
    http.stop.send(()).unwrap();
    tokio::task::yield_now().await;
    stream.write_all(rest).await.unwrap();
    let response = Response::read(stream).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()["result"]["resultType"], "complete");
    http.serving.await.unwrap();
    assert!(TcpStream::connect(http.address).await.is_err(), "nobody listens any more");
}
