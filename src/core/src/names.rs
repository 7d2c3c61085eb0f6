//! Names: the one function that says which page a name means.
//!
//! Wikilinks, front matter, CLI, MCP and API all come here. Levels are tried in order, first exactly, then in NFC, then
//! case-folded; the first level that matches decides, and nothing is ever guessed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use caseless::Caseless;
use foldhash::fast::RandomState;
use serde::Serialize;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::nearest::Nearest;
use crate::page::{self, Page};

/// By which level a name was found, in the order they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// The path below the root.
    Path,
    /// The path relative to the linking page.
    RelativePath,
    /// A path, from the root or the linking page, without `.md`.
    PathWithoutSuffix,
    /// The file's name without `.md`.
    Stem,
    /// The title.
    Title,
    /// An alias.
    Alias,
}

/// In which form name and page agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// To the byte.
    Exact,
    /// In Unicode normalisation form C.
    Nfc,
    /// Case-folded, in NFC.
    CaseFolded,
}

/// What a name means. Pages are indices of the snapshot's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// One page.
    Page {
        /// Which.
        page: usize,
        /// By which level.
        via: Via,
        /// In which form.
        form: Form,
    },
    /// Several pages, at the first level that matched any.
    Ambiguous(Vec<usize>),
    /// None.
    NotFound,
}

/// The names of all pages of a snapshot.
#[derive(Debug, Default)]
pub struct Names {
    /// Every name as it stands.
    exact: Table,
    /// Names whose NFC differs from them.
    nfc: Table,
    /// Names whose case-folded NFC differs from them.
    folded: Table,
    nearest: OnceLock<Nearest>,
}

/// Every link of a wiki is looked up, mostly twice.
type Table = HashMap<Box<str>, Vec<Entry>, RandomState>;

#[derive(Clone, Copy, Debug)]
struct Entry {
    via: Via,
    page: u32,
}

impl Names {
    /// Collects the names of `pages`.
    pub fn new(pages: &[Arc<Page>]) -> Self {
        let mut names = Self::default();
        names.exact.reserve(3 * pages.len());
        for (number, page) in pages.iter().enumerate() {
            names.add_page(page, number);
        }
        names
    }

    /// Adds all names of a page.
    pub(crate) fn add_page(&mut self, page: &Page, number: usize) {
        of_page(page, |name, via| self.add(name, via, number));
    }

    /// Adds the names that a page has by its path.
    pub(crate) fn add_file(&mut self, path: &str, page: usize) {
        of_path(path, |name, via| self.add(name, via, page));
    }

    /// Adds one name of a page.
    pub(crate) fn add(&mut self, name: &str, via: Via, page: usize) {
        let entry = Entry { via, page: page as u32 };
        self.exact.entry(name.into()).or_default().push(entry);
        if !is_nfc(name) {
            self.nfc.entry((*nfc(name)).into()).or_default().push(entry);
        }
        let folded = fold(name);
        if folded != name {
            self.folded.entry(folded.into()).or_default().push(entry);
        }
    }

    /// As [`Resolve::resolve`].
    pub fn resolve(&self, name: &str, from: Option<&str>) -> Resolution {
        // A file's name may begin with a blank; a name that somebody typed rarely means one.
        match self.resolve_exactly(name, from) {
            Resolution::NotFound if name.trim() != name => self.resolve_exactly(name.trim(), from),
            found => found,
        }
    }

    fn resolve_exactly(&self, name: &str, from: Option<&str>) -> Resolution {
        let Some(keys) = keys(name, from) else { return Resolution::NotFound };
        for form in [Form::Exact, Form::Nfc, Form::CaseFolded] {
            let mut best: Option<(Via, bool)> = None;
            let mut pages: Vec<usize> = Vec::new();
            for key in keys.iter().flatten() {
                let (text, table) = match form {
                    Form::Exact => (Cow::Borrowed(&*key.text), None),
                    Form::Nfc => (nfc(&key.text), Some(&self.nfc)),
                    Form::CaseFolded => (fold(&key.text).into(), Some(&self.folded)),
                };
                // Names that are in this form already stand only in the exact table.
                let tables = std::iter::once(&self.exact).chain(table);
                for entry in tables.filter_map(|table| table.get(&*text)).flatten() {
                    let Some(via) = key.via(entry.via) else { continue };
                    let level = (via, key.relative);
                    if best.is_none_or(|best| level < best) {
                        best = Some(level);
                        pages.clear();
                    }
                    if best == Some(level) {
                        pages.push(entry.page as usize);
                    }
                }
            }
            let Some((via, _)) = best else { continue };
            pages.sort_unstable();
            pages.dedup();
            return match pages[..] {
                [page] => Resolution::Page { page, via, form },
                _ => Resolution::Ambiguous(pages),
            };
        }
        Resolution::NotFound
    }

    /// Up to five pages whose names come nearest to `name`, the nearest first.
    pub fn nearest(&self, name: &str) -> Vec<usize> {
        let nearest = self.nearest.get_or_init(|| {
            let mut names: Vec<(&str, u32)> = self
                .exact
                .iter()
                .flat_map(|(name, entries)| entries.iter().map(move |entry| (&**name, entry.page)))
                .collect();
            // A hash map has no order, an answer has one.
            names.sort_unstable();
            Nearest::new(names)
        });
        nearest.find(&spellings(name), NEAREST)
    }
}

/// For each of some wrong names, up to five pages whose names come nearest; `each` calls with all names that pages have.
pub(crate) fn nearest<E>(
    wrong: &[&str],
    each: impl FnOnce(&mut dyn FnMut(&str, u32)) -> Result<(), E>,
) -> Result<Vec<Vec<usize>>, E> {
    let wanted: Vec<&str> = wrong.iter().flat_map(|name| spellings(name)).collect();
    let nearest = Nearest::around(&wanted, each)?;
    Ok(wrong.iter().map(|name| nearest.find(&spellings(name), NEAREST)).collect())
}

/// How many near names are told.
const NEAREST: usize = 5;

/// What is compared of a name with those that pages have. A path may be wrong in its folders only.
fn spellings(name: &str) -> Vec<&str> {
    let name = page::strip_suffix(name.trim());
    let stem = name.rsplit_once('/').map(|(_, stem)| stem).filter(|stem| !stem.is_empty());
    std::iter::once(name).chain(stem).collect()
}

/// Calls `add` with all names of a page.
pub(crate) fn of_page(page: &Page, mut add: impl FnMut(&str, Via)) {
    of_path(&page.path, &mut add);
    add(&page.title, Via::Title);
    page.front_matter.aliases().iter().for_each(|(alias, _)| add(alias, Via::Alias));
}

/// Calls `add` with the names that a page has by its path.
pub(crate) fn of_path(path: &str, mut add: impl FnMut(&str, Via)) {
    add(path, Via::Path);
    add(page::strip_suffix(path), Via::PathWithoutSuffix);
    add(page::stem(path), Via::Stem);
}

/// Whoever knows which page a name means.
pub trait Resolve {
    /// What `name` means on the page at path `from`, or to somebody who asks from outside (`None`).
    fn resolve(&self, name: &str, from: Option<&str>) -> Resolution;
}

impl Resolve for Names {
    fn resolve(&self, name: &str, from: Option<&str>) -> Resolution {
        Self::resolve(self, name, from)
    }
}

/// What a page is filed under by one of its names: a title or alias in one form for all that mean the same.
pub(crate) fn filed(name: &str) -> String {
    fold(name)
}

/// What a page is filed under by its path.
pub(crate) fn filed_path(path: &str) -> String {
    fold(page::stem(path))
}

/// Everything that the pages are filed under which `name` may mean on a page in that folder, and perhaps more.
///
/// Whatever [`Names::resolve`] finds, it finds by a text that is one of these once it is folded, or ends in one as a path does.
pub(crate) fn sought(name: &str, folder: &str) -> Vec<String> {
    let trimmed = name.trim();
    let mut sought = Vec::new();
    for name in [Some(trimmed), Some(name).filter(|name| name.len() > trimmed.len())].into_iter().flatten() {
        sought.extend([filed(name), filed(page::strip_suffix(name))]);
        if !name.contains('/') && !matches!(name, "." | "..") {
            continue;
        }
        for path in [Some(name.to_owned()), join("", name), join(folder, name)].into_iter().flatten() {
            // A file may be called `a.md.md`.
            sought.extend([filed_path(&path), filed(path.rsplit('/').next().unwrap_or(&path))]);
        }
    }
    sought.sort_unstable();
    sought.dedup();
    sought
}

/// A text to look up, and which levels it may match.
struct Key<'n> {
    text: Cow<'n, str>,
    relative: bool,
    /// Only paths: the name begins with `/` or `.`.
    path_only: bool,
    /// Only stems: the name with its `.md` taken off.
    stem_only: bool,
}

impl Key<'_> {
    /// The level at which an entry of that level matches this key, if it may.
    fn via(&self, entry: Via) -> Option<Via> {
        match entry {
            Via::Path if self.relative => Some(Via::RelativePath),
            Via::Path | Via::PathWithoutSuffix if !self.stem_only => Some(entry),
            Via::Stem if !self.relative && !self.path_only => Some(entry),
            Via::Title | Via::Alias if !self.relative && !self.path_only && !self.stem_only => Some(entry),
            _ => None,
        }
    }
}

/// The texts that a name may be found under; `None` where it leads above the root or is empty.
fn keys<'n>(name: &'n str, from: Option<&str>) -> Option<[Option<Key<'n>>; 3]> {
    if name.is_empty() {
        return None;
    }
    let key = |text: Cow<'n, str>| Key { text, relative: false, path_only: false, stem_only: false };
    if let Some(rooted) = name.strip_prefix('/') {
        return Some([Some(Key { path_only: true, ..key(join("", rooted)?.into()) }), None, None]);
    }
    let folder = from.map_or("", |from| folder(from));
    if name.starts_with("./") || name.starts_with("../") {
        return Some([Some(Key { relative: true, ..key(join(folder, name)?.into()) }), None, None]);
    }
    let joined = from.and_then(|_| join(folder, name)).filter(|joined| joined != name);
    Some([
        Some(key(name.into())),
        joined.map(|joined| Key { relative: true, ..key(joined.into()) }),
        page::is_page(name).then(|| Key { stem_only: true, ..key(page::strip_suffix(name).into()) }),
    ])
}

/// The folder of a path, without a final `/`; empty at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..end])
}

/// `path` seen from `folder`, without `.` and `..`; `None` above the root.
pub(crate) fn join(folder: &str, path: &str) -> Option<String> {
    let mut joined = String::with_capacity(folder.len() + 1 + path.len());
    let add = |joined: &mut String, part: &str| {
        if !joined.is_empty() {
            joined.push('/');
        }
        joined.push_str(part);
    };
    folder.split('/').filter(|part| !part.is_empty()).for_each(|part| add(&mut joined, part));
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if joined.is_empty() => return None,
            ".." => joined.truncate(joined.rfind('/').unwrap_or_default()),
            part => add(&mut joined, part),
        }
    }
    Some(joined)
}

fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() }
}

/// Case-folded, in NFC.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in nfc(text).chars() {
        // Looking a letter up takes longer than all the rest.
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            folded.extend(std::iter::once(c).default_case_fold());
        }
    }
    if is_nfc(&folded) { folded } else { folded.nfc().collect() }
}
