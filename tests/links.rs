//! Links as they stand on pages, one test for each row of the table of inputs from the wild.

mod memory;

use chemenu_core::page::{LinkKind, LinkStyle, Page};
use memory::{Wiki, parse, parts, wikilinks};

const NONE: [&str; 0] = [];

/// Nothing in these texts is a wikilink.
fn hold_none(texts: &[&str]) {
    for text in texts {
        assert_eq!(wikilinks(text), NONE, "{text}");
    }
}

/// Exactly `[[x]]` is one in these.
fn hold_x(texts: &[&str]) {
    for text in texts {
        assert_eq!(wikilinks(text), ["[[x]]"], "{text}");
    }
}

fn footnotes(text: &str) -> (Vec<String>, Vec<String>) {
    let body = parse(text).body;
    (
        body.footnotes.into_iter().map(|note| note.key).collect(),
        body.footnote_refs.into_iter().map(|note| note.key).collect(),
    )
}

#[test]
fn w01_alias_title_stem() {
    let wiki = Wiki::new(&[
        ("a/file-stem.md", "---\ntitle: The Title\naliases: [Other Name, \"Third, Name\"]\n---\n"),
        ("b.md", "# Only a Heading\n"),
        ("c.md", "---\nalias: One\n---\n"),
        ("d.md", "---\ntitle: 0.90\n---\n"),
        (
            "p.md",
            "[[The Title]] [[Other Name]] [[Third, Name]] [[file-stem]] [[a/file-stem]] [[a/file-stem.md]] \
             [[Only a Heading]] [[One]] [[0.90]] [[0.9]]",
        ),
    ]);
    let file = "a/file-stem.md";
    assert_eq!(wiki.leads("p.md"), [file, file, file, file, file, file, "b.md", "c.md", "d.md", "!0.9"]);
    assert_eq!(wiki.name("The Title", None), "a/file-stem.md title Exact");
    assert_eq!(wiki.name("Other Name", None), "a/file-stem.md alias Exact");
    assert_eq!(wiki.name("file-stem", None), "a/file-stem.md stem Exact");
}

#[test]
fn w02_escaped_pipe_in_a_table_cell() {
    for table in [
        "| x | y |\n|---|---|\n| [[a\\|b]] | z |\n",
        "x | y\n--|--\n[[a\\|b]] | z\n",
        "| x |\n|---|\n| **[[a\\|b]]** |\n",
        "> | x | y |\n> |---|---|\n> | z | [[a\\|b]] |\n",
        "- item\n\n  | x |\n  |---|\n  | [[a\\|b]] |\n",
    ] {
        assert_eq!(parts(table), "a # - | b", "{table}");
    }
    let table = "|x|\n|-|\n|[[a#H\\|b \\| c]]|\n";
    assert_eq!(parts(table), "a # H | b | c");
    // The backslash belongs to the pipe outside of tables too.
    assert_eq!(parts("[[a\\|b]]"), "a # - | b");
    assert_eq!(parts("|x|\n|-|\n|![[i.png\\|300]]|\n"), "i.png # - | 300");
    // Without it the row is parted there, and neither cell holds a link.
    assert_eq!(wikilinks("|x|y|\n|-|-|\n|[[a|b]]|\n"), NONE);
}

#[test]
fn w03_code_spans() {
    hold_none(&[
        "`[[x]]`",
        "``a ` [[x]]``",
        "`a\n[[x]]`",
        "**`[[x]]`**",
        "[`[[x]]`](https://example.org)",
        "|a|\n|-|\n|`[[x]]`|\n",
        "# `[[x]]`",
        "[[`x`]]",
        "a ` [[b` ]] c",
        "`[[a]] [[b]]` and ```[[c]]```",
    ]);
    hold_x(&["`a` [[x]] `b`", "\\`[[x]]\\`", "` [[x]]", "``a` [[x]]"]);
    // A label and a heading may hold code.
    assert_eq!(parts("[[p|`f()`]]"), "p # - | `f()`");
    assert_eq!(parts("[[p#The `f` call|it]]"), "p # The `f` call | it");
    assert_eq!(parts("[[p|`a]]`]]"), "p # - | `a]]`");
}

#[test]
fn w04_fences() {
    hold_none(&[
        "```\n[[x]]\n```",
        "~~~\n[[x]]\n```\n[[y]]\n~~~",
        "````\n```\n[[x]]\n```\n[[y]]\n````",
        "- item\n\n  ```\n  [[x]]\n  ```\n",
        "1. item\n   ~~~\n   [[x]]\n   ~~~\n",
        "> ```\n> [[x]]\n> ```\n",
        "> [!note]\n> ```\n> [[x]]\n> ```\n",
        "```\n[[x]]",
        "text\n~~~ sh\n[[x]]\n\n[[y]]\n\n# [[z]]",
        "```bash\nif [[ -f x ]]; then echo [[y]]; fi\n```",
        "```mermaid\ngraph TD\n  a[[\"x\"]] --> b\n```",
        "    [[x]]",
        "a\n\n\t[[x]]\n",
        "[^k]: note\n\n    ```\n    [[x]]\n    ```\n",
        "```[[x]]\ny\n```",
    ]);
    hold_x(&["```\na\n```\n[[x]]", "``` a ``` [[x]]", "a\n    [[x]]", "> ```\n> a\n\n[[x]]", "~~~\na\n~~~~\n[[x]]"]);
}

#[test]
fn w05_comments() {
    hold_none(&[
        "<!-- [[x]] -->",
        "<!--\n\n[[x]]\n\n-->",
        "a <!-- [[x]] --> b",
        "a <!-- [[x]]\n[[y]] --> b",
        "> <!-- a\n> [[x]] -->",
        "- <!-- [[x]] -->",
        "<!-- a [[x]]",
        "%% [[x]] %%",
        "a %% [[x]] %% b",
        "%%\n[[x]]\n\n# [[y]]\n%%",
        "> %%\n> [[x]]\n>\n> [[y]]\n> %%",
        "|a|\n|-|\n|%% [[x]] %%|\n",
        "%%[[x]]%%",
    ]);
    hold_x(&[
        "%% a %% [[x]] %% b %%",
        "<!-- a --> [[x]] <!-- b -->",
        "- <!-- a --> [[x]]",
        "> <!-- a\n> b --> [[x]] <!-- c -->",
        "100 %% [[x]]",
        "a %% b\n\n[[x]] %%",
        "`%%` [[x]] `%%`",
        "%%\na\n%%\n[[x]]\n%%\nb\n%%",
        "\\%% [[x]] \\%%",
        "a <!-- [[x]]",
        "<!-- a -->\n[[x]]",
    ]);
    assert!(parse("<!-- a --> # b [[x]]").body.headings.is_empty(), "the line is an HTML block");
    assert!(parse("%%\n# H\n\n[^k]: [b](b.md)\n%%\n").body.headings.is_empty());
}

#[test]
fn w06_maths_html_and_expressions() {
    hold_none(&[
        "$[[x]]$",
        "$a [[x]] b$",
        "$$\n[[x]]\n$$",
        "$$\n\\begin{matrix}\n[[x]]\n\n[[y]]\n=\n$$",
        "> $$ [[x]] $$",
        "<div>[[x]]</div>",
        "<details>\n[[x]]\n</details>",
        "<script>\n\n[[x]]\n</script>",
        "<a title=\"[[x]]\">a</a>",
        "${query[[from x]]}",
        "${a {b} [[x]]}",
        "[[{{title}}]]",
        "[[<% tp.x %>]]",
        "<https://example.org/[[x]]>",
        "[a](<[[x]]>)",
        "[a](b.md \"[[x]]\")",
        "[a]: <[[x]]>\n",
    ]);
    hold_x(&[
        "$5 [[x]] $6",
        "US$5 [[x]] US$6",
        "$5-$6 [[x]] ($7)",
        "5$ [[x]] 6$",
        "$HOME [[x]] $USER",
        "${a} [[x]] ${b}",
        "\\$a [[x]] b\\$",
        "`$a` [[x]] `$b`",
        "$a$ [[x]] $b$",
        "$$a$$ [[x]] $$b$$",
        "a $ b [[x]]",
        "<span>[[x]]</span>",
        "<details>\n\n[[x]]\n\n</details>",
        "<b>a</b> [[x]]",
        "a < b [[x]] c > d",
        "{{a}} [[x]]",
    ]);
    assert_eq!(wikilinks("[[Vec<T>]] and [[$x$ axis]]"), ["[[Vec<T>]]", "[[$x$ axis]]"]);
}

#[test]
fn w07_own_heading() {
    let text = "# Top\n\n[[#Top]] [[#Top|up]] [here](#top) [[#Missing]]\n";
    let wiki = Wiki::new(&[("p.md", text), ("q.md", "# Top\n")]);
    assert_eq!(wiki.leads("p.md"), ["p.md#top", "p.md#top", "p.md#top", "p.md#!Missing"]);
    assert_eq!(wiki.links("p.md")[0].0.target, "", "it names no page");
}

#[test]
fn w08_heading_paths() {
    let target = "# A\n\n## B\n\n### C\n\n# D\n\n## B\n\n## E: 50% [x]\n\n# A\n\n## F\n";
    let wiki = Wiki::new(&[
        ("p.md", target),
        (
            "q.md",
            "[[p#A#B]] [[p#D#B]] [[p#A#B#C]] [[p#A#C]] [[p#B#C]] [[p#C#B]] [[p#D#C]] [[p#a#b]] [[p#A#F]] [[p#E 50 x]] \
             [[p#e-50-x]] [[ p # A # B ]] [[p##B]]",
        ),
    ]);
    let found: Vec<String> = wiki.leads("q.md").into_iter().map(|to| to.replace("p.md#", "")).collect();
    assert_eq!(
        found,
        ["b", "b-1", "c", "c", "c", "!C#B", "!D#C", "b", "f", "e-50-x", "e-50-x", "b", "b"],
        "a heading stands below the one before it, not necessarily right below, and not below the first of that name"
    );
}

#[test]
fn w09_blocks() {
    let target = "para ^ex-322\n\n- item ^b1\n  - sub ^b2\n- last\n\n> quote ^q\n\n> quote\n\n^own\n\n|a|\n|-|\n|b|\n\n^table\n\n\
                  |a|\n|-|\n|x ^2|\n^row\n\ntwo\nlines ^two\n\n`^code`\n\nx^3 and 2 ^ 4\n\n## H ^h\n";
    let page = parse(target);
    let ids: Vec<&str> = page.body.blocks.iter().map(|block| &*block.id).collect();
    assert_eq!(ids, ["ex-322", "b1", "b2", "q", "own", "table", "row", "two", "h"]);
    let wiki = Wiki::new(&[
        ("p.md", target),
        ("q.md", "[[p#^ex-322]] [[p#^EX-322]] [[p#^b2|x]] ![[p#^q]] [[p#^none]] [[p#H#^h]] [[#^own]]"),
    ]);
    let leads = wiki.leads("q.md");
    assert_eq!(leads, ["p.md#^ex-322", "p.md#^ex-322", "p.md#^b2", "p.md#^q", "p.md#!^none", "p.md#^h", "q.md#!^own"]);
}

#[test]
fn w10_embeds() {
    let wiki = Wiki::new(&[
        ("x.md", "# H\n"),
        ("i.png", ""),
        ("files/X.base", ""),
        ("p.md", "![[x]] ![[x#H]] ![[i.png|300]] ![[X.base#Y]] ![[gone.PDF]] ![[gone]] ![alt](i.png) ![alt](gone.svg)"),
    ]);
    let links = wiki.links("p.md");
    let kinds: Vec<LinkKind> = links.iter().map(|(link, _)| link.kind).collect();
    assert_eq!(kinds[..6], [LinkKind::Embed; 6]);
    assert_eq!(kinds[6..], [LinkKind::Image; 2]);
    assert_eq!(wiki.leads("p.md"), ["x.md", "x.md#h", "file", "file", "file", "!gone", "file", "file"]);
    assert_eq!(links[2].0.label.as_deref(), Some("300"));
    assert_eq!(wikilinks("\\![[x]] and !\\[[x]]"), ["[[x]]"], "an escaped mark embeds nothing");
    assert_eq!(wikilinks("wow!![[x]]"), ["![[x]]"]);
}

#[test]
fn w11_the_first_pipe() {
    assert_eq!(parts("[[p|a \\| b]]"), "p # - | a | b");
    assert_eq!(parts("[[#h#s\\|\\|l]]"), " # h#s | |l");
    assert_eq!(parts("[[p|a|b]]"), "p # - | a|b");
    assert_eq!(parts("[[p#h|a#b]]"), "p # h | a#b");
    assert_eq!(parts("[[p|[a] b]]"), "p # - | [a] b");
    assert_eq!(parts("[[p|[a]]]"), "p # - | [a]");
    assert_eq!(parts("([[p|a]])"), "p # - | a");
}

#[test]
fn w12_empty_parts() {
    assert_eq!(parts("[[p|]]"), "p # - | -");
    assert_eq!(parts("[[p#]]"), "p # - | -");
    assert_eq!(parts("[[p#|]]"), "p # - | -");
    assert_eq!(parts("[[p | ]]"), "p # - | -");
    hold_none(&["[[|]]", "[[ ]]", "[[]]", "[[#]]", "[[|a]]", "[[ | a ]]", "![[]]", "[[#|a]]"]);
}

#[test]
fn w13_blanks_around() {
    assert_eq!(parts("[[ Ollama ]]"), "Ollama # - | -");
    assert_eq!(parts("[[Satz | Sätze]]"), "Satz # - | Sätze");
    assert_eq!(parts("[[\tA # H | l ]]"), "A # H | l");
    assert_eq!(parts("[[\u{a0}A\u{a0}]]"), "A # - | -");
}

#[test]
fn w14_dots_are_no_suffix() {
    let wiki = Wiki::new(&[
        ("x/Three laws.md", ""),
        ("v1.2.md", ""),
        ("a.b.c.md", ""),
        ("Node.js.md", ""),
        ("UPPER.MD", ""),
        (
            "p.md",
            "[[Three laws.md]] [[v1.2]] [[a.b.c]] [[Node.js]] [[UPPER]] [[UPPER.MD]] [[v1.3]] [[Mr. X]] [[three laws.MD]]",
        ),
    ]);
    assert_eq!(
        wiki.leads("p.md"),
        [
            "x/Three laws.md",
            "v1.2.md",
            "a.b.c.md",
            "Node.js.md",
            "UPPER.MD",
            "UPPER.MD",
            "!v1.3",
            "!Mr. X",
            "x/Three laws.md"
        ]
    );
}

#[test]
fn w15_paths() {
    let wiki = Wiki::new(&[
        ("from/root.md", ""),
        ("x.md", ""),
        ("a/b/x.md", ""),
        ("a/other/x.md", ""),
        (
            "a/b/p.md",
            "[[/from/root]] [[./x]] [[../other/x]] [[../../x]] [[../../../x]] [[/../x]] [[from/root]] [[other/x]] \
             [[../b/x.md#h]] [[./gone]] [[../../other/x]] [[/x]]",
        ),
    ]);
    assert_eq!(
        wiki.leads("a/b/p.md"),
        [
            "from/root.md",
            "a/b/x.md",
            "a/other/x.md",
            "x.md",
            "!../../../x",
            "!/../x",
            "from/root.md",
            "!other/x",
            "a/b/x.md#!h",
            "!./gone",
            "!../../other/x",
            "x.md"
        ]
    );
}

#[test]
fn w21_a_markdown_link_in_brackets() {
    hold_none(&[
        "[[Paper](https://example.org)]",
        "[[1]](https://example.org)",
        "[[a](b.md)] and [[c](d.md) e]",
        "[[a][r]]\n\n[r]: https://example.org",
        "[[*a*](b.md)]",
        "[![[x]](i.png)](b.md)",
    ]);
    hold_x(&["[[x]] (https://example.org)", "[see [[x]]](b.md)", "[[x]](no destination)"]);
    let page = parse("[[Paper](https://example.org)]");
    assert_eq!(page.body.links.len(), 1);
    assert_eq!(page.body.links[0].label.as_deref(), Some("Paper"));
    // A wikilink stays one where its text is a reference's label too.
    assert_eq!(parts("[[x]]\n\n[x]: u.md\n"), "x # - | -");
}

#[test]
fn w22_escaped_brackets() {
    hold_none(&["\\[\\[x\\]\\]", "\\[[x]]", "[\\[x]]", "[[x\\]]", "[[x\\]\\]", "[[x]\\]", "\\\\\\[[x]]"]);
    hold_x(&["\\\\[[x]]", "\\a[[x]]", "\\[[[x]]\\]"]);
}

#[test]
fn w23_never_across_a_line_end() {
    hold_x(&["press [[\nand [[x]]", "[[a\nb]] [[x]]", "[[x]]\n]]", "> [[a\n> [[x]]", "[[ [[ [[x]]", "[[a|\n[[x]]"]);
    assert_eq!(wikilinks("press [[\r\na [[x]]\r[[y]]"), ["[[x]]", "[[y]]"]);
    hold_none(&["[[a\r\nb]]", "[[a\rb]]", "[[a|b\nc]]"]);
}

#[test]
fn w29_markdown_links() {
    let wiki = Wiki::new(&[
        ("x.md", ""),
        ("tables/x.md", "# h\n"),
        ("raw/File Name.md", ""),
        ("docs/a b.md", "# h\n"),
        ("docs/y.md", "---\ntitle: Titled\n---\n"),
        ("docs/image.png", ""),
        ("deep/only.md", ""),
        (
            "docs/p.md",
            "[1](y.md) [2](/tables/x.md) [3](<../raw/File Name.md>) [4](a%20b.md#h) [5](only.md) [6](Titled) [7](./y.md) \
             [8](../raw/File%20Name.md) [9](https://example.org/y.md) [10](mailto:a@b.c) [11](image.png) [12](../tables) \
             [13](../tables/) [14](../../up.md) [15](#none) [16](y.md \"t\") [17][r] [r] [18](x.md) [19](//host/x.md) \
             <a@b.c> <https://example.org> [20](y) [21](y.md?v=1#z)\n\n[r]: ../x.md 'title'\n",
        ),
    ]);
    assert_eq!(
        wiki.leads("docs/p.md"),
        [
            "docs/y.md",
            "tables/x.md",
            "raw/File Name.md",
            "docs/a b.md#h",
            "!only.md",
            "!Titled",
            "docs/y.md",
            "raw/File Name.md",
            "foreign",
            "foreign",
            "file",
            "folder",
            "folder",
            "outside",
            "docs/p.md#!none",
            "docs/y.md",
            "x.md",
            "x.md",
            "!x.md",
            "foreign",
            "foreign",
            "foreign",
            "docs/y.md",
            "docs/y.md#!z",
        ]
    );
}

#[test]
fn w33_footnotes() {
    let (defined, used) = footnotes(
        "One.[^k] Two.[^u] Three[^a-b_1].\n\n[^k]: First.\n\n[^k]: Again, see [[x]].\n\n[^unused]: [[y]]\n\n[^a-b_1]:\n    Indented.\n",
    );
    assert_eq!(defined, ["k", "k", "unused", "a-b_1"]);
    assert_eq!(used, ["k", "u", "a-b_1"]);
    assert_eq!(wikilinks("[^k]: see [[x]]"), ["[[x]]"]);
    // In lists, quotes, tables and headings.
    for text in [
        "- a[^k]\n\n  [^k]: b\n",
        "> a[^k]\n>\n> [^k]: b\n",
        "|a|\n|-|\n|b[^k]|\n\n[^k]: c\n",
        "# a[^k]\n[^k]: b\n",
        "[a[^k]](b.md)\n\n[^k]: c\n",
        "[[^k]]\n\n[^k]: c\n",
        "a[^k]\n[^k]: b\n",
    ] {
        assert_eq!(footnotes(text), (vec!["k".to_owned()], vec!["k".to_owned()]), "{text}");
    }
    assert_eq!(footnotes("`[^k]` \\[^k] [^k](a.md) $[^k]$ <!-- [^k] -->").1, NONE, "none of these refers");
    assert_eq!(footnotes("    [^k]: code").0, NONE);
    assert_eq!(footnotes("[^a b] [^] [^ a]").1, NONE);
    assert_eq!(footnotes("[^a b]\n\n[^a b]: c"), (vec!["a b".to_owned()], vec!["a b".to_owned()]));
    let page = parse("a[^k]\n\n[^k]: one\n    two\n\nb\n");
    assert_eq!(page.text.slice(page.body.footnotes[0].span), "[^k]: one\n    two");
}

#[test]
fn typed_relations() {
    let relations = |text: &str| -> Vec<(String, Option<String>)> {
        parse(text).body.links.into_iter().map(|link| (link.target, link.relation)).collect()
    };
    let is = |name: &str| Some(name.to_owned());
    for text in [
        "- **Teil von:** [[a]]",
        "- **Teil von:** [[a]][^s]",
        "* __Teil von:__ [[a|x]];\n",
        "1. **Teil von:** [a](a) ^block",
        "- **Teil von:** [[a]] <!-- lint-disable x: y -->",
        "- **Teil von :** [[a]] %% why %%",
        "> - **Teil von:** [[a]]",
        "- x\n  - **Teil von:** [[a]]",
        "- **Teil von:**\n  [[a]]",
    ] {
        assert_eq!(relations(text), [("a".to_owned(), is("Teil von"))], "{text}");
    }
    let (a, b) = (("a".to_owned(), is("r")), ("b".to_owned(), is("r")));
    for text in [
        "- **r:** [[a]], [[b]]",
        "- **r:** [[a]],\n  [[b]]",
        "> - **r:** [[a]],\n>   [[b]]",
        "- **r:** [[a]] [[b]]\n\n  More.",
    ] {
        assert_eq!(relations(text), [a.clone(), b.clone()], "{text}");
    }
    for text in [
        "**r:** [[a]]",
        "- **Gemessen:** Parse von [[a]]",
        "- **r:** [[a]] und mehr",
        "- **r** [[a]]",
        "- **:** [[a]]",
        "- [[a]]",
        "- *r:* [[a]]",
        "- x **r:** [[a]]",
        "- **r:** [[a]] `code`",
        "- **[[a]]:** see",
        "-\n\n**r:** [[a]]",
        "- x\n\n  **r:** [[a]]",
        "|x|\n|-|\n|**r:** [[a]]|\n",
    ] {
        assert_eq!(relations(text), [("a".to_owned(), None)], "{text}");
    }
}

#[test]
fn places_of_links() {
    let page = parse(
        "---\na: b\n---\n[[zero]]\n\n# One\n\n- ä [[one]]\n\n## Two [[two]]\n\n> [!note] [[three]]\n\n- [ ] [[four]]\n- [x] [five](f.md)\n",
    );
    let lines = page.text.lines();
    let places: Vec<(String, u32, u32, Option<u32>)> = page
        .body
        .links
        .iter()
        .map(|link| {
            let at = lines.position(link.span.start as usize);
            (page.text.slice(link.span).to_owned(), at.line, at.column, link.section)
        })
        .collect();
    let place = |text: &str, line, column, section| (text.to_owned(), line, column, section);
    assert_eq!(
        places,
        [
            place("[[zero]]", 4, 1, None),
            place("[[one]]", 8, 5, Some(0)),
            place("[[two]]", 10, 8, Some(1)),
            place("[[three]]", 12, 11, Some(1)),
            place("[[four]]", 14, 7, Some(1)),
            place("[five](f.md)", 15, 7, Some(1)),
        ]
    );
}

#[test]
fn label_first_style() {
    let dendron = |text: &str| {
        let page = Page::parse("p.md".into(), text.as_bytes(), LinkStyle::Dendron);
        let link = page.body.links.into_iter().next();
        link.map(|link| (link.target, link.fragment.unwrap_or_default(), link.label.unwrap_or_default()))
    };
    let is =
        |target: &str, fragment: &str, label: &str| Some((target.to_owned(), fragment.to_owned(), label.to_owned()));
    assert_eq!(dendron("[[Label|dir.page]]"), is("dir.page", "", "Label"));
    assert_eq!(dendron("[[ A label | dir.page#head ]]"), is("dir.page", "head", "A label"));
    assert_eq!(dendron("[[dir.page]]"), is("dir.page", "", ""));
    assert_eq!(dendron("[[|dir.page]]"), is("dir.page", "", ""));
    assert_eq!(dendron("[[dir.page|]]"), is("dir.page", "", ""));
    assert_eq!(dendron("|x|\n|-|\n|[[L\\|p]]|\n"), is("p", "", "L"));
    assert_eq!(dendron("[[C# basics|p]]"), is("p", "", "C# basics"));
    assert_eq!(dendron("[[|]]"), None);
    assert_eq!(dendron("[[L|`p`]]"), None);
    let wiki =
        Wiki::with_style(&[("p.md", ""), ("q.md", "---\nrelated: \"[[L|p]]\"\n---\n[[L|p]]")], LinkStyle::Dendron);
    assert_eq!(wiki.leads("q.md"), ["p.md", "p.md"]);
}

#[test]
fn f29_unquoted_links_in_front_matter() {
    let wiki = Wiki::new(&[
        ("X.md", ""),
        ("Y Z.md", ""),
        ("p.md", "---\nrelated: [[X]]\n---\n"),
        ("q.md", "---\nhead: [[meta, {name: d}]]\n---\n"),
        ("r.md", "---\nrelated:\n  - [[X]]\n  - [[Y Z]]\n---\n"),
        ("s.md", "---\nother: [[X]]\n---\n"),
        ("t.md", "---\nmatrix: [[1, 2], [3, 4]]\nsingle: [[1]]\n---\n"),
        ("u.md", "---\nrelated: [[X|label]]\n---\n"),
        ("v.md", "---\na: [[X]], [[Y Z]]\n---\n[[X]]\n"),
    ]);
    assert_eq!(wiki.leads("p.md"), ["X.md"]);
    assert_eq!(wiki.leads("q.md"), NONE);
    assert_eq!(wiki.leads("r.md"), ["X.md", "Y Z.md"]);
    assert_eq!(wiki.leads("s.md"), ["X.md"]);
    assert_eq!(wiki.leads("t.md"), NONE);
    assert_eq!(wiki.leads("u.md"), ["X.md"]);
    assert_eq!(wiki.leads("v.md"), ["X.md"], "invalid YAML, body served");
    assert!(wiki.page("v.md").1.problems[0].hint.contains("quote"), "{:?}", wiki.page("v.md").1.problems);
}

#[test]
fn f30_links_in_any_field() {
    let wiki = Wiki::new(&[
        ("Block ciphers.md", "# H\n"),
        ("b.md", ""),
        (
            "p.md",
            "---\nbelongs_to: \"[[Block ciphers]]\"\nup: '[[b|B]]'\nlist:\n  - \"[[Block ciphers#H]]\"\n  - plain\nnested: {deep: \"[[b]]\"}\n\
             summary: See [[b]] for more.\ntwo: \"[[b]] and [[b]]\"\ntype: \"[[b]]\"\nrelated: [Block ciphers, \"[[b]]\", null, \"\", \"{{name}}\", \"https://example.org\", gone]\n---\n",
        ),
    ]);
    let links = wiki.links("p.md");
    assert!(links.iter().all(|(link, _)| link.kind == LinkKind::FrontMatter));
    assert_eq!(
        wiki.leads("p.md"),
        ["Block ciphers.md", "b.md", "Block ciphers.md#h", "b.md", "Block ciphers.md", "b.md", "foreign", "!gone"]
    );
    let page = wiki.page("p.md").1;
    assert_eq!(page.text.slice(links[0].0.span), "\"[[Block ciphers]]\"");
}
