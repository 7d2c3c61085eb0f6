//! A snapshot: the parsed pages, links, types and index of one revision. Immutable, and the owner of its stamp.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::answer::Stamp;
use crate::config::{self, Config};
use crate::error::Error;
use crate::graph::{Destination, Graph, Tree};
use crate::lint::{self, Finding, Findings};
use crate::names::{Names, Resolution};
use crate::page::{self, LINK_FIELDS, Page};
use crate::search::Index;
use crate::source::{self, Commit, File, Listing, Origin, Reason, Repository, Skipped};
use crate::text::Text;
use crate::types::{Files, Types};

/// One revision of a wiki, or its files as they were read at one moment.
pub struct Snapshot {
    /// What was read; part of every answer.
    pub stamp: Stamp,
    /// The wiki's settings.
    pub config: Config,
    /// All pages, sorted by path.
    pub pages: Vec<Arc<Page>>,
    /// What is no page, and why.
    pub skipped: Vec<Skipped>,
    /// Pages that the config excludes.
    pub excluded: usize,
    /// Their names.
    pub names: Names,
    /// Their types.
    pub types: Types,
    tree: Tree,
    /// Where each page's bytes are, in the order of `pages`; `None` for a draft's.
    origins: Vec<Option<Origin>>,
    /// The files that are no pages; schemas are among them.
    others: Arc<[File]>,
    graph: OnceLock<Graph>,
    index: OnceLock<Result<Arc<Index>, Error>>,
    /// An earlier snapshot's index, until this one's is made with what they share.
    earlier_index: Mutex<Option<Arc<Index>>>,
    superseded: OnceLock<HashMap<usize, usize>>,
    findings: OnceLock<Findings>,
}

impl Snapshot {
    /// Reads a commit. Pages that `previous` has parsed already are shared with it.
    ///
    /// # Errors
    /// Only what concerns the whole: an unreadable tree, a wrong `chemenu.toml`. A page that cannot be read is served as
    /// unreadable.
    pub fn of_commit(repository: &Repository, commit: &Commit, previous: Option<&Self>) -> Result<Self, Error> {
        Self::read(repository, repository.list_commit(commit)?, Stamp::of_commit(commit), previous)
    }

    /// Reads the files of the work tree. Nothing of it is kept for another snapshot.
    ///
    /// # Errors
    /// As [`Snapshot::of_commit`].
    pub fn of_work_tree(repository: &Repository) -> Result<Self, Error> {
        let stamp = Stamp::of_files();
        Self::read(repository, repository.list_work_tree()?, stamp, None)
    }

    fn read(repository: &Repository, listing: Listing, stamp: Stamp, previous: Option<&Self>) -> Result<Self, Error> {
        let config = match listing.files.iter().find(|file| file.path == config::FILE) {
            Some(file) => Config::parse(&repository.read(file)?)?,
            None => Config::default(),
        };
        let tree = Tree::new(&listing, page::is_page);
        let (files, others): (Vec<File>, Vec<File>) =
            listing.files.into_iter().partition(|file| page::is_page(&file.path));
        let (excluded, mut files): (Vec<File>, Vec<File>) =
            files.into_iter().partition(|file| config.exclude.matches(&file.path));
        // Names that are not UTF-8 are listed as they are stored and may sort otherwise as they are shown.
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let pages = parse(repository, &files, &config, previous);
        Ok(Self {
            stamp,
            names: Names::new(&pages),
            types: Types::build(&pages, &SchemaFiles { repository, files: &others }, &config.types),
            tree,
            excluded: excluded.len(),
            skipped: listing.skipped,
            config,
            pages,
            origins: files.into_iter().map(|file| Some(file.origin)).collect(),
            others: others.into(),
            graph: OnceLock::new(),
            index: OnceLock::new(),
            earlier_index: Mutex::new(previous.and_then(Self::any_index)),
            superseded: OnceLock::new(),
            findings: OnceLock::new(),
        })
    }

    /// This snapshot as it would be with `text` saved as the page at `path`.
    pub fn with_draft(&self, repository: &Repository, path: &str, text: &str) -> Self {
        let draft = Arc::new(Page::parse(path.to_owned(), text.as_bytes(), self.config.link_style));
        let (mut pages, mut origins) = (self.pages.clone(), self.origins.clone());
        match self.find(path) {
            Ok(index) => (pages[index], origins[index]) = (draft, None),
            Err(index) => {
                pages.insert(index, draft);
                origins.insert(index, None);
            }
        }
        let mut tree = self.tree.clone();
        tree.add_folders(path);
        Self {
            stamp: self.stamp.clone(),
            names: Names::new(&pages),
            types: Types::build(&pages, &SchemaFiles { repository, files: &self.others }, &self.config.types),
            tree,
            excluded: self.excluded,
            skipped: self.skipped.clone(),
            config: self.config.clone(),
            pages,
            origins,
            others: Arc::clone(&self.others),
            graph: OnceLock::new(),
            index: OnceLock::new(),
            earlier_index: Mutex::default(),
            superseded: OnceLock::new(),
            findings: OnceLock::new(),
        }
    }

    /// By page: whether it is not what it was at a commit, or was not there.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn changed_since(&self, repository: &Repository, commit: &Commit) -> Result<Vec<bool>, Error> {
        let listing = match repository.list_commit(commit) {
            // Where the wiki was not there yet all of it is new.
            Err(Error::FolderNotFound { .. }) => Listing::default(),
            listing => listing?,
        };
        let before: HashMap<&str, &File> = listing.files.iter().map(|file| (file.path.as_str(), file)).collect();
        let same = |page: &Page, origin: &Option<Origin>| match (before.get(page.path.as_str()), origin) {
            (None, _) => false,
            (Some(file), Some(Origin::Blob(_))) => Some(&file.origin) == origin.as_ref(),
            // A file in the work tree may have other line ends than git's and yet the same text.
            (Some(file), _) => {
                repository.read(file).is_ok_and(|bytes| Text::decode(&bytes).as_str() == page.text.as_str())
            }
        };
        Ok(self.pages.iter().zip(&self.origins).map(|(page, origin)| !same(page, origin)).collect())
    }

    /// The number of the page at exactly that path, or the one it would have.
    fn find(&self, path: &str) -> Result<usize, usize> {
        self.pages.binary_search_by(|page| page.path.as_str().cmp(path))
    }

    /// The page at exactly that path.
    pub fn page_at(&self, path: &str) -> Option<&Arc<Page>> {
        self.find(path).ok().map(|index| &self.pages[index])
    }

    /// The links of all pages, resolved.
    pub fn graph(&self) -> &Graph {
        // A thousand pages of one name, and a link to that name on each, are a million places; so equal lists are kept once.
        let shared: Mutex<HashSet<Arc<[usize]>>> = Mutex::default();
        self.graph.get_or_init(|| Graph {
            outgoing: self
                .pages
                .par_iter()
                .enumerate()
                .map(|(index, page)| {
                    let front = page.front_links(self.config.link_style, |field| {
                        LINK_FIELDS.contains(&field) || self.types.holds_names(page, field)
                    });
                    let mut links = Graph::resolve(page, front, &self.names, index, &self.tree);
                    for (_, destination) in &mut links {
                        let Destination::Ambiguous(pages) = destination else { continue };
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        match shared.get(pages) {
                            Some(known) => *pages = Arc::clone(known),
                            None => _ = shared.insert(Arc::clone(pages)),
                        }
                    }
                    links
                })
                .collect(),
        })
    }

    /// The paths that are no pages.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The search index.
    ///
    /// # Errors
    /// [`Error::Internal`] where it could not be built.
    pub fn index(&self) -> Result<&Index, Error> {
        let build = || {
            let earlier = self.earlier_index.lock().unwrap_or_else(PoisonError::into_inner).take();
            Index::build(&self.pages, &self.config.languages, earlier.as_deref()).map(Arc::new)
        };
        self.index.get_or_init(build).as_deref().map_err(Clone::clone)
    }

    /// This snapshot's index, or the one that it would be made from.
    fn any_index(&self) -> Option<Arc<Index>> {
        match self.index.get() {
            Some(built) => built.as_ref().ok().cloned(),
            None => self.earlier_index.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Pages that another one replaces, and that page, by number.
    pub fn superseded(&self) -> &HashMap<usize, usize> {
        self.superseded.get_or_init(|| lint::superseded(self))
    }

    /// What is wrong in the wiki, by all rules at their configured levels.
    pub fn findings(&self) -> &[Finding] {
        &self.lint().listed
    }

    /// All findings, those that pages suppress by a comment apart.
    pub fn lint(&self) -> &Findings {
        self.findings.get_or_init(|| lint::run(self))
    }

    /// The page that a name asked from outside means.
    ///
    /// # Errors
    /// Not found, with the nearest pages, or ambiguous, with all of them.
    pub fn resolve(&self, name: &str) -> Result<(usize, crate::names::Via, crate::names::Form), Error> {
        match self.names.resolve(name, None) {
            Resolution::Page { page, via, form } => Ok((page, via, form)),
            Resolution::Ambiguous(pages) => {
                Err(Error::PageAmbiguous { name: name.into(), candidates: self.paths(&pages) })
            }
            Resolution::NotFound => {
                Err(Error::PageNotFound { name: name.into(), candidates: self.paths(&self.names.nearest(name)) })
            }
        }
    }

    /// The paths of pages.
    pub fn paths(&self, pages: &[usize]) -> Vec<String> {
        pages.iter().map(|&page| self.pages[page].path.clone()).collect()
    }

    /// Whether an answer can depend on the file at `path`.
    pub fn depends_on(&self, path: &str) -> bool {
        path == config::FILE || (page::is_page(path) && !self.config.exclude.matches(path)) || self.types.reads(path)
    }
}

/// How many pages are worth a job, which opens the repository for itself.
const PAGES_PER_JOB: usize = 64;

fn parse(repository: &Repository, files: &[File], config: &Config, previous: Option<&Snapshot>) -> Vec<Arc<Page>> {
    let previous = previous.filter(|previous| previous.config.link_style == config.link_style);
    let known = |file: &File| {
        let previous = previous?;
        let index = previous.find(&file.path).ok()?;
        // Bytes of a file in the work tree may have changed meanwhile.
        let same = matches!(file.origin, Origin::Blob(_)) && previous.origins[index].as_ref() == Some(&file.origin);
        same.then(|| Arc::clone(&previous.pages[index]))
    };
    let parse_one = |reader: &mut Result<source::Reader, Error>, file: &File| {
        known(file).unwrap_or_else(|| {
            let bytes = reader.as_ref().map_err(Clone::clone).and_then(|reader| reader.read(file));
            Arc::new(match bytes {
                Ok(bytes) => Page::parse(file.path.clone(), &bytes, config.link_style),
                Err(error) => Page::unreadable(file.path.clone(), &error),
            })
        })
    };
    let files = files.par_iter().with_min_len(PAGES_PER_JOB);
    files.map_init(|| repository.reader(), parse_one).collect()
}

/// The files that schemas are read from.
struct SchemaFiles<'a> {
    repository: &'a Repository,
    files: &'a [File],
}

impl Files for SchemaFiles<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let file = self.files.iter().find(|file| file.path == path)?;
        self.repository.read(file).ok()
    }
}

/// How many paths were left out, by reason.
pub fn count(skipped: &[Skipped], reason: Reason) -> usize {
    skipped.iter().filter(|skipped| skipped.reason == reason).count()
}
