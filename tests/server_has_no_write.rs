//! No code that changes a wiki is linked into the server, and no flag or feature can put it there.

#![allow(clippy::disallowed_methods, reason = "this test asks cargo")]

use std::process::Command;

/// The names of all crates that a crate is built from, with every feature on.
fn crates_of(name: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", name, "-e", "normal,build", "--all-features", "--prefix", "none", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn has(crates: &[String], name: &str) -> bool {
    crates.iter().any(|known| known == name)
}

#[test]
fn the_server_links_no_code_that_changes_a_wiki() {
    let crates = crates_of("chemenu-mcp");
    assert!(has(&crates, "chemenu-core"), "an empty list would prove nothing");
    assert!(!has(&crates, "chemenu-write"));
    assert!(!has(&crates, "chemenu-py"));
}

#[test]
fn the_same_question_finds_that_code_where_it_is() {
    assert!(has(&crates_of("chemenu-py"), "chemenu-write"));
}
