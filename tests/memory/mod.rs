//! A wiki in memory: pages, names and links as a snapshot has them, without a repository.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its part")]

use std::sync::Arc;

use chemenu_core::graph::{Destination, Graph, Tree};
use chemenu_core::names::{Names, Resolution, Via};
use chemenu_core::page::{Anchor, LINK_FIELDS, Link, LinkStyle, Page, is_page};
use chemenu_core::source::{File, Listing, Origin};

pub struct Wiki {
    pub pages: Vec<Arc<Page>>,
    pub names: Names,
    tree: Tree,
    style: LinkStyle,
}

impl Wiki {
    /// From paths and texts; what is no page is a file.
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::with_style(files, LinkStyle::Obsidian)
    }

    pub fn with_style(files: &[(&str, &str)], style: LinkStyle) -> Self {
        let mut files = files.to_vec();
        files.sort_by_key(|&(path, _)| path);
        let listing = Listing {
            files: files
                .iter()
                .map(|&(path, _)| File { path: path.into(), origin: Origin::WorkTree(Vec::new()) })
                .collect(),
            skipped: Vec::new(),
        };
        let pages: Vec<_> = files
            .iter()
            .filter(|(path, _)| is_page(path))
            .map(|&(path, text)| Arc::new(Page::parse(path.into(), text.as_bytes(), style)))
            .collect();
        Self { names: Names::new(&pages), tree: Tree::new(&listing, is_page), pages, style }
    }

    /// The page at `path` with its index.
    pub fn page(&self, path: &str) -> (usize, &Page) {
        let index = self.pages.iter().position(|page| page.path == path).unwrap_or_else(|| panic!("no page {path}"));
        (index, &self.pages[index])
    }

    /// The links of the page at `path` and where they lead.
    pub fn links(&self, path: &str) -> Vec<(Link, Destination)> {
        let (index, page) = self.page(path);
        let front = page.front_links(self.style, |field| LINK_FIELDS.contains(&field));
        Graph::resolve(page, front, &self.names, index, &self.tree)
    }

    /// Where the links of the page at `path` lead: the path, with its heading or block behind `#`, `!` before what is
    /// missing, else the class.
    pub fn leads(&self, path: &str) -> Vec<String> {
        self.links(path).into_iter().map(|(link, destination)| self.show(&link, &destination)).collect()
    }

    fn show(&self, link: &Link, destination: &Destination) -> String {
        match destination {
            Destination::Page(index) => {
                let page = &self.pages[*index];
                match &link.fragment {
                    None => page.path.clone(),
                    Some(fragment) => match page.body.anchor(fragment) {
                        Some(Anchor::Heading(heading)) => {
                            format!("{}#{}", page.path, page.body.headings[heading].anchor)
                        }
                        Some(Anchor::Block(block)) => format!("{}#^{}", page.path, page.body.blocks[block].id),
                        None => format!("{}#!{fragment}", page.path),
                    },
                }
            }
            Destination::Ambiguous(pages) => {
                format!("?{}", pages.iter().map(|&page| &*self.pages[page].path).collect::<Vec<_>>().join("|"))
            }
            Destination::Missing => format!("!{}", link.target),
            Destination::Foreign => "foreign".into(),
            Destination::File => "file".into(),
            Destination::Folder => "folder".into(),
            Destination::Outside => "outside".into(),
        }
    }

    /// What a name asked on the page at `from` means: `path via`, `? paths`, or `-`.
    pub fn name(&self, name: &str, from: Option<&str>) -> String {
        match self.names.resolve(name, from) {
            Resolution::Page { page, via, form } => {
                let via = match via {
                    Via::Path => "path",
                    Via::RelativePath => "relative",
                    Via::PathWithoutSuffix => "suffix",
                    Via::Stem => "stem",
                    Via::Title => "title",
                    Via::Alias => "alias",
                };
                format!("{} {via} {form:?}", self.pages[page].path)
            }
            Resolution::Ambiguous(pages) => {
                format!("? {}", pages.iter().map(|&page| &*self.pages[page].path).collect::<Vec<_>>().join(" "))
            }
            Resolution::NotFound => "-".into(),
        }
    }
}

/// A page's parse, its links as they stand in the text.
pub fn parse(text: &str) -> Page {
    Page::parse("page.md".into(), text.as_bytes(), LinkStyle::Obsidian)
}

/// The sources of a page's wikilinks and embeds, in order.
pub fn wikilinks(text: &str) -> Vec<String> {
    use chemenu_core::page::LinkKind::{Embed, Wikilink};
    let page = parse(text);
    let links = page.body.links.iter().filter(|link| matches!(link.kind, Wikilink | Embed));
    links.map(|link| page.text.slice(link.span).to_owned()).collect()
}

/// Target, fragment and label of the only link of a text, `-` for what it has not.
pub fn parts(text: &str) -> String {
    let page = parse(text);
    let [link] = &page.body.links[..] else { panic!("{text:?} holds {} links", page.body.links.len()) };
    let shown = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".into());
    format!("{} # {} | {}", link.target, shown(&link.fragment), shown(&link.label))
}
