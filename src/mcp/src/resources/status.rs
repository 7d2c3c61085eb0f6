//! `wiki://status`: what this wiki is, and how it is.

use serde_json::Map;

use super::{Reading, Resource};
use crate::problem::Problem;

pub(super) const RESOURCE: Resource = Resource {
    name: "status",
    title: "State of the wiki",
    description: "The wiki's name, pages per type, findings per level, and how fresh the served commit is, as the tool `status` \
        answers.",
    mime_type: "application/json",
    variable: None,
    // It tells of the repository as it is now.
    is_of_commit: false,
    read,
};

fn read(reading: &Reading, _: &str) -> Result<String, Problem> {
    reading.wiki.json_of(reading.snapshot, "status", Map::new())
}
