//! Every state that a git repository may be in, and what the source makes of it. A test's name begins with the id of its case;
//! they stand in one file, however long, as the cases stand in one table.

#![allow(clippy::disallowed_methods, reason = "what reading may not do, these tests do to the wikis that are read")]

mod support;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use chemenu_core::source::{Commit, File, Listing, Origin, Reason, Repository};
use chemenu_core::{Error, Options};
use support::Wiki;

fn open(root: &Path) -> Repository {
    Repository::open(&options(root)).unwrap()
}

fn options(root: &Path) -> Options {
    Options { root: Some(root.to_owned()), ..Options::default() }
}

fn head(repository: &Repository) -> Commit {
    repository.head().unwrap().expect("HEAD names a commit")
}

fn paths(listing: &Listing) -> Vec<&str> {
    listing.files.iter().map(|file| file.path.as_str()).collect()
}

fn skipped(listing: &Listing) -> Vec<(&str, Reason)> {
    listing.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason)).collect()
}

fn text(repository: &Repository, listing: &Listing, path: &str) -> String {
    let file =
        listing.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is not in {listing:?}"));
    String::from_utf8(repository.read(file).unwrap()).unwrap()
}

/// The text of a page at HEAD.
fn at_head(repository: &Repository, path: &str) -> String {
    text(repository, &repository.list_commit(&head(repository)).unwrap(), path)
}

/// The text of a page in the work tree.
fn on_disk(repository: &Repository, path: &str) -> String {
    text(repository, &repository.list_work_tree().unwrap(), path)
}

/// A repository opened before a change sees it as well as one opened afterwards.
fn changes(wiki: &Wiki, change: impl FnOnce()) -> Vec<String> {
    let before = open(wiki.path());
    before.changes().unwrap();
    change();
    let changed = open(wiki.path()).changes().unwrap();
    assert_eq!(before.changes().unwrap(), changed);
    changed
}

fn touch(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5)).unwrap();
}

/// Runs one test of this file again in a process of its own, which may have another environment.
fn again(test: &str, change: impl FnOnce(&mut Command)) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("CHEMENU_TEST_AGAIN", "1");
    change(&mut command);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn is_again() -> bool {
    std::env::var_os("CHEMENU_TEST_AGAIN").is_some()
}

#[test]
fn g00_clean() {
    let wiki = Wiki::of(&[("a.md", "A"), ("b/c.MD", "C"), ("b-c.md", "D"), ("i.png", "I")]);
    let repository = open(wiki.path());
    assert_eq!(changes(&wiki, || ()), Vec::<String>::new());
    assert_eq!(repository.head().unwrap().unwrap().id.to_string(), wiki.git(&["rev-parse", "HEAD"]));
    assert_eq!(chemenu_core::source::as_of(head(&repository).seconds), "2026-09-01T10:00:00Z");
    assert!(repository.has_work_tree() && !repository.locked());
    let (tree, files) = (repository.list_commit(&head(&repository)).unwrap(), repository.list_work_tree().unwrap());
    assert_eq!(paths(&tree), ["a.md", "b-c.md", "b/c.MD", "i.png"]);
    assert_eq!(paths(&tree), paths(&files));
    assert_eq!(at_head(&repository, "b/c.MD"), "C");
    assert_eq!(on_disk(&repository, "b/c.MD"), "C");
}

#[test]
fn g01_dirty() {
    let wiki = Wiki::of(&[("a.md", "A"), ("i.png", "I")]);
    assert_eq!(changes(&wiki, || wiki.write("i.png", "J")), Vec::<String>::new());
    // Same size, right after the commit: the case that times cannot tell.
    assert_eq!(changes(&wiki, || wiki.write("a.md", "B")), ["a.md"]);
    let repository = open(wiki.path());
    assert_eq!((at_head(&repository, "a.md"), on_disk(&repository, "a.md")), ("A".into(), "B".into()));
}

#[test]
fn g01_what_answers_depend_on() {
    let wiki = Wiki::of(&[("w/a.md", "A")]);
    for name in ["w/x.txt", "w/.obsidian/x.md", "w/.x.md", "w/sub/chemenu.toml", "x.md"] {
        wiki.write(name, "x");
    }
    assert_eq!(open(&wiki.at("w")).changes().unwrap(), Vec::<String>::new());
    for name in ["w/chemenu.toml", "w/s/x.yaml", "w/s/x.yml", "w/s/x.json", "w/s/X.Md"] {
        wiki.write(name, "x");
    }
    assert_eq!(open(&wiki.at("w")).changes().unwrap(), ["chemenu.toml", "s/X.Md", "s/x.json", "s/x.yaml", "s/x.yml"]);
}

#[test]
fn g02_staged_while_the_file_equals_head() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let staged = || {
        wiki.write("a.md", "B");
        wiki.git(&["add", "a.md"]);
        wiki.write("a.md", "A");
    };
    assert_eq!(changes(&wiki, staged), ["a.md"]);
}

#[test]
fn g03_untracked() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    assert_eq!(changes(&wiki, || wiki.write("new/folder/b.md", "B")), ["new/folder/b.md"]);
    assert_eq!(on_disk(&open(wiki.path()), "new/folder/b.md"), "B");
}

#[test]
fn g04_ignored() {
    let wiki = Wiki::of(&[("a.md", "A"), (".gitignore", "drafts/\n*.tmp.md\n")]);
    let ignored = || {
        wiki.write("drafts/b.md", "B");
        wiki.write("c.tmp.md", "C");
    };
    assert_eq!(changes(&wiki, ignored), Vec::<String>::new());
    wiki.write("a.md", "A2");
    assert_eq!(paths(&open(wiki.path()).list_work_tree().unwrap()), ["a.md"]);
}

#[test]
fn g05_tracked_though_ignored() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.write(".gitignore", "a.md\n");
    wiki.commit("ignore");
    assert_eq!(changes(&wiki, || ()), Vec::<String>::new());
    assert_eq!(changes(&wiki, || wiki.write("a.md", "A2")), ["a.md"]);
    assert_eq!(on_disk(&open(wiki.path()), "a.md"), "A2");
}

#[test]
fn g06_excluded_by_info_exclude() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let excluded = || {
        wiki.write(".git/info/exclude", "/private.md\n");
        wiki.write("private.md", "P");
    };
    assert_eq!(changes(&wiki, excluded), Vec::<String>::new());
}

#[test]
fn g07_touched_only() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    assert_eq!(changes(&wiki, || touch(&wiki.at("a.md"))), Vec::<String>::new());
}

#[test]
fn g09_deleted() {
    let wiki = Wiki::of(&[("a.md", "A"), ("b.md", "B")]);
    assert_eq!(changes(&wiki, || fs::remove_file(wiki.at("a.md")).unwrap()), ["a.md"]);
    assert_eq!(paths(&open(wiki.path()).list_work_tree().unwrap()), ["b.md"]);
    wiki.git(&["rm", "-q", "--cached", "b.md"]);
    assert_eq!(open(wiki.path()).changes().unwrap(), ["a.md", "b.md"]);
    assert_eq!(paths(&open(wiki.path()).list_work_tree().unwrap()), ["b.md"], "no longer tracked, still there");
}

#[test]
fn g10_renamed() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    assert_eq!(changes(&wiki, || drop(wiki.git(&["mv", "a.md", "b.md"]))), ["a.md", "b.md"]);
    assert_eq!(paths(&open(wiki.path()).list_work_tree().unwrap()), ["b.md"]);
}

#[test]
fn g11_intent_to_add() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let intended = || {
        wiki.write("b.md", "B");
        wiki.write("empty.md", "");
        wiki.git(&["add", "-N", "b.md", "empty.md"]);
    };
    assert_eq!(changes(&wiki, intended), ["b.md", "empty.md"]);
    let repository = open(wiki.path());
    assert_eq!(paths(&repository.list_work_tree().unwrap()), ["a.md", "b.md", "empty.md"]);
    assert_eq!(on_disk(&repository, "b.md"), "B");
}

/// Two branches that changed one page and of which one deleted another.
fn conflicting() -> Wiki {
    let wiki = Wiki::of(&[("a.md", "A\n"), ("gone.md", "G\n"), ("same.md", "S\n")]);
    wiki.git(&["checkout", "-q", "-b", "other"]);
    wiki.write("a.md", "theirs\n");
    wiki.write("gone.md", "theirs\n");
    wiki.commit("theirs");
    wiki.git(&["checkout", "-q", "main"]);
    wiki.write("a.md", "ours\n");
    fs::remove_file(wiki.at("gone.md")).unwrap();
    wiki.commit("ours");
    wiki
}

#[test]
fn g12_conflict() {
    let wiki = conflicting();
    let conflict = || assert!(!wiki.try_git(&["merge", "other"]).status.success());
    assert_eq!(changes(&wiki, conflict), ["a.md", "gone.md"]);
    let repository = open(wiki.path());
    assert_eq!(paths(&repository.list_work_tree().unwrap()), ["a.md", "gone.md", "same.md"]);
    assert!(on_disk(&repository, "a.md").contains("<<<<<<<"));
}

#[test]
fn g13_stopped_rebase() {
    let wiki = conflicting();
    let stopped = || assert!(!wiki.try_git(&["rebase", "other"]).status.success());
    assert_eq!(changes(&wiki, stopped), ["a.md", "gone.md"]);
    let repository = open(wiki.path());
    assert_eq!(head(&repository).id.to_string(), wiki.git(&["rev-parse", "other"]));
    assert_eq!(repository.facts().branch, None);
}

#[test]
fn g14_detached() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let first = wiki.git(&["rev-parse", "HEAD"]);
    wiki.write("a.md", "A2");
    wiki.commit("second");
    let repository = open(wiki.path());
    head(&repository);
    wiki.git(&["checkout", "-q", &first]);
    assert_eq!(head(&repository).id.to_string(), first);
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!(repository.facts().head, Some(first));
    assert_eq!(repository.facts().branch, None);
}

#[test]
fn g15_unborn() {
    let wiki = Wiki::new();
    wiki.write("a.md", "A");
    wiki.write("b.md", "B");
    wiki.git(&["add", "b.md"]);
    let repository = open(wiki.path());
    assert_eq!(repository.head(), Ok(None));
    assert_eq!(repository.changes().unwrap(), ["a.md", "b.md"]);
    assert_eq!(on_disk(&repository, "a.md"), "A");
    assert_eq!(repository.facts().branch.as_deref(), Some("main"));
    let error = repository.resolve("2026-09-01").unwrap_err();
    assert_eq!(error, Error::RevisionNotFound { revision: "2026-09-01".into() });
    wiki.commit("born");
    assert!(repository.head().unwrap().is_some());
}

#[test]
fn g16_bare() {
    let wiki = Wiki::of(&[("a.md", "A"), ("docs/wiki/b.md", "B")]);
    wiki.git(&["clone", "-q", "--bare", ".", "bare.git"]);
    let bare = options(&wiki.at("bare.git"));
    let repository = Repository::open(&bare).unwrap();
    assert!(!repository.has_work_tree());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!(repository.list_work_tree().unwrap().files, []);
    assert_eq!(at_head(&repository, "docs/wiki/b.md"), "B");

    let folder = |name: &str| Options { folder: Some(name.into()), ..bare.clone() };
    let repository = Repository::open(&folder("/docs/wiki/")).unwrap();
    assert_eq!(paths(&repository.list_commit(&head(&repository)).unwrap()), ["b.md"]);
    let repository = Repository::open(&folder("docs/none")).unwrap();
    let error = repository.list_commit(&head(&repository)).unwrap_err();
    assert!(matches!(&error, Error::FolderNotFound { folder, .. } if folder == "docs/none"), "{error}");
    assert!(matches!(Repository::open(&folder("../x")), Err(Error::FolderNotFound { .. })));
}

#[test]
fn g16_bare_behind_a_git_file() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.git(&["clone", "-q", "--bare", ".", "all/.bare"]);
    wiki.write("all/.git", "gitdir: ./.bare\n");
    wiki.git(&["-C", "all", "worktree", "add", "-q", "tree", "main"]);
    let repository = open(&wiki.at("all"));
    assert!(!repository.has_work_tree());
    assert_eq!(at_head(&repository, "a.md"), "A");
    wiki.write("all/tree/a.md", "B");
    assert_eq!(open(&wiki.at("all/tree")).changes().unwrap(), ["a.md"]);
}

#[test]
fn g16_reference() {
    let wiki = Wiki::of(&[("w/a.md", "A")]);
    wiki.git(&["tag", "v1"]);
    wiki.write("w/a.md", "A2");
    wiki.commit("second");
    wiki.write("w/a.md", "dirty");
    let at = |reference: &str| {
        Repository::open(&Options { reference: Some(reference.into()), ..options(&wiki.at("w")) }).unwrap()
    };
    let repository = at("v1");
    assert!(!repository.has_work_tree());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!(at_head(&repository, "a.md"), "A");
    let main = at("main");
    assert_eq!(at_head(&main, "a.md"), "A2");
    wiki.commit("third");
    assert_eq!(at_head(&main, "a.md"), "dirty", "a branch is followed");
    assert_eq!(at("none").head(), Err(Error::RevisionNotFound { revision: "none".into() }));
}

#[test]
fn g17_linked_worktree() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.git(&["worktree", "add", "-q", "-b", "other", "linked"]);
    let repository = open(&wiki.at("linked"));
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    wiki.write("a.md", "only in the main one");
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    wiki.write("linked/a.md", "A2");
    assert_eq!(repository.changes().unwrap(), ["a.md"]);
    assert_eq!(repository.facts().branch.as_deref(), Some("other"));
    wiki.write(".git/worktrees/linked/index.lock", "");
    assert!(repository.locked());
    assert!(!open(wiki.path()).locked());
    // Seen from outside it is another repository's.
    let listing = open(wiki.path()).list_work_tree().unwrap();
    assert_eq!((paths(&listing), skipped(&listing)), (vec!["a.md"], vec![("linked", Reason::Submodule)]));
}

#[test]
fn g17_git_folder_elsewhere() {
    let elsewhere = tempfile::tempdir().unwrap();
    let wiki = Wiki::init(&["--separate-git-dir", elsewhere.path().join("git").to_str().unwrap()]);
    wiki.write("w/a.md", "A");
    wiki.commit("first");
    wiki.write("w/b.md", "B");
    let repository = open(&wiki.at("w"));
    assert_eq!(repository.changes().unwrap(), ["b.md"]);
    assert_eq!(repository.reader().unwrap().read(&repository.list_work_tree().unwrap().files[1]).unwrap(), b"B");
}

#[test]
fn g18_wiki_in_a_subfolder() {
    let wiki = Wiki::of(&[("top.md", "T"), ("docs/wiki/a.md", "A"), ("docs/wiki2/b.md", "B")]);
    wiki.write("top.md", "changed");
    wiki.write("docs/wiki2/b.md", "changed");
    wiki.write("docs/wikinew.md", "new");
    let repository = open(&wiki.at("docs/wiki"));
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!(at_head(&repository, "a.md"), "A");
    wiki.write("docs/wiki/n/b.md", "B");
    assert_eq!(repository.changes().unwrap(), ["n/b.md"]);
    assert_eq!(paths(&repository.list_work_tree().unwrap()), ["a.md", "n/b.md"]);

    let named = Options { folder: Some("docs/wiki".into()), ..options(wiki.path()) };
    assert_eq!(Repository::open(&named).unwrap().changes().unwrap(), ["n/b.md"]);
    let none = Options { folder: Some("docs/none".into()), ..options(wiki.path()) };
    assert!(matches!(Repository::open(&none), Err(Error::FolderNotFound { .. })));
}

#[test]
fn g18_a_folder_that_is_untracked_or_ignored() {
    let wiki = Wiki::of(&[("top.md", "T"), (".gitignore", "private/\n")]);
    wiki.write("new/wiki/a.md", "A");
    let repository = open(&wiki.at("new/wiki"));
    assert_eq!(repository.changes().unwrap(), ["a.md"]);
    assert_eq!(on_disk(&repository, "a.md"), "A");
    wiki.write("private/wiki/a.md", "A");
    let repository = open(&wiki.at("private/wiki"));
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    let error = repository.list_commit(&head(&repository)).unwrap_err();
    assert!(matches!(&error, Error::FolderNotFound { folder, .. } if folder == "private/wiki"), "{error}");
}

#[test]
fn g18_a_folder_whose_name_looks_like_a_pattern() {
    let wiki = Wiki::of(&[("[ab]*/a.md", "A"), ("a/a.md", "A")]);
    wiki.write("a/a.md", "changed");
    assert_eq!(open(&wiki.at("[ab]*")).changes().unwrap(), Vec::<String>::new());
    wiki.write("[ab]*/a.md", "changed");
    assert_eq!(open(&wiki.at("[ab]*")).changes().unwrap(), ["a.md"]);
}

#[test]
fn g18_the_root_is_found_from_a_folder_within() {
    if is_again() {
        let repository = Repository::open(&Options::default()).unwrap();
        let expected = std::env::var("EXPECTED").unwrap();
        return assert_eq!(paths(&repository.list_commit(&head(&repository)).unwrap()).join(" "), expected);
    }
    let wiki = Wiki::of(&[("t.md", "T"), ("w/chemenu.toml", ""), ("w/a.md", "A"), ("w/x/b.md", "B"), ("y/c.md", "C")]);
    let test = "g18_the_root_is_found_from_a_folder_within";
    for (folder, expected) in [
        ("w/x", "a.md chemenu.toml x/b.md"),
        ("y", "t.md w/a.md w/chemenu.toml w/x/b.md y/c.md"),
        ("w", "a.md chemenu.toml x/b.md"),
    ] {
        again(test, |command| {
            command.current_dir(wiki.at(folder)).env("EXPECTED", expected);
        });
    }
}

#[test]
fn g18_the_root_is_a_symlink() {
    let (wiki, links) = (Wiki::of(&[("w/a.md", "A")]), tempfile::tempdir().unwrap());
    symlink(wiki.at("w"), links.path().join("link")).unwrap();
    let repository = open(&links.path().join("link"));
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!((at_head(&repository, "a.md"), on_disk(&repository, "a.md")), ("A".into(), "A".into()));
    let inside = Options { folder: Some("w/out".into()), ..options(wiki.path()) };
    symlink("/etc", wiki.at("w/out")).unwrap();
    assert!(matches!(Repository::open(&inside), Err(Error::FolderNotFound { .. })));
}

#[test]
fn g18_no_wiki() {
    let folder = tempfile::tempdir().unwrap();
    let wiki = Wiki::of(&[("a.md", "A")]);
    for root in
        [folder.path().join("none"), folder.path().to_owned(), wiki.at("a.md"), wiki.at(".git"), wiki.at(".git/refs")]
    {
        let error = Repository::open(&options(&root)).unwrap_err();
        assert_eq!(error, Error::NotAWiki { root: root.display().to_string() });
    }
}

#[test]
fn g19_nested_repository() {
    let wiki = Wiki::of(&[("a.md", "A"), ("tracked/b.md", "B")]);
    wiki.git(&["init", "-q", "nested"]);
    wiki.write("nested/x.md", "X");
    wiki.git(&["init", "-q", "deep/er/nested"]);
    wiki.write("deep/er/nested/x.md", "X");
    wiki.git(&["init", "-q", "tracked"]);
    let repository = open(wiki.path());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    let listing = repository.list_work_tree().unwrap();
    assert_eq!(paths(&listing), ["a.md", "tracked/b.md"]);
    assert_eq!(skipped(&listing), [("deep/er/nested", Reason::Submodule), ("nested", Reason::Submodule)]);
    assert_eq!(open(&wiki.at("nested")).changes().unwrap(), ["x.md"], "its own root is the nested one");
}

#[test]
fn g24_packed_refs_only() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let repository = open(wiki.path());
    head(&repository);
    for round in 0..3 {
        wiki.write("a.md", round.to_string());
        let commit = wiki.commit("next");
        wiki.git(&["pack-refs", "--all"]);
        wiki.git(&["gc", "-q", "--prune=now"]);
        assert!(!wiki.at(".git/refs/heads/main").exists());
        // The handle is older than the packs, and packs that it knew are gone.
        assert_eq!(head(&repository).id.to_string(), commit);
        assert_eq!(at_head(&repository, "a.md"), round.to_string());
        assert_eq!(
            repository.resolve("HEAD~1").unwrap(),
            repository.resolve(&wiki.git(&["rev-parse", "HEAD~1"])).unwrap()
        );
    }
}

#[test]
fn g24_packs_of_every_kind() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.git(&["clone", "-q", "--shared", ".", "borrower"]);
    let borrower = open(&wiki.at("borrower"));
    assert_eq!(at_head(&borrower, "a.md"), "A", "objects of another repository");
    let repository = open(wiki.path());
    for (round, arguments) in [
        vec!["repack", "-q", "-a", "-d", "--write-midx"],
        vec!["multi-pack-index", "write"],
        vec!["commit-graph", "write", "--reachable"],
        vec!["repack", "-q", "--cruft", "-d"],
        vec!["gc", "-q", "--prune=now"],
    ]
    .into_iter()
    .enumerate()
    {
        wiki.write("a.md", round.to_string());
        wiki.commit("next");
        wiki.git(&arguments);
        assert_eq!(at_head(&repository, "a.md"), round.to_string(), "{arguments:?}");
    }
    assert_eq!(at_head(&borrower, "a.md"), "A");
}

#[test]
fn g25_reftable() {
    let wiki = Wiki::init(&["--ref-format=reftable"]);
    wiki.write("a.md", "A");
    wiki.commit("first");
    let error = Repository::open(&options(wiki.path())).unwrap_err();
    assert_eq!(error, Error::UnsupportedRepository { feature: "the reference storage reftable".into() });
}

#[test]
fn g27_assume_unchanged() {
    let wiki = Wiki::of(&[("a.md", "A"), ("b.md", "B")]);
    wiki.git(&["update-index", "--assume-unchanged", "a.md", "b.md"]);
    assert_eq!(changes(&wiki, || wiki.write("a.md", "differs")), Vec::<String>::new());
    assert_eq!(changes(&wiki, || fs::remove_file(wiki.at("b.md")).unwrap()), Vec::<String>::new());
    assert_eq!(at_head(&open(wiki.path()), "a.md"), "A");
}

#[test]
fn g28_skip_worktree() {
    let wiki = Wiki::of(&[("a.md", "A"), ("b.md", "B")]);
    wiki.git(&["update-index", "--skip-worktree", "a.md", "b.md"]);
    assert_eq!(changes(&wiki, || wiki.write("a.md", "differs")), Vec::<String>::new());
    assert_eq!(changes(&wiki, || fs::remove_file(wiki.at("b.md")).unwrap()), Vec::<String>::new());
    let repository = open(wiki.path());
    assert_eq!(at_head(&repository, "a.md"), "A");
    assert_eq!(on_disk(&repository, "b.md"), "B", "left out of the checkout, not deleted");
    wiki.git(&["rm", "-q", "--sparse", "--cached", "a.md"]);
    assert_eq!(repository.changes().unwrap(), ["a.md"], "a staged change counts all the same");
}

#[test]
fn g28_sparse_checkout() {
    let wiki = Wiki::of(&[("a.md", "A"), ("in/b.md", "B"), ("out/c.md", "C")]);
    wiki.git(&["sparse-checkout", "set", "in"]);
    assert!(!wiki.at("out/c.md").exists());
    let repository = open(wiki.path());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    let listing = repository.list_work_tree().unwrap();
    assert_eq!(paths(&listing), ["a.md", "in/b.md", "out/c.md"]);
    assert_eq!(text(&repository, &listing, "out/c.md"), "C");
    wiki.git(&["sparse-checkout", "reapply", "--sparse-index"]);
    let error = repository.changes().unwrap_err();
    assert_eq!(error, Error::UnsupportedRepository { feature: "a sparse index".into() });
    assert_eq!(at_head(&repository, "out/c.md"), "C", "which `--dirty ignore` does not need");
}

#[test]
fn g28_split_index() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.git(&["update-index", "--split-index"]);
    let error = open(wiki.path()).changes().unwrap_err();
    assert_eq!(error, Error::UnsupportedRepository { feature: "a split index".into() });
    wiki.git(&["update-index", "--no-split-index"]);
    assert_eq!(open(wiki.path()).changes().unwrap(), Vec::<String>::new(), "the hint's way out works");
}

#[test]
fn g28_indexes_of_every_kind() {
    for setting in [
        "index.version=4",
        "index.skipHash=true",
        "core.untrackedCache=true",
        "index.threads=2",
        "feature.manyFiles=true",
    ] {
        let wiki = Wiki::of(&[("a.md", "A"), ("b/c.md", "C")]);
        let (key, value) = setting.split_once('=').unwrap();
        wiki.git(&["config", key, value]);
        wiki.write("b/d.md", "D");
        wiki.commit("written anew");
        wiki.git(&["status"]);
        let repository = open(wiki.path());
        assert_eq!(repository.changes().unwrap(), Vec::<String>::new(), "{setting}");
        assert_eq!(paths(&repository.list_work_tree().unwrap()), ["a.md", "b/c.md", "b/d.md"], "{setting}");
    }
}

#[test]
fn g35_stale_lock_and_read_only_git() {
    let wiki = Wiki::of(&[("a.md", "A"), ("b/c.md", "C")]);
    wiki.write(".git/index.lock", "");
    touch(&wiki.at("a.md"));
    let everything = [".git", ".git/objects", ".git/refs", ".git/refs/heads", ".git/index"];
    let mode = |mode: u32| {
        everything.map(|path| fs::set_permissions(wiki.at(path), fs::Permissions::from_mode(mode)).unwrap())
    };
    mode(0o555);
    let before = wiki.fingerprint();
    let repository = open(wiki.path());
    assert!(repository.locked());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    assert_eq!(at_head(&repository, "a.md"), "A");
    assert_eq!(on_disk(&repository, "b/c.md"), "C");
    repository.facts();
    assert_eq!(wiki.fingerprint(), before);
    mode(0o755);
}

#[test]
fn g36_git_variables_of_another_repository() {
    if is_again() {
        let repository = Repository::open(&Options::default()).unwrap();
        assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
        assert_eq!(on_disk(&repository, "mine.md"), "M");
        return assert_eq!(at_head(&repository, "mine.md"), "M");
    }
    let (mine, other) = (Wiki::of(&[("mine.md", "M")]), Wiki::of(&[("other.md", "O")]));
    again("g36_git_variables_of_another_repository", |command| {
        command
            .current_dir(mine.path())
            .env("GIT_DIR", other.at(".git"))
            .env("GIT_WORK_TREE", other.path())
            .env("GIT_INDEX_FILE", other.at(".git/index"))
            .env("GIT_OBJECT_DIRECTORY", other.at(".git/objects"))
            .env("GIT_COMMON_DIR", other.at(".git"))
            .env("GIT_CEILING_DIRECTORIES", mine.path().parent().unwrap())
            .env("GIT_NAMESPACE", "elsewhere");
    });
}

/// A program that leaves a trace, to name in a repository's configuration.
fn tracing_program(wiki: &Wiki) -> String {
    wiki.write(".git/program", format!("#!/bin/sh\ntouch '{}'\ncat\n", wiki.at(".git/ran").display()));
    fs::set_permissions(wiki.at(".git/program"), fs::Permissions::from_mode(0o755)).unwrap();
    wiki.at(".git/program").display().to_string()
}

#[test]
fn g37_fsmonitor_is_not_run() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    wiki.git(&["config", "core.fsmonitor", &tracing_program(&wiki)]);
    assert_eq!(changes(&wiki, || touch(&wiki.at("a.md"))), Vec::<String>::new());
    assert_eq!(changes(&wiki, || wiki.write("a.md", "B")), ["a.md"]);
    open(wiki.path()).list_work_tree().unwrap();
    assert!(!wiki.at(".git/ran").exists());
    wiki.git(&["status"]);
    assert!(wiki.at(".git/ran").exists(), "the program does leave a trace");
}

#[test]
fn g38_autocrlf() {
    let wiki = Wiki::of(&[("a.md", "one\ntwo\n")]);
    let before = open(wiki.path());
    before.changes().unwrap();
    wiki.git(&["config", "core.autocrlf", "true"]);
    fs::remove_file(wiki.at("a.md")).unwrap();
    wiki.git(&["checkout", "-q", "a.md"]);
    assert_eq!(fs::read(wiki.at("a.md")).unwrap(), b"one\r\ntwo\r\n");
    touch(&wiki.at("a.md"));
    assert_eq!(wiki.git(&["status", "--porcelain"]), "");
    touch(&wiki.at("a.md"));
    for repository in [before, open(wiki.path())] {
        assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
        assert_eq!(at_head(&repository, "a.md"), "one\ntwo\n");
    }
    wiki.write("a.md", "one\r\ntoo\r\n");
    assert_eq!(open(wiki.path()).changes().unwrap(), ["a.md"]);
}

#[test]
fn g38_external_filter_is_not_run() {
    let wiki = Wiki::of(&[("a.md", "A"), (".gitattributes", "*.md filter=trace\n")]);
    wiki.git(&["config", "filter.trace.clean", &tracing_program(&wiki)]);
    wiki.git(&["config", "filter.trace.required", "true"]);
    assert_eq!(changes(&wiki, || touch(&wiki.at("a.md"))), Vec::<String>::new());
    assert_eq!(changes(&wiki, || wiki.write("a.md", "B")), ["a.md"]);
    assert_eq!(on_disk(&open(wiki.path()), "a.md"), "B");
    assert!(!wiki.at(".git/ran").exists());
    wiki.git(&["add", "a.md"]);
    assert!(wiki.at(".git/ran").exists(), "the program does leave a trace");
}

#[test]
fn g39_foreign_owner() {
    let wiki = Wiki::of(&[("sub/a.md", "A")]);
    if fs::metadata(wiki.path()).unwrap().uid() != 0 {
        return println!("skipped: only root can give a folder away");
    }
    for path in [wiki.path().to_owned(), wiki.at(".git")] {
        std::os::unix::fs::chown(path, Some(12345), None).unwrap();
    }
    let error = Repository::open(&options(wiki.path())).unwrap_err();
    assert_eq!(error, Error::ForeignOwner { path: wiki.path().display().to_string() });
    assert!(error.hint().contains("safe.directory"), "{}", error.hint());
    let error = Repository::open(&options(&wiki.at("sub"))).unwrap_err();
    assert_eq!(error, Error::ForeignOwner { path: wiki.at("sub/..").display().to_string() });
}

#[test]
fn g39_sha256() {
    let wiki = Wiki::init(&["--object-format=sha256"]);
    wiki.write("a.md", "A");
    wiki.commit("first");
    let error = Repository::open(&options(wiki.path())).unwrap_err();
    assert_eq!(error, Error::UnsupportedRepository { feature: "the object format sha256".into() });
}

#[test]
fn g39_unknown_formats() {
    for (key, value, feature) in [
        ("extensions.fromTheFuture", "true", "the repository extension fromthefuture"),
        ("core.repositoryFormatVersion", "7", "the repository format 7"),
    ] {
        let wiki = Wiki::of(&[("a.md", "A")]);
        wiki.git(&["config", "core.repositoryFormatVersion", "1"]);
        wiki.git(&["config", key, value]);
        let error = Repository::open(&options(wiki.path())).unwrap_err();
        assert_eq!(error, Error::UnsupportedRepository { feature: feature.into() });
    }
}

#[test]
fn e01_symlinks() {
    let wiki = Wiki::of(&[("a.md", "A"), ("real/b.md", "B")]);
    symlink("real", wiki.at("inside")).unwrap();
    symlink("/etc/hostname", wiki.at("outside.md")).unwrap();
    wiki.commit("links");
    symlink("a.md", wiki.at("untracked.md")).unwrap();
    let repository = open(wiki.path());
    let expected = [("inside", Reason::Symlink), ("outside.md", Reason::Symlink)];
    let (tree, disk) = (repository.list_commit(&head(&repository)).unwrap(), repository.list_work_tree().unwrap());
    assert_eq!((paths(&tree), skipped(&tree)), (vec!["a.md", "real/b.md"], expected.to_vec()));
    assert_eq!(paths(&disk), ["a.md", "real/b.md"]);
    assert_eq!(skipped(&disk), [expected.as_slice(), &[("untracked.md", Reason::Symlink)]].concat());
}

#[test]
fn e01_a_folder_or_file_becomes_a_symlink() {
    let wiki = Wiki::of(&[("a/b/c.md", "C"), ("d.md", "D"), ("elsewhere/b/c.md", "secret")]);
    let repository = open(wiki.path());
    let listing = repository.list_work_tree().unwrap();
    fs::rename(wiki.at("a"), wiki.at("was")).unwrap();
    symlink("elsewhere", wiki.at("a")).unwrap();
    fs::remove_file(wiki.at("d.md")).unwrap();
    symlink("elsewhere/b/c.md", wiki.at("d.md")).unwrap();
    for file in listing.files.iter().filter(|file| !file.path.starts_with("elsewhere")) {
        let error = repository.read(file).unwrap_err();
        assert!(matches!(&error, Error::PageUnreadable { path, .. } if *path == file.path), "{error}");
    }
    assert_eq!(repository.changes().unwrap(), ["a/b/c.md", "d.md", "was/b/c.md"]);
    let listing = repository.list_work_tree().unwrap();
    assert_eq!(paths(&listing), ["elsewhere/b/c.md", "was/b/c.md"]);
    assert_eq!(skipped(&listing), [("a", Reason::Symlink), ("d.md", Reason::Symlink)]);
}

#[test]
fn e01_names_that_git_would_not_make() {
    let wiki = Wiki::of(&[("w/a.md", "A"), ("secret.md", "S")]);
    let repository = open(&wiki.at("w"));
    for stored in ["../secret.md", "/etc/hostname", "./a.md", "x/../a.md", "", "a.md/"] {
        let file = File { path: stored.into(), origin: Origin::WorkTree(stored.into()) };
        assert!(repository.read(&file).is_err(), "{stored}");
    }
}

#[test]
fn e02_submodules() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let other = Wiki::of(&[("x.md", "X")]);
    wiki.git(&["submodule", "--quiet", "add", other.path().to_str().unwrap(), "module"]);
    let id = wiki.git(&["rev-parse", "HEAD"]);
    wiki.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},link.md")]);
    fs::create_dir(wiki.at("link.md")).unwrap();
    wiki.commit("modules");
    wiki.write("module/x.md", "changed inside the submodule");
    let repository = open(wiki.path());
    assert_eq!(repository.changes().unwrap(), Vec::<String>::new());
    let expected = [("link.md", Reason::Submodule), ("module", Reason::Submodule)];
    for listing in [repository.list_commit(&head(&repository)).unwrap(), repository.list_work_tree().unwrap()] {
        assert_eq!((paths(&listing), skipped(&listing)), (vec!["a.md"], expected.to_vec()));
    }
}

#[test]
fn e05_missing_objects() {
    let origin = Wiki::of(&[("a.md", "A"), ("deep/b.md", "B")]);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let wiki = Wiki::new();
    let url = format!("file://{}", origin.path().display());
    wiki.git(&["clone", "-q", "--filter=blob:none", "--no-checkout", &url, "partial"]);
    // Were the network touched, it would now give the blobs.
    let repository = open(&wiki.at("partial"));
    let listing = repository.list_commit(&head(&repository)).unwrap();
    assert_eq!(paths(&listing), ["a.md", "deep/b.md"]);
    for file in &listing.files {
        let error = repository.read(file).unwrap_err();
        assert!(
            matches!(&error, Error::PageUnreadable { path, message } if *path == file.path && message.contains("missing"))
        );
    }

    let broken = Wiki::of(&[("a.md", "A"), ("deep/b.md", "B")]);
    let object = |name: &str| {
        let id = broken.git(&["rev-parse", name]);
        (broken.at(format!(".git/objects/{}/{}", &id[..2], &id[2..])), id)
    };
    let repository = open(broken.path());
    fs::remove_file(object("HEAD:a.md").0).unwrap();
    assert_eq!(at_head(&repository, "deep/b.md"), "B", "the rest works");
    broken.write("a.md", "other"); // Damaged, not missing.
    let (path, _) = object(&broken.git(&["hash-object", "-w", "a.md"]));
    broken.commit("damaged");
    fs::remove_file(&path).unwrap();
    fs::write(path, "no object").unwrap();
    let listing = repository.list_commit(&head(&repository)).unwrap();
    assert!(matches!(repository.read(&listing.files[0]), Err(Error::PageUnreadable { .. })));
    assert_eq!(text(&repository, &listing, "deep/b.md"), "B");
    let (path, id) = object("HEAD:deep");
    fs::remove_file(path).unwrap();
    let repository = open(broken.path());
    let error = repository.list_commit(&head(&repository)).unwrap_err().to_string();
    assert!(error.contains(&id) && error.contains("`deep`"), "{error}");
}

#[test]
fn e08_names() {
    let wiki = Wiki::new();
    let names: [&[u8]; 9] = [
        b"-lead.md",
        b"X.MD",
        b"a b.md",
        b"a:b.md",
        b"back\\slash.md",
        b"line\nend.md",
        b"\xc3\xbc.md",
        b"tab\t.md",
        b"bad\xff\\.md",
    ];
    for name in names {
        wiki.write(name, name);
    }
    wiki.write(".hidden/x.md", "H");
    wiki.write(".hidden/deep/y.MD", "H");
    wiki.write(".hidden/z.txt", "H");
    wiki.write(".h.md", "H");
    wiki.commit("names");
    let repository = open(wiki.path());
    let mut expected: Vec<(&[u8], String)> =
        names.iter().map(|name| (*name, String::from_utf8_lossy(name).into_owned())).collect();
    expected.last_mut().unwrap().1 = "bad\\xff\\\\.md".into();
    expected.sort();
    let hidden = [".h.md", ".hidden/deep/y.MD", ".hidden/x.md"].map(|path| (path, Reason::Hidden));
    for listing in [repository.list_commit(&head(&repository)).unwrap(), repository.list_work_tree().unwrap()] {
        assert_eq!(skipped(&listing), hidden);
        assert_eq!(paths(&listing), expected.iter().map(|(_, shown)| shown.as_str()).collect::<Vec<_>>());
        for (file, (name, _)) in listing.files.iter().zip(&expected) {
            assert_eq!(repository.read(file).unwrap(), *name);
        }
    }
    wiki.write(b"bad\xff\\.md", "changed");
    assert_eq!(repository.changes().unwrap(), ["bad\\xff\\\\.md"]);
}
