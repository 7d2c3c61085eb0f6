//! The stored index: the same answers with it and without it, whatever became of it.

#![allow(clippy::disallowed_methods, reason = "it spoils what was stored")]

mod queries;
mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use chemenu_core::{CacheFolder, Corpus, Dirty, Error, Options};
use queries::Random;
use serde_json::{Map, Value, json};
use support::Wiki;

/// A wiki with types, relations, aliases, links of all kinds, and what is no page.
const FILES: &[(&str, &str)] = &[
    ("chemenu.toml", "name = \"Stored\"\nexclude = [\"drafts/**\"]\n"),
    (
        "types/concept.md",
        "---\nname: concept\nsummary: An idea\nschema: concept.yaml\nrelations:\n  - {name: ersetzt, role: supersedes, inverse: ersetzt durch}\nlinks: {parts: [concept]}\n---\n# concept\n",
    ),
    ("types/concept.yaml", "type: object\nrequired: [type]\n"),
    ("types/source.md", "---\nname: source\nsummary: Where it is from\n---\n# source\n"),
    (
        "concepts/gate.md",
        "---\ntype: concept\ntitle: Publish Gate\naliases: [Tor]\ntags: [gate]\nrelated: [Größe]\n---\n# Gate\n\nSee [[size|Size]] and [source](../sources/a.md).\n",
    ),
    (
        "concepts/size.md",
        "---\ntype: types/concept.md\ntitle: Größe\nparts: [gate]\n---\n# Größe\n\nWie groß. [[Tor]], [[C# basics]] and ![[x.png]].\n\n- **ersetzt:** [[old]]\n",
    ),
    ("concepts/old.md", "---\ntype: concept\n---\n# Old\n\nOld words. [up](../index)\n"),
    ("concepts/C# basics.md", "# C# basics\n\n[[gate#Gate]]\n"),
    (
        "sources/a.md",
        "---\ntype: source\nmodified: 2026-08-01\n---\n# Source\n\n[[Publish Gate]] [[Publish gate]] [[nowhere]]\n",
    ),
    ("index.md", "# Index\n\n[[gate]] [[size]] [folder](concepts/)\n"),
    ("drafts/d.md", "# Draft\n"),
    (".hidden/h.md", "# Hidden\n"),
    ("x.png", "no picture"),
];

/// Every kind of question, with what must be looked up among all pages.
fn questions() -> Vec<(&'static str, Value)> {
    let search = |query: &str| ("search", json!({ "query": query }));
    let page = |name: &str| ("page", json!({ "name": name }));
    vec![
        search("gate"),
        search("größe wort"),
        search("gaet"),
        search("\"old words\""),
        search("type:concept"),
        search("type:types/concept"),
        search("type:konzept"),
        search("links:gate"),
        search("links:\"Größe\""),
        search("links:\"C# basics\""),
        search("links:nowhere"),
        search("links:index"),
        search("path:concepts"),
        search("nofield:x tag:gate"),
        search("modified:>=2026-08"),
        ("search", json!({ "query": "words gate", "explain": "old" })),
        ("search", json!({ "query": "gate", "explain": true })),
        ("search", json!({ "query": "draft", "explain": "drafts/d.md" })),
        page("concepts/gate.md"),
        page("gate"),
        page("GATE"),
        page("Publish Gate"),
        page("tor"),
        page("Größe"),
        page("concepts/gaet"),
        page("C# basics"),
        page("C# basics.md"),
        page("./index"),
        page(""),
        ("types", json!({})),
        ("describe_type", json!({ "type": "concept" })),
        ("describe_type", json!({ "type": "concpt" })),
        ("lint", json!({})),
        ("lint", json!({ "draft": { "path": "new.md", "text": "# New\n\n[[gate]] [[gaet]]\n" } })),
        ("status", json!({})),
    ]
}

fn answers(corpus: &Corpus) -> Vec<String> {
    let ask = |(name, arguments): (&str, Value)| {
        let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
        let answer = String::from_utf8(corpus.ask_json(name, arguments).json).unwrap();
        // What is true right now is no part of a snapshot.
        let lasting = if name == "status" { answer.split(",\"source\":").next().unwrap() } else { &answer };
        format!("{name} {lasting}")
    };
    questions().into_iter().map(ask).collect()
}

fn assert_same(expected: &[String], found: &[String], what: &str) {
    for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_eq!(expected, found, "{what}: {:?}", questions()[number]);
    }
}

struct Cached {
    wiki: Wiki,
    cache: tempfile::TempDir,
}

impl Cached {
    fn new() -> Self {
        Self { wiki: Wiki::of(FILES), cache: tempfile::tempdir().unwrap() }
    }

    fn options(&self) -> Options {
        let cache = Some(CacheFolder::At(self.cache.path().to_owned()));
        Options { root: Some(self.wiki.path().to_owned()), cache, ..Options::default() }
    }

    fn open(&self) -> Corpus {
        Corpus::open(self.options()).unwrap()
    }

    fn without(&self) -> Corpus {
        Corpus::open(Options { cache: None, ..self.options() }).unwrap()
    }

    /// The files that are stored, the lock apart.
    fn stored(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.cache.path()).unwrap().map(|entry| entry.unwrap().path());
        let folders = folders.filter(|path| path.is_dir() && !path.is_symlink());
        let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        let mut files: Vec<PathBuf> = files.filter(|file| !file.ends_with("lock")).collect();
        files.sort();
        files
    }
}

#[test]
fn answers_are_the_same_whatever_is_stored() {
    let cached = Cached::new();
    let resident = Corpus::open(Options { resident: true, dirty: Dirty::Ignore, ..cached.options() }).unwrap();
    let mut random = Random(11);
    let mut text = |number: usize| {
        let links =
            ["[[gate]]", "[[Tor]]", "[b](b.md)", "[[size#Größe]]", "- **ersetzt:** [[old]]", "related words", "[[p2]]"];
        let link = |random: &mut Random| links[random.below(links.len())].to_owned();
        let of = ["concept", "types/source.md", "note", "[[concept]]"][random.below(4)];
        let lines: Vec<String> = (0..4).map(|_| link(&mut random)).collect();
        format!(
            "---\ntype: {of}\ntitle: Page {}\naliases: [Tor {number}]\n---\n# P\n\n{}\n",
            random.below(5),
            lines.join("\n")
        )
    };
    let mut random = Random(5);
    for step in 0..16 {
        let path = format!("{}p{}.md", ["", "concepts/", "sources/"][random.below(3)], random.below(4));
        match random.below(6) {
            0 => _ = fs::remove_file(cached.wiki.path().join(&path)),
            1 => cached.wiki.write(
                "types/source.md",
                format!("---\nname: source\nsummary: Turn {step}\nlinks: {{parts: []}}\n---\n"),
            ),
            2 => cached.wiki.write("concepts/gate.md", text(step)),
            3 if step > 8 => cached
                .wiki
                .write("chemenu.toml", ["link_style = \"dendron\"\n", "exclude = [\"p1.md\"]\n", ""][step % 3]),
            4 => cached.wiki.write("concepts/folder/x.md", text(step)),
            _ => cached.wiki.write(&path, text(step)),
        }
        cached.wiki.commit(&format!("step {step}"));
        let expected = answers(&cached.without());
        assert_same(&expected, &answers(&cached.open()), "stored");
        assert_same(&expected, &answers(&cached.open()), "stored, once more");
        assert_same(&expected, &answers(&resident), "resident");
        if step % 4 == 0 {
            let fresh = tempfile::tempdir().unwrap();
            let cache = Some(CacheFolder::At(fresh.path().to_owned()));
            assert_same(&expected, &answers(&Corpus::open(Options { cache, ..cached.options() }).unwrap()), "fresh");
            // What is not committed is laid over, and leaves no trace.
            let before = cached.stored();
            cached.wiki.write("p9.md", "# Nine\n\n[[gate]] gate\n");
            cached.wiki.write("index.md", format!("# Index {step}\n\n[[size]] Wort\n"));
            let [expected, found] = [cached.without(), cached.open()].map(|corpus| answers(&corpus).join("\n"));
            assert_eq!(timeless(&expected), timeless(&found), "dirty");
            assert_eq!(before, cached.stored());
            fs::remove_file(cached.wiki.path().join("p9.md")).unwrap();
            cached.wiki.git(&["checkout", "-q", "index.md"]);
        }
    }
}

/// An answer without the time when files were read.
fn timeless(text: &str) -> String {
    let mut parts = text.split("\"as_of\":\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn other_revisions_are_laid_over_what_is_stored() {
    let cached = Cached::new();
    let mut commits = vec![cached.wiki.git(&["rev-parse", "HEAD"])];
    for step in 0..5 {
        cached.wiki.write(format!("p{step}.md"), format!("# Step {step}\n\n[[gate]] gate wort{step}\n"));
        commits.push(cached.wiki.commit("step"));
    }
    answers(&cached.open());
    let before = cached.stored();
    let ask = |corpus: &Corpus, commit: &str| {
        let ask = |(name, arguments): (&str, Value)| {
            let mut arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
            arguments.insert("at".into(), commit.into());
            String::from_utf8(corpus.ask_json(name, arguments).json).unwrap()
        };
        questions().into_iter().map(ask).collect::<Vec<_>>()
    };
    for commit in &commits {
        assert_same(&ask(&cached.without(), commit), &ask(&cached.open(), commit), commit);
    }
    assert_eq!(before, cached.stored());
}

#[test]
fn segments_stay_and_what_is_not_named_goes() {
    let cached = Cached::new();
    for number in 0..30 {
        cached.wiki.write(format!("q{number}.md"), "# Q\n");
    }
    cached.wiki.commit("pages");
    answers(&cached.open());
    let first: Vec<PathBuf> = cached.stored().into_iter().filter(|file| !file.ends_with("manifest")).collect();
    cached.wiki.write("q1.md", "# Q one\n");
    cached.wiki.commit("one page");
    let folder = first[0].parent().unwrap();
    fs::write(folder.join("new-1-1"), "torn").unwrap();
    answers(&cached.open());
    let stored = cached.stored();
    assert!(first.iter().all(|file| stored.contains(file)), "{stored:?}");
    assert_eq!(stored.len(), first.len() + 2, "one new segment and the manifest: {stored:?}");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder), 0o700);
    // Asked again, nothing is written again.
    let times =
        |files: &[PathBuf]| files.iter().map(|file| file.metadata().unwrap().modified().unwrap()).collect::<Vec<_>>();
    let before = times(&stored);
    answers(&cached.open());
    assert_eq!(before, times(&cached.stored()));
}

#[test]
fn what_is_damaged_is_made_anew() {
    let cached = Cached::new();
    let expected = answers(&cached.without());
    answers(&cached.open());
    let good: Vec<(PathBuf, Vec<u8>)> =
        cached.stored().into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect();
    let mut random = Random(3);
    for (file, bytes) in &good {
        for turn in 0..8 {
            for (file, bytes) in &good {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, bytes).unwrap();
            }
            let at = random.below(bytes.len());
            let mut changed = bytes.clone();
            match turn {
                0 => changed.clear(),
                1 | 2 => changed.truncate(at),
                3 => changed = b"chemenu1 and nothing more that would be of any use".to_vec(),
                _ => changed[at] ^= 1 << (turn % 8),
            }
            fs::write(file, changed).unwrap();
            assert_same(&expected, &answers(&cached.open()), "damaged");
            assert_same(&expected, &answers(&cached.open()), "after it");
        }
    }
}

#[test]
fn what_is_no_file_or_of_another_wiki_is_not_read() {
    let cached = Cached::new();
    let expected = answers(&cached.without());
    answers(&cached.open());
    let manifest = cached.stored().into_iter().find(|file| file.ends_with("manifest")).unwrap();
    let folder = manifest.parent().unwrap().to_owned();
    let turns: [&dyn Fn(); 4] = [
        &|| {
            fs::remove_file(&manifest).unwrap();
            fs::create_dir(&manifest).unwrap();
        },
        &|| {
            fs::remove_file(&manifest).unwrap();
            symlink("/etc/passwd", &manifest).unwrap();
        },
        &|| {
            fs::remove_file(&manifest).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(&manifest).status().unwrap().success());
        },
        &|| {
            let other =
                Cached { wiki: Wiki::of(&[("p.md", "# Other\n\ngate\n")]), cache: tempfile::tempdir().unwrap() };
            answers(&other.open());
            for file in other.stored() {
                fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
            }
        },
    ];
    for turn in turns {
        turn();
        assert_same(&expected, &answers(&cached.open()), "foreign");
        if manifest.is_dir() {
            fs::remove_dir(&manifest).unwrap();
        }
        answers(&cached.open());
        assert_same(&expected, &answers(&cached.open()), "after it");
    }
}

#[test]
fn where_nothing_can_be_cached_a_warning_says_so() {
    let cached = Cached::new();
    let expected = answers(&cached.without());
    let file = cached.cache.path().join("file");
    fs::write(&file, "in the way").unwrap();
    for folder in [file.clone(), file.join("below")] {
        let cache = Some(CacheFolder::At(folder));
        let corpus = Corpus::open(Options { cache, ..cached.options() }).unwrap();
        assert_same(&expected, &answers(&corpus), "not cached");
        let warnings = corpus.warnings();
        assert!(warnings.len() == 1 && warnings[0].starts_with("nothing is cached: "), "{warnings:?}");
        assert!(corpus.warnings().is_empty());
    }
    // What others may write to is not trusted.
    answers(&cached.open());
    let manifest = cached.stored().into_iter().find(|file| file.ends_with("manifest")).unwrap();
    fs::set_permissions(manifest.parent().unwrap(), fs::Permissions::from_mode(0o777)).unwrap();
    let corpus = cached.open();
    assert_same(&expected, &answers(&corpus), "shared");
    assert!(corpus.warnings()[0].contains("of this user's alone"));
}

#[test]
fn a_cache_in_the_wiki_is_refused_and_nothing_is_written_there() {
    let cached = Cached::new();
    let elsewhere = cached.cache.path().join("link");
    symlink(cached.wiki.path(), &elsewhere).unwrap();
    // It leads to another link, and that to what is not there yet.
    let (dangling, missing) = (cached.cache.path().join("dangling"), cached.cache.path().join("missing"));
    symlink("missing", &dangling).unwrap();
    symlink(cached.wiki.path().join("none/deeper"), &missing).unwrap();
    let before = cached.wiki.fingerprint();
    let root = cached.wiki.path();
    for folder in [
        root.to_owned(),
        root.join("cache/deep"),
        root.join(".git/cache"),
        elsewhere.join("cache"),
        root.join("../").join(root.file_name().unwrap()).join("cache"),
        root.join("none/../cache"),
        dangling.join("cache"),
    ] {
        for reference in [None, Some("main".to_owned())] {
            let cache = Some(CacheFolder::At(folder.clone()));
            let refused = Corpus::open(Options { cache, reference, ..cached.options() });
            assert!(matches!(refused, Err(Error::CacheInsideWiki { .. })), "{}", folder.display());
        }
    }
    answers(&cached.open());
    assert_eq!(before, cached.wiki.fingerprint());
}

#[test]
fn only_what_is_ours_is_taken_away() {
    let cached = Cached::new();
    let expected = answers(&cached.open());
    let manifest = cached.stored().into_iter().find(|file| file.ends_with("manifest")).unwrap();
    let folder = manifest.parent().unwrap();
    // Something else in the folder stays, when a commit is stored and when all is cleared.
    fs::write(folder.join("foreign"), "keep").unwrap();
    cached.wiki.write("new.md", "# New\n\ngate\n");
    cached.wiki.commit("new");
    answers(&cached.open());
    cached.open().doctor(true);
    assert_eq!(cached.stored(), [folder.join("foreign")]);
    // A link in the folder's place leads nowhere.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("manifest"), "keep").unwrap();
    fs::remove_dir_all(folder).unwrap();
    symlink(elsewhere.path(), folder).unwrap();
    cached.wiki.git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert_same(&expected, &answers(&cached.open()), "linked");
    cached.open().doctor(true);
    assert_eq!(fs::read_to_string(elsewhere.path().join("manifest")).unwrap(), "keep");
}

#[test]
fn doctor_tells_and_clears() {
    let cached = Cached::new();
    answers(&cached.open());
    let doctor = |clear| serde_json::from_slice::<Value>(&cached.open().doctor(clear).json).unwrap();
    let told = doctor(false);
    assert_eq!(told["commit"], cached.wiki.git(&["rev-parse", "HEAD"]).as_str());
    assert_eq!(told["cache"]["pages"], 8);
    assert!(told["cache"]["bytes"].as_u64() > Some(0));
    let cleared = doctor(true);
    assert!(cleared["commit"].is_null() && cleared["cache"]["bytes"] == 0, "{cleared}");
    assert!(cached.stored().is_empty());
}

#[test]
fn segments_that_were_exchanged_are_not_read() {
    let cached = Cached::new();
    for number in 0..200 {
        cached.wiki.write(format!("many/q{number}.md"), format!("# Q {number}\n\nwort{number}\n"));
    }
    cached.wiki.commit("pages");
    let expected = answers(&cached.without());
    answers(&cached.open());
    let segments: Vec<PathBuf> =
        cached.stored().into_iter().filter(|file| file.extension().is_some_and(|end| end == "segment")).collect();
    let [one, two, ..] = &segments[..] else { panic!("two segments are wanted: {segments:?}") };
    let bytes = [one, two].map(|file| fs::read(file).unwrap());
    fs::write(one, &bytes[1]).unwrap();
    fs::write(two, &bytes[0]).unwrap();
    assert_same(&expected, &answers(&cached.open()), "exchanged");
}

#[test]
fn a_folder_that_is_gone_is_told_whatever_is_stored() {
    let wiki = Wiki::of(&[("notes/p.md", "# P\n"), ("other.md", "# Other\n")]);
    let with = wiki.git(&["rev-parse", "HEAD"]);
    wiki.git(&["rm", "-rq", "notes"]);
    let without = wiki.commit("gone");
    let cache = tempfile::tempdir().unwrap();
    let bare = tempfile::tempdir().unwrap();
    let git = wiki.path().to_str().unwrap();
    wiki.git(&["clone", "-q", "--bare", git, bare.path().to_str().unwrap()]);
    let open = |reference: &str| {
        Corpus::open(Options {
            root: Some(bare.path().to_owned()),
            folder: Some("notes".into()),
            reference: Some(reference.into()),
            cache: Some(CacheFolder::At(cache.path().to_owned())),
            ..Options::default()
        })
        .unwrap()
    };
    let search = json!({ "query": "p" }).as_object().unwrap().clone();
    let corpus = open(&with);
    assert!(!corpus.ask_json("search", search).is_error);
    let refused = corpus.snapshot(Some(&without)).map(|_| ()).unwrap_err();
    assert_eq!(refused.code().code, "folder_not_found");
}
