//! Pages that nobody writes by hand: each is parsed, its links resolved and its places counted. What would not be linear
//! in the page would not end within a test run.

mod memory;

use chemenu_core::page::{LinkStyle, Page};
use memory::Wiki;

const MEGABYTE: usize = 1_000_000;

/// Parses, and asks for every place as lint does.
fn read(text: &str) -> Page {
    let page = Page::parse("p.md".into(), text.as_bytes(), LinkStyle::Obsidian);
    let lines = page.text.lines();
    let body = &page.body;
    let links = body.links.iter().map(|link| link.span);
    let headings = body.headings.iter().map(|heading| heading.span);
    let refs = body.footnote_refs.iter().map(|note| note.span);
    for span in links.chain(headings).chain(refs) {
        let [start, end] = [span.start, span.end].map(|at| lines.position(at as usize));
        assert!(start < end);
    }
    page
}

#[test]
fn deep_containers() {
    for unit in ["- ", "> ", ">", "1. ", "* ", "- > ", "[^a]: ", "> - 1. ", "+\t", "- [ ] "] {
        read(&unit.repeat(400_000 / unit.len()));
    }
    // Each line one level deeper, and many lines at a depth.
    read(&(0..1000).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect::<String>());
    read(&(0..1000).map(|depth| format!("{} a\n", ">".repeat(depth))).collect::<String>());
    read(&format!("{}a\n{}", "> ".repeat(200), "[[a]]\n".repeat(20_000)));
    read(&format!("{}a\n{}", "- ".repeat(1000), "\n".repeat(300_000)));
    read(&format!("{}[[a]]\n", "> ".repeat(300)).repeat(300));
}

#[test]
fn nested_front_matter() {
    let block: String = (0..9000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    for yaml in [
        block,
        format!("a: {}", "{a: ".repeat(9000)),
        format!("a: {}", "[".repeat(9000)),
        format!("a:\n{}", "- ".repeat(9000)),
    ] {
        let page = read(&format!("---\n{yaml}\n---\n# Body\n\n[[x]]\n"));
        assert_eq!(page.title, "Body");
        assert_eq!(page.body.links.len(), 1, "the body is served");
        assert_eq!(page.problems.len(), 1);
        page.front_links(LinkStyle::Obsidian, |_| true);
    }
}

#[test]
fn alias_bomb() {
    let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let alias = format!("*a{}, ", level - 1).repeat(9);
        yaml += &format!("a{level}: &a{level} [{alias}]\n");
    }
    let page = read(&format!("---\n{yaml}---\n# Body\n"));
    assert_eq!(page.title, "Body");
    assert_eq!(page.problems.len(), 1);
}

#[test]
fn a_megabyte_on_one_line() {
    for unit in [
        "x",
        "[",
        "]",
        "[[",
        "[[a ",
        "![",
        "*",
        "`",
        "$",
        "<!-- -->",
        "- <!-- -->",
        "%%",
        "${",
        "[^a",
        "|",
        "\\",
        "<",
        ">",
        "_",
    ] {
        assert_eq!(read(&unit.repeat(MEGABYTE / unit.len())).body.links, [], "{unit:?}");
    }
    for unit in [
        "x ",
        "]]",
        "[[a|",
        "[[]](",
        "[](",
        "![[",
        "**",
        "*a ",
        "a**b",
        "_a ",
        "*_",
        "` ",
        "$$",
        "$a",
        "$a$1",
        "$ `",
        "<!-- ",
        "%% ",
        "%%%",
        "${}",
        "${ ",
        "{",
        "{}",
        "[^",
        "| ",
        "|-",
        "^a ",
        "\\[",
        "<a ",
        "<b>",
        "<div>",
        "<?",
        "<!A",
        "<![CDATA[",
        "#",
        "# ",
        "~",
        "~~",
        "~~a ",
        "=",
        "-",
        "&",
        "&a",
        "(",
        ")",
        "](",
        "'",
        "\"",
        "@",
        "!",
        ":",
        "\t",
        "\0",
        "é",
        "\u{301}",
        "\u{2028}",
        "[[{{|[",
        "[[a|<b>",
        "https://x.y ",
        "www.a.b ",
        "[a]: b ",
        "[x] ",
        "[a][b] ",
        "[[a|`[[` ",
        "[[{{|`[[` ",
        "$$ $",
    ] {
        assert_eq!(read(&unit.repeat(MEGABYTE / 4 / unit.len())).body.links, [], "{unit:?}");
    }
    // Backticks of every length, and a run of backslashes before each bracket.
    read(&(1..1400).map(|length| format!("{} ", "`".repeat(length))).collect::<String>());
    read(&format!("{}{}", "\\".repeat(MEGABYTE / 2), "[[".repeat(MEGABYTE / 4)));
    read(&format!("{}[[", "\\".repeat(999)).repeat(1000));
    read(&format!("{}a{}", "[".repeat(200_000), "](b)".repeat(200_000)));
    read(&format!("{}a]]]]", "[[a|[".repeat(200_000)));
    read(&format!("# {}", "[[a]] %% b %% ".repeat(70_000)));
    read(&format!("- **r:** {}", "[[a]], ".repeat(140_000)));
    read(&format!("- **r:** {}", "[[a]] <!-- b --> ".repeat(60_000)));
    read(&format!("{}\n{}\n{}\n", "|a".repeat(50_000), "|-".repeat(50_000), "|[[b]]".repeat(50_000)));
}

#[test]
fn a_hundred_thousand_links() {
    for (unit, each) in [
        ("[[x]] ", 1),
        ("[[x]]\n", 1),
        ("[a](b.md) ", 1),
        ("![a](b.png) ", 1),
        ("[[a\\|b]] ", 1),
        ("![[x]]", 1),
        ("- **r:** [[x]], [[y]]\n", 2),
        ("> [!note] [[x]]\n\n", 1),
        ("%% a %% [[x]]\n\n", 1),
        ("<!-- a --> [[x]]\n\n", 1),
        ("- [ ] [[x]]\n", 1),
        ("$a$ `b` ${c} [[x]]\n", 1),
        ("# [[x]]\n", 1),
        ("[[x|[y]]]", 1),
        ("[r] ", 1),
    ] {
        let page = read(&format!("{}\n\n[r]: b.md\n", unit.repeat(100_000)));
        assert_eq!(page.body.links.len(), 100_000 * each, "{unit:?}");
    }
    let page = read(&"a[^k] ".repeat(100_000));
    assert_eq!(page.body.footnote_refs.len(), 100_000);
    let page = read(&(0..100_000).map(|note| format!("[^k{note}]: a\n")).collect::<String>());
    assert_eq!(page.body.footnotes.len(), 100_000);
}

#[test]
fn a_hundred_thousand_headings() {
    for text in [
        "# Same\n\n".repeat(100_000),
        (0..100_000).map(|nth| format!("## H {nth}\n")).collect(),
        (0..50_000).map(|nth| format!("# a\n# a-{nth}\n")).collect(),
        "a\n-\n".repeat(100_000),
        "#\n".repeat(100_000),
        "%%\n# a\n%%\n\n# b\n\n".repeat(100_000),
        "> # a ^b\n\n".repeat(100_000),
    ] {
        assert_eq!(read(&text).body.headings.len(), 100_000);
    }
}

/// As many links to headings as headings.
#[test]
fn every_heading_linked() {
    let headings: String =
        (0..50_000).map(|nth| format!("# H {nth}\n\n[[#H {nth}]] [a](#h-{nth}) [[#Gone {nth}]] ^b{nth}\n\n")).collect();
    let wiki = Wiki::new(&[("p.md", &headings)]);
    let leads = wiki.leads("p.md");
    assert_eq!(leads.len(), 150_000);
    assert_eq!(leads[149_997..], ["p.md#h-49999", "p.md#h-49999", "p.md#!Gone 49999"]);
}

#[test]
fn nothing_but_line_ends() {
    for unit in ["\r", "\n", "\r\n", "\n\r", "\u{FEFF}", " \n", "\\\n", "  \n"] {
        read(&unit.repeat(MEGABYTE / unit.len()));
    }
    for unit in [
        "[",
        "[[a",
        "%%",
        "$",
        "`",
        "|",
        "*",
        "<",
        "#",
        "-",
        "=",
        "- <!-- -->",
        "<!-- a --> b",
        "[^a]",
        "[^a]:",
        "\\",
        "a ^b",
        "${",
        "{{",
        "~~~",
        ">",
        "<div>",
    ] {
        read(&format!("{unit}\n").repeat(MEGABYTE / 8 / unit.len()));
        read(&format!("{unit}\n\n").repeat(MEGABYTE / 8 / unit.len()));
    }
    let page = Page::parse("p.md".into(), &[0xFF; MEGABYTE], LinkStyle::Obsidian);
    assert_eq!(page.text.as_str().chars().count(), MEGABYTE);
}
