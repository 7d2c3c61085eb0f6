//! `wiki://guide`: how this wiki works.

use std::fmt::Write as _;

use chemenu_core::About;

use super::{Reading, Resource, page};
use crate::problem::Problem;

pub(super) const RESOURCE: Resource = Resource {
    name: "guide",
    title: "Guide to this wiki",
    description: "How this wiki works, in its own words: the page that it names as its guide; where it names none, what its types \
        are for. Read it once, before you work with a wiki that you do not know.",
    mime_type: "text/markdown",
    variable: None,
    is_of_commit: true,
    read,
};

fn read(reading: &Reading, _: &str) -> Result<String, Problem> {
    match &reading.snapshot.config.guide {
        // A guide that is named and not there is a mistake of the wiki's, and no reason to leave a reader without one.
        Some(name) => match reading.snapshot.resolve(name) {
            Ok((number, ..)) => page::text(reading.snapshot, number),
            Err(_) => Ok(made(reading)),
        },
        None => Ok(made(reading)),
    }
}

/// A guide of what the wiki says of itself.
fn made(reading: &Reading) -> String {
    let about = About::of(reading.snapshot);
    let mut text = format!("# {}\n\n", about.name.as_deref().unwrap_or("A wiki without a name"));
    let _ = writeln!(text, "This wiki names no guide of its own. It has {} pages.", reading.snapshot.table().len());
    if let Some(front) = &about.guide {
        let _ = writeln!(text, "The page at its front is `{}`.", front.path);
    }
    text.push_str(if about.types.is_empty() { "\nIts pages have no types.\n" } else { "\n## Types of pages\n\n" });
    for of in &about.types {
        let summary = of.summary.as_deref().map_or(String::new(), |summary| format!(": {summary}"));
        let _ = writeln!(text, "- `{}`{summary}", of.name);
    }
    text
}
