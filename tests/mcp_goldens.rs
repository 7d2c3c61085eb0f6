//! One golden for each tool, prompt and template, for `server/discover` and for the list of resources: the server as a client sees it.

mod mcp_support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chemenu_mcp::{meta, prompts, resources, tools};
use mcp_support::Wiki;
use mcp_support::client::Client;
use serde_json::{Value, json};

/// Characters of the wiki's own texts that a golden shows: goldens of answers hold the rest.
const SHOWN: usize = 400;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/mcp")
}

/// What each prompt is asked with.
fn arguments(name: &str) -> Value {
    match name {
        "review_page" => json!({ "page": "publish-remote-gate", "section": "Definition" }),
        "answer_with_citations" => json!({ "question": "Was hält ein Gate auf?" }),
        "draft_page" => json!({ "type": "concept", "title": "Budget", "notes": "Antworten werden gekürzt." }),
        other => panic!("no arguments for {other}"),
    }
}

/// What stands for the variables of each template.
fn example(name: &str) -> &'static str {
    match name {
        "page" => "wiki://page/concepts/publish-remote-gate.md",
        "type" => "wiki://type/concept",
        "guide" => "wiki://guide",
        "lint" => "wiki://lint",
        "status" => "wiki://status",
        other => panic!("no example of {other}"),
    }
}

/// All goldens by their paths below the folder.
async fn goldens() -> BTreeMap<String, Value> {
    let wiki = Wiki::golden();
    let mut client = Client::modern(&wiki);
    let mut goldens = BTreeMap::new();
    // The instructions count pages once the wiki has been read.
    client.call("types", json!({})).await;
    for tool in client.tools().await {
        goldens.insert(format!("tools/{}.json", tool["name"].as_str().unwrap()), tool);
    }
    let listed = client.request("prompts/list", json!({})).await["result"]["prompts"].clone();
    for definition in listed.as_array().unwrap() {
        let name = definition["name"].as_str().unwrap();
        let request = json!({ "name": name, "arguments": arguments(name) });
        let result = client.request("prompts/get", request.clone()).await["result"].clone();
        let golden = json!({ "definition": definition, "example": { "request": request, "result": result } });
        goldens.insert(format!("prompts/{name}.json"), golden);
    }
    let listed = client.request("resources/templates/list", json!({})).await["result"]["resourceTemplates"].clone();
    for definition in listed.as_array().unwrap() {
        let name = definition["name"].as_str().unwrap();
        let request = json!({ "uri": example(name) });
        let result = client.request("resources/read", request.clone()).await["result"].clone();
        assert_eq!(result["contents"].as_array().unwrap().len(), 1, "{name}");
        let golden = json!({ "definition": definition, "example": { "request": request, "result": result } });
        goldens.insert(format!("templates/{name}.json"), golden);
    }
    let discover = client.request("server/discover", json!({})).await["result"].clone();
    goldens.insert("discover.json".into(), discover);
    let resources = client.request("resources/list", json!({})).await["result"].clone();
    goldens.insert("resources.json".into(), resources);
    for golden in goldens.values_mut() {
        settle(golden, &wiki.commit);
    }
    goldens
}

/// Replaces what is another thing in every version of the wiki or the program, and cuts texts of the wiki.
fn settle(value: &mut Value, commit: &str) {
    match value {
        Value::String(text) => *text = text.replace(commit, "COMMIT").replace(chemenu_core::VERSION, "VERSION"),
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, commit)),
        Value::Object(object) => {
            object.values_mut().for_each(|value| settle(value, commit));
            let is_of_wiki = object.get("_meta").is_some_and(|meta| meta.get(meta::NOTICE).is_some());
            if let Some(Value::String(text)) = object.get_mut("text").filter(|_| is_of_wiki)
                && let Some((end, _)) = text.char_indices().nth(SHOWN)
            {
                text.truncate(end);
                text.push('…');
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn the_server_is_as_its_goldens_say() {
    let goldens = goldens().await;
    let named =
        |folder: &str, names: Vec<&str>| names.into_iter().map(|name| format!("{folder}/{name}.json")).collect();
    let expected: Vec<Vec<String>> = vec![
        named("tools", tools::ALL.iter().map(|tool| tool.name).collect()),
        named("prompts", prompts::ALL.iter().map(|prompt| prompt.name).collect()),
        named("templates", resources::ALL.iter().map(|resource| resource.name).collect()),
        vec!["discover.json".into(), "resources.json".into()],
    ];
    let mut expected = expected.concat();
    expected.sort();
    assert_eq!(goldens.keys().cloned().collect::<Vec<_>>(), expected, "one for each row of the tables");

    if std::env::var("CHEMENU_GOLDEN").as_deref() == Ok("write") {
        write(&goldens);
    }
    let mut found = Vec::new();
    for name in ["", "tools", "prompts", "templates"] {
        for entry in std::fs::read_dir(folder().join(name)).into_iter().flatten().map(|entry| entry.unwrap()) {
            let file = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_file() {
                found.push(if name.is_empty() { file } else { format!("{name}/{file}") });
            }
        }
    }
    found.sort();
    assert_eq!(found, expected, "no golden is missing, and none is nobody's");
    for (name, golden) in &goldens {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let golden = pretty(golden);
        assert!(text == golden, "golden/mcp/{name} differs; `CHEMENU_GOLDEN=write tests/run` renews it:\n{golden}");
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

#[allow(clippy::disallowed_methods, reason = "goldens are rewritten when somebody asks for it")]
fn write(goldens: &BTreeMap<String, Value>) {
    _ = std::fs::remove_dir_all(folder());
    for (name, golden) in goldens {
        let file = folder().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, pretty(golden)).unwrap();
    }
}
