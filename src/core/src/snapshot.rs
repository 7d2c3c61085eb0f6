//! A snapshot: the pages, links, types and index of one revision. Immutable, and the owner of its stamp.
//!
//! Whatever is made of pages is made when it is first asked for. A question about all pages reads all; one about a few looks them up
//! in the index, where there is one, and reads those.

mod lookup;
mod summary;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::answer::Stamp;
use crate::config::{self, Config};
use crate::error::Error;
use crate::graph::{Destination, Graph, Tree};
use crate::lint::{self, Finding, Findings};
use crate::names::{Form, Names, Resolution, Resolve, Via};
use crate::page::{self, LINK_FIELDS, Link, Page};
use crate::search::{self, Index, Shape};
use crate::source::{self, Commit, Difference, Entry, File, Listing, Origin, Reason, Repository, Skipped};
use crate::table::{GONE, Table};
use crate::text::Text;
use crate::types::{Files, Loaded, Types};

pub use summary::Summary;

/// One revision of a wiki, or its files as they were read at one moment.
pub struct Snapshot {
    /// What was read; part of every answer.
    pub stamp: Stamp,
    /// The wiki's settings.
    pub config: Config,
    /// What is no page, and why; sorted by path.
    pub skipped: Vec<Skipped>,
    /// Pages that the config excludes.
    pub excluded: usize,
    repository: Arc<Repository>,
    table: Arc<Table>,
    /// The pages that are linted, sorted; all if `None`.
    focus: Option<Arc<[usize]>>,
    /// The commit that pages are of which do not lie in the work tree.
    head: Option<Commit>,
    others: Others,
    /// By page, as far as they have been asked for one by one.
    single: Vec<OnceLock<Arc<Page>>>,
    pages: OnceLock<Vec<Arc<Page>>>,
    names: OnceLock<Names>,
    types: OnceLock<Types>,
    tree: OnceLock<Tree>,
    graph: OnceLock<Graph>,
    index: OnceLock<Result<Arc<Index>, Error>>,
    /// Another snapshot's index, until this one's is made with what they share.
    earlier_index: Mutex<Option<Arc<Index>>>,
    superseded: OnceLock<HashMap<usize, usize>>,
    findings: OnceLock<Findings>,
    summary: OnceLock<Summary>,
}

/// The files that are no pages; schemas are among them.
#[derive(Clone)]
enum Others {
    /// Looked up in a commit.
    Committed(Commit),
    /// As they were listed, sorted by path.
    Listed(Arc<[File]>),
}

/// What a page takes in tables, and what it takes once it is read, about.
const PAGE_BYTES: usize = 150;
const PARSED_BYTES: usize = 12_000;
/// How many pages are worth a job, which opens the repository for itself.
const PAGES_PER_JOB: usize = 64;

impl Snapshot {
    /// Reads a commit. What it shares with `base`, another revision, is taken from there.
    ///
    /// # Errors
    /// Only what concerns the whole: an unreadable tree, a wrong `chemenu.toml`. A page that cannot be read is served as
    /// unreadable.
    pub fn of_commit(repository: &Arc<Repository>, commit: &Commit, base: Option<&Self>) -> Result<Self, Error> {
        if let Some(base) = base
            && let Others::Committed(before) = &base.others
            // The other commit may be gone.
            && let Ok(differences) = repository.differences(before, commit)
            && let Some(snapshot) = base.changed(commit, differences)?
        {
            return Ok(snapshot);
        }
        let listing = repository.list_commit(commit)?;
        let snapshot = Self::listed(repository, listing, Stamp::of_commit(commit), base)?;
        Ok(Self { others: Others::Committed(*commit), ..snapshot })
    }

    /// Reads the files of the work tree, those apart that are as `head` has them: `changes` are the paths of the others.
    ///
    /// # Errors
    /// As [`Snapshot::of_commit`].
    pub fn of_work_tree(repository: &Arc<Repository>, head: Option<(&Self, &[String])>) -> Result<Self, Error> {
        let stamp = Stamp::of_files();
        let mut listing = repository.list_work_tree()?;
        if let Some((head, changes)) = head {
            for file in &mut listing.files {
                if let Ok(number) = head.table.find(&file.path)
                    && let Some(origin) = head.table.origin(number)
                    && changes.binary_search(&file.path).is_err()
                {
                    file.origin = origin.clone();
                }
            }
        }
        let snapshot = Self::listed(repository, listing, stamp, head.map(|(head, _)| head))?;
        Ok(Self { head: head.and_then(|(head, _)| head.commit()), ..snapshot })
    }

    fn listed(
        repository: &Arc<Repository>,
        listing: Listing,
        stamp: Stamp,
        base: Option<&Self>,
    ) -> Result<Self, Error> {
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
        let snapshot = Self {
            skipped: listing.skipped,
            excluded: excluded.len(),
            others: Others::Listed(others.into()),
            ..Self::new(repository, stamp, config, Table::new(files), base)
        };
        Ok(Self { tree: OnceLock::from(tree), ..snapshot })
    }

    /// This snapshot's commit with some differences; `None` where they change what is a page.
    fn changed(&self, commit: &Commit, differences: Vec<Difference>) -> Result<Option<Self>, Error> {
        let mut config = self.config.clone();
        let (mut changes, mut skipped, mut unskipped) = (Vec::new(), Vec::new(), HashSet::new());
        let mut excluded = self.excluded;
        for Difference { before, after } in differences {
            for (entry, is_new) in [(&before, false), (&after, true)] {
                match entry {
                    Some(Entry::File(file)) if file.path == config::FILE => {
                        config = if is_new { Config::parse(&self.repository.read(file)?)? } else { Config::default() };
                    }
                    Some(Entry::File(file)) if page::is_page(&file.path) => {
                        if !self.config.exclude.matches(&file.path) {
                            changes.push((file.path.clone(), is_new.then(|| Some(file.origin.clone()))));
                        } else {
                            excluded = excluded + usize::from(is_new) - usize::from(!is_new);
                        }
                    }
                    Some(Entry::Skipped(entry)) if is_new => skipped.push(entry.clone()),
                    Some(Entry::Skipped(entry)) => _ = unskipped.insert(entry.path.clone()),
                    _ => {}
                }
            }
        }
        if config.exclude != self.config.exclude {
            return Ok(None);
        }
        // Of what was and what is at one path, the latter.
        changes.sort_by(|a, b| (&a.0, a.1.is_some()).cmp(&(&b.0, b.1.is_some())));
        changes.reverse();
        changes.dedup_by(|a, b| a.0 == b.0);
        changes.reverse();
        let kept = self.skipped.iter().filter(|skipped| !unskipped.contains(&skipped.path)).cloned();
        let mut skipped: Vec<Skipped> = kept.chain(skipped).collect();
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        let table = self.table.with(&changes);
        Ok(Some(Self {
            skipped,
            excluded,
            others: Others::Committed(*commit),
            ..Self::new(&self.repository, Stamp::of_commit(commit), config, table, Some(self))
        }))
    }

    /// This snapshot as it would be with `text` saved as the page at `path`.
    pub fn with_draft(&self, path: &str, text: &str) -> Self {
        let draft = Arc::new(Page::parse(path.to_owned(), text.as_bytes(), self.config.link_style));
        let table = self.table.with(&[(path.to_owned(), Some(None))]);
        let mut snapshot = Self {
            skipped: self.skipped.clone(),
            excluded: self.excluded,
            others: self.others.clone(),
            ..Self::new(&self.repository, self.stamp.clone(), self.config.clone(), table, Some(self))
        };
        let number = snapshot.table.find(path).expect("the table was made with it");
        snapshot.single[number] = OnceLock::from(draft);
        let mut tree = self.tree().clone();
        tree.add_folders(path);
        snapshot.tree = OnceLock::from(tree);
        snapshot
    }

    /// The same snapshot, of which only some pages, sorted by number, are linted.
    pub(crate) fn focused(&self, pages: Vec<usize>) -> Self {
        let table = Table::clone(&self.table);
        let focused = Self {
            focus: Some(pages.into()),
            skipped: self.skipped.clone(),
            excluded: self.excluded,
            others: self.others.clone(),
            ..Self::new(&self.repository, self.stamp.clone(), self.config.clone(), table, Some(self))
        };
        Self {
            superseded: OnceLock::from(self.superseded().clone()),
            tree: OnceLock::from(self.tree().clone()),
            ..focused
        }
    }

    /// Whether only some pages are linted.
    pub(crate) fn is_focused(&self) -> bool {
        self.focus.is_some()
    }

    /// The pages that are linted.
    pub fn checked(&self) -> impl Iterator<Item = (usize, &Arc<Page>)> {
        let all = if self.focus.is_none() { self.pages() } else { &[] };
        let some = self.focus.as_deref().unwrap_or_default();
        all.iter().enumerate().chain(some.iter().map(|&number| (number, self.page(number))))
    }

    fn new(repository: &Arc<Repository>, stamp: Stamp, config: Config, table: Table, base: Option<&Self>) -> Self {
        let single: Vec<OnceLock<Arc<Page>>> = (0..table.len()).map(|_| OnceLock::new()).collect();
        let mut earlier_index = None;
        if let Some(base) = base.filter(|base| base.config.link_style == config.link_style) {
            for (then, now) in table.numbers_of(&base.table).into_iter().enumerate() {
                if let Some(page) = base.parsed(then).filter(|_| now != GONE) {
                    _ = single[now as usize].set(Arc::clone(page));
                }
            }
            earlier_index = base.any_index().filter(|index| *index.shape() == shape(&config));
        }
        Self {
            stamp,
            config,
            skipped: Vec::new(),
            excluded: 0,
            repository: Arc::clone(repository),
            table: Arc::new(table),
            focus: None,
            head: None,
            others: Others::Listed(Arc::new([])),
            single,
            pages: OnceLock::new(),
            names: OnceLock::new(),
            types: OnceLock::new(),
            tree: OnceLock::new(),
            graph: OnceLock::new(),
            index: OnceLock::new(),
            earlier_index: Mutex::new(earlier_index),
            superseded: OnceLock::new(),
            findings: OnceLock::new(),
            summary: OnceLock::new(),
        }
    }

    /// A commit as it was stored, with its index.
    pub(crate) fn of_stored(
        repository: &Arc<Repository>,
        commit: &Commit,
        config: Config,
        table: Arc<Table>,
        skipped: Vec<Skipped>,
        excluded: usize,
        index: Index,
    ) -> Self {
        let snapshot = Self::new(repository, Stamp::of_commit(commit), config, Table::default(), None);
        Self {
            skipped,
            excluded,
            single: (0..table.len()).map(|_| OnceLock::new()).collect(),
            table,
            others: Others::Committed(*commit),
            index: OnceLock::from(Ok(Arc::new(index))),
            ..snapshot
        }
    }

    /// The commit; `None` for files, and for what a draft is laid over.
    pub(crate) fn commit(&self) -> Option<Commit> {
        match &self.others {
            Others::Committed(commit) if self.stamp.commit.is_some() => Some(*commit),
            _ => None,
        }
    }

    /// The commit that a page was read from; `None` for one that lies in the work tree.
    pub(crate) fn commit_of(&self, number: usize) -> Option<Commit> {
        self.commit().or_else(|| self.head.filter(|_| matches!(self.table.origin(number), Some(Origin::Blob(_)))))
    }

    /// The index, if it has been made.
    pub(crate) fn made_index(&self) -> Option<&Arc<Index>> {
        self.index.get()?.as_ref().ok()
    }

    /// Whether something stored was found not to be what was written.
    pub(crate) fn is_damaged(&self) -> bool {
        self.any_index().is_some_and(|index| index.is_damaged())
    }

    /// The bytes that it takes beside those of the snapshot that it was read from, about.
    pub(crate) fn own_bytes(&self) -> usize {
        let pages =
            self.single.iter().filter(|page| page.get().is_some()).count() + self.pages.get().map_or(0, Vec::len);
        self.table.len() * PAGE_BYTES + pages * PARSED_BYTES
    }

    /// Whether anything of it was stored.
    pub(crate) fn is_stored(&self) -> bool {
        self.any_index().is_some_and(|index| index.is_stored())
    }

    /// The pages' paths, by number.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// All pages, by number: sorted by path.
    pub fn pages(&self) -> &[Arc<Page>] {
        self.pages.get_or_init(|| {
            self.repository.begin(self.table.len());
            let numbers = (0..self.table.len()).into_par_iter().with_min_len(PAGES_PER_JOB);
            numbers.map_init(|| self.repository.reader(), |reader, number| self.read(reader, number)).collect()
        })
    }

    /// One page.
    pub fn page(&self, number: usize) -> &Arc<Page> {
        match self.pages.get() {
            Some(pages) => &pages[number],
            None => self.single[number].get_or_init(|| {
                let file = self.table.file(number);
                self.parse(number, file.map(|file| self.repository.read(&file)))
            }),
        }
    }

    /// Reads the pages that lie in the work tree.
    pub(crate) fn read_files(&self) {
        let is_file = |number: &usize| matches!(self.table.origin(*number), Some(Origin::WorkTree(_)));
        (0..self.table.len()).filter(is_file).for_each(|number| _ = self.page(number));
    }

    /// A page, where it has been read already.
    fn parsed(&self, number: usize) -> Option<&Arc<Page>> {
        self.pages.get().map(|pages| &pages[number]).or_else(|| self.single[number].get())
    }

    /// A page that is not kept.
    fn read(&self, reader: &Result<source::Reader, Error>, number: usize) -> Arc<Page> {
        match self.parsed(number) {
            Some(page) => Arc::clone(page),
            None => {
                let read = |file| reader.as_ref().map_err(Clone::clone).and_then(|reader| reader.read(&file));
                self.parse(number, self.table.file(number).map(read))
            }
        }
    }

    fn parse(&self, number: usize, bytes: Option<Result<Vec<u8>, Error>>) -> Arc<Page> {
        let path = self.table.path(number).to_owned();
        Arc::new(match bytes {
            Some(Ok(bytes)) => Page::parse(path, &bytes, self.config.link_style),
            Some(Err(error)) => Page::unreadable(path, &error),
            None => unreachable!("a page that is stored nowhere was parsed when the snapshot was made"),
        })
    }

    /// A page's bytes as they are stored; what cannot be read is empty.
    pub fn bytes(&self, number: usize) -> Vec<u8> {
        match self.table.file(number) {
            Some(file) => self.repository.read(&file).unwrap_or_default(),
            None => self.page(number).text.as_str().as_bytes().to_vec(),
        }
    }

    /// The number of the page at exactly that path.
    pub fn number_of(&self, path: &str) -> Option<usize> {
        self.table.find(path).ok()
    }

    /// The page at exactly that path.
    pub fn page_at(&self, path: &str) -> Option<&Arc<Page>> {
        self.number_of(path).map(|number| self.page(number))
    }

    /// By page: whether it is not what it was at a commit, or was not there.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn changed_since(&self, commit: &Commit) -> Result<Vec<bool>, Error> {
        let listing = match self.repository.list_commit(commit) {
            // Where the wiki was not there yet all of it is new.
            Err(Error::FolderNotFound { .. }) => Listing::default(),
            listing => listing?,
        };
        let before: HashMap<&str, &File> = listing.files.iter().map(|file| (file.path.as_str(), file)).collect();
        let same = |number: usize| match (before.get(self.table.path(number)), self.table.origin(number)) {
            (None, _) => false,
            (Some(file), Some(Origin::Blob(id))) => file.origin == Origin::Blob(*id),
            // A file in the work tree may have other line ends than git's and yet the same text.
            (Some(file), _) => {
                let text = self.page(number).text.as_str();
                self.repository.read(file).is_ok_and(|bytes| Text::decode(&bytes).as_str() == text)
            }
        };
        Ok((0..self.table.len()).map(|number| !same(number)).collect())
    }

    /// The names of all pages.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| self.lookup().and_then(lookup::all_names).unwrap_or_else(|| Names::new(self.pages())))
    }

    /// The types of pages.
    pub fn types(&self) -> &Types {
        self.types.get_or_init(|| match self.lookup() {
            Some(index) => Types::build(&lookup::Pages { snapshot: self, index }, self, &self.config.types),
            None => Types::build(&Loaded::new(self.pages()), self, &self.config.types),
        })
    }

    /// The links of all pages that are linted, resolved.
    pub fn graph(&self) -> &Graph {
        if let Some(focus) = &self.focus {
            return self.graph.get_or_init(|| {
                let mut outgoing = vec![Vec::new(); self.table.len()];
                focus.iter().for_each(|&number| outgoing[number] = self.resolved(number));
                Graph { outgoing }
            });
        }
        // Made first, since threads of the same pool make them that would wait for each other.
        let (pages, names, tree, _) = (self.pages(), self.names(), self.tree(), self.types());
        // A thousand pages of one name, and a link to that name on each, are a million places; so equal lists are kept once.
        let shared: Mutex<HashSet<Arc<[usize]>>> = Mutex::default();
        let resolve = |(number, page): (usize, &Arc<Page>)| {
            let mut links = Graph::resolve(page, self.front_links(page), names, number, tree);
            for (_, destination) in &mut links {
                let Destination::Ambiguous(pages) = destination else { continue };
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                match shared.get(pages) {
                    Some(known) => *pages = Arc::clone(known),
                    None => _ = shared.insert(Arc::clone(pages)),
                }
            }
            links
        };
        self.graph.get_or_init(|| Graph { outgoing: pages.par_iter().enumerate().map(resolve).collect() })
    }

    /// The links of the pages that are linted.
    pub fn checked_links(&self) -> impl Iterator<Item = (usize, &[(Link, Destination)])> {
        let graph = self.graph();
        let all = if self.focus.is_none() { graph.outgoing.as_slice() } else { &[] };
        let links = |&number: &usize| (number, graph.outgoing[number].as_slice());
        let some = self.focus.as_deref().unwrap_or_default().iter().map(links);
        all.iter().map(Vec::as_slice).enumerate().chain(some)
    }

    /// The links of one page, resolved.
    pub fn links_of(&self, number: usize) -> Cow<'_, [(Link, Destination)]> {
        match self.graph.get() {
            Some(graph) if self.focus.is_none() => Cow::Borrowed(&graph.outgoing[number]),
            _ => Cow::Owned(self.resolved(number)),
        }
    }

    fn resolved(&self, number: usize) -> Vec<(Link, Destination)> {
        let page = self.page(number);
        Graph::resolve(page, self.front_links(page), self, number, self.tree())
    }

    fn front_links(&self, page: &Page) -> Vec<Link> {
        page.front_links(self.config.link_style, |field| {
            LINK_FIELDS.contains(&field) || self.types().holds_names(page, field)
        })
    }

    /// The paths that are no pages.
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| match &self.others {
            // It was listed when the snapshot was made, or could be.
            Others::Committed(commit) => {
                Tree::new(&self.repository.list_commit(commit).unwrap_or_default(), page::is_page)
            }
            Others::Listed(_) => unreachable!("a listing's tree is made with it"),
        })
    }

    /// The search index.
    ///
    /// # Errors
    /// [`Error::Internal`] where it could not be built.
    pub fn index(&self) -> Result<&Index, Error> {
        let build = || {
            let earlier = self.earlier_index.lock().unwrap_or_else(PoisonError::into_inner).take();
            let updated = match earlier {
                Some(earlier) => earlier.updated(&self.table, self)?,
                None => None,
            };
            let anew = || {
                self.repository.begin(self.table.len());
                Index::build(&self.table, self, &shape(&self.config))
            };
            let built = updated.map_or_else(anew, Ok);
            built.map(Arc::new)
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

    /// The index, where having it costs next to nothing and all pages have not been read anyway.
    fn lookup(&self) -> Option<&Index> {
        if self.pages.get().is_some() || self.any_index().is_none() { None } else { self.index().ok() }
    }

    /// Pages that another one replaces, and that page, by number.
    pub fn superseded(&self) -> &HashMap<usize, usize> {
        self.superseded.get_or_init(|| lint::superseded(self))
    }

    /// The pages that may state a relation of one of these names.
    pub(crate) fn relating(&self, names: &HashSet<String>) -> Vec<usize> {
        let looked_up = self.lookup().and_then(|index| index.relating(names.iter().map(String::as_str)).ok());
        match looked_up {
            Some(pages) => pages.into_iter().map(|page| page as usize).collect(),
            None => (0..self.table.len()).collect(),
        }
    }

    /// What is wrong in the wiki, by all rules at their configured levels.
    pub fn findings(&self) -> &[Finding] {
        &self.lint().listed
    }

    /// All findings, those that pages suppress by a comment apart.
    pub fn lint(&self) -> &Findings {
        self.findings.get_or_init(|| lint::run(self))
    }

    /// The numbers that `status` gives.
    pub fn summary(&self) -> &Summary {
        self.summary.get_or_init(|| Summary::of(self))
    }

    /// The same, if they are known.
    pub(crate) fn known_summary(&self) -> Option<&Summary> {
        self.summary.get()
    }

    /// Makes the numbers known that were counted before.
    pub(crate) fn know(&self, summary: Summary) {
        // Whoever counts at the same time counts the same.
        _ = self.summary.set(summary);
    }

    /// The page that a name asked from outside means.
    ///
    /// # Errors
    /// Not found, with the nearest pages, or ambiguous, with all of them.
    pub fn resolve(&self, name: &str) -> Result<(usize, Via, Form), Error> {
        match Resolve::resolve(self, name, None) {
            Resolution::Page { page, via, form } => Ok((page, via, form)),
            Resolution::Ambiguous(pages) => {
                Err(Error::PageAmbiguous { name: name.into(), candidates: self.paths(&pages) })
            }
            Resolution::NotFound => {
                let near = self.nearest(&[name]).concat();
                Err(Error::PageNotFound { name: name.into(), candidates: self.paths(&near) })
            }
        }
    }

    /// The paths of pages.
    pub fn paths(&self, pages: &[usize]) -> Vec<String> {
        pages.iter().map(|&page| self.table.path(page).to_owned()).collect()
    }

    /// Whether an answer can depend on the file at `path`.
    pub fn depends_on(&self, path: &str) -> bool {
        path == config::FILE || (page::is_page(path) && !self.config.exclude.matches(path)) || self.types().reads(path)
    }
}

/// What the index of a wiki with these settings depends on.
fn shape(config: &Config) -> Shape {
    Shape { languages: config.languages.clone(), style: config.link_style }
}

impl search::Pages for Snapshot {
    fn reader(&self) -> Box<dyn FnMut(usize) -> Arc<Page> + '_> {
        let reader = self.repository.reader();
        Box::new(move |number| self.read(&reader, number))
    }
}

/// The files that schemas are read from.
impl Files for Snapshot {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let file = match &self.others {
            Others::Committed(commit) => self.repository.find(commit, path).ok().flatten()?,
            Others::Listed(files) => files.iter().find(|file| file.path == path)?.clone(),
        };
        self.repository.read(&file).ok()
    }
}

/// How many paths were left out, by reason.
pub fn count(skipped: &[Skipped], reason: Reason) -> usize {
    skipped.iter().filter(|skipped| skipped.reason == reason).count()
}
