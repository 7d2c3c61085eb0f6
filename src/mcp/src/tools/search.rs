//! `search`: find pages by their words.

use serde_json::json;

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    title: "Search the wiki",
    description: "Find pages by their words. Use it first whenever you need something from this wiki and do not know the \
        page's name. Do NOT use it when you know the path, title or alias (`page` reads it), to see what kinds of pages \
        there are (`types`), or to find defects (`lint`).\n\n\
        A good query is two to five distinctive words in the wiki's own language, as in `publish gate remote`; a whole \
        sentence or common words make it worse. Any text is a query and nothing is a syntax error. All words are wanted; \
        when no page has all of them, pages with most are given. A hit's `path` is a name for `page`.\n\n\
        An empty `hits` is a finding: no page has any of these words in the state that was read. Try once more with other \
        words or in the other language, then say that the wiki has nothing on it.",
    answer: || {
        json!({
            "query": { "description": "The query as it was understood." },
            "total": { "type": "integer", "description": "How many pages match, however many are listed." },
            "hits": {
                "type": "array",
                "description": "The best first; `path` is a name for `page`.",
                "items": {
                    "type": "object",
                    "properties": { "path": { "type": "string" } },
                    "required": ["path"]
                }
            }
        })
    },
};
