//! Schema documents: read from the wiki, their references resolved to files below the root.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Files, Pages, TypeProblem, paths};
use crate::page::Page;
use crate::text::{Lines, Span, Text};
use crate::yaml::{self, Node};

/// Documents that one schema may consist of.
const MAX_DOCUMENTS: usize = 100;
/// Bytes of one schema file.
const MAX_BYTES: usize = 1 << 20;
/// References to the drafts' own schemas are built into the schema library.
const META_SCHEMAS: &str = "https://json-schema.org/draft/";

/// A schema document with every reference made absolute.
#[derive(Debug)]
pub(super) struct Document {
    /// The schema as JSON, without a root `$id` and `$schema`: documents are known by their paths, and all are 2020-12.
    pub(super) value: Value,
    /// Paths of the documents it refers to.
    refers: Vec<String>,
    /// What is wrong with its references.
    faults: Vec<Fault>,
    source: Source,
}

/// Where a document's text is.
#[derive(Debug)]
enum Source {
    /// A type page's front matter: spans are in that page's text.
    Page(Node),
    /// A file: spans are in its text, of which people are told the line.
    File { text: String, root: Option<Node> },
}

/// Something wrong in a document.
#[derive(Debug)]
struct Fault {
    /// JSON pointer to the place.
    pointer: String,
    message: String,
    hint: String,
}

/// The documents of one schema, by path.
pub(super) type Documents = BTreeMap<String, Arc<Document>>;

/// The schema that a reference in `document` leads to, and its document.
pub(super) fn target<'d>(
    documents: &'d Documents,
    document: &'d Document,
    reference: &str,
) -> Option<(&'d Document, &'d Value)> {
    let (document, pointer) = match reference.strip_prefix('#') {
        Some(fragment) => (document, paths::decoded(fragment)),
        None => {
            let (path, fragment) = paths::of_uri(reference)?;
            (&**documents.get(&path)?, fragment)
        }
    };
    Some((document, document.value.pointer(&pointer)?))
}

/// Reads documents, each once for all types.
pub(super) struct Library<'a> {
    pages: &'a dyn Pages,
    files: &'a dyn Files,
    /// Files that were looked for, found or not.
    bytes: HashMap<String, Option<Vec<u8>>>,
    read: HashMap<String, Result<Arc<Document>, (String, String)>>,
}

impl<'a> Library<'a> {
    pub(super) fn new(pages: &'a dyn Pages, files: &'a dyn Files) -> Self {
        Self { pages, files, bytes: HashMap::new(), read: HashMap::new() }
    }

    /// The path of the document that holds the schema of a type page, and every document it leads to.
    ///
    /// # Errors
    /// All that is wrong with them, placed on the type page.
    pub(super) fn schema(&mut self, page: &Page, schema: &Node) -> Result<(String, Documents), Vec<TypeProblem>> {
        let problem = |message, hint| vec![TypeProblem { span: schema.span, message, hint }];
        let root = self.root(page, schema).map_err(|(message, hint)| problem(message, hint))?;
        let mut documents = Documents::new();
        let mut problems = Vec::new();
        let mut open = vec![root.clone()];
        while let Some(path) = open.pop() {
            if documents.contains_key(&path) {
                continue;
            }
            if documents.len() == MAX_DOCUMENTS {
                return Err(problem(
                    format!("the schema consists of more than {MAX_DOCUMENTS} documents"),
                    "refer to fewer files".into(),
                ));
            }
            match self.document(&path) {
                Ok(document) => {
                    problems.extend(document.faults.iter().map(|fault| {
                        document.problem(page, &path, schema, &fault.pointer, &fault.message, &fault.hint)
                    }));
                    open.extend(document.refers.iter().cloned());
                    documents.insert(path, document);
                }
                Err((message, hint)) => problems.extend(problem(message, hint)),
            }
        }
        if problems.is_empty() { Ok((root, documents)) } else { Err(problems) }
    }

    /// The document that a type page's `schema` is or names.
    fn root(&mut self, page: &Page, schema: &Node) -> Result<String, (String, String)> {
        let Some(written) = schema.text() else { return Ok(page.path.clone()) };
        if paths::is_remote(written) {
            return Err(remote("schema", written));
        }
        let found = paths::from_root_or_beside(&page.path, written).into_iter().find(|path| self.exists(path));
        found.filter(|path| *path != page.path).ok_or_else(|| {
            (
                format!("`schema` is `{written}`, which is no file of this wiki"),
                "give a mapping, or the path of a `.yaml` or `.json` file from the root or relative to this page"
                    .into(),
            )
        })
    }

    /// The files that the schemas were read from or looked for in.
    pub(super) fn looked_for(self) -> BTreeSet<String> {
        self.bytes.into_keys().collect()
    }

    fn exists(&mut self, path: &str) -> bool {
        match self.pages.page(path) {
            Some(page) => page.field("schema").is_some(),
            None => is_schema_file(path) && self.bytes(path).is_some(),
        }
    }

    fn bytes(&mut self, path: &str) -> Option<&[u8]> {
        self.bytes.entry(path.to_owned()).or_insert_with(|| self.files.read(path)).as_deref()
    }

    fn document(&mut self, path: &str) -> Result<Arc<Document>, (String, String)> {
        if let Some(document) = self.read.get(path) {
            return document.clone();
        }
        let document = self.load(path).map(Arc::new);
        self.read.insert(path.to_owned(), document.clone());
        document
    }

    fn load(&mut self, path: &str) -> Result<Document, (String, String)> {
        let page = self.pages.page(path);
        let (mut value, source) = match page.as_ref().and_then(|page| Some((page, page.field("schema")?))) {
            Some((page, node)) => match node.text() {
                // A type page that names its schema file: whoever refers to the page means that schema.
                Some(_) => {
                    let path = self.root(page, node)?;
                    (json!({ "$ref": format!("/{path}") }), Source::Page(node.clone()))
                }
                None => (node.to_json(), Source::Page(node.clone())),
            },
            None => self.load_file(path)?,
        };
        let mut references = References { library: self, path, refers: Vec::new(), faults: Vec::new() };
        references.schema(&mut value, &mut String::new());
        let References { refers, faults, .. } = references;
        if let Value::Object(object) = &mut value {
            object.shift_remove("$id");
            object.shift_remove("$schema");
        }
        Ok(Document { value, refers, faults, source })
    }

    fn load_file(&mut self, path: &str) -> Result<(Value, Source), (String, String)> {
        let bytes = self.bytes(path).ok_or_else(|| {
            (format!("the schema file `{path}` is not in this wiki"), "add the file, or correct the path".to_owned())
        })?;
        if bytes.len() > MAX_BYTES {
            return Err((format!("the schema file `{path}` is longer than {MAX_BYTES} bytes"), "split it".into()));
        }
        let text = Text::decode(bytes).as_str().to_owned();
        if has_suffix(path, ".json") {
            return match serde_json::from_str(&text) {
                Ok(value) => Ok((value, Source::File { text, root: None })),
                Err(error) => Err((
                    format!("the schema file `{path}` is not JSON, line {} column {}", error.line(), error.column()),
                    "correct that line".into(),
                )),
            };
        }
        let (root, problems) = yaml::compose(&text);
        if let Some(problem) = problems.into_iter().next() {
            let line = Lines::new(&text).line(problem.span.start as usize);
            return Err((format!("the schema file `{path}` line {line}: {}", problem.message), problem.hint));
        }
        match root {
            Some(root) => Ok((root.to_json(), Source::File { text, root: Some(root) })),
            None => Err((format!("the schema file `{path}` is empty"), "write a JSON Schema into it".into())),
        }
    }
}

impl Document {
    /// A problem at `pointer` of this document, placed on the type page that uses it.
    pub(super) fn problem(
        &self,
        page: &Page,
        path: &str,
        schema: &Node,
        pointer: &str,
        message: &str,
        hint: &str,
    ) -> TypeProblem {
        let (span, message) = match &self.source {
            Source::Page(node) if path == page.path => (node_at(node, pointer).span, message.to_owned()),
            Source::Page(_) => (schema.span, format!("the schema of `{path}`: {message}")),
            Source::File { root: None, .. } => (schema.span, format!("`{path}`: {message}")),
            Source::File { text, root: Some(root) } => {
                let line = Lines::new(text).line(node_at(root, pointer).span.start as usize);
                (schema.span, format!("`{path}` line {line}: {message}"))
            }
        };
        TypeProblem { span, message, hint: hint.to_owned() }
    }
}

/// The node that a JSON pointer leads to, or the last one on the way.
pub(super) fn node_at<'n>(root: &'n Node, pointer: &str) -> &'n Node {
    steps(pointer).try_fold(root, |node, step| child(node, &step).ok_or(node)).unwrap_or_else(|last| last)
}

/// The part of a node under a key or an index.
pub(super) fn child<'n>(node: &'n Node, step: &str) -> Option<&'n Node> {
    node.get(step).or_else(|| step.parse().ok().and_then(|at: usize| node.items().get(at)))
}

/// The span of a mapping's key.
pub(super) fn key_span(node: &Node, key: &str) -> Option<Span> {
    node.entries().iter().find(|(name, _)| name.text() == Some(key)).map(|(name, _)| name.span)
}

/// The steps of a JSON pointer.
pub(super) fn steps(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"))
}

/// A key as a step of a JSON pointer.
pub(super) fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn is_schema_file(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|suffix| has_suffix(path, suffix))
}

fn has_suffix(path: &str, suffix: &str) -> bool {
    path.len()
        .checked_sub(suffix.len())
        .and_then(|at| path.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
}

fn remote(key: &str, reference: &str) -> (String, String) {
    (
        format!("`{key}` is `{reference}`, which is remote"),
        "copy the schema into the wiki and refer to it by its path: no network is used".into(),
    )
}

/// Keywords whose value is data, not a schema.
const DATA: &[&str] = &["const", "enum", "default", "examples"];
/// Keywords whose value maps names to schemas.
const MAPS: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Walks a schema and makes its references absolute.
struct References<'l, 'a> {
    library: &'l mut Library<'a>,
    path: &'l str,
    refers: Vec<String>,
    faults: Vec<Fault>,
}

impl References<'_, '_> {
    fn schema(&mut self, value: &mut Value, pointer: &mut String) {
        match value {
            Value::Object(object) => self.object(object, pointer),
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.below(&at.to_string(), item, pointer);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, pointer: &mut String) {
        for (key, value) in object.iter_mut() {
            match value {
                Value::String(reference) if key == "$ref" => self.reference(reference, pointer),
                _ if DATA.contains(&key.as_str()) => {}
                Value::Object(schemas) if MAPS.contains(&key.as_str()) => {
                    let length = pointer.len();
                    pointer.push('/');
                    pointer.push_str(key);
                    for (name, schema) in schemas.iter_mut() {
                        self.below(name, schema, pointer);
                    }
                    pointer.truncate(length);
                }
                _ => self.below(key, value, pointer),
            }
        }
    }

    fn below(&mut self, key: &str, value: &mut Value, pointer: &mut String) {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&step(key));
        self.schema(value, pointer);
        pointer.truncate(length);
    }

    fn reference(&mut self, reference: &mut String, pointer: &str) {
        if reference.starts_with(META_SCHEMAS) {
            return;
        }
        if let Some(fragment) = reference.strip_prefix('#') {
            *reference = paths::fragment(fragment);
            return;
        }
        let mut fault = |message, hint| self.faults.push(Fault { pointer: format!("{pointer}/$ref"), message, hint });
        if paths::is_remote(reference) {
            let (message, hint) = remote("$ref", reference);
            return fault(message, hint);
        }
        let (file, fragment) = match reference.split_once('#') {
            Some((file, fragment)) => (file, paths::fragment(fragment)),
            None => (reference.as_str(), String::new()),
        };
        // As URLs do: beside the document first; the root is what the type pages' own paths start from.
        let beside = paths::join(self.path, &paths::decoded(file));
        let Some(beside) = beside else {
            return fault(
                format!("`$ref` is `{reference}`, which leads out of the wiki"),
                "refer to a file below the root".into(),
            );
        };
        let rooted = paths::join("", &paths::decoded(file)).filter(|_| !file.starts_with('.'));
        let found = [Some(beside), rooted].into_iter().flatten().find(|path| self.library.exists(path));
        match found {
            Some(path) => {
                *reference = format!("{}{fragment}", paths::uri(&path));
                self.refers.push(path);
            }
            None => self.faults.push(Fault {
                pointer: format!("{pointer}/$ref"),
                message: format!("`$ref` is `{reference}`, which is no schema of this wiki"),
                hint: "refer to a `.yaml` or `.json` file, or to a type page, relative to this document".into(),
            }),
        }
    }
}
