//! `wiki://type/{name}`: what a page of a type holds.

use chemenu_core::Named;
use serde_json::Map;

use super::{Reading, Resource, Variable};
use crate::problem::Problem;

pub(super) const RESOURCE: Resource = Resource {
    name: "type",
    title: "Type of pages",
    description: "What a page of a type holds: fields, sections, relations, a template and an example, as the tool `describe_type` \
        answers. Read it before you write or query such a page.",
    mime_type: "application/json",
    variable: Some(Variable { name: "name", expression: "{name}", named: Named::Type }),
    is_of_commit: true,
    read,
};

fn read(reading: &Reading, name: &str) -> Result<String, Problem> {
    let arguments = Map::from_iter([("type".to_owned(), name.into())]);
    reading.wiki.json_of(reading.snapshot, "describe_type", arguments)
}
