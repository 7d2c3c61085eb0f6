//! `types`: the types of pages, and the pages that have none.

use crate::answer::Body;
use crate::snapshot::Snapshot;
use crate::types;

pub(super) fn answer(snapshot: &Snapshot) -> Body {
    Body::answered(types::list(snapshot.types(), snapshot.pages()), &["types", "untyped", "unknown"])
}
