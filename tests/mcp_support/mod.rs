//! A small wiki in a repository of its own, and a validator for what the server says of its answers.

#![allow(dead_code, reason = "each test program uses a part of this")]
#![allow(clippy::disallowed_methods, reason = "these tests make the wiki that they serve")]

pub(crate) mod client;
pub(crate) mod http;

use std::path::Path;

use chemenu_core::{Corpus, Options};
use chemenu_mcp::Server;
use git2::{Repository, Signature, Time};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The versions that begin with `initialize`.
pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The version in which every request stands for itself.
pub(crate) const MODERN: &str = "2026-07-28";

const FILES: [(&str, &str); 5] = [
    ("chemenu.toml", "name = \"Garden\"\n"),
    (
        "types/concept.md",
        "---\nname: concept\nsummary: An idea worth a page\nschema:\n  type: object\n  required: [summary]\n---\n# Concept\n",
    ),
    (
        "compost.md",
        "---\ntype: concept\nsummary: Rot with a purpose\nratio: 0.1\n---\n# Compost\n\nGreen and brown, see [[Soil]].\n",
    ),
    (
        "soil.md",
        "---\ntype: concept\nsummary: What compost becomes\n---\n# Soil\n\nBack to [[Compost]].\n\n## Größe\n\nTief.\n",
    ),
    ("weeds.md", "# Weeds\n\nSee [[No such page]].\n"),
];

/// A committed wiki, gone when it is dropped.
pub(crate) struct Wiki {
    folder: TempDir,
    /// The id of its last commit.
    pub(crate) commit: String,
}

impl Wiki {
    /// Five files, one commit.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Repository::init(folder.path()).unwrap();
        let mut wiki = Self { folder, commit: String::new() };
        wiki.commit(&FILES);
        wiki
    }

    /// The golden wiki, in one commit.
    pub(crate) fn golden() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Repository::init(folder.path()).unwrap();
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/wiki");
        let mut wiki = Self { folder, commit: String::new() };
        let files = files(&golden, "");
        wiki.commit_bytes(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
        wiki
    }

    /// A wiki that takes a while to be read.
    pub(crate) fn large() -> Self {
        let mut wiki = Self::new();
        let text =
            "# Page\n\n".to_owned() + &"Words of all kinds, größer and smaller, in [[Compost]] and out. ".repeat(60);
        let pages: Vec<(String, &str)> =
            (0..1500).map(|number| (format!("many/p{number}.md"), text.as_str())).collect();
        wiki.commit(&pages.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
        wiki
    }

    /// Writes files and commits them.
    pub(crate) fn commit(&mut self, files: &[(&str, &str)]) {
        self.commit_bytes(files.iter().map(|(path, text)| (*path, text.as_bytes())));
    }

    fn commit_bytes<'f>(&mut self, files: impl Iterator<Item = (&'f str, &'f [u8])>) {
        let repository = Repository::open(self.root()).unwrap();
        let mut index = repository.index().unwrap();
        for (path, bytes) in files {
            let file = self.root().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
            index.add_path(Path::new(path)).unwrap();
        }
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let author = Signature::new("Gardener", "gardener@example.org", &Time::new(1_700_000_000, 0)).unwrap();
        let parent = repository.head().ok().map(|head| head.peel_to_commit().unwrap());
        let parents: Vec<_> = parent.iter().collect();
        self.commit = repository.commit(Some("HEAD"), &author, &author, "Plant", &tree, &parents).unwrap().to_string();
    }

    /// Writes a file and does not commit it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        std::fs::write(self.root().join(path), text).unwrap();
    }

    /// Where it is.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// A server for it.
    pub(crate) fn server(&self) -> Server {
        let options = Options { root: Some(self.root().to_owned()), resident: true, ..Options::default() };
        Server::new(Corpus::open(options).unwrap())
    }
}

/// All files below a folder, sorted, with their paths.
fn files(folder: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(|entry| entry.file_name());
    let below = entries.into_iter().flat_map(|entry| {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path(), &format!("{path}/")),
            false => vec![(path, std::fs::read(entry.path()).unwrap())],
        }
    });
    below.collect()
}

/// The `_meta` of a modern request.
pub(crate) fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
    })
}

/// One call of each tool that has an answer in the wiki.
pub(crate) fn calls() -> [(&'static str, Value); 8] {
    [
        ("search", json!({ "query": "compost" })),
        ("page", json!({ "name": "Compost" })),
        ("links", json!({ "name": "Compost" })),
        ("types", json!({})),
        ("describe_type", json!({ "type": "concept" })),
        ("lint", json!({})),
        ("status", json!({})),
        ("changes", json!({ "since": "HEAD" })),
    ]
}

/// Checks what holds for every result of a tool: text and data are the same object, it is stamped, and it is what the
/// tool's output schema says. Gives the object.
pub(crate) fn checked(result: &Value, tool: &Value) -> Value {
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{result}");
    assert_eq!(content[0]["type"], "text");
    let text = content[0]["text"].as_str().unwrap();
    let object = &result["structuredContent"];
    assert_eq!(text, object.to_string(), "text and structured content differ");
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(keys[..2], ["commit", "as_of"]);
    assert_eq!(result["isError"], object.get("error").is_some());
    let validator = jsonschema::draft202012::new(&tool["outputSchema"]).unwrap();
    let problems: Vec<String> =
        validator.iter_errors(object).map(|error| format!("{} at {}", error, error.instance_path())).collect();
    assert_eq!(problems, Vec::<String>::new(), "{object}");
    object.clone()
}
