//! Completions: the names that begin like what somebody has typed so far.

use super::Corpus;
use crate::error::Error;
use crate::names::fold;
use crate::page::stem;
use crate::snapshot::Snapshot;

/// What kind of name is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A page, by its path.
    Page,
    /// A type.
    Type,
    /// A heading of one page.
    Heading,
}

/// A name that somebody is typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning<'t> {
    /// What it will name.
    pub named: Named,
    /// What has been typed.
    pub text: &'t str,
    /// The page whose headings are meant, by any of its names.
    pub page: Option<&'t str>,
    /// The revision; what is there now if `None`.
    pub at: Option<&'t str>,
}

/// Names that may be meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The best first: what begins so, then files whose name does, then what holds it anywhere. In their own order otherwise, which for
    /// pages and types is that of their names and for headings that of the page.
    pub values: Vec<String>,
    /// How many there are, however many are given.
    pub total: usize,
}

impl Corpus {
    /// The names, `most` of them at most, that hold what has been typed; case and form do not matter, as in all names.
    ///
    /// # Errors
    /// No such revision or page; as [`Corpus::snapshot`].
    pub fn complete(&self, beginning: &Beginning, most: usize) -> Result<Completions, Error> {
        let snapshot = self.snapshot(beginning.at)?;
        let typed = fold(beginning.text);
        Ok(match beginning.named {
            Named::Page => best(&typed, snapshot.table().len(), |number| snapshot.table().path(number), most),
            Named::Type => {
                let mut names: Vec<&str> = snapshot.types().all().iter().map(|of| of.name.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                best(&typed, names.len(), |number| names[number], most)
            }
            Named::Heading => {
                let headings = headings(&snapshot, beginning.page)?;
                best(&typed, headings.len(), |number| headings[number], most)
            }
        })
    }
}

fn headings<'s>(snapshot: &'s Snapshot, page: Option<&str>) -> Result<Vec<&'s str>, Error> {
    let Some(name) = page else { return Ok(Vec::new()) };
    let (number, ..) = snapshot.resolve(name)?;
    let mut headings: Vec<&str> = Vec::new();
    for heading in &snapshot.page(number).body.headings {
        if !headings.contains(&heading.text.as_str()) {
            headings.push(&heading.text);
        }
    }
    Ok(headings)
}

/// The best of `count` names, given by number.
fn best<'n>(typed: &str, count: usize, name: impl Fn(usize) -> &'n str, most: usize) -> Completions {
    let ranked = (0..count).filter_map(|number| Some((rank(typed, &fold(name(number)))?, number)));
    let mut ranked: Vec<(u8, usize)> = ranked.collect();
    ranked.sort_unstable();
    let values = ranked.iter().take(most).map(|&(_, number)| name(number).to_owned()).collect();
    Completions { values, total: ranked.len() }
}

/// How well a folded name goes with what has been typed: the less, the better; `None` where it does not.
fn rank(typed: &str, name: &str) -> Option<u8> {
    if name.starts_with(typed) {
        Some(0)
    } else if stem(name).starts_with(typed) {
        Some(1)
    } else {
        name.contains(typed).then_some(2)
    }
}
