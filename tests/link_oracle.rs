//! The link finder against a second, naive one: another CommonMark implementation's tree, flattened to text, and the
//! innermost `[[…]]` of each line.
//!
//! Known differences, and what is done about each:
//!
//! - `%%` comments, `${…}`, `{{…}}` and maths are no CommonMark: generated documents have none, and pages of real wikis
//!   that have some may have fewer links to us, never more.
//! - `[[x]]` where `[x]: …` is defined is a link in brackets to CommonMark, a wikilink to us: not generated.
//! - Emphasis within a name (`[[a*b*c]]`) is part of the name to us: names are compared without its marks.
//! - The other implementation errs, by the specification, in some rare cases: runs of backticks of several lengths that
//!   nothing closes; `--` within a comment; a line that begins with `</b>` behind a list item; an escaped bracket
//!   behind a link in brackets; a tab behind a footnote's label is right there and wrong here. So the pieces are chosen
//!   to avoid them, and the seed is fixed.

mod memory;

use std::path::{Path, PathBuf};

use chemenu_core::page::{LinkKind, LinkStyle, Page};
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// In the place of what may not be part of a name: escaped brackets, links, code, comments.
const WALL: char = '\u{1}';
/// In the place of a Markdown link's destination.
const LINK: char = '\u{2}';

/// The names of the wikilinks in Markdown, and `](` for each Markdown link and image; sorted.
fn naive(markdown: &str) -> Vec<String> {
    let text = flattened(markdown, true);
    let mut names: Vec<String> = text.lines().flat_map(innermost).collect();
    names.extend(text.matches(LINK).map(|_| "](".to_owned()));
    sorted(names)
}

/// The text of a document; `whole` unless it is the rest of an HTML block's line, which has no such lines in it.
fn flattened(markdown: &str, whole: bool) -> String {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.footnotes = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.parse.leave_footnote_definitions = true;
    options.parse.escaped_char_spans = true;
    let arena = Arena::new();
    let mut text = String::new();
    flatten(parse_document(&arena, markdown, &options), whole, &mut text);
    text
}

fn flatten<'a>(node: &'a AstNode<'a>, whole: bool, text: &mut String) {
    match &node.data.borrow().value {
        NodeValue::Text(content) => text.push_str(content),
        NodeValue::SoftBreak | NodeValue::LineBreak => text.push('\n'),
        NodeValue::Code(_) | NodeValue::FootnoteReference(_) => text.push(WALL),
        NodeValue::HtmlInline(html) if html.starts_with("<!--") => text.push(WALL),
        NodeValue::HtmlInline(html) => text.push_str(html),
        // Text behind comments that open a line.
        NodeValue::HtmlBlock(block) => {
            let mut rest = block.literal.trim_start();
            let comments = rest.starts_with("<!--");
            while rest.starts_with("<!--") {
                // `<!-->` is a whole comment.
                rest = rest[2..].find("-->").map_or("", |end| rest[2 + end + 3..].trim_start());
            }
            if comments && whole {
                text.push_str(&flattened(rest, false));
            }
            text.push('\n');
        }
        NodeValue::Escaped => {
            let mut inner = String::new();
            node.children().for_each(|child| flatten(child, whole, &mut inner));
            match &*inner {
                "[" | "]" => text.push(WALL),
                "|" => text.push('|'),
                other => text.extend(["\\", other]),
            }
        }
        NodeValue::Link(_) | NodeValue::Image(_) => {
            text.push(WALL);
            node.children().for_each(|child| flatten(child, whole, text));
            text.extend([LINK, WALL]);
        }
        value => {
            node.children().for_each(|child| flatten(child, whole, text));
            if value.block() {
                text.push('\n');
            }
        }
    }
}

/// The names in the innermost pairs of brackets of a line.
fn innermost(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut from = 0;
    while let Some(close) = line[from..].find("]]").map(|close| from + close) {
        if let Some(open) = line[from..close].rfind("[[").map(|open| from + open) {
            let name = line[open + 2..close].split('|').next().unwrap();
            let target = name.split('#').next().unwrap();
            let is_empty = name.chars().all(|c| c.is_whitespace() || c == '#');
            if !target.contains(WALL) && !name.contains(['[', ']', LINK]) && !is_empty {
                names.push(bare(target));
            }
            from = close + 2;
        } else {
            from = close + 1;
        }
    }
    names
}

/// A name without emphasis and blanks around it.
fn bare(name: &str) -> String {
    name.replace(['*', '_', '~'], "").trim().to_owned()
}

/// The same as the parser finds it.
fn ours(page: &Page) -> Vec<String> {
    let names = page
        .body
        .links
        .iter()
        .map(|link| match link.kind {
            LinkKind::Wikilink | LinkKind::Embed => bare(&link.target),
            _ => "](".to_owned(),
        })
        .collect();
    sorted(names)
}

/// Names of nothing but emphasis (`[[**]]`) are left out.
fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| !name.is_empty());
    names.sort();
    names
}

const PIECES: &[&str] = &[
    "a",
    "b c",
    " ",
    "\n",
    "\n\n",
    "[[d]]",
    "[[e|f]]",
    "![[g]]",
    "[[h#i]]",
    "[[j\\|k]]",
    "`l`",
    "`[[m]]`",
    "`` [[m]] ` ``",
    "` ",
    "*",
    "**",
    "~~",
    "> ",
    "- ",
    "1. ",
    "    ",
    "\n```\n",
    "\n~~~\n",
    "<!-- n -->",
    "<!-- [[o]] -->",
    "<!-- ",
    " -->",
    "x<b>",
    "x</b>",
    "<div>",
    "\n</div>\n",
    "[p](q.md)",
    "[[r](s.md)]",
    "\\[[t]]",
    "\\",
    "|",
    "\n|1|2|\n|-|-|\n|3|[[4]]|\n|[[5\\|6]]|7|\n\n",
    "# ",
    "\n---\n",
    "[^1]",
    "[^2]",
    "\n[^1]: ",
    "[",
    "]",
    "[[",
    "]]",
    "![u](v.png)",
    "[ ] ",
    "[[w]](x.md)",
    "- **r:** [[y]], [[z]]\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, rng_seed: RngSeed::Fixed(3), ..ProptestConfig::default() })]

    #[test]
    fn generated_documents(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14)) {
        let text = pieces.concat();
        let page = Page::parse("p.md".into(), text.as_bytes(), LinkStyle::Obsidian);
        prop_assume!(page.front_matter.span.end == 0);
        prop_assert_eq!(ours(&page), naive(&text), "{}", text);
    }
}

/// The Markdown files below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("md")) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Compares all pages below a folder; gives how many links they have.
///
/// A page with a mark that CommonMark does not know may have links less than the naive finder says, and none more.
fn compare(folder: &Path) -> usize {
    let mut links = 0;
    for path in pages(folder) {
        let page = Page::parse("p.md".into(), &std::fs::read(&path).unwrap(), LinkStyle::Obsidian);
        let body = page.text.slice(page.body.span);
        let (ours, mut right) = (ours(&page), naive(body));
        if ["%%", "$", "{{"].iter().any(|mark| body.contains(mark)) {
            right.retain(|name| ours.contains(name));
        }
        assert_eq!(ours, right, "{}", path.display());
        links += right.len();
    }
    links
}

#[test]
fn the_golden_wiki() {
    let links = compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/wiki"));
    assert!(links > 30, "{links} links");
}

/// Wikis that others wrote, where they are at hand.
fn corpora() -> Option<PathBuf> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    corpora.is_dir().then_some(corpora)
}

/// Runs a program in a folder of its own and compares what it unpacked there.
#[allow(clippy::disallowed_methods, reason = "tests unpack archives")]
fn compare_unpacked(program: &str, arguments: &[&str], archive: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let status = std::process::Command::new(program)
        .args(arguments)
        .arg(archive.canonicalize().unwrap())
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    compare(folder.path())
}

#[test]
fn a_wiki_of_markdown_links() {
    let Some(corpora) = corpora() else { return };
    assert!(compare_unpacked("git", &["clone", "--quiet"], &corpora.join("commonplace.bundle")) > 1000);
}

#[test]
fn a_wiki_of_wikilinks() {
    let Some(corpora) = corpora() else { return };
    assert!(compare_unpacked("tar", &["xJf"], &corpora.join("silverbullet-docs.tar.xz")) > 1000);
}
