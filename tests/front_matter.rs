//! Front matter from the wild: one test for each row of the table of cases, named by its id, and their kinds around them.

use chemenu_core::page::{FrontMatter, FrontMatterState, LINK_FIELDS, LinkKind, LinkStyle, Page, Problem, ProblemKind};
use chemenu_core::text::Lines;
use serde_json::{Value as Json, json};

/// A page's front matter and all that is wrong with it, with the page's text at hand.
struct Read {
    text: String,
    front: FrontMatter,
    problems: Vec<Problem>,
}

impl Read {
    /// A whole page.
    fn page(text: &str) -> Self {
        let (front, problems) = FrontMatter::parse(text);
        Self { text: text.into(), front, problems }
    }

    /// A page with this between its fences, and a body.
    fn block(yaml: &str) -> Self {
        Self::page(&format!("---\n{yaml}\n---\n# Heading\n"))
    }

    fn json(&self) -> Json {
        self.front.root.as_ref().map_or(Json::Null, |root| root.to_json())
    }

    fn body(&self) -> &str {
        &self.text[self.front.span.end as usize..]
    }

    fn tags(&self) -> Vec<&str> {
        self.front.tags().into_iter().map(|(tag, _)| tag).collect()
    }

    fn aliases(&self) -> Vec<&str> {
        self.front.aliases().into_iter().map(|(alias, _)| alias).collect()
    }

    fn title(&self) -> Option<&str> {
        self.front.title().map(|(title, _)| title)
    }

    /// The kinds of all problems.
    fn kinds(&self) -> Vec<ProblemKind> {
        self.problems.iter().map(|problem| problem.kind).collect()
    }

    /// Asserts one problem, of invalid YAML, at this line and column, whose hint holds `hint`; the body is served.
    #[track_caller]
    fn invalid_at(&self, line: u32, column: u32, hint: &str) {
        assert_eq!(self.kinds(), [ProblemKind::FrontMatterInvalid], "{:#?}", self.problems);
        assert_eq!((self.front.state, &self.front.root), (FrontMatterState::Invalid, &None));
        let problem = &self.problems[0];
        let position = Lines::new(&self.text).position(problem.span.start as usize);
        assert_eq!((position.line, position.column), (line, column), "{problem:#?}");
        assert!(problem.hint.contains(hint), "{problem:#?}");
        assert_eq!(self.body(), "# Heading\n");
    }

    /// Asserts front matter without a problem.
    #[track_caller]
    fn is(&self, json: Json) {
        assert_eq!(self.problems, []);
        assert_eq!(self.front.state, FrontMatterState::Present);
        assert_eq!(self.json(), json);
    }
}

fn page(text: &str) -> Page {
    Page::parse("notes/a page.md".into(), text.as_bytes(), LinkStyle::Obsidian)
}

fn front_links(text: &str) -> Vec<String> {
    let links = page(text).front_links(LinkStyle::Obsidian, |field| LINK_FIELDS.contains(&field));
    assert!(links.iter().all(|link| link.kind == LinkKind::FrontMatter));
    links.into_iter().map(|link| link.target).collect()
}

#[test]
fn f01_template_placeholder() {
    let hint = "name its folder under `exclude` in `chemenu.toml`; else put it in quotes: ";
    Read::block("created: {{date}}").invalid_at(2, 10, &format!("{hint}`created: \"{{{{date}}}}\"`"));
    Read::block("a: 1\ntitle: {{title}} of {{date:YYYY}}\nb: 2").invalid_at(3, 8, hint);
    Read::block("tags:\n  - {{tag}}").invalid_at(3, 5, &format!("{hint}`- \"{{{{tag}}}}\"`"));
    Read::block("tags: [x, {{tag}}]").invalid_at(2, 11, &format!("{hint}`tags: [x, \"{{{{tag}}}}\"]`"));
    Read::block("{{frontmatter}}").invalid_at(2, 1, hint);
    Read::block("{{key}}: value").invalid_at(2, 1, "chemenu.toml");
    Read::block("{% if draft %}\na: 1").invalid_at(2, 1, hint);
    Read::block("created: \"{{date}}\"\nother: <% tp.date %>")
        .is(json!({"created": "{{date}}", "other": "<% tp.date %>"}));
}

#[test]
fn f03_unquoted_colon() {
    let read = Read::block("title: Crash: memory full");
    read.invalid_at(2, 13, "put the value in quotes: `title: \"Crash: memory full\"`");
    assert_eq!(page(&read.text).title, "Heading");

    Read::block("type: x\nsummary: see https://example.org: all of it # note").invalid_at(
        3,
        33,
        "`summary: \"see https://example.org: all of it\"`",
    );
    Read::block("title: Über: alles").invalid_at(2, 12, "`title: \"Über: alles\"`");
    Read::block("title: ends with one:").invalid_at(2, 21, "`title: \"ends with one:\"`");
    Read::block("sources:\n  - Book: a subtitle: another").invalid_at(3, 21, "`- Book: \"a subtitle: another\"`");
    Read::block("title: He said \"no\": twice").invalid_at(2, 20, "`title: 'He said \"no\": twice'`");
    // Only the second line has the colon that cannot be, the value began above.
    Read::block("summary: a long text\n  with a note: this one").invalid_at(
        3,
        3,
        "put the whole value of `summary` in quotes",
    );
    Read::block("at: 12:30\nurl: https://example.org:80/a:b")
        .is(json!({"at": "12:30", "url": "https://example.org:80/a:b"}));
}

#[test]
fn f04_quotes_in_quotes() {
    Read::block("title: \"Above \"The Pit\"\"").invalid_at(2, 15, "`title: 'Above \"The Pit\"'`");
    Read::block("title: 'it's'").invalid_at(2, 11, "`title: \"it's\"`");
    Read::block("title: 'it's \"so\"'").invalid_at(2, 11, r#"`title: "it's \"so\""`"#);
    Read::block("title: \"A\" and more").invalid_at(2, 10, "`title: '\"A\" and more'`");
    Read::block("- \"A\": b\n- \"C\" d").invalid_at(3, 5, "quotes");
    Read::block("title: \"never closed\ntype: concept").invalid_at(2, 8, "`title: \"never closed\"`");
    // The next line's quote closes it, to YAML.
    Read::block("title: \"never closed\ntype: \"concept\"").invalid_at(2, 8, "`title: \"never closed\"`");
    Read::block(r#"path: "C:\xy""#).invalid_at(2, 10, r"`path: 'C:\xy'`");
}

#[test]
fn values_that_begin_with_an_indicator() {
    for value in [
        "@name",
        "%d",
        "`code` and text",
        "*bold* text",
        "**bold**",
        "& co",
        ">50 %",
        "| x",
        ", b",
        "] b",
        "!a!b c",
        "? b",
    ] {
        let quoted = format!("a: \"{value}\"");
        Read::block(&format!("a: {value}")).invalid_at(2, 4, &quoted);
        Read::block(&quoted).is(json!({"a": value}));
    }
    Read::block("a: - b").invalid_at(2, 4, "a line of its own below the key");
    Read::block("a: [text](https://example.org)").invalid_at(2, 10, "`a: \"[text](https://example.org)\"`");
}

#[test]
fn indentation() {
    Read::block("a:\n\tb: 1").invalid_at(3, 1, "indent with blanks");
    Read::block("a:\n  - x\n\t- y").invalid_at(4, 1, "indent with blanks");
    Read::block("a: 1\n b: 2").invalid_at(3, 2, "indent `b` like `a`");
    Read::block("a:\n  b: 1\n c: 2").invalid_at(4, 2, "begin in one column");
    Read::block("a:\n - b\n- c").invalid_at(4, 1, "begin in one column");
    Read::block("  a: 1\nb: 2").invalid_at(3, 1, "begin in one column");
}

#[test]
fn no_key_and_value() {
    Read::block("a: 1\nkey:value\nb: 2").invalid_at(3, 4, "`key: value`");
    Read::block("key:value\nb: 2").invalid_at(2, 4, "`key: value`");
    Read::block("key:value").invalid_at(2, 4, "`key: value`");
    Read::block("a: 1\nsome text\nb: 2").invalid_at(3, 1, "give it a colon");
    Read::block("just text").invalid_at(2, 1, "give it a colon");
    Read::block("- a\n- b").invalid_at(2, 1, "a key of its own");
    Read::block("a: [x, y\nb: 2").invalid_at(2, 4, "close it");
    Read::block("a: {x: 1\nb: 2").invalid_at(2, 4, "close it");
    Read::block("[a, b]: c").invalid_at(2, 1, "`\"[a, b]\"`");
}

#[test]
fn characters_that_yaml_has_not() {
    Read::block("a: x\0y").invalid_at(2, 5, "remove it");
    Read::block("a: \u{7}").invalid_at(2, 4, "remove it");
    Read::block("a: x\u{ffff}").invalid_at(2, 5, "remove it");
    Read::block("a: 1\n\u{feff}b: 2").invalid_at(3, 1, "remove it");
}

#[test]
fn f09_a_fence_with_more_in_it_does_not_close() {
    let read = Read::block("a: 1\n--- extra ---\nb: 2");
    read.invalid_at(3, 1, "keep one document");
    assert_eq!(&read.text[read.front.content.range()], "a: 1\n--- extra ---\nb: 2\n");
    Read::block("a: 1\n----\nb: 2").invalid_at(3, 1, "give it a colon");
}

#[test]
fn f10_dots_close() {
    let read = Read::page("---\nid: 1\n...\n# T\n");
    read.is(json!({"id": 1}));
    assert_eq!(read.body(), "# T\n");
}

#[test]
fn f11_never_closed() {
    let read = Read::page("---\na: 1\n# T\n");
    assert_eq!(read.kinds(), [ProblemKind::FrontMatterUnclosed]);
    assert_eq!((read.front.state, read.body()), (FrontMatterState::Absent, "---\na: 1\n# T\n"));
    assert_eq!(read.problems[0].span.range(), 0..3);
    assert_eq!(Read::page("---\n# comment\nlong key with: x\n --- \n").kinds(), [ProblemKind::FrontMatterUnclosed]);
    // A thematic break at the top of a page.
    assert_eq!(Read::page("---\n\n# T\n\nText.\n").kinds(), []);
    assert_eq!(Read::page("---").kinds(), []);
}

#[test]
fn f12_a_thematic_break_after_it() {
    let read = Read::page("---\na: 1\n---\n---\n## D\n");
    read.is(json!({"a": 1}));
    assert_eq!(read.body(), "---\n## D\n");
}

#[test]
fn a_second_block() {
    let read = Read::page("---\na: 1\n---\n\n---\nb: 2\n---\n");
    assert_eq!((read.json(), read.kinds()), (json!({"a": 1}), vec![ProblemKind::FrontMatterMisplaced]));
    assert_eq!(read.problems[0].span.range(), 14..17);
    assert_eq!(Read::page("---\na: 1\n---\n\n---\n\nText.\n\n---\n").kinds(), []);
}

#[test]
fn f14_blanks_behind_the_fences() {
    let read = Read::page("--- \na: 1\n---  \t\n# T\n");
    read.is(json!({"a": 1}));
    assert_eq!(read.body(), "# T\n");
    let read = Read::page("---\na: 1\n---");
    read.is(json!({"a": 1}));
    assert_eq!(read.body(), "");
}

#[test]
fn f15_not_at_the_start() {
    for before in [
        "\n",
        " \n\t\n",
        "<!-- note -->\n",
        "<!--\nnote\n-->\n\n",
        "<!-- a --><!-- b -->\n",
        " ",
        "\u{feff}",
        "\u{200b}\n",
    ] {
        let read = Read::page(&format!("{before}---\na: 1\n---\n# T\n"));
        assert_eq!(read.kinds(), [ProblemKind::FrontMatterMisplaced], "{before:?}");
        assert_eq!((read.front.state, read.front.span.end), (FrontMatterState::Absent, 0), "{before:?}");
        assert_eq!(read.problems[0].span.range(), before.len()..before.len() + 3, "{before:?}");
    }
    for text in ["\n---\n\nText.\n\n---\n", "\n---\na: 1\n", "Text\n---\na: 1\n---\n", "<!-- open\n---\na: 1\n---\n"] {
        assert_eq!(Read::page(text).kinds(), [], "{text:?}");
    }
}

#[test]
fn f17_empty_differs_from_absent() {
    for text in ["---\n---\n", "---\n\n---\n", "---\n# only a comment\n---\n", "---\n~\n---\n"] {
        Read::page(text).is(json!({}));
        assert_eq!(Read::page(text).body(), "");
    }
    let absent = Read::page("# T\n");
    assert_eq!((absent.front.state, absent.json(), absent.kinds()), (FrontMatterState::Absent, Json::Null, vec![]));
}

#[test]
fn f19_duplicate_keys() {
    let read = Read::block("sources: []\nx: 1\nsources: [a]");
    assert_eq!(read.json(), json!({"sources": [], "x": 1}));
    assert_eq!(read.kinds(), [ProblemKind::DuplicateKey]);
    assert_eq!(Lines::new(&read.text).line(read.problems[0].span.start as usize), 4);
    assert_eq!(&read.text[read.problems[0].span.range()], "sources");
    assert!(read.problems[0].message.contains("`sources`") && read.problems[0].message.ends_with("first in line 2"));

    let read = Read::block("a: {b: 1, \"b\": 2, b: 3}\nc: [{d: 1, d: 2}]");
    assert_eq!(read.json(), json!({"a": {"b": 1}, "c": [{"d": 1}]}));
    assert_eq!(read.kinds(), [ProblemKind::DuplicateKey; 3]);

    let many: String = (0..40).chain([3, 39, 0]).map(|key| format!("k{key}: {key}\n")).collect();
    let read = Read::block(&many);
    assert_eq!(read.json().as_object().map(|keys| keys.len()), Some(40));
    let lines: Vec<_> = read.problems.iter().map(|problem| problem.message.rsplit(' ').next()).collect();
    assert_eq!(lines, [Some("5"), Some("41"), Some("2")]);
}

#[test]
fn f20_no_tags() {
    for yaml in [
        "tags:\n- ",
        "tags:",
        "tags: []",
        "tags: ''",
        "tags: ~",
        "tags: ', ,'",
        "tags: ['', ~, ]",
        "tags: #x",
        "a: 1",
        "tags: {a: 1}",
    ] {
        let read = Read::block(yaml);
        assert_eq!((read.tags(), read.kinds()), (vec![], vec![]), "{yaml}");
    }
}

#[test]
fn f21_one_two_three_tags() {
    for (yaml, tags) in [
        ("tags: adr", &["adr"][..]),
        ("tags: a, b", &["a", "b"]),
        ("tags: a,b, c", &["a", "b", "c"]),
        ("tags: 'a, b'", &["a", "b"]),
        ("tags: [a, b c]", &["a", "b c"]),
        ("tags:\n- a\n-\n- 2026\n- no", &["a", "2026", "no"]),
        ("Tags: two words", &["two words"]),
        ("tag: ['#a', a, b]", &["a", "b"]),
        ("tags: größe, ß", &["größe", "ß"]),
    ] {
        let read = Read::block(yaml);
        assert_eq!((read.tags(), read.kinds()), (tags.to_vec(), vec![]), "{yaml}");
    }
    let read = Read::block("tags: a, größe,c");
    for (tag, span) in read.front.tags() {
        assert_eq!(tag, &read.text[span.range()]);
    }
}

#[test]
fn f23_aliases() {
    for (yaml, aliases) in [
        ("aliases: Fold", &["Fold"][..]),
        ("alias: x", &["x"]),
        ("Aliases: [x]", &["x"]),
        ("ALIAS: [x, 2026, no]", &["x", "2026", "no"]),
        ("aliases: A, B", &["A", "B"]),
        ("aliases: \"Knuth, Donald\"", &["Knuth, Donald"]),
        ("aliases: [\"Knuth, Donald\", K]\nalias: K", &["Knuth, Donald", "K"]),
        ("aliases:", &[]),
        ("aliases:\n- ", &[]),
    ] {
        let read = Read::block(yaml);
        assert_eq!((read.aliases(), read.kinds()), (aliases.to_vec(), vec![]), "{yaml}");
    }
}

#[test]
fn f24_a_title_is_its_source_text() {
    for title in ["0.90", "2019", "2026-05-26", "404", "no", "true", "null", "1e3", "0x1F", "12:30", "1_000", "-01"] {
        let read = Read::block(&format!("title: {title}"));
        assert_eq!((read.title(), read.kinds()), (Some(title), vec![]));
        assert_eq!(page(&read.text).title, title);
    }
    for yaml in ["title: [a]", "title: {a: 1}", "title:", "title: ~", "title: ''", "title: ' '"] {
        let read = Read::block(yaml);
        assert_eq!(read.title(), None, "{yaml}");
        assert_eq!(page(&read.text).title, "Heading", "{yaml}");
    }
    assert_eq!(Read::block("title: \"quoted: yes\"").title(), Some("quoted: yes"));
    assert_eq!(Read::block("title: >-\n  over\n  lines").title(), Some("over lines"));
}

#[test]
fn f25_leading_zeros() {
    Read::block("slug: 001\niso: 020\nv: 017\nday: 01.10\nneg: -08\nhex: 0x00ff\nz: 0")
        .is(json!({"slug": "001", "iso": "020", "v": "017", "day": "01.10", "neg": "-08", "hex": "0x00ff", "z": 0}));
    Read::block("confidence: 0.50\nlow: -0.5\noct: 0o17").is(json!({"confidence": 0.5, "low": -0.5, "oct": 15}));
}

#[test]
fn f26_long_numbers() {
    Read::block(
        "id: 2061907337154367865\nneg: -2061907337154367865\nlast: 9007199254740992\nfloat: 0.12345678901234567890",
    )
    .is(json!({
        "id": "2061907337154367865", "neg": "-2061907337154367865", "last": 9007199254740992_i64,
        "float": "0.12345678901234567890",
    }));
    Read::block("a: .inf\nb: -.INF\nc: .nan\nd: 1e999")
        .is(json!({"a": ".inf", "b": "-.INF", "c": ".nan", "d": "1e999"}));
}

#[test]
fn f27_dates_are_text() {
    Read::block("a: 2026-05-05\nb: 2026-06-03T06:56:27.332770+00:00\nc: 2026-02-30\nd: 2026-06-03 06:56:27")
        .is(json!({"a": "2026-05-05", "b": "2026-06-03T06:56:27.332770+00:00", "c": "2026-02-30", "d": "2026-06-03 06:56:27"}));
}

#[test]
fn f29_unquoted_wikilinks() {
    assert_eq!(front_links("---\nrelated: [[X]]\n---\n"), ["X"]);
    Read::block("related: [[X]]").is(json!({"related": [["X"]]}));
    Read::block("a: [[A]], [[B]]").invalid_at(2, 9, "as a list of quoted names: `a: [\"[[A]]\", \"[[B]]\"]`");
    Read::block("a:\n  - [[A]]\n  - [[B|x]], [[C]]").invalid_at(4, 12, "`- [\"[[B|x]]\", \"[[C]]\"]`");
    Read::block("a: [[A]] and [[B]]").invalid_at(2, 10, "`a: \"[[A]] and [[B]]\"`");
    Read::block("head: [[meta, {name: d}]]").is(json!({"head": [["meta", {"name": "d"}]]}));
    assert_eq!(front_links("---\nhead: [[meta, {name: d}]]\n---\n"), [""; 0]);
}

#[test]
fn f30_quoted_wikilinks() {
    assert_eq!(front_links("---\nbelongs_to: \"[[Block ciphers]]\"\n---\n"), ["Block ciphers"]);
}

#[test]
fn f31_keys_as_they_stand() {
    Read::block("cSpell:ignore: a b\nms.date: 1\nexternal help file: x\n2026: y\nno: z\n\"a: b\": c\nTiefe Größe: 1").is(json!({
        "cSpell:ignore": "a b", "ms.date": 1, "external help file": "x", "2026": "y", "no": "z", "a: b": "c", "Tiefe Größe": 1,
    }));
}

#[test]
fn f32_anchors_and_aliases() {
    Read::block("base: &b {x: 1, y: [a]}\ncopy: *b\nkey: &k name\n*k : v")
        .is(json!({"base": {"x": 1, "y": ["a"]}, "copy": {"x": 1, "y": ["a"]}, "key": "name", "name": "v"}));
    Read::block("a: &x 1\nb: &x 2\nc: *x").is(json!({"a": 1, "b": 2, "c": 2}));
    Read::block("a: &b {x: 1}\n<<: *b").is(json!({"a": {"x": 1}, "<<": {"x": 1}}));
    Read::block("a: *b\nb: &b 1").invalid_at(2, 4, "quotes");
    Read::block("a: &b [*b]").invalid_at(2, 8, "write the value out");

    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]".to_owned();
    for level in 1..30 {
        let below = vec![format!("*a{}", level - 1); 10].join(",");
        bomb.push_str(&format!("\na{level}: &a{level} [{below}]"));
    }
    let read = Read::block(&bomb);
    assert_eq!(read.kinds(), [ProblemKind::FrontMatterInvalid]);
    assert!(read.problems[0].message.starts_with("anchors and aliases add more than"), "{:?}", read.problems);
}

#[test]
fn f35_nested_values() {
    Read::block("generated: { by: human:x@y }\nverified: [ {a: 1} ]\ndeep:\n  - - 1\n    - k: |\n        text\n  - ~")
        .is(json!({
            "generated": {"by": "human:x@y"}, "verified": [{"a": 1}], "deep": [[1, {"k": "text\n"}], null],
        }));
    Read::block("a: !!str 5\nb: ! 5\nc: !!int 5\nd: !own x").is(json!({"a": "5", "b": "5", "c": 5, "d": "x"}));
}

#[test]
fn f37_line_ends_and_byte_order_mark() {
    let plain = page("---\ntitle: Ü\ntags: [a]\n---\n# H\n");
    let json = |page: &Page| page.front_matter.root.as_ref().map(|root| root.to_json());
    assert_eq!(json(&plain), Some(json!({"title": "Ü", "tags": ["a"]})));
    for text in [
        "\u{feff}---\ntitle: Ü\ntags: [a]\n---\n# H\n",
        "---\r\ntitle: Ü\r\ntags: [a]\r\n---\r\n# H\r\n",
        "---\rtitle: Ü\rtags: [a]\r---\r# H\r",
        "\u{feff}---\r\ntitle: Ü\ntags: [a]\r---\r\n# H\n",
    ] {
        let page = page(text);
        assert_eq!((json(&page), &page.problems), (json(&plain), &plain.problems), "{text:?}");
        assert_eq!(page.front_matter, plain.front_matter, "{text:?}");
        let title = page.front_matter.title().map(|(_, span)| page.text.stored(span)).expect("there is a title");
        assert_eq!(&text[title.range()], "Ü");
    }
}
