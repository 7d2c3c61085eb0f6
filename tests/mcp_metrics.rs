//! Metrics: the table, the README and what is told are the same, and the figures are right.

mod mcp_support;

use std::path::Path;

use chemenu_mcp::metrics;
use mcp_support::client::Client;
use mcp_support::http::scrape;
use mcp_support::{MODERN, Wiki};
use serde_json::json;

/// The names in what is told, in their order.
fn told(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect()
}

/// The value of a sample.
fn value(text: &str, sample: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no `{sample}` in {text}")).parse().unwrap()
}

#[tokio::test]
async fn the_table_is_what_is_told_and_what_the_readme_says() {
    let wiki = Wiki::new();
    let text = scrape(&wiki.server()).await;
    let names: Vec<&str> = metrics::ALL.iter().map(|metric| metric.name).collect();
    assert_eq!(told(&text), names);
    assert!(text.ends_with("# EOF\n"));
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `chemenu_")?.split('`').next());
    let documented: Vec<String> = rows.map(|name| format!("chemenu_{name}")).collect();
    let shown = metrics::ALL.iter().map(|metric| {
        let is_counter = text.contains(&format!("# TYPE {} counter\n", metric.name));
        format!("{}{}", metric.name, if is_counter { "_total" } else { "" })
    });
    assert_eq!(documented, shown.collect::<Vec<_>>());
}

#[tokio::test]
async fn requests_are_counted_by_what_they_ask_and_how_they_end() {
    let wiki = Wiki::new();
    let server = wiki.server();
    let mut client = Client::of(server.clone(), Some(MODERN));
    for _ in 0..3 {
        client.call("search", json!({ "query": "compost" })).await;
    }
    client.call("page", json!({ "name": "Compast" })).await;
    client.call("search", json!({ "limit": 0 })).await;
    client.call("serch", json!({})).await;
    client.request("resources/read", json!({ "uri": "wiki://page/soil.md" })).await;
    client.request("resources/read", json!({ "uri": "wiki://page/evil\"\n.md" })).await;
    client.request("prompts/get", json!({ "name": "evil" })).await;
    let text = scrape(&server).await;
    for (method, name, outcome, count) in [
        ("tools/call", "search", "answered", 3.0),
        ("tools/call", "page", "problem", 1.0),
        ("tools/call", "search", "failed", 1.0),
        ("tools/call", "", "refused", 1.0),
        ("resources/read", "page", "answered", 1.0),
        ("resources/read", "page", "refused", 1.0),
        ("prompts/get", "", "refused", 1.0),
    ] {
        let sample = format!(r#"chemenu_requests_total{{method="{method}",name="{name}",outcome="{outcome}"}}"#);
        assert_eq!(value(&text, &sample), count, "{text}");
    }
    assert_eq!(value(&text, r#"chemenu_request_duration_seconds_count{method="tools/call",name="search"}"#), 4.0);
    assert!(!text.contains("evil"), "a client makes no labels: {text}");
    assert_eq!(value(&text, "chemenu_answer_cache_hits_total"), 2.0);
    assert!(value(&text, "chemenu_answer_cache_bytes") > 500.0);
}

#[tokio::test]
async fn the_served_commit_and_its_refreshes_are_told() {
    let mut wiki = Wiki::new();
    let server = wiki.server();
    let text = scrape(&server).await;
    assert_eq!(value(&text, "chemenu_refreshes_total"), 0.0);
    // Its commits are of November 2023.
    assert!(value(&text, "chemenu_served_commit_age_seconds") > 3600.0);
    assert!(value(&text, "chemenu_commits_behind_upstream").is_nan());
    wiki.commit(&[("weeds.md", "# Weeds\n")]);
    assert_eq!(value(&scrape(&server).await, "chemenu_refreshes_total"), 1.0);
    wiki.commit(&[("weeds.md", "# Weeds, again\n")]);
    let mut client = Client::of(server.clone(), Some(MODERN));
    client.call("types", json!({})).await;
    assert_eq!(value(&scrape(&server).await, "chemenu_refreshes_total"), 2.0);
    wiki.write("weeds.md", "# Not committed\n");
    let server = wiki.server();
    assert!(value(&scrape(&server).await, "chemenu_served_commit_age_seconds").is_nan());
}

#[test]
fn what_was_cancelled_before_it_began_is_not_done() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let wiki = Wiki::new();
        let server = wiki.server();
        let mut client = Client::of(server.clone(), Some(MODERN));
        client.call("types", json!({})).await;
        let misses = value(&scrape(&server).await, "chemenu_answer_cache_misses_total");
        // The only thread that may block is busy until it is told otherwise.
        let (release, released) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || released.recv());
        let params = json!({ "name": "search", "arguments": { "query": "soil" }, "_meta": mcp_support::meta(MODERN) });
        client.send(json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params })).await;
        let cancelled = json!({ "requestId": 77, "reason": "changed my mind" });
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled })).await;
        // Lists need no thread; when this one is there, the cancellation has been read.
        let answer = client.request("tools/list", json!({})).await;
        assert!(answer.get("result").is_some(), "{answer}");
        release.send(()).unwrap();
        busy.await.unwrap().unwrap();
        let text = scrape(&server).await;
        let sample = r#"chemenu_requests_total{method="tools/call",name="search",outcome="cancelled"}"#;
        assert_eq!(value(&text, sample), 1.0, "{text}");
        assert_eq!(value(&text, "chemenu_answer_cache_misses_total"), misses, "{text}");
    });
}
