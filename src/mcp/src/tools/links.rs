//! `links`: what a page links to, and what links to it.

use serde_json::json;

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "links",
    title: "See a page's links",
    description: "See which pages a page links to, which pages link to it, its typed relations, and which of its links lead \
        nowhere. Use it to find what a claim rests on, what depends on a page before it is changed, or where to read on. Do \
        NOT use it to read what a page says (`page` does), or to find pages about something (`search` does).\n\n\
        A good call names one page, by its `path` if you have it. `depth` 2 or more also lists under `reached` the pages that \
        are further away; it grows quickly.\n\n\
        An empty `incoming` is a finding: no page of this state links here, be it in text, front matter, footnotes or \
        relations. `unresolved` says why a link leads nowhere, with the nearest names.",
    answer: || {
        let link = json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": { "path": { "type": "string" }, "kind": { "type": "string" }, "line": { "type": "integer" } },
                "required": ["path", "kind", "line"]
            }
        });
        json!({
            "path": { "type": "string", "description": "The page that was asked about." },
            "title": { "type": "string" },
            "total": { "type": "object", "description": "How many links there are of each sort." },
            "outgoing": link,
            "incoming": link,
            "relations": { "type": "array", "description": "Typed relations, stated by this page or by others of it." },
            "unresolved": { "type": "array", "description": "Links that lead to no one place, and why." },
            "reached": { "type": "array", "description": "With `depth`: pages more than one link away." }
        })
    },
};
