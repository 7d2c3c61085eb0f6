//! `types`: list the types of pages.

use serde_json::json;

use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "types",
    title: "List the types of pages",
    description: "See which types of pages this wiki has, what each is for, and how many pages it has. Use it once, when \
        you start with a wiki that you do not know or must choose a type for a new page. Do NOT use it to learn a type's \
        fields and sections (`describe_type` does), or to find pages (`search` does).\n\n\
        A good call has no arguments.\n\n\
        An empty `types` means that no page of this wiki has a type: it is plain Markdown. `untyped` and `unknown` list \
        pages without a type and with a type that nothing defines.",
    answer: || {
        json!({
            "types": {
                "type": "array",
                "description": "One object a type; `name` is an argument for `describe_type`.",
                "items": {
                    "type": "object",
                    "properties": { "name": { "type": "string" } },
                    "required": ["name"]
                }
            },
            "untyped": { "type": "array", "description": "Pages without a type." },
            "unknown": { "type": "array", "description": "Pages whose type nothing defines." }
        })
    },
};
