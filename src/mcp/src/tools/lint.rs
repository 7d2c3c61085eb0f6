//! `lint`: find what is wrong in the wiki.

use serde_json::json;

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "lint",
    title: "Find defects",
    description: "Find what is wrong with pages: broken links, invalid front matter, fields and types against their \
        definition, undefined footnotes, each with path, line and what to do. Use it when asked how sound the wiki or a \
        page is, or before you rely on a page's structure. Do NOT use it to find pages on a subject (`search` does), to \
        judge whether a page's claims are true, or for plain counts (`status` has them). It reports and repairs \
        nothing.\n\n\
        A good call names `paths` (pages or folders) and, for one kind of defect, `select` with its rule. `summary` \
        counts all findings, however few `limit` lists.\n\n\
        Empty `findings` mean that nothing is wrong in what `checked` says was looked at. Findings are an answer, not an \
        error of the call.",
    answer: || {
        json!({
            "findings": {
                "type": "array",
                "description": "Sorted by path, line and rule.",
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
            },
            "summary": { "type": "object", "description": "Counts of all findings, listed or not." },
            "checked": { "type": "object", "description": "What was looked at." }
        })
    },
};
