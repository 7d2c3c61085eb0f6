//! Where links lead: every link of every page, resolved once per snapshot.

use std::collections::HashSet;
use std::sync::Arc;

use crate::names::{Resolution, Resolve, folder, join};
use crate::page::{Link, LinkKind, Page, is_foreign, is_page};
use crate::source::Listing;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To a page of the wiki, its own included.
    Page(usize),
    /// To several pages; which one, nobody said.
    Ambiguous(Arc<[usize]>),
    /// To a page that is not there.
    Missing,
    /// To another place altogether: `https:`, `mailto:`, `tag:`.
    Foreign,
    /// To an image or another file.
    File,
    /// To a folder.
    Folder,
    /// Above the wiki's root, where nothing is known.
    Outside,
}

/// The links of all pages.
#[derive(Debug, Default)]
pub struct Graph {
    /// By page: its links, those of the front matter first, and where each leads.
    pub outgoing: Vec<Vec<(Link, Destination)>>,
}

impl Graph {
    /// Resolves the links of one page.
    ///
    /// `front` are the links of its front matter.
    pub fn resolve(
        page: &Page,
        front: Vec<Link>,
        names: &impl Resolve,
        index: usize,
        tree: &Tree,
    ) -> Vec<(Link, Destination)> {
        front
            .into_iter()
            .chain(page.body.links.iter().cloned())
            .map(|link| Self::resolve_link(link, page, names, index, tree))
            .collect()
    }

    /// Resolves one link of a page.
    pub(crate) fn resolve_link(
        link: Link,
        page: &Page,
        names: &impl Resolve,
        index: usize,
        tree: &Tree,
    ) -> (Link, Destination) {
        by_whole_name(&link, page, names).unwrap_or_else(|| {
            let destination = destination(&link, page, names, index, tree);
            (link, destination)
        })
    }
}

/// The paths of a snapshot that are no pages.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// All files that are no pages.
    pub(crate) files: HashSet<String>,
    /// All folders that files lie in.
    pub(crate) folders: HashSet<String>,
}

impl Tree {
    /// From the files of a revision; `is_page` says which of them are pages.
    pub fn new(listing: &Listing, is_page: impl Fn(&str) -> bool) -> Self {
        let mut tree = Self::default();
        for file in &listing.files {
            tree.add_folders(&file.path);
            if !is_page(&file.path) {
                tree.files.insert(file.path.clone());
            }
        }
        tree
    }

    /// Adds the folders that the file at `path` lies in.
    pub fn add_folders(&mut self, path: &str) {
        let mut path = folder(path);
        while !path.is_empty() && self.folders.insert(path.to_owned()) {
            path = folder(path);
        }
    }
}

fn destination(link: &Link, page: &Page, names: &impl Resolve, own: usize, tree: &Tree) -> Destination {
    match link.kind {
        LinkKind::Markdown | LinkKind::Image => by_url(link, page, names, own, tree),
        LinkKind::Wikilink | LinkKind::Embed | LinkKind::FrontMatter => by_name(link, page, names, own, tree),
    }
}

/// Markdown links resolve as URLs do: from the page's folder or the root, never by stem, title or alias.
fn by_url(link: &Link, page: &Page, names: &impl Resolve, own: usize, tree: &Tree) -> Destination {
    if link.target.is_empty() {
        return Destination::Page(own);
    }
    if is_foreign(&link.target) {
        return Destination::Foreign;
    }
    let from = if link.target.starts_with('/') { "" } else { folder(&page.path) };
    let Some(path) = join(from, &link.target) else { return Destination::Outside };
    if link.kind == LinkKind::Image {
        return Destination::File;
    }
    if path.is_empty() || link.target.ends_with('/') || tree.folders.contains(&path) {
        return Destination::Folder;
    }
    destination_of(names.resolve(&format!("/{path}"), None)).unwrap_or_else(|| {
        if tree.files.contains(&path) || has_other_suffix(&path) { Destination::File } else { Destination::Missing }
    })
}

/// `C# basics` is a name too, although what follows its `#` was taken for a heading.
fn by_whole_name(link: &Link, page: &Page, names: &impl Resolve) -> Option<(Link, Destination)> {
    let name = whole_name(link, page)?;
    let destination = destination_of(names.resolve(name, Some(&page.path)))?;
    Some((Link { target: name.to_owned(), fragment: None, ..link.clone() }, destination))
}

/// The target with what was taken for its heading, as it stands in the page.
fn whole_name<'p>(link: &Link, page: &'p Page) -> Option<&'p str> {
    if link.target.is_empty() || matches!(link.kind, LinkKind::Markdown | LinkKind::Image) {
        return None;
    }
    let source = page.text.slice(link.span);
    memchr::memchr(b'#', source.as_bytes())?;
    let source = source.trim_matches(['!', '"', '\'']);
    let mut sides = source.strip_prefix("[[")?.strip_suffix("]]")?.splitn(2, '|');
    sides.find_map(|side| {
        let (target, fragment) = side.split_once('#')?;
        let (target, fragment) = (target.trim(), fragment.trim_end_matches('\\').trim());
        (target == link.target && fragment == link.fragment.as_deref().unwrap_or_default())
            .then(|| side.trim_end_matches('\\').trim())
    })
}

/// Every text that a link may be resolved by; none for one that leads to its own page.
pub(crate) fn spellings<'p>(link: &'p Link, page: &'p Page) -> impl Iterator<Item = &'p str> {
    let bare = link.target.strip_prefix('^').unwrap_or(&link.target);
    [whole_name(link, page), Some(&link.target), Some(bare), without_position(bare)]
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty())
}

fn destination_of(resolution: Resolution) -> Option<Destination> {
    match resolution {
        Resolution::Page { page, .. } => Some(Destination::Page(page)),
        Resolution::Ambiguous(pages) => Some(Destination::Ambiguous(pages.into())),
        Resolution::NotFound => None,
    }
}

fn by_name(link: &Link, page: &Page, names: &impl Resolve, own: usize, tree: &Tree) -> Destination {
    if link.target.is_empty() {
        return Destination::Page(own);
    }
    let resolve = |name: &str| destination_of(names.resolve(name, Some(&page.path)));
    // SilverBullet's forms: `^Name` is a page of the program's own, `$name` an item by its anchor, `Name@L12` a position in
    // a page.
    let bare = || {
        let bare = link.target.strip_prefix('^').unwrap_or(&link.target);
        without_position(bare).unwrap_or(bare)
    };
    if let Some(found) = resolve(&link.target).or_else(|| resolve(bare())) {
        return found;
    }
    if link.target.starts_with(['^', '$']) {
        return Destination::Foreign;
    }
    let path = join(if link.target.starts_with('/') { "" } else { folder(&page.path) }, &link.target);
    let is_file = |path: &str| tree.files.contains(path);
    if is_foreign(&link.target) && !link.target.contains(": ") {
        Destination::Foreign
    } else if is_file(&link.target) || path.as_deref().is_some_and(is_file) || is_attachment(&link.target) {
        Destination::File
    } else if path.as_deref().is_some_and(|path| tree.folders.contains(path)) || link.target.ends_with('/') {
        Destination::Folder
    } else {
        Destination::Missing
    }
}

/// `Name` of `Name@123`, `Name@L12` and `Name@L12c3`.
fn without_position(target: &str) -> Option<&str> {
    let (name, position) = target.rsplit_once('@')?;
    let mut numbers = position.trim_start_matches(['L', 'l']).split(['c', 'C']);
    (!name.is_empty() && numbers.all(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())))
        .then_some(name)
}

/// Whether the last part of a path ends in a suffix that is not a page's.
fn has_other_suffix(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !is_page(name) && name.rfind('.').is_some_and(|dot| dot > 0 && dot + 1 < name.len())
}

/// Suffixes of files that wikis embed. A dot alone makes no suffix: `[[v1.2]]` and `[[a.b.c]]` are names.
const ATTACHMENTS: &[&str] = &[
    "avif",
    "base",
    "bmp",
    "canvas",
    "css",
    "csv",
    "docx",
    "excalidraw",
    "flac",
    "gif",
    "gz",
    "heic",
    "html",
    "jpeg",
    "jpg",
    "js",
    "json",
    "m4a",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "odt",
    "ogg",
    "opus",
    "pdf",
    "png",
    "pptx",
    "py",
    "rs",
    "sh",
    "svg",
    "tar",
    "toml",
    "ts",
    "txt",
    "wav",
    "webm",
    "webp",
    "xlsx",
    "xml",
    "yaml",
    "yml",
    "zip",
];

fn is_attachment(target: &str) -> bool {
    target.rsplit_once('.').is_some_and(|(name, suffix)| {
        !name.is_empty() && ATTACHMENTS.binary_search(&suffix.to_ascii_lowercase().as_str()).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_are_sorted() {
        assert!(ATTACHMENTS.is_sorted());
        assert!(
            is_attachment("i.png") && is_attachment("x/Y.BASE") && !is_attachment("v1.2") && !is_attachment(".png")
        );
    }
}
