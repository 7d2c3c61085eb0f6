//! What else of a page is indexed than what is searched: its names, its type, its links; so that a question about a few pages
//! need not read all.
//!
//! Every key is a term: a letter for its kind, then what it says. Lookups give candidates, which are then asked themselves.

use std::collections::BTreeSet;
use std::ops::Bound;

use crate::graph::spellings;
use crate::names::{Via, filed, filed_path, folder, sought};
use crate::page::{LinkStyle, Page};
use crate::types;

const NAME: char = 'n';
const TYPE: char = 't';
const LINK: char = 'l';
const RELATION: char = 'r';
const DECLARES: char = 'd';
/// Some of a page's keys are too long to be terms.
const LONG: char = '!';

/// The longest key, in bytes; tantivy drops terms of more than 65,530.
const MAX_KEY: usize = 4096;
/// Parts a key.
const PART: char = '\0';

/// The keys of a page.
pub(super) fn of(page: &Page, style: LinkStyle) -> BTreeSet<String> {
    let mut keys = Keys::default();
    keys.name(&filed_path(&page.path), Via::Path, &page.path);
    keys.name(&filed(&page.title), Via::Title, &page.title);
    for (alias, _) in page.front_matter.aliases() {
        keys.name(&filed(alias), Via::Alias, alias);
    }
    let folder = folder(&page.path);
    if let Some(written) = types::written(page) {
        keys.parted(TYPE, &[&written, folder]);
    }
    if types::declares(page) {
        keys.put(DECLARES.into());
    }
    // Which fields hold names the types say, which are not known yet.
    let front = page.front_links(style, |_| true);
    for link in front.iter().chain(&page.body.links) {
        for name in spellings(link, page) {
            sought(name, folder).iter().for_each(|name| keys.put(filed_key(LINK, name)));
        }
        if let Some(relation) = &link.relation {
            keys.parted(RELATION, &[&filed(relation)]);
        }
    }
    keys.0
}

#[derive(Default)]
struct Keys(BTreeSet<String>);

impl Keys {
    fn name(&mut self, filed: &str, via: Via, name: &str) {
        let via = match via {
            Via::Title => "t",
            Via::Alias => "a",
            Via::Path | Via::RelativePath | Via::PathWithoutSuffix | Via::Stem => "p",
        };
        self.put(match name.len() {
            ..=MAX_KEY => format!("{}{via}{name}", filed_key(NAME, filed)),
            _ => LONG.into(),
        });
    }

    fn parted(&mut self, kind: char, parts: &[&str]) {
        if parts.iter().any(|part| part.contains(PART)) {
            return self.put(LONG.into());
        }
        let key: String = [kind.into(), parts.join(&PART.to_string())].concat();
        self.put(if key.len() > MAX_KEY { LONG.into() } else { key });
    }

    fn put(&mut self, key: String) {
        self.0.insert(key);
    }
}

/// A range of keys.
pub(super) type Range = (Bound<String>, Bound<String>);

fn exactly(key: String) -> Range {
    (Bound::Included(key.clone()), Bound::Included(key))
}

fn beginning(key: String) -> Range {
    let after = format!("{key}{}", char::MAX);
    (Bound::Included(key), Bound::Excluded(after))
}

/// The names filed under a text.
pub(super) fn names_filed(filed: &str) -> Range {
    beginning(filed_key(NAME, filed))
}

/// All names.
pub(super) fn names() -> Range {
    beginning(NAME.into())
}

/// What a key within [`names`] says.
pub(super) fn name_of(key: &str) -> Option<(Via, &str)> {
    let (via, name) = key.get(filed_key(NAME, "").len()..)?.split_at_checked(1)?;
    let via = match via {
        "t" => Via::Title,
        "a" => Via::Alias,
        _ => Via::Path,
    };
    Some((via, name))
}

/// All that pages have as type, each with the folder it is written in.
pub(super) fn types() -> Range {
    beginning(TYPE.into())
}

/// What a key within [`types`] says.
pub(super) fn type_of(key: &str) -> Option<(&str, &str)> {
    key[TYPE.len_utf8()..].split_once(PART)
}

/// The pages that link to something filed so.
pub(super) fn links(filed: &str) -> Range {
    exactly(filed_key(LINK, filed))
}

/// Names are long and many; a few candidates too many are asked themselves.
fn filed_key(kind: char, filed: &str) -> String {
    format!("{kind}{:08x}", crc32fast::hash(filed.as_bytes()))
}

/// The pages that state a relation of that name, folded.
pub(super) fn relations(name: &str) -> Range {
    exactly(format!("{RELATION}{}", filed(name)))
}

/// The pages that declare a type wherever they lie.
pub(super) fn declarations() -> Range {
    exactly(DECLARES.into())
}

/// The pages whose keys do not say everything.
pub(super) fn long() -> Range {
    exactly(LONG.into())
}
