//! What is true of the repository right now.

use std::time::UNIX_EPOCH;

use super::Facts;

/// As much as can be found out; what fails stays `None`.
pub(super) fn facts(handle: &git2::Repository) -> Facts {
    let head = handle.refname_to_id("HEAD").ok();
    let branch = (handle.find_reference("HEAD").ok())
        .and_then(|reference| reference.symbolic_target().ok().flatten().map(str::to_owned));
    let upstream = (branch.as_deref())
        .and_then(|branch| handle.branch_upstream_name(branch).ok())
        .and_then(|name| name.as_str().ok().map(str::to_owned));
    let behind = match (head, upstream.as_deref().map(|name| handle.refname_to_id(name))) {
        (Some(head), Some(Ok(upstream))) => handle.graph_ahead_behind(head, upstream).ok().map(|(_, behind)| behind),
        _ => None,
    };
    Facts {
        head: head.map(|id| id.to_string()),
        branch: branch.map(|name| short(&name)),
        upstream: upstream.map(|name| short(&name)),
        behind,
        last_fetch: last_fetch(handle),
    }
}

/// A fetch notes itself in the work tree that it was run in, and a linked one has a folder of its own.
fn last_fetch(handle: &git2::Repository) -> Option<i64> {
    [handle.path(), handle.commondir()]
        .into_iter()
        .filter_map(|folder| {
            // git empties it before it fetches: one that failed leaves nothing in it.
            let noted = folder.join("FETCH_HEAD").metadata().ok().filter(|noted| noted.len() > 0)?;
            noted.modified().ok()?.duration_since(UNIX_EPOCH).ok()
        })
        .map(|time| time.as_secs() as i64)
        .max()
}

fn short(name: &str) -> String {
    let short = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/remotes/"));
    short.unwrap_or(name).to_owned()
}
