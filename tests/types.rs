//! Types: which pages they are, what names them, what their schemas find, how they are described.
#![allow(clippy::disallowed_methods, reason = "a test clones a wiki into a folder of its own")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chemenu_core::Error;
use chemenu_core::lint::Level;
use chemenu_core::page::{LinkStyle, Page, is_page};
use chemenu_core::types::{Files, Loaded, TypeOf, Types, Violation, describe, list};
use serde_json::{Value, json};

/// A wiki in memory.
struct Wiki {
    pages: Vec<Arc<Page>>,
    types: Types,
}

struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }
}

impl Wiki {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::of(files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect())
    }

    fn of(files: BTreeMap<String, Vec<u8>>) -> Self {
        let pages: Vec<Arc<Page>> = files
            .iter()
            .filter(|(path, _)| is_page(path))
            .map(|(path, bytes)| Arc::new(Page::parse(path.clone(), bytes, LinkStyle::default())))
            .collect();
        let types = Types::build(&Loaded::new(&pages), &Memory(files), &["types/".to_owned()]);
        Self { pages, types }
    }

    fn page(&self, path: &str) -> &Page {
        self.pages.iter().find(|page| page.path == path).unwrap_or_else(|| panic!("no page {path}"))
    }

    /// The path of the type of a page, or what was found instead.
    fn type_of(&self, path: &str) -> String {
        match self.types.type_of(self.page(path)) {
            TypeOf::Missing => "missing".into(),
            TypeOf::One(of) => of.path.clone().unwrap_or_else(|| format!("inferred {}", of.name)),
            TypeOf::Ambiguous(_, paths) => format!("ambiguous {}", paths.join(" ")),
            TypeOf::Unknown(_, near) => format!("unknown {}", near.join(" ")),
        }
    }

    fn violations(&self, path: &str) -> Vec<Violation> {
        self.types.violations(self.page(path))
    }

    fn messages(&self, path: &str) -> Vec<String> {
        self.violations(path).into_iter().map(|violation| violation.message).collect()
    }

    /// What a violation's span cuts out of the page, with the message.
    fn placed(&self, path: &str) -> Vec<(String, String)> {
        let text = &self.page(path).text;
        self.violations(path).into_iter().map(|v| (text.slice(v.span).to_owned(), v.message)).collect()
    }

    /// Messages of what is wrong with a type page.
    fn problems(&self, path: &str) -> Vec<String> {
        self.types.problems(self.page(path)).iter().map(|problem| problem.message.clone()).collect()
    }

    fn describe(&self, name: &str) -> Value {
        Value::Object(describe(&self.types, name, &self.pages, |path| !self.violations(path).is_empty()).unwrap())
    }

    fn list(&self) -> Value {
        Value::Object(list(&self.types, &self.pages))
    }
}

/// A wiki with the one type `t`, its inline schema (JSON is YAML), and pages by their front matter.
fn typed(schema: &str, pages: &[(&str, &str)]) -> Wiki {
    let mut files = vec![("types/t.md".to_owned(), format!("---\nname: t\nsummary: T\nschema: {schema}\n---\n# T\n"))];
    files
        .extend(pages.iter().map(|(path, fields)| ((*path).to_owned(), format!("---\ntype: t\n{fields}\n---\n# P\n"))));
    Wiki::of(files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect())
}

fn field<'a>(described: &'a Value, name: &str) -> &'a Value {
    described["fields"].as_array().unwrap().iter().find(|field| field["name"] == name).unwrap_or(&Value::Null)
}

// Names

#[test]
fn every_form_names_the_type() {
    let concept = "---\nname: concept\nsummary: C\n---\n# The idea\n";
    let system = "---\nname: agent memory\nsummary: A\n---\n# A\n";
    for (written, expected) in [
        ("types/concept.md", "types/concept.md"),
        ("types/concept", "types/concept.md"),
        ("/types/concept.md", "types/concept.md"),
        ("../types/concept.md", "types/concept.md"),
        ("../types/concept", "types/concept.md"),
        ("concept", "types/concept.md"),
        ("concept.md", "types/concept.md"),
        ("Concept", "types/concept.md"),
        ("CONCEPT", "types/concept.md"),
        ("\"[[concept]]\"", "types/concept.md"),
        ("\"[[types/concept|a concept]]\"", "types/concept.md"),
        ("'[[The idea]]'", "types/concept.md"),
        ("[[concept]]", "types/concept.md"),
        ("AgentMemorySystem", "types/agent-memory-system.md"),
        ("agent memory", "types/agent-memory-system.md"),
        ("agent-memory-system", "types/agent-memory-system.md"),
        ("konzept", "unknown concept agent memory"),
        ("../../types/concept.md", "unknown concept agent memory"),
        ("./types/concept.md", "unknown concept agent memory"),
        ("", "missing"),
        ("~", "missing"),
        ("[a, b]", "unknown concept agent memory"),
    ] {
        let page = format!("---\ntype: {written}\n---\n# P\n");
        let wiki = Wiki::new(&[
            ("types/concept.md", concept),
            ("types/agent-memory-system.md", system),
            ("notes/p.md", &page),
        ]);
        assert_eq!(wiki.type_of("notes/p.md"), expected, "{written}");
    }
}

#[test]
fn normal_forms_meet() {
    let wiki = Wiki::new(&[
        ("types/größe.md", "---\nname: größe\nsummary: G\n---\n"),
        ("p.md", "---\ntype: gro\u{308}ße\n---\n"),
        ("q.md", "---\ntype: GRÖSSE\n---\n"),
    ]);
    assert_eq!(wiki.type_of("p.md"), "types/größe.md");
    assert_eq!(wiki.type_of("q.md"), "types/größe.md");
}

#[test]
fn ambiguous_names_are_not_guessed() {
    let wiki = Wiki::new(&[
        ("a/types/note.md", "---\nname: note\nschema: null\n---\n"),
        ("b/types/note.md", "---\nname: note\nschema: null\n---\n"),
        ("p.md", "---\ntype: note\n---\n"),
        ("a/q.md", "---\ntype: ./types/note.md\n---\n"),
    ]);
    assert_eq!(wiki.type_of("p.md"), "ambiguous a/types/note.md b/types/note.md");
    assert_eq!(wiki.type_of("a/q.md"), "a/types/note.md");
    let error = wiki.types.find("note").unwrap_err();
    assert_eq!(
        error,
        Error::TypeAmbiguous {
            name: "note".into(),
            candidates: vec!["a/types/note.md".into(), "b/types/note.md".into()]
        }
    );
}

#[test]
fn an_unknown_type_answers_with_all_the_nearest_first() {
    let wiki = Wiki::new(&[
        ("types/concept.md", "---\nname: concept\n---\n"),
        ("types/source.md", "---\nname: source\n---\n"),
    ]);
    let error = wiki.types.find("sorce").unwrap_err();
    assert_eq!(
        error,
        Error::TypeNotFound { name: "sorce".into(), candidates: vec!["source".into(), "concept".into()] }
    );
}

// Which pages are type pages

#[test]
fn type_pages_are_found() {
    let wiki = Wiki::new(&[
        ("types/README.md", "# All types\n"),
        ("types/declared.md", "---\nsummary: D\n---\n"),
        ("types/deep/er.md", "---\nname: deeper\n---\n"),
        ("types/plain.md", "# Only prose, but a page names it\n"),
        ("kb/types/elsewhere.md", "---\nname: elsewhere\nschema: null\n---\n"),
        ("kb/kinds/by-path.md", "# Named by its path\n"),
        ("Book.md", "# Named by a wikilink\n"),
        ("film.md", "# A bare name means no page outside the types\n"),
        ("gate.md", "---\nname: A gate\n---\n"),
        ("1.md", "---\ntype: plain\n---\n"),
        ("kb/2.md", "---\ntype: ./kinds/by-path.md\n---\n"),
        ("3.md", "---\ntype: \"[[Book]]\"\n---\n"),
        ("4.md", "---\ntype: film\n---\n"),
    ]);
    let paths: Vec<&str> = wiki.types.all().iter().filter_map(|of| of.path.as_deref()).collect();
    let expected = [
        "Book.md",
        "kb/kinds/by-path.md",
        "kb/types/elsewhere.md",
        "types/declared.md",
        "types/deep/er.md",
        "types/plain.md",
    ];
    assert_eq!(paths, expected);
    assert_eq!(wiki.type_of("3.md"), "Book.md");
    assert!(wiki.type_of("4.md").starts_with("unknown"));
}

// Readings

#[test]
fn either_reading_satisfies_a_schema() {
    let schema = r#"{ properties: { slug: {type: string}, iso: {type: integer}, confidence: {type: number}, day: {type: string, format: date},
        big: {type: integer}, v: {const: "017"}, names: {type: array, items: {type: string}}, has: {contains: {const: "2019"}},
        either: {anyOf: [{type: string, minLength: 1}, {type: array}]}, nested: {properties: {n: {type: string}}} } }"#;
    let good = "slug: 001\niso: 020\nconfidence: 0.50\nday: 2026-09-02\nbig: 2061907337154367865\nv: 017\nnames: [2019, yes, 1.0, true]\n\
                has: [2018, 2019]\neither: 12\nnested: {n: 5}";
    let wiki = typed(schema, &[("p.md", good)]);
    assert_eq!(wiki.problems("types/t.md"), Vec::<String>::new());
    assert_eq!(wiki.messages("p.md"), Vec::<String>::new());
}

#[test]
fn an_unquoted_link_is_a_name() {
    let schema = "{ properties: { related: {type: array, items: {type: string}}, up: {type: string}, list: {items: {type: string}}, no: {items: {type: string}} } }";
    let wiki = typed(
        schema,
        &[("p.md", "related: [[A]]\nup: [[B c]]\nlist:\n  - [[A]]\n  - [[B]]"), ("q.md", "no: [[A], [B]]")],
    );
    assert_eq!(wiki.messages("p.md"), Vec::<String>::new());
    assert_eq!(wiki.messages("q.md"), ["`no[0]` is a list, not text", "`no[1]` is a list, not text"]);
}

#[test]
fn nothing_is_no_text() {
    let wiki = typed("{ properties: { s: {type: string} } }", &[("p.md", "s:"), ("q.md", "s: ~"), ("r.md", "s: null")]);
    assert_eq!(wiki.messages("p.md"), ["`s` is empty, not text"]);
    assert_eq!(wiki.messages("q.md"), ["`s` is `~`, not text"]);
    assert_eq!(wiki.messages("r.md"), Vec::<String>::new());
}

#[test]
fn what_fails_in_both_readings_is_told_in_the_nearer_one() {
    let schema = "{ properties: { c: {type: number, maximum: 1}, d: {type: string, format: date} } }";
    let wiki = typed(schema, &[("p.md", "c: 2\nd: 2026")]);
    assert_eq!(wiki.messages("p.md"), ["`c` is `2`, more than `1`", "`d` is `2026`, not a date"]);
}

#[test]
fn a_schema_may_name_its_type_in_any_form() {
    for constant in ["types/t.md", "types/t", "t"] {
        for written in ["types/t.md", "../types/t.md", "t", "T", "\"[[t]]\""] {
            let schema = format!(
                "---\nname: t\nschema: {{ properties: {{ type: {{const: {constant}}}, n: {{maximum: 1}} }} }}\n---\n"
            );
            let page = format!("---\ntype: {written}\nn: 2\n---\n");
            let wiki = Wiki::new(&[("types/t.md", &schema), ("notes/p.md", &page)]);
            assert_eq!(wiki.messages("notes/p.md"), ["`n` is `2`, more than `1`"], "{constant} {written}");
        }
    }
    let wiki = typed("{ properties: { type: {const: other} } }", &[("p.md", "")]);
    assert_eq!(wiki.messages("p.md"), ["`type` is `t`, not `other`"]);
}

// Violations

#[test]
fn violations_are_sentences_with_places() {
    let schema = r#"{ required: [summary], properties: {
        kind: {enum: [method, tool]}, day: {format: date}, tags: {type: array, items: {type: string}, minItems: 2, uniqueItems: true},
        confidence: {type: number, minimum: 0}, title: {type: string, maxLength: 5}, code: {pattern: "^x"}, status: false,
        only: {const: one}, flag: {type: boolean}, nest: {required: [a], properties: {b: {type: integer}}},
        by: {anyOf: [{type: string}, {type: array}]} }, additionalProperties: false }"#;
    let cases: &[(&str, &str, &str)] = &[
        ("x: 1", "---", "`summary` is missing"),
        ("summary: S\nkind: tol", "tol", "`kind` is `tol`, not one of `method`, `tool`"),
        ("summary: S\nday: 2026-02-30", "2026-02-30", "`day` is `2026-02-30`, not a date"),
        ("summary: S\ntags: a", "a", "`tags` is `a`, not a list"),
        ("summary: S\ntags: [a]", "[a]", "`tags` has 1 item, fewer than 2"),
        ("summary: S\ntags: [a, a]", "[a, a]", "`tags` has the same item twice"),
        ("summary: S\ntags: [a, [b]]", "[b]", "`tags[1]` is a list, not text"),
        ("summary: S\nconfidence: -0.5", "-0.5", "`confidence` is `-0.5`, less than `0`"),
        ("summary: S\ntitle: größer", "größer", "`title` has 6 characters, more than 5"),
        ("summary: S\ncode: y", "y", "`code` is `y`, which does not match `^x`"),
        ("summary: S\nstatus: done", "status", "`status` is not allowed here"),
        ("summary: S\nonly: two", "two", "`only` is `two`, not `one`"),
        ("summary: S\nflag: ja", "ja", "`flag` is `ja`, not `true` or `false`"),
        ("summary: S\nnest: {b: 1}", "{b: 1}", "`nest.a` is missing"),
        ("summary: S\nnest: {a: 1, b: x}", "x", "`nest.b` is `x`, not a whole number"),
        ("summary: S\nby: {a: 1}", "{a: 1}", "`by` is a mapping, not text or a list"),
        ("summary: S\nsumary: T", "sumary", "`sumary` is no field of this type"),
    ];
    let schema = schema.replace("properties: {\n", "properties: { type: true, x: true, summary: {minLength: 1}, ");
    for (fields, cut, message) in cases {
        let wiki = typed(&schema, &[("p.md", fields)]);
        assert_eq!(wiki.problems("types/t.md"), Vec::<String>::new());
        assert_eq!(wiki.placed("p.md"), [((*cut).to_owned(), (*message).to_owned())], "{fields}");
    }
    let wiki = typed(&schema, &[("p.md", "summary: S\nsumary: T"), ("q.md", "summary: S\nkind: tol")]);
    assert_eq!(wiki.violations("p.md")[0].hint, "did you mean `summary`");
    assert_eq!(wiki.violations("q.md")[0].hint, "did you mean `tool`");
}

#[test]
fn page_text_in_a_message_stays_within_its_backticks() {
    let wiki = typed("{ properties: { k: {enum: [a]} } }", &[("p.md", &format!("k: \"x`\\n## {}\"", "y".repeat(200)))]);
    let [message] = &wiki.messages("p.md")[..] else { panic!() };
    assert!(message.starts_with("`k` is `x' ## yyy") && message.ends_with("…`, not `a`"), "{message}");
    assert_eq!(message.matches('`').count(), 6);
    assert!(!message.contains('\n') && message.chars().count() < 120);
}

#[test]
fn severity_and_description_belong_to_the_constraint() {
    let schema = r##"{ $defs: { größe: {minimum: 9, severity: info, description: too small} }, properties: { g: {$ref: "#/$defs/größe"},
        summary: {type: string, description: What it says., minLength: 2, allOf: [
        {maxLength: 5, severity: warn, description: a summary should be short}, {pattern: "^[A-Z]", description: begin with a capital} ]} } ,
        allOf: [ {severity: info, properties: {n: {maximum: 3}}} ] }"##;
    let wiki = typed(schema, &[("p.md", "summary: much too long\nn: 4\ng: 1"), ("q.md", "summary: X")]);
    assert_eq!(wiki.problems("types/t.md"), Vec::<String>::new());
    let found: Vec<(Option<Level>, String)> =
        wiki.violations("p.md").into_iter().map(|v| (v.level, v.message)).collect();
    let expected = [
        (Some(Level::Warn), "a summary should be short".to_owned()),
        (None, "begin with a capital".to_owned()),
        (Some(Level::Info), "too small".to_owned()),
        (Some(Level::Info), "`n` is `4`, more than `3`".to_owned()),
    ];
    for one in &expected {
        assert!(found.contains(one), "{one:?} not in {found:?}");
    }
    assert_eq!(found.len(), 4);
    let long = wiki.violations("p.md").into_iter().find(|v| v.level == Some(Level::Warn)).unwrap();
    assert_eq!(long.hint, "`summary` has 13 characters, more than 5; shorten it");
    // A field's own description says what the field means, so it does not replace what is wrong.
    assert_eq!(wiki.messages("q.md"), ["`summary` has 1 character, fewer than 2: What it says"]);
}

#[test]
fn patterns_that_explode_are_cut_short() {
    let wiki = typed(
        r#"{ properties: { a: {pattern: "^(?=(a+)+$)(a|a)*\\1b$"} } }"#,
        &[("p.md", &format!("a: {}!", "a".repeat(5000)))],
    );
    assert_eq!(wiki.messages("p.md").len(), 1);
}

#[test]
fn many_violations_are_counted_not_listed() {
    let many = "1, ".repeat(50_000);
    let wiki = typed("{ properties: { l: {items: {enum: [a]}} } }", &[("p.md", &format!("l: [{many}]"))]);
    let messages = wiki.messages("p.md");
    assert_eq!(messages.len(), 201);
    assert_eq!(messages[200], "49800 more places do not satisfy the schema");
    let schema = "{ properties: { frontmatter: true, body_dates: {items: {format: date}} } }";
    let page = format!("---\ntype: t\n---\n{}", "2026-02-30 ".repeat(50_000));
    let wiki = Wiki::new(&[("types/t.md", &format!("---\nname: t\nschema: {schema}\n---\n")), ("p.md", &page)]);
    assert_eq!(wiki.messages("p.md").len(), 201);
}

#[test]
fn the_envelope_is_offered_where_a_schema_asks_for_it() {
    let schema = r###"{ required: [frontmatter, body, headings, links, body_dates], additionalProperties: false, properties: {
        frontmatter: {required: [summary], properties: {n: {type: string}}},
        body: {pattern: "\\*\\*Typ:\\*\\*", not: {pattern: TODO}},
        headings: {type: array, allOf: [{contains: {const: "## Evidence"}}, {contains: {pattern: "^## Next"}}]},
        links: {items: {pattern: "^[^ ]+$"}},
        body_dates: {items: {format: date}} } }"###;
    let type_page = format!("---\nname: t\nschema: {schema}\n---\n");
    let good = "---\ntype: t\nsummary: S\nn: 5\n---\n# P\n\n**Typ:** x, 2026-01-31 [[a]]\n\n## Evidence ##\n\nNext week\n---------\n";
    let bad = "---\ntype: t\nn: []\n---\n# P\n\nTODO 2026-02-30 [[a b]] v12026-02-30\n\n```\n## Evidence\n```\n";
    let wiki = Wiki::new(&[("types/t.md", &type_page), ("good.md", good), ("bad.md", bad)]);
    assert_eq!(wiki.problems("types/t.md"), Vec::<String>::new());
    let mut placed = wiki.placed("bad.md");
    placed.sort();
    let expected = [
        ("---", "`summary` is missing"),
        ("2026-02-30", "one of the page's dates is `2026-02-30`, not a date"),
        ("# P", "the page has no heading `## Evidence`"),
        ("# P", "the page has no heading that matches `^## Next`"),
        ("# P", "the page's body does not match `\\*\\*Typ:\\*\\*`"),
        ("TODO", "the page's body matches `TODO`, which is not allowed"),
        ("[[a b]]", "one of the page's links is `a b`, which does not match `^[^ ]+$`"),
        ("[]", "`n` is a list, not text"),
    ];
    let mut expected: Vec<(String, String)> = expected.map(|(cut, said)| (cut.to_owned(), said.to_owned())).into();
    expected.sort();
    assert_eq!(placed, expected);
    // "Next week" is a setext heading: level two, so it is `## Next week`.
    assert_eq!(wiki.messages("good.md"), Vec::<String>::new());
}

// Schemas in files, and wrong ones

#[test]
fn a_base_that_fails_makes_none_of_its_fields_unknown() {
    let base = "{properties: {type: {}, summary: {type: string}, tags: {minItems: 1}, meta: {properties: {a: {type: integer}}}}}";
    let closed = format!("{{allOf: [{base}], properties: {{own: {{}}}}, unevaluatedProperties: false}}");
    let wiki = typed(
        &closed,
        &[("fails.md", "summary: S\ntags: []\nown: 1\nother: 2"), ("holds.md", "summary: S\ntags: [a]\nother: 2")],
    );
    assert_eq!(wiki.messages("fails.md"), ["`tags` has 0 items, fewer than 1", "`other` is no field of this type"]);
    assert_eq!(wiki.messages("holds.md"), ["`other` is no field of this type"]);
    // What only a condition allows is unknown where the condition does not hold.
    let conditional = "{allOf: [{properties: {type: {}, tags: {minItems: 1}}}], if: {required: [a]}, then: {properties: {a: {}, b: {}}}, unevaluatedProperties: false}";
    let wiki = typed(conditional, &[("p.md", "tags: []\nb: 1")]);
    assert_eq!(wiki.messages("p.md"), ["`tags` has 0 items, fewer than 1", "`b` is no field of this type"]);
    // What patterns allow cannot be told from what they do not, once they fail with their schema.
    let patterned = "{allOf: [{properties: {type: {}, tags: {minItems: 1}}, patternProperties: {^x-: {}}}], unevaluatedProperties: false}";
    let wiki = typed(patterned, &[("fails.md", "tags: []\nx-a: 1"), ("holds.md", "tags: [a]\nx-a: 1\ny: 1")]);
    assert_eq!(wiki.messages("fails.md"), ["`tags` has 0 items, fewer than 1"]);
    assert_eq!(wiki.messages("holds.md"), ["`y` is no field of this type"]);
}

#[test]
fn what_forbids_a_value_is_not_satisfied_by_its_text() {
    for (schema, field) in [
        ("{not: {const: 1}}", "x: 1"),
        ("{not: {enum: [1, 2]}}", "x: 1"),
        ("{not: {const: true}}", "x: true"),
        ("{not: {type: integer}}", "x: 5"),
        ("{items: {not: {const: 1}}}", "x: [1, 2]"),
        ("{if: {type: integer}, then: false}", "x: 5"),
        ("{if: {type: integer}, then: {const: 7}}", "x: 5"),
        ("{oneOf: [{type: number}, {minimum: 3}]}", "x: 5"),
        ("{anyOf: [{not: {const: 1}}, {const: 2}]}", "x: 1"),
    ] {
        let wiki = typed(&format!("{{properties: {{x: {schema}}}}}"), &[("p.md", field)]);
        assert_eq!(wiki.messages("p.md").len(), 1, "{schema} of {field}");
    }
    for (schema, field) in
        [("{type: string}", "x: 1"), ("{enum: [\"1\", a]}", "x: 1"), ("{const: \"true\"}", "x: true")]
    {
        let wiki = typed(&format!("{{properties: {{x: {schema}}}}}"), &[("p.md", field)]);
        assert_eq!(wiki.messages("p.md"), [""; 0], "{schema} of {field}");
    }
}

#[test]
fn schemas_that_cost_too_much_are_refused() {
    let doubling = |keyword: &str| {
        let parts = (0..30).map(|n| {
            format!("a{n}: {{{keyword}: [{{$ref: \"#/$defs/a{m}\"}}, {{$ref: \"#/$defs/a{m}\"}}]}}", m = n + 1)
        });
        format!(
            "{{{keyword}: [{{$ref: \"#/$defs/a0\"}}], $defs: {{{}, a30: {{required: [zz]}}}}}}",
            parts.collect::<Vec<_>>().join(", ")
        )
    };
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let wiki = typed(&doubling(keyword), &[("p.md", "a: 1")]);
        let [problem] = &wiki.problems("types/t.md")[..] else { panic!("{keyword}") };
        assert!(problem.contains("more than 20000 schemas"), "{problem}");
        wiki.describe("t");
    }
    // So does one that doubles with each level of the value.
    let levels = (0..30).map(|n| {
        format!(
            "a{n}: {{properties: {{x: {{allOf: [{{$ref: \"#/$defs/a{m}\"}}, {{$ref: \"#/$defs/a{m}\"}}]}}}}}}",
            m = n + 1
        )
    });
    let schema = format!("{{$ref: \"#/$defs/a0\", $defs: {{{}, a30: {{}}}}}}", levels.collect::<Vec<_>>().join(", "));
    assert_eq!(typed(&schema, &[]).problems("types/t.md").len(), 1);
    for circle in [
        "{$ref: \"#\"}",
        "{allOf: [{$ref: \"#/$defs/a\"}], $defs: {a: {$ref: \"#/$defs/b\"}, b: {$ref: \"#/$defs/a\"}}}",
    ] {
        let wiki = typed(circle, &[("p.md", "a: 1")]);
        assert!(wiki.problems("types/t.md")[0].contains("it refers to itself"), "{circle}");
    }
    // A tree refers to itself in its parts, and a base may be named many times.
    let tree = "{properties: {type: {}, children: {items: {$ref: \"#\"}}, other: {$ref: \"#\"}}}";
    let wiki = typed(tree, &[("p.md", "children: [{children: [{type: x}]}]")]);
    assert_eq!((wiki.problems("types/t.md").len(), wiki.messages("p.md").len()), (0, 0));
    let bases: Vec<String> = (0..200).map(|n| format!("p{n}: {{$ref: \"#/$defs/a\"}}")).collect();
    let schema = format!(
        "{{properties: {{{}}}, $defs: {{a: {{allOf: [{{type: string}}, {{minLength: 1}}]}}}}}}",
        bases.join(", ")
    );
    assert_eq!(typed(&schema, &[]).problems("types/t.md"), [""; 0]);
}

#[test]
fn a_schema_without_end_is_described_in_bounds() {
    let fields: Vec<String> = (0..40).map(|n| format!("p{n}: {{$ref: \"#/$defs/a\"}}")).collect();
    let schema = format!(
        "{{properties: {{x: {{$ref: \"#/$defs/a\"}}, y: {{type: string}}}}, $defs: {{a: {{properties: {{{}}}}}}}}}",
        fields.join(", ")
    );
    let described = typed(&schema, &[]).describe("t");
    assert_eq!(field(&described, "y")["type"], "string");
    assert!(described.to_string().len() < 1_000_000);
}

#[test]
fn a_key_that_is_refused_is_shown_itself() {
    let wiki = typed("{propertyNames: {pattern: \"^[a-z]+$\"}}", &[("p.md", "ok: 1\nBad: 2")]);
    assert_eq!(wiki.placed("p.md")[0].0, "Bad");
}

#[test]
fn how_many_of_a_kind() {
    let of = |bounds: &str, tags: &str| {
        let wiki = typed(&format!("{{properties: {{tags: {{contains: {{const: z}}, {bounds}}}}}}}"), &[("p.md", tags)]);
        wiki.messages("p.md").concat()
    };
    assert_eq!(of("maxContains: 1", "tags: [z, z]"), "`tags` has more than 1 items `z`");
    assert_eq!(of("minContains: 2", "tags: [z]"), "`tags` has fewer than 2 items `z`");
    assert_eq!(of("title: t", "tags: [a]"), "`tags` has no item `z`");
    let wiki = typed("{anyOf: [{required: [aa]}, {required: [bb]}]}", &[("p.md", "a: 1")]);
    assert_eq!(wiki.messages("p.md"), ["the front matter has none of `aa`, `bb`"]);
}

#[test]
fn what_is_too_much_to_list_is_as_grave_as_its_gravest() {
    let of = |severity: &str, more: &str| {
        let schema = format!(
            "{{properties: {{x: {{items: {{type: boolean, severity: \"{severity}\"}}}}, y: {{type: boolean}}}}}}"
        );
        typed(&schema, &[("p.md", &format!("x: [{}a]\n{more}", "a, ".repeat(249)))]).violations("p.md")
    };
    assert_eq!(of("off", "").len(), 0);
    assert_eq!(of("off", "y: a").len(), 1);
    assert_eq!(of("info", "").last().unwrap().level, Some(Level::Info));
    assert_eq!(of("info", "y: a").last().unwrap().level, None);
}

#[test]
fn quotes_make_a_text_and_are_shown() {
    let wiki = typed("{properties: {type: {}, n: {type: integer}}}", &[("p.md", "n: \"8\""), ("q.md", "n: eight")]);
    assert_eq!(wiki.messages("p.md"), ["`n` is `\"8\"`, not a whole number"]);
    assert_eq!(wiki.violations("p.md")[0].hint, "take the quotes away");
    assert_eq!(wiki.messages("q.md"), ["`n` is `eight`, not a whole number"]);
    assert_ne!(wiki.violations("q.md")[0].hint, "take the quotes away");
}

#[test]
fn a_template_without_a_fence_is_told() {
    let wiki =
        Wiki::new(&[("types/t.md", "---\nname: t\nsummary: T\n---\n# T\n\nFor t.\n\n## Template\n\n# {Title}\n")]);
    assert_eq!(wiki.problems("types/t.md"), ["the section `Template` has no fenced block, so there is no template"]);
}

#[test]
fn what_no_field_and_no_section_can_say_is_a_constraint() {
    let envelope = "{properties: {frontmatter: {allOf: [{if: {required: [a]}, then: {required: [b]}, description: \"`a` needs `b`\"}], properties: {a: {}, b: {}}}, \
        body: {allOf: [{type: string}, {not: {pattern: \"TODO.\"}, severity: warn}]}, \
        headings: {allOf: [{contains: {const: \"# P\"}}, {maxItems: 3}]}}}";
    let wiki = typed(envelope, &[("p.md", "a: 1\nb: 2")]);
    assert_eq!(
        wiki.describe("t")["constraints"],
        json!([
            { "of": "frontmatter", "schema": { "if": { "required": ["a"] }, "then": { "required": ["b"] }, "description": "`a` needs `b`" } },
            { "of": "headings", "schema": { "maxItems": 3 } },
            { "of": "body", "schema": { "not": { "pattern": "TODO." }, "severity": "warn" } },
        ])
    );
    assert_eq!(wiki.describe("t")["sections"].as_array().unwrap().len(), 1);
    assert_eq!(typed("{required: [a]}", &[]).describe("t").get("constraints"), None);
    // What must not stand in the text is shown where it stands.
    let wiki = Wiki::new(&[
        (
            "types/t.md",
            "---\nname: t\nsummary: T\nschema: {properties: {frontmatter: {}, body: {not: {pattern: \"TODO.\"}}}}\n---\n# T\n",
        ),
        ("p.md", "---\ntype: t\n---\n# P\n\nText, TODO: more.\n"),
    ]);
    assert_eq!(wiki.placed("p.md")[0].0, "TODO:");
}

#[test]
fn schemas_inherit_across_files_and_folders() {
    let wiki = Wiki::new(&[
        ("types/note.md", "---\nname: note\nschema: ./schemas/note.yaml\n---\n"),
        (
            "types/claim.md",
            "---\nname: claim\nschema:\n  allOf:\n    - $ref: note.md\n    - required: [evidence]\n---\n",
        ),
        (
            "types/schemas/note.yaml",
            "$id: https://example.org/note\nallOf:\n  - $ref: \"../../shared/base%20file.yaml#/$defs/all\"\nproperties:\n  day: {$ref: \"#/$defs/der größte Tag\"}\n$defs:\n  der größte Tag: {type: string, format: date}\n",
        ),
        (
            "shared/base file.yaml",
            "$defs:\n  all: {required: [summary], properties: {json: {$ref: /shared/more.json}}}\n",
        ),
        ("shared/more.json", "{\n\t\"type\": \"integer\"\n}"),
        ("p.md", "---\ntype: claim\nday: x\njson: y\n---\n"),
    ]);
    assert_eq!(wiki.problems("types/note.md"), Vec::<String>::new());
    assert_eq!(wiki.problems("types/claim.md"), Vec::<String>::new());
    let mut messages = wiki.messages("p.md");
    messages.sort();
    assert_eq!(
        messages,
        [
            "`day` is `x`, not a date",
            "`evidence` is missing",
            "`json` is `y`, not a whole number",
            "`summary` is missing"
        ]
    );
    for path in ["types/schemas/note.yaml", "shared/base file.yaml", "shared/more.json"] {
        assert!(wiki.types.reads(path), "{path}");
    }
    assert!(!wiki.types.reads("other.yaml"));
    let described = wiki.describe("claim");
    assert_eq!(field(&described, "summary")["required"], true);
    assert_eq!(field(&described, "json")["type"], "integer");
}

#[test]
fn wrong_schemas_are_problems_of_the_type_page() {
    let cases: &[(&str, &str, &str)] = &[
        ("nowhere.yaml", "nowhere.yaml", "`schema` is `nowhere.yaml`, which is no file of this wiki"),
        ("../../up.yaml", "../../up.yaml", "`schema` is `../../up.yaml`, which is no file of this wiki"),
        ("t.md", "t.md", "`schema` is `t.md`, which is no file of this wiki"),
        (
            "https://example.org/s.yaml",
            "https://example.org/s.yaml",
            "`schema` is `https://example.org/s.yaml`, which is remote",
        ),
        ("broken.yaml", "broken.yaml", "the schema file `types/broken.yaml` line 2: "),
        ("broken.json", "broken.json", "the schema file `types/broken.json` is not JSON, line 1 column 2"),
        ("wrong.yaml", "wrong.yaml", "`types/wrong.yaml` line 3: `properties/a/type` is `strng`, not one of `array`"),
        ("[1]", "[1]", "the schema is a list, not `true` or `false` or a mapping"),
        ("{type: 5}", "5", "`type` is `5`, not "),
        (
            "{$ref: https://example.org/x}",
            "https://example.org/x",
            "`$ref` is `https://example.org/x`, which is remote",
        ),
        (
            "{properties: {a: {$ref: //example.org/x}}}",
            "//example.org/x",
            "`$ref` is `//example.org/x`, which is remote",
        ),
        ("{$ref: ../../x.yaml}", "../../x.yaml", "`$ref` is `../../x.yaml`, which leads out of the wiki"),
        ("{$ref: x.yaml}", "x.yaml", "`$ref` is `x.yaml`, which is no schema of this wiki"),
        ("{$ref: \"#/$defs/x\"}", "{$ref: \"#/$defs/x\"}", "the schema cannot be used: no part of it is at `/$defs/x`"),
        ("{properties: {a: {pattern: (}}}", "(", "`properties/a/pattern` is `(`, not of the format `regex`"),
    ];
    for (schema, cut, message) in cases {
        let page = format!("---\nname: t\nschema: {schema}\n---\n");
        let wiki = Wiki::new(&[
            ("types/t.md", &page),
            ("types/broken.yaml", "a: 1\nb: c: d\n"),
            ("types/broken.json", "{]"),
            ("types/wrong.yaml", "properties:\n  a:\n    type: strng\n"),
            ("p.md", "---\ntype: t\n---\n"),
        ]);
        let problems = wiki.types.problems(wiki.page("types/t.md"));
        assert_eq!(problems.len(), 1, "{schema}: {problems:?}");
        assert!(problems[0].message.starts_with(message), "{schema}: {}", problems[0].message);
        assert_eq!(wiki.page("types/t.md").text.slice(problems[0].span), *cut, "{schema}");
        assert!(!problems[0].hint.is_empty());
        // The page has its type; only the schema says nothing about it.
        assert_eq!(wiki.type_of("p.md"), "types/t.md");
        assert_eq!(wiki.messages("p.md"), Vec::<String>::new());
        assert_eq!(wiki.describe("t")["problems"][0]["message"], problems[0].message);
    }
}

#[test]
fn schemas_that_refer_to_themselves_end() {
    let recursive = typed("{ properties: { a: {$ref: \"#\"}, n: {type: integer} } }", &[("p.md", "a: {a: {n: x}}")]);
    assert_eq!(recursive.messages("p.md"), ["`a.a.n` is `x`, not a whole number"]);
    let loops = typed("{ allOf: [ {$ref: \"#\"} ], required: [s] }", &[("p.md", "x: 1")]);
    assert_eq!(loops.problems("types/t.md").len(), 1);
    assert_eq!(loops.messages("p.md"), [""; 0]);
    let pair = Wiki::new(&[
        ("types/a.md", "---\nname: a\nschema: b.md\n---\n"),
        ("types/b.md", "---\nname: b\nschema: a.md\n---\n"),
        ("p.md", "---\ntype: a\n---\n"),
    ]);
    assert_eq!(pair.problems("types/a.md"), ["the schema cannot be used: it refers to itself, so that it never ends"]);
    assert_eq!(pair.messages("p.md"), Vec::<String>::new());
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("types/t.md".into(), b"---\nname: t\nschema: 0.yaml\n---\n".to_vec());
    for at in 0..200 {
        files.insert(format!("types/{at}.yaml"), format!("$ref: {}.yaml\n", at + 1).into_bytes());
    }
    files.insert("types/200.yaml".into(), b"type: object\n".to_vec());
    assert_eq!(Wiki::of(files).problems("types/t.md"), ["the schema consists of more than 100 documents"]);
}

#[test]
fn wrong_declarations_are_problems_too() {
    let wiki = Wiki::new(&[
        (
            "types/t.md",
            "---\nname: t\nstale_after: soon\nsections:\n  - heading: [A, B]\n    requird: true\n  - required: true\n  - Plain\n  - heading: C\n    max_words: many\nrelations:\n  - name: uses\n    target: tt\n    role: replaces\nlinks:\n  sources: [nix]\n  related:\n---\n",
        ),
        ("types/u.md", "---\nname: u\nsections: A\nlinks: [a, {field: b, target: t}, {target: t}]\n---\n"),
    ]);
    assert_eq!(
        wiki.problems("types/t.md"),
        [
            "`sections` has no key `requird`",
            "an item of `sections` has no `heading`",
            "`max_words` in `sections` has a value of the wrong kind",
            "the relation `uses` has the unknown role `replaces`",
            "`stale_after` is no number of days",
            "`uses` in `relations` leads to `tt`, which is no type",
            "`sources` in `links` leads to `nix`, which is no type",
        ]
    );
    assert_eq!(wiki.problems("types/u.md"), ["`sections` is no list", "`links` names something that is no field"]);
    let of = wiki.types.find("t").unwrap();
    assert_eq!(of.sections.iter().map(|section| section.heading.join("/")).collect::<Vec<_>>(), ["A/B", "Plain"]);
    let page = Page::parse("p.md".into(), b"---\ntype: u\n---\n", LinkStyle::default());
    assert!(
        wiki.types.holds_names(&page, "a") && wiki.types.holds_names(&page, "b") && !wiki.types.holds_names(&page, "c")
    );
}

// Descriptions

#[test]
fn a_description_says_all_that_a_writer_needs() {
    let type_page = r#"---
name: concept
description: An idea
owner: team
stale_after: 90
schema:
  allOf: [{$ref: base.yaml}]
  required: [kind]
  properties:
    kind: {enum: [method, tool], default: tool, description: What kind of idea}
    confidence: {maximum: 0.9}
    status: false
  unevaluatedProperties: false
sections:
  - {heading: [Definition, Begriff], required: true, max_words: 50}
  - heading: Links
relations:
  - {name: Teil von, target: concept, inverse: enthält}
links:
  sources: [concept]
---
# Concept

Fixes a word.

## Wann zu verwenden

- For ideas.

## Wann NICHT zu verwenden

- For things.

## Template

Copy this:

````markdown
# {Title}

```
code
```

## Template
````
"#;
    let base = "required: [summary]\nproperties:\n  type: {type: string}\n  summary: {type: string, minLength: 1, allOf: [{maxLength: 9, severity: warn, description: should be short}]}\n  confidence: {type: number, minimum: 0, maximum: 1}\n  created: {type: string, format: date}\n  sources: {type: array, items: {type: string}}\nif: {required: [kind]}\nthen: {properties: {extra: {type: string}, kind: {const: tool}}}\n";
    let wiki = Wiki::new(&[
        ("types/concept.md", type_page),
        ("types/base.yaml", base),
        ("a.md", "---\ntype: concept\nkind: tool\nsummary: A\nconfidence: 0.50\nsources: [x, y]\n---\n# A\n"),
        (
            "b.md",
            "---\ntype: concept\nkind: tool\nsummary: B\nconfidence: 0.50\nsources: [y]\n---\n# B\n\n## Begriff\n",
        ),
        (
            "c.md",
            "---\ntype: concept\nkind: tool\nsummary: C\nconfidence: 7\ncreated: 2026-01-01\nsources: [z]\n---\n# C\n\n## Begriff\n\n## Links\n",
        ),
        ("d.md", "---\ntype: concept\nkind: tool\nsummary:\nconfidence: 0.25\nsources: []\n---\n# D\n"),
    ]);
    assert_eq!(wiki.problems("types/concept.md"), Vec::<String>::new());
    let described = wiki.describe("concept");
    assert_eq!(
        described,
        json!({
            "name": "concept",
            "path": "types/concept.md",
            "summary": "An idea",
            "when_to_use": "- For ideas.",
            "when_not_to_use": "- For things.",
            "fields": [
                { "name": "type", "required": false, "type": "string", "pages": 4, "examples": ["concept"] },
                { "name": "summary", "required": true, "type": "string", "minLength": 1, "advice": ["should be short"], "pages": 3, "examples": ["A", "B", "C"] },
                { "name": "confidence", "required": false, "type": "number", "minimum": 0, "maximum": 0.9, "pages": 4, "examples": [0.5, 0.25, 7] },
                { "name": "created", "required": false, "type": "string", "format": "date", "pages": 1, "examples": ["2026-01-01"] },
                { "name": "sources", "required": false, "type": "array", "items": { "type": "string" }, "pages": 3, "examples": ["y", "x", "z"] },
                { "name": "kind", "required": true, "type": "string", "values": ["method", "tool"], "default": "tool", "description": "What kind of idea", "pages": 4, "examples": ["tool"] },
                { "name": "extra", "required": false, "type": "string", "pages": 0, "examples": [] },
            ],
            "forbidden": ["status"],
            "sections": [
                { "heading": ["Definition", "Begriff"], "required": true, "repeat": false, "max_words": 50 },
                { "heading": ["Links"], "required": false, "repeat": false },
            ],
            "constraints": [{
                "of": "frontmatter",
                "schema": {
                    "if": { "required": ["kind"] },
                    "then": { "properties": { "extra": { "type": "string" }, "kind": { "const": "tool" } } }
                }
            }],
            "relations": [{ "name": "Teil von", "target": ["concept"], "inverse": "enthält", "symmetric": false }],
            "links": [{ "field": "sources", "target": ["concept"] }],
            "stale_after": 90,
            "owner": "team",
            "template": "# {Title}\n\n```\ncode\n```\n\n## Template\n",
            "example": "b.md",
            "pages": 4,
            "closed": true,
            "closed_note": "no other field exists: a page of the type `concept` has only these",
        })
    );
}

#[test]
fn a_type_without_schema_shows_what_its_pages_have() {
    let wiki = Wiki::new(&[
        ("types/t.md", "---\nname: t\nsummary: T\n---\n# T\n\nFor things.\n\n## Fields\n"),
        ("p.md", "---\ntype: t\nn: 1\n---\n"),
        ("q.md", "---\ntype: t\nn: x\n---\n"),
    ]);
    let described = wiki.describe("t");
    assert_eq!(
        field(&described, "n"),
        &json!({ "name": "n", "required": false, "type": ["number", "string"], "inferred": true, "pages": 2, "examples": ["x", 1] })
    );
    assert_eq!(described["when_to_use"], "For things.");
    assert_eq!(described["closed"], false);
    assert_eq!(described["template"], Value::Null);
}

#[test]
fn types_are_listed_with_what_has_none() {
    let wiki = Wiki::new(&[
        ("types/concept.md", "---\nname: concept\nsummary: C\n---\n"),
        ("types/source.md", "---\nname: source\n---\n"),
        ("a.md", "---\ntype: concept\n---\n"),
        ("b.md", "---\ntype: concep\n---\n"),
        ("c.md", "# no type\n"),
        ("d.md", "---\ntype: {{type}}\n---\n"),
    ]);
    assert_eq!(
        wiki.list(),
        json!({
            "types": [
                { "name": "concept", "path": "types/concept.md", "summary": "C", "pages": 1 },
                { "name": "source", "path": "types/source.md", "summary": null, "pages": 0 },
            ],
            "untyped": ["c.md", "d.md"],
            "unknown": [{ "path": "b.md", "type": "concep", "candidates": ["concept", "source"] }],
        })
    );
}

#[test]
fn without_type_pages_types_are_inferred() {
    let wiki = Wiki::new(&[
        ("a.md", "---\ntype: book\nyear: 2020\n---\n"),
        ("b.md", "---\ntype: book\n---\n"),
        ("c.md", "---\ntype: \"[[film]]\"\n---\n"),
        ("d.md", "# none\n"),
    ]);
    assert_eq!(
        wiki.list(),
        json!({
            "types": [
                { "name": "book", "path": null, "summary": null, "pages": 2, "inferred": true },
                { "name": "film", "path": null, "summary": null, "pages": 1, "inferred": true },
            ],
            "untyped": ["d.md"],
            "unknown": [],
        })
    );
    let described = wiki.describe("book");
    assert_eq!(described["inferred"], true);
    assert_eq!(field(&described, "year")["pages"], 1);
    assert_eq!(described["example"], "a.md");
}

// The golden wiki

fn golden() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/wiki");
    let mut files = BTreeMap::new();
    read_folder(&folder, &folder, &mut files);
    files.retain(|path, _| !path.starts_with("templates/"));
    files
}

#[test]
fn the_golden_wiki_violates_its_types_only_where_it_means_to() {
    let wiki = Wiki::of(golden());
    let names: Vec<&str> = wiki.types.all().iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["concept", "entity", "project", "source"]);
    for of in wiki.types.all() {
        assert_eq!(of.problems, [], "{:?}", of.path);
        assert!(of.template.is_some() && of.when_to_use.is_some() && of.when_not_to_use.is_some(), "{:?}", of.path);
    }
    let flawed: Vec<&str> = wiki
        .pages
        .iter()
        .filter(|page| !wiki.types.violations(page).is_empty())
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(flawed, ["defects/missing-required-field.md", "defects/wrong-enum-value.md"]);
    let concept = wiki.describe("concept");
    assert_eq!(
        field(&concept, "created"),
        &json!({
            "name": "created", "required": true, "type": "string", "format": "date", "description": "Day on which the page was written.",
            "pages": field(&concept, "created")["pages"], "examples": field(&concept, "created")["examples"],
        })
    );
    assert_eq!(concept["closed"], true);
    assert_eq!(wiki.describe("source")["path"], "types/source.md");
}

#[test]
fn the_seed_page_satisfies_the_golden_concept() {
    let Some(corpora) = corpora() else { return eprintln!("skipped: the real wikis are not beside the project") };
    let mut files = golden();
    files.insert("seed.md".into(), std::fs::read(corpora.join("seed-page.md")).unwrap());
    let wiki = Wiki::of(files);
    assert_eq!(wiki.type_of("seed.md"), "types/concept.md");
    assert_eq!(wiki.messages("seed.md"), Vec::<String>::new());
}

// A real wiki

/// The folder of real wikis, where the project lies beside it.
fn corpora() -> Option<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/corpora"))
        .find(|folder| folder.is_dir())
}

fn read_folder(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') || entry.file_type().unwrap().is_symlink() {
            continue;
        } else if path.is_dir() {
            read_folder(root, &path, files);
        } else {
            files.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn every_type_of_commonplace_resolves_and_every_schema_loads() {
    let Some(corpora) = corpora() else { return eprintln!("skipped: the real wikis are not beside the project") };
    let folder = tempfile::tempdir().unwrap();
    let clone = std::process::Command::new("git")
        .args(["clone", "--quiet"])
        .arg(corpora.join("commonplace.bundle"))
        .arg(folder.path().join("wiki"))
        .status()
        .unwrap();
    assert!(clone.success());
    let mut files = BTreeMap::new();
    read_folder(&folder.path().join("wiki"), &folder.path().join("wiki"), &mut files);
    let wiki = Wiki::of(files);

    let listed = wiki.list();
    assert_eq!(listed["unknown"], json!([]));
    assert_eq!(listed["types"].as_array().unwrap().len(), 15);
    let typed: u64 = listed["types"].as_array().unwrap().iter().map(|of| of["pages"].as_u64().unwrap()).sum();
    assert!(typed > 700, "{typed}");
    for of in wiki.types.all() {
        assert_eq!(of.problems, [], "{:?}", of.path);
    }
    let claim = wiki.describe("structured-claim");
    assert_eq!(field(&claim, "type")["const"], "kb/notes/types/structured-claim.md");
    assert_eq!(field(&claim, "description")["required"], true);
    assert_eq!(field(&claim, "description")["advice"].as_array().unwrap().len(), 2);
    assert_eq!(claim["forbidden"], json!(["status"]));
    assert_eq!(claim["sections"][0], json!({ "heading": ["Evidence"], "level": 2, "required": true }));
    assert!(claim["template"].as_str().unwrap().contains("## Evidence"));

    let found: Vec<(&str, Violation)> = wiki
        .pages
        .iter()
        .flat_map(|page| wiki.types.violations(page).into_iter().map(|violation| (page.path.as_str(), violation)))
        .collect();
    let [(path, violation)] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(*path, "kb/notes/out-of-spec-output-is-a-failure-of-the-interpreter-not-the-spec.md");
    assert_eq!(
        (violation.level, violation.message.as_str()),
        (Some(Level::Warn), "description should be at most 250 characters")
    );
}
