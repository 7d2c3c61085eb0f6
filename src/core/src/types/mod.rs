//! Types: what kinds of pages a wiki has, which names mean them, and what their pages must be.

mod cost;
mod definition;
mod describe;
mod documents;
mod fields;
mod instance;
mod list;
mod messages;
mod names;
mod pages;
mod paths;
mod schema;

pub use describe::describe;
pub use list::list;
pub use pages::{Loaded, Pages, Written};

pub(crate) use definition::declares;
pub(crate) use names::written;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::lint::Level;
use crate::names::{Names, Resolution, folder};
use crate::nearest;
use crate::page::{Page, stem, strip_suffix};
use crate::text::Span;
use documents::Library;
use names::{Match, TypeNames};
use schema::Schema;

/// Files of the snapshot that pages are read from, for schemas that stand in files.
pub trait Files {
    /// The bytes of the file at a path below the root; `None` where there is none.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
}

/// The types of a snapshot.
#[derive(Debug, Default)]
pub struct Types {
    /// Sorted by path; inferred ones by name.
    types: Vec<Type>,
    names: TypeNames,
    /// What the pages' `type` means: by what is written, then by the folder it is written in.
    meanings: HashMap<String, HashMap<String, Match, RandomState>, RandomState>,
    /// Type by path of its page.
    by_path: HashMap<String, usize>,
    /// Schema files that were read or looked for.
    files: BTreeSet<String>,
}

/// A type of pages.
#[derive(Debug)]
pub struct Type {
    /// Its name: the type page's `name`, else its file's stem; of an inferred type the pages' `type`.
    pub name: String,
    /// The type page; `None` for a type that is inferred from the pages that name it.
    pub path: Option<String>,
    /// `summary`, else `description`.
    pub summary: Option<String>,
    /// When to use it: a section of the body, else the text below its title.
    pub when_to_use: Option<String>,
    /// When not to use it.
    pub when_not_to_use: Option<String>,
    /// A page to begin with.
    pub template: Option<String>,
    /// The sections of its pages, in order.
    pub sections: Vec<Section>,
    /// The relations that its pages may have.
    pub relations: Vec<Relation>,
    /// Front matter fields that hold page names.
    pub links: Vec<LinkField>,
    /// Days after `modified` when a page is stale.
    pub stale_after: Option<u32>,
    /// Who looks after its pages.
    pub owner: Option<String>,
    /// What is wrong with the type page as one.
    pub problems: Vec<TypeProblem>,
    schema: Option<Schema>,
}

/// A section that a type's pages have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Section {
    /// Its heading: any one of these.
    #[serde(deserialize_with = "one_or_many")]
    pub heading: Vec<String>,
    /// Whether every page has it.
    #[serde(default)]
    pub required: bool,
    /// Whether it may stand several times in a row.
    #[serde(default)]
    pub repeat: bool,
    /// The fewest words it may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_words: Option<u32>,
    /// The most words it may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_words: Option<u32>,
    /// What belongs there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A relation that a type's pages may have to others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Relation {
    /// Its name, blanks and all: `Teil von`.
    pub name: String,
    /// Names of the types that it leads to; empty for any.
    #[serde(default, deserialize_with = "one_or_many")]
    pub target: Vec<String>,
    /// The relation that stands on the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// Whether it is its own inverse.
    #[serde(default)]
    pub symmetric: bool,
    /// `supersedes`, where the page replaces the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// How often a page has it at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// How often a page has it at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A front matter field that holds page names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkField {
    /// The field.
    pub field: String,
    /// Names of the types that the pages have; empty for any.
    pub target: Vec<String>,
}

/// Something wrong with a type page: with its schema, or with what else it declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeProblem {
    /// Where, in the type page's text.
    pub span: Span,
    /// What is wrong, one sentence, no period.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// What a page violates of its type's schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The level that the constraint asks for; `None` where it has no `severity`.
    pub level: Option<Level>,
    /// The value or key in the page's text; where something is missing, the first line of what it is missing from.
    pub span: Span,
    /// What is wrong, one sentence, no period.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// What a page's `type` was found to mean.
#[derive(Clone, Debug)]
pub enum TypeOf<'t> {
    /// There is no `type`.
    Missing,
    /// One type.
    One(&'t Type),
    /// Several types: as written, and their paths.
    Ambiguous(String, Vec<String>),
    /// No type: as written, and the nearest names.
    Unknown(String, Vec<String>),
}

/// How many near names are offered for an unknown type.
const NEAR: usize = 3;

impl Types {
    /// Finds and reads the types among `pages`; `folders` are the config's folders of type pages.
    ///
    /// A page is a type page if
    /// - it lies in one of the folders, at any depth, and declares something of a type (`name`, `summary`, `schema` …), or
    ///   some page's `type` names it;
    /// - or it has both `name` and `schema`, wherever it lies;
    /// - or some page's `type` is its path, or a wikilink that means no page but it.
    ///
    /// Without any, the types are what the pages' `type` says, and marked so.
    pub fn build(pages: &dyn Pages, files: &dyn Files, folders: &[String]) -> Self {
        let written = pages.written();
        let found = type_pages(pages, &written, folders);
        let mut types = if found.is_empty() { Self::inferred(&written) } else { Self::declared(pages, &found, files) };
        for (written, folder) in &written {
            let meaning = types.names.find(written, Some(&page_in(folder)));
            types.meanings.entry(written.clone()).or_default().insert(folder.clone(), meaning);
        }
        types
    }

    fn declared(pages: &dyn Pages, found: &[Arc<Page>], files: &dyn Files) -> Self {
        let mut library = Library::new(pages, files);
        let types: Vec<Type> = found.iter().map(|page| definition::read(page, &mut library)).collect();
        let mut types = Self {
            names: TypeNames::new(&types, found),
            types,
            by_path: found.iter().enumerate().map(|(index, page)| (page.path.clone(), index)).collect(),
            files: library.looked_for(),
            ..Self::default()
        };
        types.check_targets(found);
        types
    }

    fn inferred(written: &Written) -> Self {
        let names: BTreeSet<&str> = written.iter().map(|(written, _)| names::bare(written)).collect();
        let types: Vec<Type> = names.into_iter().map(|name| Type::inferred(name.to_owned())).collect();
        Self { names: TypeNames::new(&types, &[]), types, ..Self::default() }
    }

    /// What a page's `type`, as `written` there, means; also of a page that is not in the snapshot.
    fn meaning(&self, written: &str, page: &Page) -> Cow<'_, Match> {
        match self.meanings.get(written).and_then(|folders| folders.get(folder(&page.path))) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(self.names.find(written, Some(&page.path))),
        }
    }

    fn index_of(&self, page: &Page) -> Option<usize> {
        match *self.meaning(&names::written(page)?, page) {
            Match::One(index) => Some(index),
            _ => None,
        }
    }

    /// Adds a problem for every relation and link field whose target is no type.
    fn check_targets(&mut self, pages: &[Arc<Page>]) {
        for (index, page) in pages.iter().enumerate() {
            let of = &self.types[index];
            let relations = of.relations.iter().map(|relation| ("relations", &relation.name, &relation.target));
            let links = of.links.iter().map(|link| ("links", &link.field, &link.target));
            let mut problems = Vec::new();
            for (field, name, targets) in relations.chain(links) {
                for target in targets.iter().filter(|target| self.names.find(target, Some(&page.path)) == Match::None) {
                    let near = nearest::among(target, &self.known(), NEAR);
                    problems.push(TypeProblem {
                        span: definition::field_span(page, field),
                        message: format!("`{name}` in `{field}` leads to `{target}`, which is no type"),
                        hint: format!(
                            "write a page for that type, or name one there is, such as {}",
                            crate::error::list(&near, "or")
                        ),
                    });
                }
            }
            self.types[index].problems.extend(problems);
        }
    }

    /// All types, sorted by path; inferred ones by name.
    pub fn all(&self) -> &[Type] {
        &self.types
    }

    /// Whether a page is a type page; such a page needs no type.
    pub fn is_type_page(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }

    /// The type that a name asked from outside means.
    ///
    /// # Errors
    /// Not found, with all types, the nearest first; or ambiguous, with the paths.
    pub fn find(&self, name: &str) -> Result<&Type, Error> {
        match self.names.find(name, None) {
            Match::One(index) => Ok(&self.types[index]),
            Match::Many(many) => Err(Error::TypeAmbiguous { name: name.into(), candidates: self.paths(&many) }),
            Match::None => {
                let known = self.known();
                Err(Error::TypeNotFound {
                    name: name.into(),
                    candidates: nearest::among(stem(name), &known, known.len()),
                })
            }
        }
    }

    /// The type that a name means on the page at `from`: as a page's `type`, or as a target that a type page declares.
    pub fn named(&self, name: &str, from: Option<&str>) -> Option<&Type> {
        match self.names.find(name, from) {
            Match::One(index) => Some(&self.types[index]),
            _ => None,
        }
    }

    /// What a page's `type` means.
    pub fn type_of(&self, page: &Page) -> TypeOf<'_> {
        let Some(written) = names::written(page) else { return TypeOf::Missing };
        match &*self.meaning(&written, page) {
            Match::One(index) => TypeOf::One(&self.types[*index]),
            Match::Many(many) => TypeOf::Ambiguous(written.to_string(), self.paths(many)),
            Match::None => {
                let near = nearest::among(stem(names::bare(&written)), &self.known(), NEAR);
                TypeOf::Unknown(written.into_owned(), near)
            }
        }
    }

    /// The type of a page, where its `type` means one.
    pub fn of(&self, page: &Page) -> Option<&Type> {
        self.index_of(page).map(|index| &self.types[index])
    }

    /// Who looks after a page, where its type says so.
    pub fn owner(&self, page: &Page) -> Option<&str> {
        self.of(page)?.owner.as_deref()
    }

    /// Whether a front matter field of a page holds page names, by its type.
    pub fn holds_names(&self, page: &Page, field: &str) -> bool {
        self.of(page).is_some_and(|of| of.links.iter().any(|link| link.field == field))
    }

    /// Whether the schemas depend on the file at `path`, existing or not.
    pub fn reads(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// What a page violates of its type's schema, in the schema's order; nothing where its front matter cannot be read.
    pub fn violations(&self, page: &Page) -> Vec<Violation> {
        let Some(of) = self.of(page).filter(|_| page.front_matter.root.is_some()) else { return Vec::new() };
        let path = of.path.as_deref().unwrap_or_default();
        let forms = [path, strip_suffix(path), &of.name, stem(path)];
        of.schema.as_ref().map(|schema| schema.violations(page, &forms)).unwrap_or_default()
    }

    /// What is wrong with a type page as one.
    pub fn problems(&self, page: &Page) -> &[TypeProblem] {
        self.by_path.get(&page.path).map(|&index| self.types[index].problems.as_slice()).unwrap_or_default()
    }

    /// How many pages each type has, in the order of [`Types::all`].
    fn counts(&self, pages: &[Arc<Page>]) -> Vec<usize> {
        let mut counts = vec![0; self.types.len()];
        for index in pages.iter().filter_map(|page| self.index_of(page)) {
            counts[index] += 1;
        }
        counts
    }

    fn known(&self) -> Vec<&str> {
        self.types.iter().map(|of| of.name.as_str()).collect()
    }

    fn paths(&self, types: &[usize]) -> Vec<String> {
        types
            .iter()
            .map(|&index| &self.types[index])
            .map(|of| of.path.clone().unwrap_or_else(|| of.name.clone()))
            .collect()
    }
}

impl Type {
    /// The fields that its schema knows, inheritance resolved: the name, whether it is required, and what is said of it.
    pub fn fields(&self) -> impl Iterator<Item = (&str, bool, &Map<String, Value>)> {
        let fields = self.schema.as_ref().map_or(&[][..], |schema| &schema.shape.fields);
        fields.iter().map(|field| (field.name.as_str(), field.required, &field.about))
    }

    /// Whether its schema forbids all other fields.
    pub fn is_closed(&self) -> bool {
        self.schema.as_ref().is_some_and(|schema| schema.shape.closed)
    }

    /// A type of which only the name is known.
    fn inferred(name: String) -> Self {
        Self {
            name,
            path: None,
            summary: None,
            when_to_use: None,
            when_not_to_use: None,
            template: None,
            sections: Vec::new(),
            relations: Vec::new(),
            links: Vec::new(),
            stale_after: None,
            owner: None,
            problems: Vec::new(),
            schema: None,
        }
    }
}

/// A path as that of a page in a folder: names are resolved by the folder alone.
fn page_in(folder: &str) -> String {
    format!("{folder}/")
}

/// The type pages, sorted by path; see [`Types::build`].
fn type_pages(pages: &dyn Pages, written: &Written, folders: &[String]) -> Vec<Arc<Page>> {
    let mut inside: Vec<Arc<Page>> = folders.iter().flat_map(|folder| pages.below(folder.trim_matches('/'))).collect();
    inside.sort_by(|a, b| a.path.cmp(&b.path));
    inside.dedup_by(|a, b| a.path == b.path);
    let mut found: BTreeMap<String, Arc<Page>> = BTreeMap::new();
    let mut add = |page: &Arc<Page>| {
        found.insert(page.path.clone(), Arc::clone(page));
    };
    let describes = |page: &&Arc<Page>| definition::KEYS.iter().any(|key| page.field(key).is_some());
    inside.iter().filter(describes).for_each(&mut add);
    let is_inside = |page: &Page| inside.binary_search_by(|other| other.path.cmp(&page.path)).is_ok();
    pages.declaring().iter().filter(|page| !is_inside(page)).for_each(&mut add);

    let inside_names = Names::new(&inside);
    for (written, folder) in written {
        let (name, from) = (names::bare(written), page_in(folder));
        let means_page = names::means_page(written);
        let direct = || paths::from_root_or_beside(&from, name).into_iter().find_map(|path| pages.page(&path));
        if let Some(page) = means_page.then(direct).flatten() {
            add(&page);
        } else if let Resolution::Page { page, .. } = inside_names.resolve(name, Some(&from)) {
            add(&inside[page]);
        } else if let Some(page) = means_page.then(|| pages.named(name, &from)).flatten() {
            add(&page);
        }
    }
    found.into_values().collect()
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        None,
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::None => Vec::new(),
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}
