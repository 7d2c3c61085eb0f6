//! Questions: the one definition of what can be asked and with which arguments.
//!
//! CLI, Python API and MCP tools derive their parameters from this table; the doc comments here are what users read.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::nearest;

/// A question and what applies to every question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// What is asked.
    pub question: Question,
    /// The revision to ask; the current one if `None`.
    pub at: Option<String>,
    /// Bytes that the answer's JSON may have; unlimited if `None`.
    pub budget: Option<usize>,
}

/// Find pages by their words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Words to look for; any text is a query. All words are wanted; when no page has all, pages with most are given, and of a long
    /// question those that have half of it.
    /// `"a phrase"` is exact, `-word` excludes, `word*` is a beginning, `a OR b` either; `field:value` filters, as in
    /// `type:concept`, `tag:x`, `path:folder`, `title:word`, `links:page`, `modified:>=2026-09-01`, `confidence:0.5..0.9` and for any
    /// other front matter field.
    pub query: String,
    /// How many hits to give, 1 to 100.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: usize,
    /// Go on where an answer ended: its `next_cursor`, with the same query, and its `commit` as `at`.
    #[serde(default)]
    pub cursor: Option<String>,
    /// `true`: what each term adds to a hit's score. A page's name: why that page is among the hits or not.
    #[serde(default)]
    #[schemars(schema_with = "explain_schema")]
    pub explain: Option<Explain>,
}

/// What a search is to explain besides its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged, expecting = "expected true, false or the name of a page")]
pub enum Explain {
    /// The scores of the hits, or nothing.
    Scores(bool),
    /// Why the page of that name is among the hits or not.
    Page(String),
}

fn explain_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "anyOf": [{ "type": "boolean" }, { "type": "string" }] })
}

/// Read one page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The page: its path, file stem, title or alias. Or lines that somebody cited, as `path@commit#L10-L20`: then the answer is
    /// what they said, and what has become of them.
    pub name: String,
    /// Give only this section: a heading's text, or a path of headings such as `Usage#Options`.
    #[serde(default)]
    pub section: Option<String>,
    /// Give only these lines, such as `10-20`, counted from 1 in the stored file.
    #[serde(default)]
    pub lines: Option<String>,
}

/// See what a page links to, and what links to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// The page: its path, file stem, title or alias.
    pub name: String,
    /// How many links away to look, in either direction, 1 to 5; what is more than one away is listed as `reached`.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 5))]
    pub depth: usize,
}

/// List the types of pages.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Types {}

/// Explain a type to whoever is about to write or query such a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeType {
    /// The type: its name, or the path of its page.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Find what is wrong in the wiki.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lint {
    /// Only findings in these pages or folders; all if empty.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Only these rules; all if empty.
    #[serde(default)]
    #[schemars(transform = name_rules)]
    pub select: Vec<String>,
    /// Not these rules.
    #[serde(default)]
    #[schemars(transform = name_rules)]
    pub ignore: Vec<String>,
    /// Only findings on pages that are not what they were at this revision or date.
    #[serde(default)]
    pub changed_since: Option<String>,
    /// A text that is not saved yet, to be checked as if it were. Of a page that exists the answer tells `new`, `fixed` and
    /// `unchanged` findings apart.
    #[serde(default)]
    pub draft: Option<Draft>,
    /// How many findings to list; `summary` counts all.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1))]
    pub limit: usize,
    /// Go on where an answer ended: its `next_cursor`, with the same arguments, and its `commit` as `at`.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// A page's text that is not saved yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Draft {
    /// The page's path below the root, such as `concepts/new-page.md`, whether there is one yet or not.
    pub path: String,
    /// The whole text, front matter included.
    pub text: String,
}

/// Say what this wiki is, and how it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Status {}

/// See what has changed since a revision or date.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The revision to compare with: the `commit` of an earlier answer, a tag, a branch, `HEAD~1`, or an RFC 3339 date, meaning the
    /// last commit not later.
    pub since: String,
    /// How many pages to list; `total` counts all.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1))]
    pub limit: usize,
    /// Go on where an answer ended: its `next_cursor`, with the same arguments, and its `commit` as `at`.
    #[serde(default)]
    pub cursor: Option<String>,
}

fn name_rules(schema: &mut schemars::Schema) {
    schema.insert("items".into(), json!({ "type": "string", "enum": crate::lint::names() }));
}

fn one() -> usize {
    1
}

fn ten() -> usize {
    10
}

fn hundred() -> usize {
    100
}

macro_rules! questions {
    ($($variant:ident => $name:literal;)*) => {
        /// Everything that can be asked.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Question {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant),)*
        }

        /// The names of all questions: CLI commands (with `-` for `_`), methods of the Python API, MCP tools.
        pub const NAMES: &[&str] = &[$($name,)*];

        impl Question {
            /// Whether it is about a few pages, which an index finds, and not about all.
            pub fn is_about_few(&self) -> bool {
                matches!(self, Self::Search(_) | Self::Page(_) | Self::Links(_))
            }

            /// The question's name.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            fn parse(name: &str, arguments: Map<String, Value>) -> Result<Self, Error> {
                match name {
                    $($name => arguments_of::<$variant>($name, arguments).map(Self::$variant),)*
                    _ => Err(Error::QuestionUnknown { name: name.into(), candidates: nearest::among(name, NAMES, 3) }),
                }
            }
        }

        /// The JSON Schema (2020-12) of a question's arguments, `at` and `budget` included; `None` for an unknown name.
        ///
        /// No argument is nullable, none is combined at the top level, and no other is allowed.
        pub fn schema(name: &str) -> Option<Value> {
            match name {
                $($name => Some(schema_of::<$variant>()),)*
                _ => None,
            }
        }
    };
}

questions! {
    Search => "search";
    Page => "page";
    Links => "links";
    Types => "types";
    DescribeType => "describe_type";
    Lint => "lint";
    Status => "status";
    Changes => "changes";
}

impl Request {
    /// A request from a question's name and its arguments, `at` and `budget` among them.
    ///
    /// # Errors
    /// Unknown questions, unknown arguments, and arguments that are missing, null, of the wrong type or out of range.
    pub fn from_json(name: &str, mut arguments: Map<String, Value>) -> Result<Self, Error> {
        let known = schema(name).unwrap_or_default();
        if let Some(properties) = known["properties"].as_object() {
            for (argument, value) in &arguments {
                if !properties.contains_key(argument) {
                    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
                    return Err(Error::ArgumentUnknown {
                        question: name.into(),
                        argument: argument.clone(),
                        candidates: nearest::among(argument, &names, names.len()),
                    });
                }
                if value.is_null() {
                    return Err(Error::argument(name, argument, "is null; leave it out instead"));
                }
            }
        }
        let at = match arguments.remove("at") {
            Some(Value::String(at)) => Some(at),
            Some(_) => return Err(Error::argument(name, "at", "must be a string")),
            None => None,
        };
        let mut budget = arguments.remove("budget");
        budget.iter_mut().for_each(to_integers);
        let budget = match budget {
            Some(value) => Some(value.as_u64().filter(|&bytes| bytes >= MIN_BUDGET).ok_or_else(|| {
                Error::argument(name, "budget", format!("must be a number of bytes, {MIN_BUDGET} or more"))
            })? as usize),
            None => None,
        };
        arguments.values_mut().for_each(to_integers);
        let question = Question::parse(name, arguments)?;
        question.check()?;
        Ok(Self { question, at, budget })
    }
}

/// The least budget: below it not even an empty answer would fit.
pub const MIN_BUDGET: u64 = 1024;

impl Question {
    /// Whether the answer is a function of the commit and the question alone, so that it may be given again. Others tell of the
    /// repository as it is now, or name a revision, which may mean another commit tomorrow.
    pub fn is_of_commit(&self) -> bool {
        match self {
            Self::Search(_) | Self::Links(_) | Self::Types(_) | Self::DescribeType(_) => true,
            // A citation names a commit.
            Self::Page(page) => !page.name.contains('@'),
            Self::Lint(lint) => lint.changed_since.is_none(),
            Self::Status(_) | Self::Changes(_) => false,
        }
    }

    /// Bounds that a type cannot express.
    fn check(&self) -> Result<(), Error> {
        match self {
            Self::Search(search) if !(1..=100).contains(&search.limit) => {
                Err(Error::argument("search", "limit", "must be 1 to 100"))
            }
            Self::Links(links) if !(1..=5).contains(&links.depth) => {
                Err(Error::argument("links", "depth", "must be 1 to 5"))
            }
            Self::Changes(changes) if changes.limit == 0 => {
                Err(Error::argument("changes", "limit", "must be 1 or more"))
            }
            Self::Lint(lint) if lint.limit == 0 => Err(Error::argument("lint", "limit", "must be 1 or more")),
            Self::Lint(lint) if lint.draft.is_some() && lint.changed_since.is_some() => {
                Err(Error::argument("lint", "changed_since", "does not go with `draft`"))
            }
            Self::Lint(lint) if lint.draft.is_some() && lint.cursor.is_some() => {
                Err(Error::argument("lint", "cursor", "does not go with `draft`"))
            }
            Self::Page(page) if page.section.is_some() && page.lines.is_some() => {
                Err(Error::argument("page", "lines", "does not go with `section`"))
            }
            _ => Ok(()),
        }
    }
}

/// What a reader of arguments wanted, from what serde says: Rust's types mean nothing to whoever asks.
fn expected(message: &str) -> String {
    let wanted = message.rsplit_once("expected ").map_or(message, |(_, wanted)| wanted);
    match wanted {
        "a string" => "a text".into(),
        "a sequence" => "a list of texts".into(),
        "usize" => "a whole number from 0".into(),
        "struct Draft" => "an object with `path` and `text`".into(),
        other => other.chars().take(200).collect(),
    }
}

/// `1.0` is an integer to JSON Schema, and to many a client; it is none to serde.
fn to_integers(value: &mut Value) {
    const EXACT: f64 = (1u64 << 53) as f64;
    match value {
        Value::Array(items) => items.iter_mut().for_each(to_integers),
        Value::Object(map) => map.values_mut().for_each(to_integers),
        Value::Number(number) => {
            if let Some(float) =
                number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT)
            {
                *number = (float as i64).into();
            }
        }
        _ => {}
    }
}

fn arguments_of<T: serde::de::DeserializeOwned>(question: &str, arguments: Map<String, Value>) -> Result<T, Error> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner().to_string();
        let quoted: Vec<&str> = inner.split('`').skip(1).step_by(2).collect();
        match quoted[..] {
            [missing, ..] if inner.starts_with("missing field") && path == "." => {
                Error::argument(question, missing, "is missing")
            }
            [missing, ..] if inner.starts_with("missing field") => {
                Error::argument(question, &format!("{path}.{missing}"), "is missing")
            }
            // Only of an argument's own parts: unknown arguments have been refused before.
            [unknown, ref known @ ..] if inner.starts_with("unknown field") => Error::ArgumentUnknown {
                question: question.into(),
                argument: path,
                candidates: nearest::among(unknown, known, known.len()),
            },
            _ => Error::argument(question, &path, format!("must be {}", expected(&inner))),
        }
    })
}

fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let mut properties: Map<String, Value> =
        properties.into_iter().map(|(name, property)| (name, without_null(property))).collect();
    properties.insert(
        "at".into(),
        json!({
            "type": "string",
            "description": "The revision to ask: the `commit` of an earlier answer, a tag, a branch, `HEAD~1`, or an RFC 3339 date, meaning the last commit not later. The current one if left out."
        }),
    );
    properties.insert(
        "budget".into(),
        json!({
            "type": "integer",
            "minimum": MIN_BUDGET,
            "description": "Bytes that the answer's JSON may have; what was cut is told under `truncated`."
        }),
    );
    let object = schema.as_object_mut().expect("structs have object schemas");
    object.remove("$schema");
    object.remove("title");
    object.remove("description");
    object.insert("properties".into(), properties.into());
    object.insert("additionalProperties".into(), false.into());
    schema
}

/// Optional arguments are left out, never null: strict clients warn about `["string", "null"]`.
fn without_null(mut property: Value) -> Value {
    if let Some(types) = property["type"].as_array().cloned() {
        let types: Vec<Value> = types.into_iter().filter(|name| name != "null").collect();
        property["type"] = if types.len() == 1 { types[0].clone() } else { types.into() };
    }
    if let Some(object) = property.as_object_mut() {
        object.retain(|key, value| !(key == "default" && value.is_null()));
        object.remove("format");
    }
    property
}
