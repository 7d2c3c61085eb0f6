//! `lint`: what is wrong.

use crate::answer::{Body, Outcome};
use crate::error::Error;
use crate::lint::{self, Level, Selection};
use crate::question::Lint;
use crate::snapshot::Snapshot;

pub(super) fn answer(snapshot: &Snapshot, arguments: &Lint) -> Result<Body, Error> {
    let selection = Selection::new(snapshot, &arguments.paths, &arguments.select, &arguments.ignore)?;
    let findings: Vec<_> = snapshot.findings().iter().filter(|finding| selection.takes(finding)).collect();
    let errors = findings.iter().any(|finding| finding.level == Level::Error);
    let object = lint::json(snapshot, &selection, &findings, arguments.limit);
    let outcome = if errors { Outcome::Problem } else { Outcome::Answered };
    Ok(Body { object, outcome, cuttable: &["findings"] })
}
