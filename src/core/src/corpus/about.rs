//! What a wiki says of itself: its name, its guide, its types. Told from a few pages, so that nobody waits for all of them.

use std::sync::Arc;

use super::Corpus;
use crate::answer::Stamp;
use crate::error::Error;
use crate::names::{Resolution, Resolve};
use crate::page::{Page, stem};
use crate::snapshot::Snapshot;
use crate::types;

/// What a wiki says of itself.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The snapshot that this was read from.
    pub stamp: Stamp,
    /// What people call it.
    pub name: Option<String>,
    /// The page that tells how it works: the one that `chemenu.toml` names, else the one that stands at its front.
    pub guide: Option<Arc<Page>>,
    /// Its types, in their order.
    pub types: Vec<AboutType>,
}

/// What a wiki says of one of its types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AboutType {
    /// Its name.
    pub name: String,
    /// What it is for, in a line.
    pub summary: Option<String>,
}

/// Pages that stand at a wiki's front, where it names no guide.
const FRONT: &[&str] = &["index.md", "README.md", "readme.md"];
/// So many pages are looked at for types while the rest of the wiki is being read.
const EARLY: usize = 200;

impl About {
    /// What a snapshot says.
    pub fn of(snapshot: &Snapshot) -> Self {
        let of = snapshot.types().all().iter();
        let types = of.map(|of| AboutType { name: of.name.clone(), summary: of.summary.clone() }).collect();
        let guide = snapshot.config.guide.as_deref().and_then(|name| match Resolve::resolve(snapshot, name, None) {
            Resolution::Page { page, .. } => Some(page),
            _ => None,
        });
        Self { types, ..Self::with(snapshot, guide) }
    }

    /// What it says as far as it can be told from its settings and the pages in the folders of types.
    fn early(snapshot: &Snapshot) -> Self {
        let folders = snapshot.config.types.iter().flat_map(|folder| snapshot.table().below(folder)).take(EARLY);
        let pages = folders.map(|number| snapshot.page(number)).filter(|page| types::declares(page));
        let types = pages
            .map(|page| AboutType {
                name: page.field_text("name").unwrap_or_else(|| stem(&page.path)).into(),
                summary: page.field_text("summary").or_else(|| page.field_text("description")).map(Into::into),
            })
            .collect();
        let guide = snapshot.config.guide.as_deref().and_then(|path| snapshot.number_of(path));
        Self { types, ..Self::with(snapshot, guide) }
    }

    fn with(snapshot: &Snapshot, guide: Option<usize>) -> Self {
        let guide = guide.or_else(|| FRONT.iter().find_map(|path| snapshot.number_of(path)));
        Self {
            stamp: snapshot.stamp.clone(),
            name: snapshot.config.name.clone(),
            guide: guide.map(|number| Arc::clone(snapshot.page(number))),
            types: Vec::new(),
        }
    }
}

impl Corpus {
    /// The snapshot of the newest commit that was read, if any was. Nothing is looked at.
    pub fn served(&self) -> Option<Arc<Snapshot>> {
        self.shared.state().current.as_ref().map(|(_, snapshot)| Arc::clone(snapshot))
    }

    /// What the wiki says of itself at HEAD, without waiting until HEAD has been read.
    ///
    /// # Errors
    /// HEAD or its settings cannot be read.
    pub fn about(&self) -> Result<About, Error> {
        let Some(head) = self.shared.repository.head()? else { return Ok(About::of(&*self.now()?)) };
        match self.served() {
            Some(served) if served.commit() == Some(head) => Ok(About::of(&served)),
            served => Ok(About::early(&Snapshot::of_commit(&self.shared.repository, &head, served.as_deref())?)),
        }
    }
}
