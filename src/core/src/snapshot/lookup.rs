//! Questions about a few pages, answered from the index: it gives those that may be meant, and they are asked themselves.

use std::collections::HashSet;
use std::sync::Arc;

use super::Snapshot;
use crate::error::Error;
use crate::graph::{Destination, Graph, spellings};
use crate::names::{self, Names, Resolution, Resolve, Via};
use crate::page::{Link, Page};
use crate::search::Index;
use crate::types::{self, Written, written};

/// Adds a name from the index.
fn add(names: &mut Names, page: u32, via: Via, name: &str) {
    match via {
        Via::Path => names.add_file(name, page as usize),
        via => names.add(name, via, page as usize),
    }
}

/// All names; `None` where the index cannot be read.
pub(super) fn all_names(index: &Index) -> Option<Names> {
    let mut names = Names::default();
    // Pages whose names are too long to be indexed are rare; then all pages are read.
    if !index.long().ok()?.is_empty() {
        return None;
    }
    index.each_name(None, |page, via, name| add(&mut names, page, via, name)).ok()?;
    Some(names)
}

/// Links of a page, each with where it leads.
type Resolved = Vec<(Link, Destination)>;

impl Resolve for Snapshot {
    fn resolve(&self, name: &str, from: Option<&str>) -> Resolution {
        if self.names.get().is_none()
            && let Some(names) = self.lookup().and_then(|index| self.names_like(index, name, from).ok())
        {
            return names.resolve(name, from);
        }
        self.names().resolve(name, from)
    }
}

impl Snapshot {
    /// The names that a name may mean, and perhaps more.
    fn names_like(&self, index: &Index, name: &str, from: Option<&str>) -> Result<Names, Error> {
        let mut names = Names::default();
        for filed in names::sought(name, from.map_or("", names::folder)) {
            index.each_name(Some(&filed), |page, via, name| add(&mut names, page, via, name))?;
        }
        for page in index.long()? {
            names.add_page(self.page(page as usize), page as usize);
        }
        Ok(names)
    }

    /// For each of some names that mean no page: up to five pages whose names come nearest, the nearest first.
    pub(crate) fn nearest(&self, wrong: &[&str]) -> Vec<Vec<usize>> {
        if self.names.get().is_none()
            && let Some(index) = self.lookup()
            && let Ok(near) = self.nearest_by(index, wrong)
        {
            return near;
        }
        wrong.iter().map(|name| self.names().nearest(name)).collect()
    }

    fn nearest_by(&self, index: &Index, wrong: &[&str]) -> Result<Vec<Vec<usize>>, Error> {
        let long: HashSet<u32> = index.long()?.into_iter().collect();
        names::nearest(wrong, |add| {
            for &page in &long {
                names::of_page(self.page(page as usize), |name, _| add(name, page));
            }
            index.each_name(None, |page, via, name| match via {
                _ if long.contains(&page) => {}
                Via::Path => names::of_path(name, |name, _| add(name, page)),
                _ => add(name, page),
            })
        })
    }

    /// The links of other pages that lead to one of `targets`, by page; in order.
    pub(crate) fn linking_to(&self, targets: &HashSet<usize>) -> Vec<(usize, Vec<Link>)> {
        let graph = self.graph.get().filter(|_| self.focus.is_none());
        let looked_up = match (graph, self.lookup()) {
            (None, Some(index)) => self.looked_up(index, targets).ok(),
            _ => None,
        };
        let resolved = looked_up.unwrap_or_else(|| {
            let links = self.graph().outgoing.iter().enumerate();
            let leads = |to: &Destination| matches!(to, Destination::Page(to) if targets.contains(to));
            links.map(|(page, links)| (page, links.iter().filter(|(_, to)| leads(to)).cloned().collect())).collect()
        });
        let others = resolved.into_iter().map(|(page, links)| {
            let leads = |to: &Destination| matches!(to, Destination::Page(to) if *to != page && targets.contains(to));
            (page, links.into_iter().filter(|(_, to)| leads(to)).map(|(link, _)| link).collect::<Vec<_>>())
        });
        others.filter(|(_, links)| !links.is_empty()).collect()
    }

    /// The links that may lead to one of `targets`, resolved, by page. A page with such a link has many others: they are left alone.
    fn looked_up(&self, index: &Index, targets: &HashSet<usize>) -> Result<Vec<(usize, Resolved)>, Error> {
        let mut filed = HashSet::new();
        for &target in targets {
            let page = self.page(target);
            filed.extend([names::filed_path(&page.path), names::filed(&page.title)]);
            filed.extend(page.front_matter.aliases().iter().map(|(alias, _)| names::filed(alias)));
        }
        let pages = index.linking(filed.iter().map(String::as_str))?;
        let links_of = |number: u32| {
            let number = number as usize;
            let page = self.page(number);
            let folder = names::folder(&page.path);
            let may_lead = |link: &&Link| {
                spellings(link, page).any(|name| names::sought(name, folder).iter().any(|name| filed.contains(name)))
            };
            let front = self.front_links(page);
            let links = front.iter().chain(&page.body.links).filter(may_lead);
            let resolve = |link: &Link| Graph::resolve_link(link.clone(), page, self, number, self.tree());
            (number, links.map(resolve).collect())
        };
        Ok(pages.into_iter().map(links_of).collect())
    }
}

/// The pages of a snapshot, for its types.
pub(super) struct Pages<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) index: &'s Index,
}

impl types::Pages for Pages<'_> {
    fn page(&self, path: &str) -> Option<Arc<Page>> {
        self.snapshot.page_at(path).cloned()
    }

    fn below(&self, folder: &str) -> Vec<Arc<Page>> {
        self.snapshot.table.below(folder).map(|number| Arc::clone(self.snapshot.page(number))).collect()
    }

    fn declaring(&self) -> Vec<Arc<Page>> {
        let pages = self.index.declarations().unwrap_or_default();
        pages.into_iter().map(|page| Arc::clone(self.snapshot.page(page as usize))).collect()
    }

    fn written(&self) -> Written {
        let mut all: Written = self.index.types().unwrap_or_default().into_iter().collect();
        for number in self.index.long().unwrap_or_default() {
            let page = self.snapshot.page(number as usize);
            all.extend(written(page).map(|of| (of.into_owned(), names::folder(&page.path).to_owned())));
        }
        all
    }

    fn named(&self, name: &str, from: &str) -> Option<Arc<Page>> {
        match Resolve::resolve(self.snapshot, name, Some(from)) {
            Resolution::Page { page, .. } => Some(Arc::clone(self.snapshot.page(page))),
            Resolution::Ambiguous(_) | Resolution::NotFound => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "it makes the wiki that is read")]

    use crate::corpus::{Corpus, Options};
    use crate::lint::{RULES, Scope, run_unhinted};

    #[test]
    fn what_concerns_one_page_reads_few() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path()).unwrap();
        let mut tree = repository.treebuilder(None).unwrap();
        let mut add = |path: String, text: String| {
            let blob = repository.blob(text.as_bytes()).unwrap();
            tree.insert(path, blob, 0o100_644).unwrap();
        };
        add("concept.md".into(), "---\nname: concept\nsummary: c\nschema: {}\n---\n".into());
        add("start.md".into(), "---\ntype: concept\n---\n# Start\n\n[[page 1]], [[nowhere]], ![i](i.png)\n".into());
        for number in 0..100 {
            add(format!("page {number}.md"), format!("---\ntype: concept\n---\n# Page {number}\n\n[[start]]\n"));
        }
        let tree = repository.find_tree(tree.write().unwrap()).unwrap();
        let author = git2::Signature::now("a", "a@example.org").unwrap();
        repository.commit(Some("HEAD"), &author, &author, "pages", &tree, &[]).unwrap();

        let root = Some(folder.path().to_owned());
        let corpus = Corpus::open(Options { root, dirty: crate::Dirty::Ignore, ..Options::default() }).unwrap();
        let snapshot = corpus.now().unwrap();
        snapshot.index().unwrap();
        let start = snapshot.number_of("start.md").unwrap();
        let focused = snapshot.focused(vec![start]);
        let found = run_unhinted(&focused).listed;
        assert!(found.iter().any(|finding| finding.rule == "broken-link"), "{found:?}");
        assert!(RULES.iter().any(|rule| rule.scope == Scope::Page));
        let read =
            |snapshot: &super::Snapshot| (0..snapshot.table.len()).filter(|&n| snapshot.parsed(n).is_some()).count();
        assert!(read(&focused) <= 3, "{} pages were read", read(&focused));
        assert_eq!(focused.nearest(&["page 01"])[0], focused.names().nearest("page 01"));
        // The control: a rule that concerns the whole wiki reads it.
        snapshot.findings();
        assert_eq!(read(&snapshot), 102);
    }
}
