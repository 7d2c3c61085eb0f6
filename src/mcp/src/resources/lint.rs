//! `wiki://lint`: what is wrong in the wiki.

use serde_json::Map;

use super::{Reading, Resource};
use crate::problem::Problem;

pub(super) const RESOURCE: Resource = Resource {
    name: "lint",
    title: "Findings",
    description: "The first findings in the whole wiki and how many there are of each kind, as the tool `lint` answers. Read it to see \
        how sound the wiki is; single pages and rules are for the tool.",
    mime_type: "application/json",
    variable: None,
    is_of_commit: true,
    read,
};

fn read(reading: &Reading, _: &str) -> Result<String, Problem> {
    reading.wiki.json_of(reading.snapshot, "lint", Map::new())
}
