//! The pages that types are found among: all in memory, or looked up as they are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::{declares, written};
use crate::names::{Names, Resolution, folder};
use crate::page::Page;

/// What pages have as `type`, each with the folder it is written in: from the same folder the same text means the same.
pub type Written = BTreeSet<(String, String)>;

/// The pages of a wiki, as far as types depend on them.
pub trait Pages {
    /// The page at exactly that path.
    fn page(&self, path: &str) -> Option<Arc<Page>>;

    /// The pages below a folder, at any depth; all for the empty one.
    fn below(&self, folder: &str) -> Vec<Arc<Page>>;

    /// The pages that declare a type wherever they lie.
    fn declaring(&self) -> Vec<Arc<Page>>;

    /// What the pages' `type` says.
    fn written(&self) -> Written;

    /// The one page that a name means on the page at `from`.
    fn named(&self, name: &str, from: &str) -> Option<Arc<Page>>;
}

/// Pages that are all in memory.
pub struct Loaded<'p> {
    by_path: BTreeMap<&'p str, &'p Arc<Page>>,
    pages: &'p [Arc<Page>],
    /// All names are many; most wikis name their types by exact paths or never need them.
    names: OnceLock<Names>,
}

impl<'p> Loaded<'p> {
    /// From all pages.
    pub fn new(pages: &'p [Arc<Page>]) -> Self {
        let by_path = pages.iter().map(|page| (page.path.as_str(), page)).collect();
        Self { by_path, pages, names: OnceLock::new() }
    }
}

impl Pages for Loaded<'_> {
    fn page(&self, path: &str) -> Option<Arc<Page>> {
        self.by_path.get(path).map(|page| Arc::clone(page))
    }

    fn below(&self, folder: &str) -> Vec<Arc<Page>> {
        let is_below =
            |path: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.pages.iter().filter(|page| is_below(&page.path)).cloned().collect()
    }

    fn declaring(&self) -> Vec<Arc<Page>> {
        self.pages.iter().filter(|page| declares(page)).cloned().collect()
    }

    fn written(&self) -> Written {
        let one = |page: &Arc<Page>| Some((written(page)?.into_owned(), folder(&page.path).to_owned()));
        self.pages.iter().filter_map(one).collect()
    }

    fn named(&self, name: &str, from: &str) -> Option<Arc<Page>> {
        match self.names.get_or_init(|| Names::new(self.pages)).resolve(name, Some(from)) {
            Resolution::Page { page, .. } => Some(Arc::clone(&self.pages[page])),
            Resolution::Ambiguous(_) | Resolution::NotFound => None,
        }
    }
}
