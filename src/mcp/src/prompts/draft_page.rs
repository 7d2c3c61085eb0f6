//! `draft_page`: write a page that passes, before anybody saves it.

use super::{Argument, Asked, Prompt, literal, said};
use crate::problem::Problem;
use chemenu_core::Named;
use rmcp::model::PromptMessage;

pub(super) const PROMPT: Prompt = Prompt {
    name: "draft_page",
    title: "Draft a page",
    description: "Drafts a new page of a type: its fields and sections as the type asks, links to what is there already, and no finding of \
        lint left. The draft is shown, not saved.",
    arguments: &[
        Argument {
            name: "type",
            description: "The type of the page, by its name.",
            required: true,
            named: Some(Named::Type),
        },
        Argument { name: "title", description: "What the page is about: its title.", required: true, named: None },
        Argument {
            name: "notes",
            description: "What it should say, and from which sources.",
            required: false,
            named: None,
        },
    ],
    messages,
};

fn messages(asked: &Asked) -> Result<Vec<PromptMessage>, Problem> {
    let of = asked.snapshot.types().find(asked.text("type").unwrap_or_default())?;
    let (name, title) = (literal(&of.name), literal(asked.text("title").unwrap_or_default()));
    let notes = asked.text("notes").map_or(String::new(), |notes| format!("\n\nWhat it should say:\n\n{notes}"));
    Ok(vec![said(format!(
        "Draft a page of the type {name} with the title {title}.{notes}\n\n{}\n\n\
        1. `search` for the title and its main words: if there is such a page, say so and stop, or propose what to change in it.\n\
        2. `describe_type` of {name}: when to use the type, its fields, sections in their order, relations, a template and an example.\n\
        3. `search` and `page` for what the page should link to and rest on. State nothing that neither the notes nor a page that you have \
        read says.\n\
        4. `lint` with `draft` {{\"path\": …, \"text\": …}}, the path beside other pages of the type: mend the draft until no finding is \
        left, or say why one must stay.\n\n\
        Show the path and the whole text in one fenced block. Nothing can be written through this server: whoever asked saves the page.",
        asked.state()
    ))])
}
