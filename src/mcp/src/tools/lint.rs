//! `lint`: find what is wrong in the wiki.

use serde_json::{Value, json};

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "lint",
    title: "Find defects",
    description: "Find what is wrong with pages: broken links, invalid front matter, fields and types against their \
        definition, undefined footnotes, each with path, line and what to do. Use it when asked how sound the wiki or a \
        page is, or before you rely on a page's structure. Do NOT use it to find pages on a subject (`search` does), to \
        judge whether a page's claims are true, or for plain counts (`status` has them). It reports and repairs \
        nothing.\n\n\
        A good call names `paths` (pages or folders) and, for one kind of defect, `select` with its rule; \
        `changed_since` leaves only pages that are not what they were then. `summary` counts all findings, however few \
        `limit` lists; `next_cursor`, where there is one, goes on with the same arguments and this answer's `commit` as \
        `at`.\n\n\
        Before a page is written, give its path and whole text as `draft`, as often as you like: nothing is saved. For a \
        page that exists the answer has `new`, `fixed` and `unchanged` instead of `findings`: `new` is what the draft \
        would bring about, on other pages too.\n\n\
        Empty `findings` mean that nothing is wrong in what `checked` says was looked at. Findings are an answer, not an \
        error of the call.",
    answer: || {
        json!({
            "findings": findings("Sorted by path, line and rule."),
            "new": findings("Of a draft for a page that exists: what it brings about."),
            "fixed": findings("Of such a draft: what it mends."),
            "unchanged": findings("Of such a draft: what is wrong with the page either way."),
            "next_cursor": { "type": "string", "description": "More findings follow: give it back as `cursor`." },
            "summary": { "type": "object", "description": "Counts of all findings, listed or not." },
            "checked": { "type": "object", "description": "What was looked at." }
        })
    },
};

fn findings(description: &str) -> Value {
    json!({
        "type": "array",
        "description": description,
        "items": {
            "type": "object",
            "properties": {
                "rule": { "type": "string" },
                "level": { "type": "string" },
                "path": { "type": "string" },
                "message": { "type": "string" }
            },
            "required": ["rule", "level", "path", "message"]
        }
    })
}
