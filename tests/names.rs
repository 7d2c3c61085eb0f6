//! What names mean: levels, forms, ambiguity, nearest names.

mod memory;

use memory::Wiki;

#[test]
fn the_levels_in_order() {
    let wiki = Wiki::new(&[
        ("dir/a.md", "---\ntitle: The A\naliases: [Alpha, b]\n---\n"),
        ("dir/b.md", "---\ntitle: Bee\n---\n"),
        ("sub/dir/b.md", ""),
        ("c.md", "---\ntitle: b.md\n---\n"),
        ("sub/c.md", "---\ntitle: Cee\n---\n"),
        ("sub/d.md", "---\ntitle: a\nalias: Bee\n---\n"),
    ]);
    for (name, from, right) in [
        // The exact path comes before the path relative to the linking page, that before the title.
        ("dir/b.md", None, "dir/b.md path Exact"),
        ("dir/b.md", Some("sub/c.md"), "dir/b.md path Exact"),
        ("./dir/b.md", Some("sub/c.md"), "sub/dir/b.md relative Exact"),
        ("b.md", Some("dir/a.md"), "dir/b.md relative Exact"),
        ("b.md", Some("sub/c.md"), "? dir/b.md sub/dir/b.md"),
        ("dir/b", None, "dir/b.md suffix Exact"),
        ("/dir/b", Some("sub/c.md"), "dir/b.md suffix Exact"),
        ("dir/b", Some("sub/c.md"), "dir/b.md suffix Exact"),
        ("./dir/b", Some("sub/c.md"), "sub/dir/b.md suffix Exact"),
        ("c", None, "c.md suffix Exact"),
        ("c", Some("sub/d.md"), "c.md suffix Exact"),
        ("d", None, "sub/d.md stem Exact"),
        ("d.md", None, "sub/d.md stem Exact"),
        // The stem comes before the title, the title before the alias.
        ("a", None, "dir/a.md stem Exact"),
        ("The A", None, "dir/a.md title Exact"),
        ("Bee", None, "dir/b.md title Exact"),
        ("Alpha", None, "dir/a.md alias Exact"),
        ("b", None, "? dir/b.md sub/dir/b.md"),
        ("  Alpha ", None, "dir/a.md alias Exact"),
        ("The A.md", None, "-"),
        ("", None, "-"),
        (".", Some("dir/a.md"), "-"),
        ("..", Some("dir/a.md"), "-"),
        ("/", None, "-"),
        ("dir", None, "-"),
        ("dir/", None, "-"),
        ("../c", Some("dir/a.md"), "c.md suffix Exact"),
        ("../../c", Some("dir/a.md"), "-"),
        ("../c", None, "-"),
        ("/The A", None, "-"),
        ("./Alpha", Some("dir/a.md"), "-"),
    ] {
        assert_eq!(wiki.name(name, from), right, "{name:?} from {from:?}");
    }
}

#[test]
fn exact_titles_before_folded_stems() {
    let wiki = Wiki::new(&[("note.md", "---\ntitle: Other\n---\n"), ("x.md", "---\ntitle: NOTE\n---\n")]);
    assert_eq!(wiki.name("NOTE", None), "x.md title Exact", "all levels exactly come first");
    assert_eq!(wiki.name("Note", None), "note.md suffix CaseFolded");
    assert_eq!(wiki.name("note", None), "note.md suffix Exact");
}

#[test]
fn w26_case() {
    let wiki = Wiki::new(&[
        ("Note One.md", ""),
        ("a/Case.md", ""),
        ("b/case.md", ""),
        ("Straße.md", ""),
        ("ÄRGER.md", ""),
        ("t.md", "---\ntitle: Ein Titel\naliases: [ALIAS]\n---\n"),
    ]);
    assert_eq!(wiki.name("note one", None), "Note One.md suffix CaseFolded");
    assert_eq!(wiki.name("NOTE ONE.MD", None), "Note One.md path CaseFolded");
    assert_eq!(wiki.name("Case", None), "a/Case.md stem Exact");
    assert_eq!(wiki.name("case", None), "b/case.md stem Exact");
    assert_eq!(wiki.name("CASE", None), "? a/Case.md b/case.md");
    assert_eq!(wiki.name("STRASSE", None), "Straße.md suffix CaseFolded");
    assert_eq!(wiki.name("strasse", None), "Straße.md suffix CaseFolded");
    assert_eq!(wiki.name("ärger", None), "ÄRGER.md suffix CaseFolded");
    assert_eq!(wiki.name("EIN TITEL", None), "t.md title CaseFolded");
    assert_eq!(wiki.name("alias", None), "t.md alias CaseFolded");
}

#[test]
fn w27_many_of_one_stem() {
    let wiki = Wiki::new(&[
        ("a/_index.md", ""),
        ("b/_index.md", ""),
        ("c/d/_index.md", ""),
        ("p.md", "[[_index]] [[a/_index]] [[_index.md]] [[_INDEX]]"),
        ("a/p.md", "[[_index]]"),
        ("q.md", "---\ntitle: Twin\n---\n"),
        ("r.md", "---\naliases: [Twin, Twin]\n---\n"),
        ("s.md", "---\ntitle: Twin\n---\n[[Twin]]"),
    ]);
    let all = "?a/_index.md|b/_index.md|c/d/_index.md";
    assert_eq!(wiki.leads("p.md"), [all, "a/_index.md", all, all]);
    assert_eq!(wiki.leads("a/p.md"), ["a/_index.md"], "the one beside the page");
    assert_eq!(wiki.leads("s.md"), ["?q.md|s.md"], "of one level only");
    assert_eq!(wiki.name("_index", None), "? a/_index.md b/_index.md c/d/_index.md");
}

#[test]
fn one_page_by_several_names_is_not_ambiguous() {
    let wiki = Wiki::new(&[("Same.md", "---\ntitle: Same\naliases: [Same, same]\n---\n")]);
    assert_eq!(wiki.name("Same", None), "Same.md suffix Exact");
    assert_eq!(wiki.name("SAME", None), "Same.md suffix CaseFolded");
}

#[test]
fn e08_odd_names() {
    let names = [
        "-lead.md",
        "with blank.md",
        "tab\there.md",
        "new\nline.md",
        "a:b.md",
        "X.MD",
        "a\\xFFb.md",
        "C#.md",
        "50%.md",
        "a|b.md",
        "$x$.md",
        "ünï/ç.md",
    ];
    let wiki = Wiki::new(&names.map(|name| (name, "")));
    for name in names {
        assert_eq!(wiki.name(name, None), format!("{name} path Exact"));
        let (stem, _) = name.rsplit_once('.').unwrap();
        assert_eq!(wiki.name(stem, None), format!("{name} suffix Exact"));
        assert_eq!(wiki.name(&format!("./{name}"), Some("p.md")), format!("{name} relative Exact"));
    }
    let wiki = Wiki::new(&[
        ("a:b.md", ""),
        ("C#.md", ""),
        ("C# basics.md", "# H\n"),
        ("50%.md", ""),
        ("[x].md", ""),
        (
            "p.md",
            "[[a:b]] [[tag:x]] [[C#]] [[C# basics]] [h](C%23%20basics.md#h) [1](a%3Ab.md) [2](./a:b.md) [3](C%23.md) [4](50%.md) [5](50%25.md) [6](<[x].md>) [[Crash: memory]] [[C# basics|C#]]",
        ),
    ]);
    assert_eq!(
        wiki.leads("p.md"),
        [
            "a:b.md",
            "foreign",
            "C#.md",
            "C# basics.md",
            "C# basics.md#h",
            "a:b.md",
            "a:b.md",
            "C#.md",
            "50%.md",
            "50%.md",
            "[x].md",
            "!Crash: memory",
            "C# basics.md"
        ]
    );
}

#[test]
fn e09_case_and_normal_forms() {
    let both = Wiki::new(&[("A.md", ""), ("a.md", ""), ("\u{fc}.md", ""), ("u\u{308}.md", "")]);
    assert_eq!(both.pages.len(), 4, "all are served");
    assert_eq!(both.name("A", None), "A.md suffix Exact");
    assert_eq!(both.name("a", None), "a.md suffix Exact");
    assert_eq!(both.name("\u{fc}", None), "\u{fc}.md suffix Exact");
    assert_eq!(both.name("u\u{308}", None), "u\u{308}.md suffix Exact");
    assert_eq!(both.name("Ü", None), "? u\u{308}.md \u{fc}.md");

    let composed = Wiki::new(&[("\u{fc}.md", ""), ("Gr\u{f6}\u{df}e.md", "---\ntitle: Ma\u{df} der Dinge\n---\n")]);
    assert_eq!(composed.name("u\u{308}", None), "\u{fc}.md suffix Nfc");
    assert_eq!(composed.name("Gro\u{308}\u{df}e.md", None), "Gr\u{f6}\u{df}e.md path Nfc");
    assert_eq!(composed.name("GRO\u{308}SSE", None), "Gr\u{f6}\u{df}e.md suffix CaseFolded");

    let decomposed = Wiki::new(&[
        ("u\u{308}.md", ""),
        ("x/A\u{30a}.md", ""),
        ("p.md", "[[\u{c5}]] [a](x/%C3%85.md) [[x/a\u{30a}]]"),
    ]);
    assert_eq!(decomposed.name("\u{fc}", None), "u\u{308}.md suffix Nfc");
    assert_eq!(decomposed.leads("p.md"), ["x/A\u{30a}.md"; 3]);
    assert_eq!(decomposed.name("\u{212b}", None), "x/A\u{30a}.md stem Nfc", "the sign for ångström is that letter");
}

#[test]
fn the_kinds_of_what_is_no_page() {
    let wiki = Wiki::new(&[
        ("a/raw/data.csv", ""),
        ("a/raw/x.md", ""),
        ("pic.PNG", ""),
        ("a/LICENSE", ""),
        (
            "a/p.md",
            "[[raw/data.csv]] [[pic.PNG]] [[gone.png]] [[raw]] [[raw/]] [[LICENSE]] [[^Library/Std]] [[x@L12]] [[x@12c3]] \
             [[gone@x]] [[$item]] [1](raw) [2](LICENSE) [3](gone) [4](gone.txt) [5](.) [6](..) [7](raw/data.csv#a) [[https://example.org]]",
        ),
    ]);
    assert_eq!(
        wiki.leads("a/p.md"),
        [
            "file",
            "file",
            "file",
            "folder",
            "folder",
            "file",
            "foreign",
            "a/raw/x.md",
            "a/raw/x.md",
            "!gone@x",
            "foreign",
            "folder",
            "file",
            "!gone",
            "file",
            "folder",
            "folder",
            "file",
            "foreign"
        ]
    );
}

#[test]
fn nearest_names() {
    let wiki = Wiki::new(&[
        ("concepts/commit-stempel.md", "---\ntitle: Commit-Stempel\naliases: [Answer Stamp]\n---\n"),
        ("concepts/größe.md", "---\ntitle: Größe\n---\n"),
        ("concepts/publish-remote-gate.md", "---\ntitle: Publish-Remote Gate\n---\n"),
        ("concepts/mass-update-gate.md", "---\ntitle: Mass-Update Gate\n---\n"),
        ("x.md", "---\ntitle: X\n---\n"),
    ]);
    let nearest = |name: &str| -> Vec<&str> {
        wiki.names.nearest(name).into_iter().map(|page| &*wiki.pages[page].path).collect()
    };
    assert_eq!(nearest("comit-stempel")[..1], ["concepts/commit-stempel.md"]);
    assert_eq!(nearest("commit-stempel.md")[..1], ["concepts/commit-stempel.md"]);
    assert_eq!(nearest("Answr Stamp")[..1], ["concepts/commit-stempel.md"]);
    assert_eq!(nearest("GRÖSSEN")[..1], ["concepts/größe.md"]);
    assert_eq!(nearest("Publish Gate")[..1], ["concepts/publish-remote-gate.md"]);
    assert_eq!(nearest("Y"), [] as [&str; 0]);
    assert_eq!(nearest(""), [] as [&str; 0]);
    assert_eq!(nearest("qqqqqqqq"), [] as [&str; 0]);
    let found = nearest("gate");
    assert!(found.len() <= 5 && found.iter().all(|path| found.iter().filter(|other| *other == path).count() == 1));
}
