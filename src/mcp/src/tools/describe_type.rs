//! `describe_type`: explain a type to whoever is about to write or query such a page.

use serde_json::json;

use super::{Tool, or_null};

pub(super) const TOOL: Tool = Tool {
    name: "describe_type",
    title: "Describe a type of page",
    description: "Learn everything about one type: when to use it, its fields with allowed values, sections, relations, a \
        template and the best example page. Use it before you write a page of that type, and to understand what a field \
        of such a page means. Do NOT use it to learn which types there are (`types` does), or to read pages of the type \
        (`search` finds them).\n\n\
        A good call gives as `type` a name from `types`, as in `concept`. With `closed: true` no other field may be set.\n\n\
        The error `type_not_found` is a finding: nothing in this wiki defines that type, and `candidates` are the types \
        there are. Empty `fields` mean that the type asks for none.",
    answer: || {
        json!({
            "name": { "type": "string" },
            "path": or_null("string", "The page that defines the type."),
            "summary": or_null("string", "What the type is for."),
            "fields": { "type": "array", "description": "The front matter's fields." },
            "sections": { "type": "array", "description": "The sections, in their order." },
            "constraints": { "type": "array", "description": "JSON Schemas of what concerns several fields, or the text." },
            "relations": { "type": "array", "description": "How such pages relate to others." },
            "template": or_null("string", "A page to start from."),
            "example": or_null("string", "The path of the best page of this type."),
            "pages": { "type": "integer", "description": "How many pages have this type." },
            "closed": { "type": "boolean", "description": "Whether no other field may be set." }
        })
    },
};
