//! `changes`: what has changed since a revision or date.

use serde_json::json;

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "changes",
    title: "See what has changed",
    description: "See which pages were added, removed, renamed or changed since a revision or date, with the sections and front \
        matter fields that differ, changed types, and who committed. Use it when you were here before and want the difference \
        and not the wiki. Do NOT use it to read what a page says now (`page` does), or for the history of a single page.\n\n\
        A good call gives as `since` the `commit` of an answer you had earlier, or a date such as `2026-09-01`.\n\n\
        An empty `pages` is a finding: no page differs between the two revisions. A renamed page has `from`, its path before.",
    answer: || {
        json!({
            "since": { "type": "object", "description": "The revision compared with: its `commit` and `as_of`." },
            "total": { "type": "object", "description": "How many pages were added, removed, renamed and changed." },
            "pages": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "status": { "type": "string" }, "path": { "type": "string" } },
                    "required": ["status", "path"]
                }
            },
            "types": { "type": "array", "description": "Types whose pages are among them." },
            "committers": { "type": "array", "description": "Who made the commits between, and how many." },
            "next_cursor": { "type": "string", "description": "Goes on where this answer ended." }
        })
    },
};
