//! The golden of every error: its object as answers carry it.

use std::path::Path;

use chemenu_core::error::CODES;
use chemenu_core::{Answer, Error, Stamp};
use serde_json::Value;

/// One of each, in the order of the table.
fn samples() -> Vec<Error> {
    let text = |text: &str| text.to_owned();
    let names = |names: &[&str]| names.iter().map(|name| text(name)).collect::<Vec<_>>();
    vec![
        Error::NotAWiki { root: text("wiki") },
        Error::FolderNotFound { folder: text("docs"), revision: text("HEAD") },
        Error::ForeignOwner { path: text("wiki") },
        Error::UnsupportedRepository { feature: text("the object format sha256") },
        Error::Git { action: text("read the commit"), message: text("object not found") },
        Error::Io { path: text("p.md"), message: text("permission denied") },
        Error::RevisionNotFound { revision: text("v9") },
        Error::RevisionAmbiguous { revision: text("ab12"), candidates: names(&["ab1234", "ab1256"]) },
        Error::RevisionUnreachable { revision: text("f00d") },
        Error::DirtyTree { count: 2, first: names(&["p.md", "q.md"]) },
        Error::CacheInsideWiki { folder: text("wiki/cache") },
        Error::ConfigInvalid { line: 3, message: text("unknown key `exlude`"), candidates: names(&["exclude"]) },
        Error::PageNotFound { name: text("Gat"), candidates: names(&["gate.md"]) },
        Error::PageAmbiguous { name: text("gate"), candidates: names(&["a/gate.md", "b/gate.md"]) },
        Error::SectionNotFound { path: text("p.md"), section: text("Uses"), candidates: names(&["Use"]) },
        Error::LinesOutOfRange { path: text("p.md"), lines: text("90-99"), count: 12 },
        Error::PageUnreadable { path: text("p.md"), message: text("its object is missing") },
        Error::TypeNotFound { name: text("concpt"), candidates: names(&["concept"]) },
        Error::TypeAmbiguous { name: text("note"), candidates: names(&["types/note.md", "b/types/note.md"]) },
        Error::QuestionUnknown { name: text("serch"), candidates: names(&["search"]) },
        Error::ArgumentUnknown {
            question: text("search"),
            argument: text("quarry"),
            candidates: names(&["query", "limit"]),
        },
        Error::argument("search", "limit", "must be 1 to 100"),
        Error::NotChanged { path: text("p.md"), message: text("it has no front matter") },
        Error::Internal { message: text("the search index: it is gone") },
    ]
}

#[test]
fn every_error_has_a_golden() {
    let codes: Vec<&str> = samples().iter().map(|error| error.code().code).collect();
    let table: Vec<&str> = CODES.iter().map(|code| code.code).collect();
    assert_eq!(codes, table, "a sample for each row of the table, in its order");

    let answers: Vec<Value> = samples()
        .iter()
        .map(|error| serde_json::from_slice(&Answer::error(&Stamp::default(), error).json).unwrap())
        .collect();
    let found = serde_json::to_string_pretty(&answers).unwrap() + "\n";
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/errors.json");
    if std::env::var("CHEMENU_GOLDEN").as_deref() == Ok("write") {
        write(&golden, &found);
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(found == expected, "golden/errors.json differs; `CHEMENU_GOLDEN=write tests/run` renews it:\n{found}");
}

#[allow(clippy::disallowed_methods, reason = "a golden is rewritten when somebody asks for it")]
fn write(golden: &Path, text: &str) {
    std::fs::write(golden, text).unwrap();
}

#[test]
fn messages_keep_one_form() {
    for error in samples() {
        for sentence in [error.to_string(), error.hint()] {
            assert!(!sentence.is_empty() && !sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
            assert_eq!(sentence.matches('`').count() % 2, 0, "{sentence}");
        }
    }
}
