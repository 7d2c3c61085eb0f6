//! `describe_type`: what a type is for and what its pages hold.

use std::collections::HashSet;

use crate::answer::Body;
use crate::error::Error;
use crate::question::DescribeType;
use crate::snapshot::Snapshot;
use crate::types;

pub(super) fn answer(snapshot: &Snapshot, arguments: &DescribeType) -> Result<Body, Error> {
    let flawed: HashSet<&str> = snapshot.findings().iter().map(|finding| finding.path.as_str()).collect();
    let object =
        types::describe(snapshot.types(), &arguments.type_name, snapshot.pages(), |path| flawed.contains(path))?;
    Ok(Body::answered(object, &["fields", "template"]))
}
