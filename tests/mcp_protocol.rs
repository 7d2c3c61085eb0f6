//! The protocol over a pair of pipes: handshakes, both eras, every tool, every kind of mistake.

mod mcp_support;

use chemenu_mcp::tools;
use mcp_support::client::Client;
use mcp_support::{LEGACY, MODERN, Wiki, calls, checked, meta};
use serde_json::{Value, json};

#[tokio::test]
async fn every_legacy_version_is_echoed_and_spared_the_new_fields() {
    let wiki = Wiki::new();
    for version in LEGACY {
        let (mut client, answer) = Client::legacy(&wiki, version).await;
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "chemenu");
        assert_eq!(result["capabilities"], json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} }));
        assert!(result["instructions"].as_str().unwrap().contains("Nothing can be written"));
        assert_eq!(client.request("ping", json!({})).await["result"], json!({}));
        let list = client.request("tools/list", json!({})).await;
        let keys: Vec<&String> = list["result"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["tools"], "{version}");
        let result = client.call("types", json!({})).await["result"].clone();
        assert!(result.get("resultType").is_none() && result.get("_meta").is_none(), "{version}: {result}");
    }
}

#[tokio::test]
async fn an_unknown_version_is_answered_with_the_newest_that_shakes_hands() {
    let wiki = Wiki::new();
    let (_, answer) = Client::legacy(&wiki, "1999-01-01").await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn discover_says_what_this_is() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let result = client.request("server/discover", json!({})).await["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "chemenu");
    assert!(result["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)));
    assert_eq!(result["cacheScope"], "private");
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(result["capabilities"], json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} }));
}

#[tokio::test]
async fn instructions_quote_the_wiki() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let answer = client.request("server/discover", json!({})).await;
    let instructions = answer["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("its name is \"Garden\""), "{instructions}");
    assert!(instructions.contains("\"concept\" (2 pages): \"An idea worth a page\""), "{instructions}");
}

#[tokio::test]
async fn modern_results_say_all_that_is_due() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let list = client.request("tools/list", json!({})).await["result"].clone();
    assert_eq!(list["cacheScope"], "public");
    assert!(list["ttlMs"].as_u64().unwrap() > 0);
    let call = client.call("status", json!({})).await["result"].clone();
    assert!(call.get("ttlMs").is_none() && call.get("cacheScope").is_none());
    for result in [list, call] {
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "chemenu");
    }
}

#[tokio::test]
async fn every_tool_says_what_a_caller_must_know() {
    let wiki = Wiki::new();
    let tools = Client::modern(&wiki).tools().await;
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, calls().map(|(name, _)| name));
    for tool in &tools {
        let hints =
            json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false });
        assert_eq!(tool["annotations"], hints);
        assert!(!tool["title"].as_str().unwrap().is_empty());
        let description = tool["description"].as_str().unwrap();
        for part in ["Do NOT use it", "A good ", "mpty", "`at`", "data that strangers wrote"] {
            assert!(
                description.contains(part) || part == "mpty" && description.contains("Zero"),
                "{part}: {description}"
            );
        }
        assert!(!description.contains("  "), "{description}");
    }
}

#[tokio::test]
async fn every_schema_suits_strict_and_old_clients() {
    let wiki = Wiki::new();
    for tool in Client::modern(&wiki).tools().await {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object");
            for combinator in ["anyOf", "oneOf", "allOf", "$ref"] {
                assert!(schema.get(combinator).is_none(), "{tool}");
            }
            jsonschema::draft202012::new(schema).unwrap();
            // Several clients know no `type` that is a list.
            assert!(!schema.to_string().contains("\"type\":["), "{schema}");
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property.get("type").or(property.get("anyOf")).is_some(), "{name} may be anything");
            }
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        for (name, argument) in tool["inputSchema"]["properties"].as_object().unwrap() {
            // One argument may be of two types, and says so in the one way that every client reads.
            let simple = |schema: &Value| schema["type"].is_string();
            let either = name == "explain" && argument["anyOf"].as_array().unwrap().iter().all(simple);
            assert!(simple(argument) || either, "{name}: {argument}");
            assert_ne!(argument["type"], "null");
            assert!(argument.get("default") != Some(&Value::Null), "{name}: {argument}");
            assert!(!argument["description"].as_str().unwrap().is_empty(), "{name}");
        }
        assert_eq!(tool["inputSchema"]["properties"]["budget"]["default"], 32768);
    }
}

#[tokio::test]
async fn every_question_is_a_tool_and_the_reverse() {
    let tools: Vec<&str> = tools::ALL.iter().map(|tool| tool.name).collect();
    assert_eq!(tools, chemenu_core::question::NAMES);
}

#[tokio::test]
async fn every_tool_answers_from_the_commit() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let tools = client.tools().await;
    for ((name, arguments), tool) in calls().into_iter().zip(&tools) {
        let answer = client.call(name, arguments).await;
        let object = checked(&answer["result"], tool);
        assert_eq!(answer["result"]["isError"], false, "{name}: {object}");
        assert_eq!(object["commit"], wiki.commit, "{name}");
    }
}

#[tokio::test]
async fn answers_follow_head_and_old_commits_stay_good() {
    let mut wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let first = client.call("page", json!({ "name": "weeds.md" })).await["result"]["structuredContent"].clone();
    let old = wiki.commit.clone();
    wiki.commit(&[("weeds.md", "# Weeds\n\nGone.\n")]);
    let second = client.call("page", json!({ "name": "weeds.md" })).await["result"]["structuredContent"].clone();
    assert_eq!((&first["commit"], &second["commit"]), (&json!(old), &json!(wiki.commit)));
    assert_ne!(first["body"], second["body"]);
    let again =
        client.call("page", json!({ "name": "weeds.md", "at": old })).await["result"]["structuredContent"].clone();
    assert_eq!(again, first);
}

#[tokio::test]
async fn findings_are_no_error() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let result = client.call("lint", json!({})).await["result"].clone();
    assert_eq!(result["isError"], false);
    assert!(!result["structuredContent"]["findings"].as_array().unwrap().is_empty(), "{result}");
}

#[tokio::test]
async fn mistakes_of_users_are_results() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let tools = client.tools().await;
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    for (name, arguments, code, candidate) in [
        ("search", json!({ "quarry": "compost" }), "argument_unknown", "query"),
        ("search", json!({ "query": 1 }), "argument_invalid", ""),
        ("search", json!({ "query": null }), "argument_invalid", ""),
        ("search", json!({ "query": "x", "limit": 9999 }), "argument_invalid", ""),
        ("search", json!({}), "argument_invalid", ""),
        ("types", json!({ "budget": 1 }), "argument_invalid", ""),
        ("page", json!({ "name": "../../etc/passwd" }), "page_not_found", ""),
        ("page", json!({ "name": "Compast" }), "page_not_found", "compost.md"),
        ("describe_type", json!({ "type": "concpt" }), "type_not_found", "concept"),
        ("status", json!({ "at": "no-such-revision" }), "revision_not_found", ""),
    ] {
        let answer = client.call(name, arguments.clone()).await;
        let object = checked(&answer["result"], tool(name));
        assert_eq!(answer["result"]["isError"], true, "{arguments}");
        assert_eq!(object["error"]["code"], code, "{arguments}: {object}");
        if !candidate.is_empty() {
            assert_eq!(object["error"]["candidates"][0], candidate, "{object}");
        }
    }
}

#[tokio::test]
async fn whole_numbers_may_have_a_point() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let plain = client.call("search", json!({ "query": "compost", "limit": 1, "budget": 4096 })).await;
    let pointed = client.call("search", json!({ "query": "compost", "limit": 1.0, "budget": 4096.0 })).await;
    assert_eq!(pointed["result"]["structuredContent"], plain["result"]["structuredContent"]);
    let half = client.call("search", json!({ "query": "compost", "limit": 1.5 })).await;
    assert_eq!(half["result"]["isError"], true);
}

#[tokio::test]
async fn malformed_calls_are_protocol_errors() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let unknown = client.call("serch", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["data"]["candidates"][0], "search");
    for arguments in [json!([]), json!("query"), json!(1)] {
        let answer = client.call("search", arguments.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{arguments}: {answer}");
    }
    for params in [json!({}), json!({ "name": 1 })] {
        assert_eq!(client.request("tools/call", params).await["error"]["code"], -32602);
    }
    assert_eq!(client.request("tools/list", json!({ "cursor": "x" })).await["error"]["code"], -32602);
    for method in ["resources/subscribe", "logging/setLevel", "subscriptions/listen", "ping", "no/such"] {
        assert_eq!(client.request(method, json!({})).await["error"]["code"], -32601, "{method}");
    }
    assert_eq!(client.call("types", json!({})).await["result"]["resultType"], "complete", "the server serves on");
}

#[tokio::test]
async fn answers_are_cut_to_the_default_budget_and_to_the_callers() {
    let wiki = Wiki::new();
    let (mut client, _) = Client::legacy(&wiki, "2025-11-25").await;
    for arguments in [json!({ "query": "compost" }), json!({ "query": "compost", "budget": 2000 })] {
        let budget = arguments["budget"].as_u64().unwrap_or(chemenu_mcp::DEFAULT_BUDGET) as usize;
        let answer = client.call("search", arguments).await;
        assert!(answer["result"]["content"][0]["text"].as_str().unwrap().len() <= budget);
    }
}

#[tokio::test]
async fn arguments_may_be_left_out() {
    let wiki = Wiki::new();
    let (mut client, _) = Client::legacy(&wiki, "2025-11-25").await;
    for params in [json!({ "name": "types" }), json!({ "name": "types", "arguments": null })] {
        let answer = client.request("tools/call", params).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
}

#[tokio::test]
async fn requests_without_their_metadata_are_refused() {
    let wiki = Wiki::new();
    let mut client = Client::start(&wiki, None);
    assert_eq!(client.request("tools/list", json!({})).await["error"]["code"], -32602);
    let partial = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": MODERN } });
    assert_eq!(client.request("tools/list", partial).await["error"]["code"], -32602);
    let unknown = client.request("tools/list", json!({ "_meta": meta("2099-01-01") })).await;
    assert_eq!(unknown["error"]["code"], -32022);
    assert_eq!(unknown["error"]["data"]["requested"], "2099-01-01");
    assert!(unknown["error"]["data"]["supported"].as_array().unwrap().contains(&json!(MODERN)));
}

#[tokio::test]
async fn the_server_ends_with_its_input() {
    let wiki = Wiki::new();
    let (Client { output, input, server, .. }, _) = Client::legacy(&wiki, "2025-11-25").await;
    drop((output, input));
    server.await.unwrap();
}
