//! What the index knows beside words: names, types, links and relations of pages, and their facets.

use std::collections::HashMap;

use super::index::Index;
use super::keys;
use super::segment::{each_term, internal};
use crate::error::Error;
use crate::names::Via;

impl Index {
    /// Calls `found` with each key within a range and the living pages that have it.
    fn each_key(&self, range: &keys::Range, mut found: impl FnMut(&str, &[u32])) -> Result<(), Error> {
        let mut pages = Vec::new();
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.schema.keys).map_err(internal)?;
            each_term(&inverted, range, |key, info| {
                pages.clear();
                segment.each_of(&inverted, info, |page| pages.push(page))?;
                if !pages.is_empty() {
                    found(key, &pages);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The pages that have one of the keys, in order.
    fn with_keys(&self, ranges: impl IntoIterator<Item = keys::Range>) -> Result<Vec<u32>, Error> {
        let mut pages = Vec::new();
        for range in ranges {
            self.each_key(&range, |_, of| pages.extend_from_slice(of))?;
        }
        pages.sort_unstable();
        pages.dedup();
        Ok(pages)
    }

    /// Calls `found` with the names, of one page each, that are filed under a text, or with all. What is a path is given as
    /// [`Via::Path`] alone.
    pub(crate) fn each_name(&self, filed: Option<&str>, mut found: impl FnMut(u32, Via, &str)) -> Result<(), Error> {
        let range = filed.map_or_else(keys::names, keys::names_filed);
        self.each_key(&range, |key, pages| {
            if let Some((via, name)) = keys::name_of(key) {
                pages.iter().for_each(|&page| found(page, via, name));
            }
        })
    }

    /// What pages have as type, and the folder where; those of [`Index::long`] apart.
    pub(crate) fn types(&self) -> Result<Vec<(String, String)>, Error> {
        let mut types = Vec::new();
        self.each_key(&keys::types(), |key, _| {
            types.extend(keys::type_of(key).map(|(written, folder)| (written.to_owned(), folder.to_owned())));
        })?;
        Ok(types)
    }

    /// The pages that declare a type wherever they lie.
    pub(crate) fn declarations(&self) -> Result<Vec<u32>, Error> {
        self.with_keys([keys::declarations()])
    }

    /// The pages that may link to what is filed under one of these texts.
    pub(crate) fn linking<'t>(&self, filed: impl IntoIterator<Item = &'t str>) -> Result<Vec<u32>, Error> {
        self.with_keys(filed.into_iter().map(keys::links).chain([keys::long()]))
    }

    /// The pages that may state a relation of one of these names.
    pub(crate) fn relating<'t>(&self, names: impl IntoIterator<Item = &'t str>) -> Result<Vec<u32>, Error> {
        self.with_keys(names.into_iter().map(keys::relations).chain([keys::long()]))
    }

    /// The pages that have names, types or links too long to be indexed.
    pub(crate) fn long(&self) -> Result<Vec<u32>, Error> {
        self.with_keys([keys::long()])
    }

    /// How many of `pages` have each type and each tag, as written.
    pub(super) fn facets(&self, pages: &[u32]) -> Result<[HashMap<String, usize>; 2], Error> {
        let mut facets = [HashMap::new(), HashMap::new()];
        let mut by_segment: Vec<Vec<u32>> = vec![Vec::new(); self.segments.len()];
        for &page in pages {
            let (segment, document) = self.places[page as usize];
            by_segment[segment as usize].push(document);
        }
        for (segment, documents) in self.segments.iter().zip(by_segment) {
            for (facet, field) in facets.iter_mut().zip([self.schema.r#type, self.schema.tag]) {
                let name = self.schema.schema.get_field_name(field);
                let Some(column) = segment.reader.fast_fields().str(name).map_err(internal)? else { continue };
                let mut counts = vec![0usize; column.num_terms()];
                for &document in &documents {
                    column.term_ords(document).for_each(|ordinal| counts[ordinal as usize] += 1);
                }
                let mut text = String::new();
                for (ordinal, count) in counts.into_iter().enumerate().filter(|&(_, count)| count > 0) {
                    column.ord_to_str(ordinal as u64, &mut text).map_err(|error| internal(error.into()))?;
                    *facet.entry(text.clone()).or_default() += count;
                }
            }
        }
        Ok(facets)
    }
}
