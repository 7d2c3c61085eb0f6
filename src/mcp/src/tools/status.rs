//! `status`: say what this wiki is, and how it is.

use serde_json::json;

use super::{Tool, or_null};

pub(super) const TOOL: Tool = Tool {
    name: "status",
    title: "State of the wiki",
    description: "See what this wiki is and how it is: its name, pages per type, findings per level, what was left out, and \
        how fresh the served commit is. Use it when asked how large, sound or current the wiki is, or when answers look \
        outdated. Do NOT use it to find or read pages (`search`, `page`), or to see single defects (`lint`).\n\n\
        A good call has no arguments. `source` tells of the repository right now, the rest of the state that was \
        read.\n\n\
        Zero pages mean that this folder holds no Markdown pages in the state that was read; `excluded` says what was \
        left out and why.",
    answer: || {
        json!({
            "version": { "type": "string", "description": "The version of this server." },
            "name": or_null("string", "The wiki's name, as it calls itself."),
            "pages": { "type": "object", "description": "How many pages there are, by type." },
            "excluded": { "type": "object", "description": "What was left out, and why." },
            "findings": { "type": "object", "description": "How many findings there are, by level." },
            "source": { "type": "object", "description": "The repository right now, not the state that was read." }
        })
    },
};
