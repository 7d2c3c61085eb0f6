//! `review_page`: look one page over before people rely on it.

use super::{Argument, Asked, Prompt, literal, quoted, said};
use crate::problem::Problem;
use crate::wiki::DEFAULT_BUDGET;
use chemenu_core::Named;
use chemenu_core::page::ProblemKind;
use rmcp::model::PromptMessage;

pub(super) const PROMPT: Prompt = Prompt {
    name: "review_page",
    title: "Review a page",
    description: "Looks one page over: its findings, its links, whether its sources carry what it says and whether other pages say \
        otherwise. Nothing is changed.",
    arguments: &[
        Argument {
            name: "page",
            description: "The page: its path, file stem, title or alias.",
            required: true,
            named: Some(Named::Page),
        },
        Argument {
            name: "section",
            description: "Only this section: the text of one of the page's headings.",
            required: false,
            named: Some(Named::Heading),
        },
    ],
    messages,
};

fn messages(asked: &Asked) -> Result<Vec<PromptMessage>, Problem> {
    let (number, ..) = asked.snapshot.resolve(asked.text("page").unwrap_or_default())?;
    let page = asked.snapshot.page(number);
    if let Some(problem) = page.problems.iter().find(|problem| problem.kind == ProblemKind::Unreadable) {
        let error = chemenu_core::Error::PageUnreadable { path: page.path.clone(), message: problem.message.clone() };
        return Err(error.into());
    }
    let path = literal(&page.path);
    let part = asked
        .text("section")
        .map_or(String::new(), |section| format!(", of which only the section {} matters", literal(section)));
    let task = format!(
        "Review the page {path}{part}. {}\n\n\
        1. `lint` with `paths` [{path}]: what is wrong in its form.\n\
        2. `links` of the page: where its links lead, what leads nowhere, who relies on it. `describe_type` of its type tells what such a \
        page must hold.\n\
        3. `page` for each source that it cites: does the source say what the page says it does?\n\
        4. `search` for its main claims: does another page say otherwise, or the same?\n\n\
        Report the findings, the gravest first: the place as `path@commit#L10-L20`, what is wrong, and how to put it right. Say what you did \
        not check. Where nothing is wrong, say that. Nothing can be written through this server, so do not promise a change.",
        asked.state()
    );
    let text = page.text.as_str();
    let end = (0..=(DEFAULT_BUDGET as usize).min(text.len()))
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or_default();
    let cut = if end < text.len() { ", its beginning; `page` with `lines` reads on" } else { "" };
    Ok(vec![said(task), quoted(&format!("The page {path}{cut}"), &text[..end])])
}
