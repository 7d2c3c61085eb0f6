//! Duties that hold for every method, in both eras. Those of single methods are tested beside them.

mod mcp_support;

use mcp_support::client::Client;
use mcp_support::http::{Http, Request};
use mcp_support::{LEGACY, Wiki};
use serde_json::{Value, json};

/// Who may keep a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Anybody: it is the same for all.
    Public,
    /// Whoever asked.
    Private,
    /// Nobody is told.
    Untold,
}

/// A request of each method that has a result, and who may keep that.
fn requests() -> Vec<(&'static str, Value, Kept)> {
    vec![
        ("server/discover", json!({}), Kept::Private),
        ("tools/list", json!({}), Kept::Public),
        ("tools/call", json!({ "name": "types", "arguments": {} }), Kept::Untold),
        ("tools/call", json!({ "name": "page", "arguments": { "name": "no such page" } }), Kept::Untold),
        ("resources/list", json!({}), Kept::Private),
        ("resources/templates/list", json!({}), Kept::Public),
        ("resources/read", json!({ "uri": "wiki://page/soil.md" }), Kept::Private),
        ("prompts/list", json!({}), Kept::Public),
        ("prompts/get", json!({ "name": "review_page", "arguments": { "page": "soil" } }), Kept::Untold),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "review_page" }, "argument": { "name": "page", "value": "" } }),
            Kept::Untold,
        ),
    ]
}

/// All keys of all `_meta` objects in a value.
fn meta_keys(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(meta_keys).collect(),
        Value::Object(object) => {
            let own = object.get("_meta").and_then(Value::as_object).into_iter().flat_map(|meta| meta.keys().cloned());
            own.chain(object.values().flat_map(meta_keys)).collect()
        }
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_modern_result_is_complete_and_says_who_answers_and_who_may_keep_it() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    for (method, params, kept) in requests() {
        let result = client.request(method, params).await["result"].clone();
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "chemenu", "{method}");
        let (ttl, scope) = (result.get("ttlMs"), result.get("cacheScope").and_then(Value::as_str));
        match kept {
            Kept::Public => assert_eq!(scope, Some("public"), "{method}"),
            Kept::Private => assert_eq!(scope, Some("private"), "{method}"),
            Kept::Untold => assert_eq!((scope, ttl), (None, None), "{method}"),
        }
        assert_eq!(ttl.is_some_and(|ttl| ttl.as_u64().is_some_and(|ttl| ttl > 0)), kept != Kept::Untold, "{method}");
    }
}

#[tokio::test]
async fn our_own_metadata_have_a_prefix_that_is_ours() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let mut all = Vec::new();
    for (method, params, _) in requests() {
        all.extend(meta_keys(&client.request(method, params).await["result"]));
    }
    assert!(all.iter().any(|key| key == chemenu_mcp::meta::COMMIT), "{all:?}");
    for key in all {
        let (prefix, _) = key.split_once('/').unwrap();
        let labels: Vec<&str> = prefix.split('.').collect();
        let is_reserved = labels.get(1).is_some_and(|label| matches!(*label, "mcp" | "modelcontextprotocol"));
        assert!(labels.len() > 1 && (!is_reserved || key == "io.modelcontextprotocol/serverInfo"), "{key}");
    }
}

#[tokio::test]
async fn no_older_peer_gets_a_field_that_it_does_not_know() {
    let wiki = Wiki::new();
    for version in LEGACY {
        let (mut client, initialized) = Client::legacy(&wiki, version).await;
        let mut results = vec![("initialize", initialized["result"].clone())];
        for (method, params, _) in requests().into_iter().filter(|(method, ..)| *method != "server/discover") {
            results.push((method, client.request(method, params).await["result"].clone()));
        }
        for (method, result) in results {
            assert!(result.is_object(), "{version} {method}");
            for field in ["resultType", "ttlMs", "cacheScope"] {
                assert!(result.get(field).is_none(), "{version} {method}: {result}");
            }
            let keys = meta_keys(&result);
            assert!(!keys.iter().any(|key| key.contains("modelcontextprotocol")), "{version} {method}: {keys:?}");
        }
    }
}

#[tokio::test]
async fn the_same_holds_over_http() {
    let http = Http::start().await;
    for (method, params, _) in requests() {
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        let request = Request::modern(method, params.clone());
        let request = match &name {
            Some(name) => request.with("Mcp-Name", name),
            None => request,
        };
        let response = http.send(request).await;
        assert_eq!(response.status, 200, "{method}");
        assert_eq!(response.json()["result"]["resultType"], "complete", "{method}");
        for version in LEGACY.into_iter().filter(|_| method != "server/discover") {
            let request =
                Request::post(mcp_support::http::message(method, &params)).with("MCP-Protocol-Version", version);
            let result = http.send(request).await.json()["result"].clone();
            assert!(result.is_object() && result.get("resultType").is_none(), "{version} {method}: {result}");
        }
    }
}

#[tokio::test]
async fn names_in_headers_are_those_of_the_body() {
    let mut wiki = Wiki::new();
    wiki.commit(&[("Größe.md", "# Größe\n")]);
    let http = Http::of(wiki, &[], chemenu_mcp::Limits::default()).await;
    let read = |uri: &str| Request::modern("resources/read", json!({ "uri": uri }));
    let get = || Request::modern("prompts/get", json!({ "name": "review_page", "arguments": { "page": "Größe" } }));
    for (request, status) in [
        (read("wiki://guide").with("Mcp-Name", "wiki://guide"), 200),
        (read("wiki://guide"), 400),
        (read("wiki://guide").with("Mcp-Name", "wiki://lint"), 400),
        // `wiki://page/Größe.md`
        (read("wiki://page/Größe.md").with("Mcp-Name", "=?base64?d2lraTovL3BhZ2UvR3LDtsOfZS5tZA==?="), 200),
        (read("wiki://page/Größe.md").with("Mcp-Name", "=?base64?d2lraTovL2d1aWRl?="), 400),
        (get(), 200),
        (get().without("Mcp-Name"), 400),
        (get().with("Mcp-Name", "draft_page"), 400),
    ] {
        let headers = request.headers.clone();
        let response = http.send(request).await;
        assert_eq!(response.status, status, "{headers:?}: {}", String::from_utf8_lossy(&response.body));
        if status == 400 {
            assert_eq!(response.error(), (400, -32020));
        }
    }
}

#[tokio::test]
async fn nothing_is_given_again_that_has_become_wrong() {
    let mut wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let mut ask = async |name: &'static str, arguments: Value| {
        client.call(name, arguments).await["result"]["structuredContent"].clone()
    };
    let page = || json!({ "name": "weeds.md" });
    // A commit, and the next one.
    let first = ask("page", page()).await;
    assert_eq!(ask("page", page()).await, first);
    wiki.commit(&[("weeds.md", "# Weeds\n\nPulled.\n")]);
    assert!(ask("page", page()).await["body"].as_str().unwrap().contains("Pulled"));
    // What a branch means, and what is in the repository.
    let changes = ask("changes", json!({ "since": "HEAD" })).await;
    let status = ask("status", json!({})).await;
    wiki.commit(&[("weeds.md", "# Weeds\n\nBack.\n")]);
    assert_ne!(ask("changes", json!({ "since": "HEAD" })).await["commit"], changes["commit"]);
    let at = json!({ "at": status["commit"] });
    assert_eq!(ask("status", at).await["source"]["head"], wiki.commit);
    let since = json!({ "since": "HEAD", "at": changes["commit"] });
    assert_ne!(ask("changes", since).await["since"], changes["since"], "the branch has moved");
    // Files that are not committed.
    for text in ["# Weeds\n\nOne.\n", "# Weeds\n\nTwo.\n"] {
        wiki.write("weeds.md", text);
        let found = loop {
            // A clean tree is looked at once a second.
            let answer = ask("page", page()).await;
            if answer["commit"].is_null() {
                break answer;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        };
        assert!(text.ends_with(found["body"].as_str().unwrap()), "{found}");
    }
}
