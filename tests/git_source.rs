//! Revisions, facts, and what holds in every state of a repository.

#![allow(clippy::disallowed_methods, reason = "what reading may not do, these tests do to the wikis that are read")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use chemenu_core::source::{Entry, Listing, MAX_PAGE_BYTES, Origin, Repository, as_of};
use chemenu_core::{Error, Options};
use support::Wiki;

fn open(root: &Path) -> Repository {
    Repository::open(&Options { root: Some(root.to_owned()), ..Options::default() }).unwrap()
}

fn id(repository: &Repository, revision: &str) -> String {
    repository.resolve(revision).unwrap_or_else(|error| panic!("{error}")).id.to_string()
}

/// Four commits, one hour apart from 10:00 on, of which the last is a merge whose second parent is a side branch.
fn history() -> (Wiki, Vec<String>) {
    let wiki = Wiki::of(&[("a.md", "0")]);
    let mut commits = vec![wiki.git(&["rev-parse", "HEAD"])];
    wiki.git(&["checkout", "-q", "-b", "side"]);
    wiki.write("b.md", "side");
    commits.push(wiki.commit("side"));
    wiki.git(&["checkout", "-q", "main"]);
    wiki.write("a.md", "2");
    commits.push(wiki.commit("main"));
    wiki.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    commits.push(wiki.git(&["rev-parse", "HEAD"]));
    (wiki, commits)
}

#[test]
fn revisions_by_name() {
    let (wiki, commits) = history();
    wiki.git(&["tag", "light", "HEAD~1"]);
    wiki.git(&["tag", "-a", "-m", "heavy", "2026-09-02", "HEAD~1"]);
    wiki.git(&["branch", "folder/name"]);
    wiki.git(&["update-ref", "refs/remotes/origin/far", "HEAD^2"]);
    let repository = open(wiki.path());
    for (revision, expected) in [
        (commits[0].as_str(), 0),
        (&commits[0][..7], 0),
        (&commits[0][..12].to_uppercase(), 0),
        ("HEAD", 3),
        ("@", 3),
        ("main", 3),
        ("refs/heads/main", 3),
        ("folder/name", 3),
        ("origin/far", 1),
        ("side", 1),
        ("light", 2),
        ("2026-09-02", 2), // A tag's name comes before a date.
        ("2026-09-02^{commit}", 2),
        ("2026-09-02~1", 0),
        ("HEAD~1", 2),
        ("HEAD~2", 0),
        ("HEAD^", 2),
        ("HEAD^2", 1),
        ("main^2~1", 0),
        ("HEAD^^", 0),
        ("HEAD^{}", 3),
    ] {
        assert_eq!(id(&repository, revision), commits[expected], "{revision}");
    }
}

#[test]
fn revisions_that_are_none() {
    let (wiki, commits) = history();
    wiki.git(&["branch", "tracking", "--track", "main"]);
    let tree = wiki.git(&["rev-parse", "HEAD^{tree}"]);
    let blob = wiki.git(&["rev-parse", "HEAD:a.md"]);
    let long = "x".repeat(1_000_000);
    let repository = open(wiki.path());
    for revision in [
        "",
        " ",
        "none",
        "HEAD~3",
        "HEAD~99999999999",
        "HEAD^3",
        "HEAD^x",
        "~",
        "^",
        "..",
        "main..side",
        "main...side",
        "^main",
        "HEAD:a.md",
        ":a.md",
        ":/side",
        "HEAD^{/side}",
        "HEAD^{tree}",
        "HEAD^{blob}",
        "HEAD@{0}",
        "tracking@{upstream}",
        "@{-1}",
        "main@{2026-09-01}",
        "config",
        "index",
        "../HEAD",
        "/etc/passwd",
        "HEAD\0",
        "HEAD\n",
        "--all",
        "0000000",
        "ma*n",
        "ä",
        "HEAD~ä",
        "2026-13-01",
        "2026-02-30",
        "2026-09-01T",
        "09/01/2026",
        "yesterday",
        tree.as_str(),
        blob.as_str(),
        long.as_str(),
        &commits[0][..3],
    ] {
        assert_eq!(repository.resolve(revision), Err(Error::RevisionNotFound { revision: revision.into() }));
    }
}

#[test]
fn revisions_by_date() {
    let (wiki, commits) = history();
    let repository = open(wiki.path());
    for (date, expected) in [
        ("2026-09-01T10:00:00Z", Some(0)),
        ("2026-09-01T09:59:59Z", None),
        ("2026-09-01T11:30:00Z", Some(0)), // The side branch is not on the first-parent line.
        ("2026-09-01T12:00:00Z", Some(2)),
        ("2026-09-01T12:59:59.999Z", Some(2)),
        ("2026-09-01T14:00:00+02:00", Some(2)),
        ("2026-09-01t14:00:00+02:00", Some(2)),
        ("2026-09-01T13:00:00Z", Some(3)),
        ("2026-09-01", Some(3)),
        ("2030-01-01", Some(3)),
        ("9999-12-31", Some(3)),
        ("9999-12-31T23:59:59Z", Some(3)),
        ("2026-08-31", None),
    ] {
        let found = repository.resolve(date).ok().map(|commit| commit.id.to_string());
        assert_eq!(found, expected.map(|index: usize| commits[index].clone()), "{date}");
    }
    // From the revision that is served, not from what is checked out.
    let side = Options { root: Some(wiki.path().to_owned()), reference: Some("side".into()), ..Options::default() };
    assert_eq!(id(&Repository::open(&side).unwrap(), "2030-01-01"), commits[1]);
}

#[test]
fn revisions_that_are_ambiguous() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    // So many that some ids begin with the same four digits.
    let mut script = String::new();
    for number in 0..1500 {
        script += &format!("commit refs/heads/many{number}\ncommitter T <t@example.org> {number} +0000\ndata 0\n\n");
    }
    wiki.write("script", &script);
    wiki.git(&["config", "alias.import", "!git fast-import --quiet < script"]);
    wiki.git(&["import"]);
    let commits: BTreeSet<String> =
        wiki.git(&["for-each-ref", "--format=%(objectname)"]).lines().map(str::to_owned).collect();
    let repository = open(wiki.path());
    let mut checked = (false, false);
    for commit in &commits {
        let alike: Vec<String> = commits.iter().filter(|other| other[..4] == commit[..4]).cloned().collect();
        let result = repository.resolve(&commit[..4]);
        if let [only] = alike.as_slice() {
            assert_eq!(result.unwrap().id.to_string(), *only);
            checked.0 = true;
        } else {
            assert_eq!(result, Err(Error::RevisionAmbiguous { revision: commit[..4].into(), candidates: alike }));
            checked.1 = true;
        }
    }
    assert_eq!(checked, (true, true));
}

#[test]
fn a_shallow_clone_ends_where_it_ends() {
    let (origin, commits) = history();
    let wiki = Wiki::new();
    wiki.git(&["clone", "-q", "--depth=2", &format!("file://{}", origin.path().display()), "shallow"]);
    let repository = open(&wiki.at("shallow"));
    assert_eq!(id(&repository, "HEAD~1"), commits[2]);
    assert_eq!(id(&repository, "2026-09-01T12:00:00Z"), commits[2]);
    for revision in ["HEAD~2", "2026-09-01T11:00:00Z", commits[0].as_str()] {
        assert_eq!(repository.resolve(revision), Err(Error::RevisionNotFound { revision: revision.into() }));
    }
}

#[test]
fn facts() {
    let (origin, commits) = history();
    let wiki = Wiki::new();
    wiki.git(&["clone", "-q", &format!("file://{}", origin.path().display()), "clone"]);
    let repository = open(&wiki.at("clone"));
    let facts = repository.facts();
    assert_eq!((facts.head.as_deref(), facts.branch.as_deref()), (Some(commits[3].as_str()), Some("main")));
    assert_eq!((facts.upstream.as_deref(), facts.behind, facts.last_fetch), (Some("origin/main"), Some(0), None));
    origin.commit("one");
    origin.commit("two");
    wiki.git(&["-C", "clone", "fetch", "-q"]);
    let facts = repository.facts();
    assert_eq!(facts.behind, Some(2));
    assert!(facts.last_fetch.is_some_and(|seconds| as_of(seconds).as_str() > "2020"));
    wiki.git(&["-C", "clone", "update-ref", "-d", "refs/remotes/origin/main"]);
    assert_eq!((repository.facts().upstream.as_deref(), repository.facts().behind), (Some("origin/main"), None));
    assert_eq!(open(origin.path()).facts().upstream, None);
}

#[test]
fn times_are_written_whatever_a_commit_claims() {
    assert_eq!(as_of(1_788_343_200), "2026-09-02T10:00:00Z");
    assert_eq!(as_of(0), "1970-01-01T00:00:00Z");
    assert_eq!(as_of(-1), "1969-12-31T23:59:59Z");
    assert!(as_of(i64::MAX).starts_with("9999-12-3"));
    assert!(!as_of(i64::MIN).is_empty());
}

#[test]
fn threads_read_side_by_side() {
    let wiki = Wiki::new();
    for number in 0..200 {
        wiki.write(format!("{number}.md"), format!("text {number}"));
    }
    wiki.commit("many");
    wiki.git(&["gc", "-q"]);
    wiki.write("0.md", "text 0 "); // One from the disk.
    let repository = open(wiki.path());
    let mut files = repository.list_commit(&repository.head().unwrap().unwrap()).unwrap().files;
    files.extend(repository.list_work_tree().unwrap().files);
    let repository = &repository;
    std::thread::scope(|scope| {
        for half in files.chunks(files.len() / 2) {
            scope.spawn(move || {
                let reader = repository.reader().unwrap();
                for file in half {
                    let text = String::from_utf8(reader.read(file).unwrap()).unwrap();
                    assert_eq!(text.trim_end(), format!("text {}", file.path.trim_end_matches(".md")));
                    assert!(repository.head().unwrap().is_some());
                }
            });
        }
    });
}

#[test]
fn what_a_reader_takes_from_packs_is_what_libgit2_reads() {
    let wiki = Wiki::new();
    // So that it can hardly be packed.
    let noise = |bytes: u32| -> String {
        (0..bytes)
            .map(|at| char::from(b' ' + (at.wrapping_mul(at).wrapping_mul(0x9E37_79B9) >> 24) as u8 % 95))
            .collect()
    };
    let mut texts = vec![String::new(), "short".into(), "a".repeat(100_000), noise(50_000), noise(3 << 20)];
    texts.extend((0..20).map(|number| format!("{}{number}", noise(2000))));
    for (number, text) in texts.iter().enumerate() {
        wiki.write(format!("{number:02}.md"), text);
    }
    wiki.commit("all");
    wiki.git(&["gc", "-q"]);
    let repository = open(wiki.path());
    let files = repository.list_commit(&repository.head().unwrap().unwrap()).unwrap().files;
    let reader = repository.reader().unwrap();
    for (file, text) in files.iter().zip(&texts) {
        assert_eq!(reader.read(file).unwrap(), text.as_bytes(), "{}", file.path);
        assert_eq!(reader.read(file), repository.read(file));
    }
    // While a pack is open, libgit2 takes it for the one that is opened.
    drop(reader);
    drop(repository);

    let mut packs = fs::read_dir(wiki.at(".git/objects/pack")).unwrap().map(|entry| entry.unwrap().path());
    let pack = packs.find(|path| path.extension().is_some_and(|suffix| suffix == "pack")).unwrap();
    let whole = fs::read(&pack).unwrap();
    let mut damaged = 0;
    for part in 1..40 {
        let mut bytes = whole.clone();
        bytes[whole.len() * part / 40] ^= 0x10;
        fs::remove_file(&pack).unwrap();
        fs::write(&pack, bytes).unwrap();
        let repository = open(wiki.path());
        let reader = repository.reader().unwrap();
        for file in &files {
            let read = reader.read(file);
            damaged += usize::from(read.is_err());
            assert_eq!(read, repository.read(file), "{}", file.path);
        }
    }
    assert!(damaged > 0);
}

#[test]
fn huge_pages_are_listed_and_not_read() {
    let wiki = Wiki::new();
    fs::File::create(wiki.at("huge.md")).unwrap().set_len(MAX_PAGE_BYTES as u64 + 1).unwrap();
    fs::File::create(wiki.at("large.md")).unwrap().set_len(MAX_PAGE_BYTES as u64).unwrap();
    wiki.commit("huge");
    let repository = open(wiki.path());
    let commit = repository.head().unwrap().unwrap();
    for listing in [repository.list_commit(&commit).unwrap(), repository.list_work_tree().unwrap()] {
        let error = repository.read(&listing.files[0]).unwrap_err().to_string();
        assert_eq!(error, "the page `huge.md` could not be read: it is larger than 64 MiB");
        assert_eq!(repository.read(&listing.files[1]).unwrap().len(), MAX_PAGE_BYTES);
    }
}

#[test]
fn a_fifo_in_the_place_of_a_page_does_not_hang() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let repository = open(wiki.path());
    let listing = repository.list_work_tree().unwrap();
    fs::remove_file(wiki.at("a.md")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(wiki.at("a.md")).status().unwrap().success());
    assert!(matches!(repository.read(&listing.files[0]), Err(Error::PageUnreadable { .. })));
    assert_eq!(repository.changes().unwrap(), ["a.md"]);
    assert_eq!(repository.list_work_tree().unwrap().files, []);
}

#[test]
fn a_crafted_tree_ends_in_an_error() {
    let wiki = Wiki::of(&[("a.md", "A")]);
    let mut tree = wiki.git(&["rev-parse", "HEAD^{tree}"]);
    for _ in 0..30 {
        // Each folder holds the one before under a name of 200 bytes.
        wiki.write("entry", format!("040000 tree {tree}\t{}\n", "x".repeat(200)));
        wiki.git(&["config", "alias.deeper", "!git mktree < entry"]);
        tree = wiki.git(&["deeper"]);
    }
    let commit = wiki.git(&["commit-tree", "-m", "deep", &tree]);
    wiki.git(&["update-ref", "refs/heads/deep", &commit]);
    let repository = open(wiki.path());
    let error = repository.list_commit(&repository.resolve("deep").unwrap()).unwrap_err();
    assert!(error.to_string().contains("longer than 4096 bytes"), "{error}");
}

#[test]
fn nothing_is_written() {
    let (wiki, _) = history();
    wiki.write(".gitignore", "ignored\n");
    wiki.write("b.md", "dirty");
    wiki.write("new.md", "untracked");
    wiki.git(&["update-index", "--skip-worktree", "a.md"]);
    let before = wiki.fingerprint();
    let repository = open(wiki.path());
    for revision in ["HEAD", "side", "none", "2026-09-01", "HEAD~1", "ab"] {
        let _ = repository.resolve(revision);
    }
    let commit = repository.head().unwrap().unwrap();
    repository.locked();
    repository.facts();
    assert_eq!(repository.changes().unwrap(), ["b.md", "new.md"]);
    for listing in [repository.list_commit(&commit).unwrap(), repository.list_work_tree().unwrap()] {
        for file in &listing.files {
            repository.read(file).unwrap();
            repository.reader().unwrap().read(file).unwrap();
        }
    }
    assert_eq!(wiki.fingerprint(), before);
    wiki.git(&["status"]);
    assert_ne!(wiki.fingerprint(), before, "git itself refreshes the index, so the fingerprint can tell");
}

/// A small generator of numbers, so that a failure comes again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// Paths that `git status` reports and that answers depend on.
fn reported(wiki: &Wiki) -> Vec<String> {
    let status = wiki.git(&[
        "--no-optional-locks",
        "status",
        "--porcelain",
        "-z",
        "-uall",
        "--no-renames",
        "--ignore-submodules=all",
    ]);
    let mut paths: Vec<String> = (status.split('\0').filter(|line| !line.is_empty()).map(|line| &line[3..]))
        .filter(|path| path.ends_with(".md") && !path.split('/').any(|name| name.starts_with('.')))
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup(); // Deleted in the index and untracked on disk.
    paths
}

/// Does something to a path of the work tree, as people and editors do. May fail where it makes no sense.
fn disturb(wiki: &Wiki, path: &str, what: usize) {
    let at = wiki.at(path);
    let remove = || drop(if at.is_dir() && !at.is_symlink() { fs::remove_dir_all(&at) } else { fs::remove_file(&at) });
    let write = |text: &str| drop(fs::create_dir_all(at.parent().unwrap()).and_then(|()| fs::write(&at, text)));
    let git = |arguments: &[&str]| drop(wiki.try_git(&[arguments, &["--", path]].concat()));
    match what {
        0 | 1 => write("A"),
        2 => write("B"),
        3 => write("longer\n"),
        4 => remove(),
        5 => git(&["add"]),
        6 => git(&["add", "-N"]),
        7 => git(&["rm", "-q", "-r", "--cached"]),
        8 => git(&["checkout", "-q", "HEAD"]),
        9 => drop(fs::set_permissions(&at, fs::Permissions::from_mode(0o755))),
        10 => {
            remove();
            drop(symlink("/usr", &at));
        }
        11 => {
            remove();
            drop(fs::create_dir(&at));
            wiki.try_git(&["init", "-q", path]);
            drop(fs::write(at.join("x.md"), "X"));
        }
        12 => git(&["update-index", "--assume-unchanged"]),
        13 => git(&["update-index", "--skip-worktree"]),
        14 => git(&["update-index", "--no-assume-unchanged", "--no-skip-worktree"]),
        15 => wiki.write(".gitignore", format!("{path}\n")),
        16 => wiki.write(".gitignore", "*.md\n!a.md\n/e/\n"),
        17 => drop(fs::remove_file(wiki.at(".gitignore"))),
        18 => drop(wiki.try_git(&["commit", "-q", "-m", "next"])),
        19 => drop(wiki.try_git(&["update-index", "-q", "--refresh"])),
        20 => drop(wiki.try_git(&["stash", "-q", "-u"])),
        21 => drop(wiki.try_git(&["stash", "pop", "-q"])),
        22 => {
            remove();
            drop(fs::rename(wiki.at("c/d.md"), &at));
        }
        23 => drop(fs::write(wiki.at("c/.gitignore"), "/d.md\n!e.md\n")),
        24 => drop(wiki.try_git(&["reset", "-q", "--soft", "HEAD~1"])),
        25 => wiki.write(".gitattributes", "*.md text=auto eol=crlf\n"),
        26 => write("A\r\n"),
        27 => wiki.write(".git/info/exclude", "/c\n[h]*\n**/g.md\n"),
        _ => unreachable!("{what}"),
    }
}

#[test]
fn changes_are_those_that_git_reports() {
    let names = ["a.md", "b.md", "c/d.md", "c/e.md", "c", "e/f/g.md", "e/f", "h i.md"];
    let (mut dirty, mut clean) = (0, 0);
    for seed in 0..10 {
        let mut dice = Dice(seed);
        let wiki = Wiki::of(&[("a.md", "A"), ("b.md", "B"), ("c/d.md", "A"), ("c/e.md", "A"), ("h i.md", "B")]);
        let repository = open(wiki.path());
        let mut done = Vec::new();
        for _ in 0..12 {
            let (name, what) = (names[dice.roll(names.len())], dice.roll(28));
            disturb(&wiki, name, what);
            done.push((what, name));
            let expected = reported(&wiki);
            assert_eq!(repository.changes().unwrap(), expected, "seed {seed} after {done:?}");
            if expected.is_empty() {
                clean += 1
            } else {
                dirty += 1
            }
            // A clean tree reads the same from either side, what git does not look at apart.
            let listing = repository.list_work_tree().unwrap();
            for file in &listing.files {
                let bytes = repository.read(file).unwrap();
                if let Origin::WorkTree(stored) = &file.origin {
                    assert_eq!(bytes, fs::read(wiki.at(stored)).unwrap());
                }
            }
        }
    }
    assert!(dirty > 50 && clean > 10, "{dirty} {clean}");
}

#[test]
fn differences_are_those_of_two_listings() {
    let wiki =
        Wiki::of(&[("a.md", "a"), ("a/b.md", "b"), ("a/c/d.md", "d"), ("x/y/z.txt", "z"), (".hidden/h.md", "h")]);
    let mut commits = vec![wiki.git(&["rev-parse", "HEAD"])];
    let mut step = |work: &dyn Fn()| {
        work();
        commits.push(wiki.commit("step"));
    };
    step(&|| wiki.write("a/c/d.md", "other"));
    step(&|| _ = wiki.git(&["rm", "-rqf", "a"]));
    // What was a folder is a file, and the other way round.
    step(&|| wiki.write("a", "a file"));
    step(&|| _ = wiki.git(&["rm", "-qf", "a", "a.md"]));
    step(&|| wiki.write("a.md/b.md", "deep"));
    step(&|| wiki.write("a-.md", "sorts before a folder of that name"));
    step(&|| symlink("a-.md", wiki.at("link.md")).unwrap());
    step(&|| {
        fs::remove_file(wiki.at("link.md")).unwrap();
        wiki.write("link.md", "a file now");
        wiki.write(".hidden/h.md", "more");
    });
    step(&|| wiki.write(b"\xff.md", "no UTF-8"));
    let repository = open(wiki.path());
    let listed = |id: &str| {
        let Listing { files, skipped } = repository.list_commit(&repository.resolve(id).unwrap()).unwrap();
        let entries = files.into_iter().map(Entry::File).chain(skipped.into_iter().map(Entry::Skipped));
        let path = |entry: &Entry| match entry {
            Entry::File(file) => file.path.clone(),
            Entry::Skipped(skipped) => skipped.path.clone(),
        };
        entries.map(|entry| (path(&entry), entry)).collect::<BTreeMap<_, _>>()
    };
    for before in &commits {
        for after in &commits {
            let (old, new) = (listed(before), listed(after));
            let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            let pairs = paths.into_iter().map(|path| (old.get(path).cloned(), new.get(path).cloned()));
            let mut expected: Vec<String> =
                pairs.filter(|(old, new)| old != new).map(|pair| format!("{pair:?}")).collect();
            let [before, after] = [before, after].map(|id| repository.resolve(id).unwrap());
            let found = repository.differences(&before, &after).unwrap();
            let mut found: Vec<String> =
                found.into_iter().map(|found| format!("{:?}", (found.before, found.after))).collect();
            expected.sort();
            found.sort();
            assert_eq!(expected, found);
        }
    }
}
