//! Resources: what is listed can be read, what is read is what is stored, and what is not there is said to be not there.

mod mcp_support;

use chemenu_mcp::{meta, resources};
use mcp_support::client::Client;
use mcp_support::{LEGACY, Wiki};
use serde_json::{Value, json};

async fn read(client: &mut Client, uri: &str) -> Value {
    client.request("resources/read", json!({ "uri": uri })).await
}

/// The text of a resource that is there, once its form has been checked.
async fn text(client: &mut Client, uri: &str) -> String {
    let answer = read(client, uri).await;
    let contents = answer["result"]["contents"].as_array().unwrap_or_else(|| panic!("{uri}: {answer}"));
    assert_eq!(contents.len(), 1);
    assert_eq!(contents[0]["uri"], uri);
    assert_eq!(contents[0]["_meta"][meta::NOTICE], meta::PAGE_TEXT);
    contents[0]["text"].as_str().unwrap().to_owned()
}

/// All that is listed, by following cursors.
async fn list(client: &mut Client) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let params = cursor.map_or(json!({}), |cursor: Value| json!({ "cursor": cursor }));
        let result = client.request("resources/list", params).await["result"].clone();
        all.extend(result["resources"].as_array().unwrap().clone());
        match result.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => return all,
        }
    }
}

#[tokio::test]
async fn what_is_listed_can_be_read() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let listed = list(&mut client).await;
    let uris: Vec<&str> = listed.iter().map(|resource| resource["uri"].as_str().unwrap()).collect();
    let pages = ["compost.md", "soil.md", "types/concept.md", "weeds.md"].map(|path| format!("wiki://page/{path}"));
    let expected = ["wiki://guide", "wiki://lint", "wiki://status", "wiki://type/concept"];
    assert_eq!(uris, [expected.map(str::to_owned).as_slice(), &pages].concat());
    for resource in &listed {
        let answer = read(&mut client, resource["uri"].as_str().unwrap()).await;
        let result = &answer["result"];
        assert_eq!(result["contents"][0]["mimeType"], resource["mimeType"]);
        assert_eq!(result["_meta"][meta::COMMIT], wiki.commit);
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "chemenu");
        assert_eq!((&result["cacheScope"], &result["resultType"]), (&json!("private"), &json!("complete")));
        assert!(!resource["name"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn every_template_leads_somewhere() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let result = client.request("resources/templates/list", json!({})).await["result"].clone();
    let templates = result["resourceTemplates"].as_array().unwrap();
    assert_eq!((&result["cacheScope"], &result["resultType"]), (&json!("public"), &json!("complete")));
    assert_eq!(templates.len(), resources::ALL.len());
    for (template, resource) in templates.iter().zip(resources::ALL) {
        let uri = template["uriTemplate"].as_str().unwrap();
        let query = format!("?at={}", wiki.commit);
        let uri = uri.replace("{+path}", "soil.md").replace("{name}", "concept").replace("{?at}", &query);
        assert!(!uri.contains('{'), "{uri}");
        assert_eq!(template["name"], resource.name);
        assert!(template["description"].as_str().unwrap().contains("`at`"));
        let answer = read(&mut client, &uri).await;
        assert_eq!(answer["result"]["_meta"][meta::COMMIT], wiki.commit, "{answer}");
    }
}

#[tokio::test]
async fn pages_are_what_is_stored() {
    let mut wiki = Wiki::new();
    let files = [
        ("Größe & mehr/ein Blatt 100%.md", "\u{feff}---\r\na: ü\r\n---\r\n# Blatt\r\n"),
        ("was?.md", "# Was\n"),
        ("x#y.md", "# X\n"),
        ("empty.md", ""),
    ];
    wiki.commit(&files);
    let mut client = Client::modern(&wiki);
    let listed = list(&mut client).await;
    for (path, stored) in files {
        let resource = listed.iter().find(|resource| resource["name"] == path).unwrap();
        let uri = resource["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
        assert_eq!(text(&mut client, uri).await, stored, "{uri}");
    }
    assert_eq!(text(&mut client, "wiki://page/Größe & mehr/ein Blatt 100%25.md").await, files[0].1);
}

#[tokio::test]
async fn resources_are_what_the_tools_answer() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    for (uri, tool, arguments) in [
        ("wiki://lint", "lint", json!({})),
        ("wiki://status", "status", json!({})),
        ("wiki://type/concept", "describe_type", json!({ "type": "concept" })),
    ] {
        let answer = client.call(tool, arguments).await;
        assert_eq!(text(&mut client, uri).await, answer["result"]["content"][0]["text"].as_str().unwrap(), "{uri}");
    }
}

#[tokio::test]
async fn the_guide_is_the_wikis_own_or_made() {
    let mut wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    let made = text(&mut client, "wiki://guide").await;
    assert!(made.starts_with("# Garden\n") && made.contains("- `concept`: An idea worth a page\n"), "{made}");
    wiki.commit(&[("chemenu.toml", "guide = \"how.md\"\n"), ("how.md", "# How\n\nDig.\n")]);
    assert_eq!(text(&mut client, "wiki://guide").await, "# How\n\nDig.\n");
    wiki.commit(&[("chemenu.toml", "guide = \"gone.md\"\n")]);
    assert!(text(&mut client, "wiki://guide").await.starts_with("# A wiki without a name\n"));
}

#[tokio::test]
async fn a_commit_is_kept_long_and_head_is_not() {
    let mut wiki = Wiki::new();
    let old = wiki.commit.clone();
    wiki.commit(&[("weeds.md", "# Weeds\n\nGone.\n")]);
    let mut client = Client::modern(&wiki);
    let mut ttl = async |uri: String| read(&mut client, &uri).await["result"]["ttlMs"].as_u64().unwrap();
    let pinned = ttl(format!("wiki://page/weeds.md?at={old}")).await;
    let head = ttl("wiki://page/weeds.md".into()).await;
    assert!(head > 0 && pinned > 1000 * head, "{pinned} {head}");
    for moving in ["wiki://page/weeds.md?at=HEAD".into(), format!("wiki://page/weeds.md?at={}", &old[..8])] {
        assert_eq!(ttl(moving).await, head);
    }
    // It tells of the repository as it is now.
    assert_eq!(ttl(format!("wiki://status?at={old}")).await, head);
    assert!(text(&mut client, &format!("wiki://page/weeds.md?at={old}")).await.contains("No such page"));
    assert!(text(&mut client, "wiki://page/weeds.md").await.contains("Gone"));
}

#[tokio::test]
async fn what_is_not_there_is_said_with_its_uri_and_what_to_do() {
    let wiki = Wiki::new();
    let mut client = Client::modern(&wiki);
    for (uri, candidate) in [
        ("wiki://page/compast.md", Some("compost.md")),
        // A page has one URI.
        ("wiki://page/Compost", Some("compost.md")),
        ("wiki://page//compost.md", Some("compost.md")),
        ("wiki://page/./compost.md", Some("compost.md")),
        ("wiki://page/COMPOST.md", Some("compost.md")),
        ("wiki://page/../../etc/passwd", None),
        ("wiki://page/%2e%2e/%2e%2e/etc/passwd", None),
        ("wiki://page/chemenu.toml", None),
        ("wiki://page/.git/config", None),
        ("wiki://page/%00", None),
        ("wiki://page/", Some("wiki://guide{?at}")),
        ("wiki://page", Some("wiki://guide{?at}")),
        ("wiki://type/concpt", Some("concept")),
        ("wiki://type/..", None),
        ("wiki://nothing", Some("wiki://guide{?at}")),
        ("", Some("wiki://guide{?at}")),
        ("file:///etc/passwd", Some("wiki://guide{?at}")),
        ("https://example.org/", Some("wiki://guide{?at}")),
        ("wiki://guide?rev=HEAD", Some("at")),
        ("wiki://guide?at=", Some("at")),
        ("wiki://guide?at=no-such-revision", None),
        ("wiki://guide#top", Some("wiki://guide{?at}")),
        ("wiki://page/100%.md", None),
    ] {
        let answer = read(&mut client, uri).await;
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)), "{uri}: {answer}");
        assert!(!error["data"]["hint"].as_str().unwrap().is_empty());
        assert!(!error["message"].as_str().unwrap().ends_with('.'));
        if let Some(candidate) = candidate {
            assert_eq!(error["data"]["candidates"][0], candidate, "{uri}: {answer}");
        }
    }
    for params in [json!({}), json!({ "uri": 1 }), json!({ "uri": null })] {
        assert_eq!(client.request("resources/read", params).await["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn older_peers_have_a_code_of_their_own_and_no_new_fields() {
    let wiki = Wiki::new();
    for version in LEGACY {
        let (mut client, _) = Client::legacy(&wiki, version).await;
        assert_eq!(read(&mut client, "wiki://page/no.md").await["error"]["code"], -32002, "{version}");
        assert_eq!(text(&mut client, "wiki://page/soil.md").await.lines().next(), Some("---"));
        for (method, params) in [
            ("resources/read", json!({ "uri": "wiki://guide" })),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
        ] {
            let result = client.request(method, params).await["result"].clone();
            for field in ["ttlMs", "cacheScope", "resultType"] {
                assert!(result.get(field).is_none(), "{version} {method}: {result}");
            }
        }
    }
}

#[tokio::test]
async fn a_list_goes_on_in_the_commit_that_it_began_in() {
    let mut wiki = Wiki::new();
    let pages: Vec<String> = (0..1100).map(|number| format!("many/p{number:04}.md")).collect();
    wiki.commit(&pages.iter().map(|path| (path.as_str(), "# P\n")).collect::<Vec<_>>());
    let mut client = Client::modern(&wiki);
    let listed = list(&mut client).await;
    assert_eq!(listed.len(), 4 + 4 + 1100);
    let mut uris: Vec<&str> = listed.iter().map(|resource| resource["uri"].as_str().unwrap()).collect();
    uris.sort_unstable();
    uris.dedup();
    assert_eq!(uris.len(), listed.len());

    let first = client.request("resources/list", json!({})).await["result"].clone();
    let before = wiki.commit.clone();
    wiki.commit(&[("many/a.md", "# A\n")]);
    let second = client.request("resources/list", json!({ "cursor": first["nextCursor"] })).await["result"].clone();
    assert_eq!(second["_meta"][meta::COMMIT], before);
    assert_eq!(second["resources"].as_array().unwrap()[..], listed[500..1000]);
}

#[tokio::test]
async fn cursors_that_are_none_are_refused() {
    let mut wiki = Wiki::new();
    let pages: Vec<String> = (0..600).map(|number| format!("p{number}.md")).collect();
    wiki.commit(&pages.iter().map(|path| (path.as_str(), "# P\n")).collect::<Vec<_>>());
    let mut client = Client::modern(&wiki);
    let good = client.request("resources/list", json!({})).await["result"]["nextCursor"].as_str().unwrap().to_owned();
    let place = good.split_once('.').unwrap().1;
    let far = format!("{}99999", good);
    let other_commit = format!("{}.{place}", "0".repeat(40));
    for cursor in
        ["", "x", "HEAD.0", ".", "files.0", &good[..good.len() - 3], &far, &other_commit, &format!("HEAD.{place}")]
    {
        let answer = client.request("resources/list", json!({ "cursor": cursor })).await;
        assert_eq!(answer["error"]["code"], -32602, "{cursor}: {answer}");
    }
    assert!(client.request("resources/list", json!({ "cursor": good })).await.get("result").is_some());
    for method in ["tools/list", "prompts/list", "resources/templates/list"] {
        assert_eq!(client.request(method, json!({ "cursor": good })).await["error"]["code"], -32602, "{method}");
    }
}

#[tokio::test]
async fn files_that_are_not_committed_are_read_and_belong_to_no_commit() {
    let wiki = Wiki::new();
    wiki.write("new.md", "# New\n");
    let mut client = Client::modern(&wiki);
    let answer = read(&mut client, "wiki://page/new.md").await;
    assert_eq!(answer["result"]["contents"][0]["text"], "# New\n");
    assert_eq!(answer["result"]["_meta"][meta::COMMIT], Value::Null);
    assert_eq!(list(&mut client).await.len(), 9);
}
