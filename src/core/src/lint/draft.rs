//! Drafts: what saving a text would change among the findings.

use std::collections::HashSet;

use super::Finding;
use crate::config::Config;
use crate::error::Error;
use crate::page;
use crate::source::MAX_PAGE_BYTES;

/// The findings with a draft, beside those without it.
pub struct Comparison<'f> {
    /// What the draft brings about, on whatever page.
    pub new: Vec<&'f Finding>,
    /// What it mends, on whatever page.
    pub fixed: Vec<&'f Finding>,
    /// What is wrong with the draft's page either way.
    pub unchanged: Vec<&'f Finding>,
}

/// What only pages that are there already can be blamed for: nobody else can link to them before, or have them as a type.
const NOT_OF_NEW_PAGES: [&str; 3] = ["missing-inverse", "orphan-page", "unused-type"];

impl<'f> Comparison<'f> {
    /// Compares the findings `before` and `after` the draft is put at `path`, where `is_new` says that there is no page yet.
    pub fn new(path: &str, is_new: bool, before: &[&'f Finding], after: &[&'f Finding]) -> Self {
        let prints = |findings: &[&'f Finding]| -> HashSet<&'f str> {
            findings.iter().map(|finding| finding.fingerprint.as_str()).collect()
        };
        let (known, remaining) = (prints(before), prints(after));
        let is_early = |finding: &Finding| is_new && finding.path == path && NOT_OF_NEW_PAGES.contains(&finding.rule);
        let (unchanged, new): (Vec<&Finding>, Vec<&Finding>) = after
            .iter()
            .filter(|finding| !is_early(finding))
            .partition(|finding| known.contains(finding.fingerprint.as_str()));
        Self {
            new,
            fixed: before.iter().copied().filter(|finding| !remaining.contains(finding.fingerprint.as_str())).collect(),
            unchanged: unchanged.into_iter().filter(|finding| finding.path == path).collect(),
        }
    }
}

/// Bytes of a file's name, on all usual file systems.
const MAX_NAME: usize = 255;

/// Whether a page can have that path and text.
///
/// # Errors
/// It is none that a listing would give, excluded by the settings, or the text is too long.
pub fn check_draft(config: &Config, path: &str, text: &str) -> Result<(), Error> {
    let refused = |message: String, candidate: Option<String>| Error::ArgumentInvalid {
        question: "lint".into(),
        argument: "draft".into(),
        message,
        candidates: candidate.into_iter().collect(),
    };
    let is_name = |name: &str| {
        !name.is_empty() && !name.starts_with('.') && name.len() <= MAX_NAME && !name.contains(char::is_control)
    };
    let is_possible = |path: &str| page::is_page(path) && path.split('/').all(is_name);
    if !is_possible(path) {
        let bare = path.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
        let near = [bare.to_owned(), format!("{bare}.md")].into_iter().find(|path| is_possible(path));
        return Err(refused(format!("has a path that no page can have: `{path}`"), near));
    }
    if config.exclude.matches(path) {
        return Err(refused(format!("has a path that `chemenu.toml` excludes: `{path}`"), None));
    }
    if text.len() > MAX_PAGE_BYTES {
        return Err(refused(format!("is longer than {} MiB", MAX_PAGE_BYTES >> 20), None));
    }
    Ok(())
}
