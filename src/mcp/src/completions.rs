//! Completions: which names a half-typed argument of a prompt, or variable of a template, may become.

use chemenu_core::{Beginning, Completions, Corpus, Named};
use rmcp::model::{CompleteRequestParams, CompletionContext, CompletionInfo, Reference};

use crate::problem::Problem;
use crate::{prompts, resources};

/// The names for one request.
pub(crate) fn complete(corpus: &Corpus, request: &CompleteRequestParams) -> Result<CompletionInfo, Problem> {
    // Of what is not there, nothing is there: `prompts/get` and `resources/read` say why.
    let Some(known) = known(&request.r#ref)? else { return Ok(nothing()) };
    let argument = known.iter().find(|(name, _)| *name == request.argument.name).ok_or_else(|| {
        let names = known.iter().map(|(name, _)| (*name).to_owned()).collect();
        Problem::new(format!("it has no argument `{}`", request.argument.name), "name one of its arguments", names)
    })?;
    let Some(named) = argument.1 else { return Ok(nothing()) };
    let given = |name: &str| {
        let value = request.context.as_ref().and_then(|context: &CompletionContext| context.get_argument(name));
        value.map(String::as_str).filter(|value| !value.is_empty())
    };
    let beginning = Beginning { named, text: &request.argument.value, page: given("page"), at: given("at") };
    let found = match corpus.complete(&beginning, CompletionInfo::MAX_VALUES) {
        // Somebody who is typing has not named the page or the revision yet.
        Err(error) if Problem::is_missing(&error) => Completions::default(),
        found => found?,
    };
    let (total, is_more) = (u32::try_from(found.total).ok(), found.total > found.values.len());
    Ok(CompletionInfo::with_pagination(found.values, total, is_more).unwrap_or_default())
}

fn nothing() -> CompletionInfo {
    CompletionInfo::with_pagination(Vec::new(), Some(0), false).unwrap_or_default()
}

/// Arguments, and what kind of name each is.
type Arguments = Vec<(&'static str, Option<Named>)>;

/// The arguments of what is referred to; `None` where there is no such prompt or template.
fn known(reference: &Reference) -> Result<Option<Arguments>, Problem> {
    match reference {
        Reference::Prompt(prompt) => {
            let arguments = |prompt: &prompts::Prompt| {
                prompt.arguments.iter().map(|argument| (argument.name, argument.named)).collect()
            };
            Ok(prompts::ALL.iter().find(|known| known.name == prompt.name).map(arguments))
        }
        Reference::Resource(template) => {
            let variables = |resource: &resources::Resource| {
                let variable = resource.variable.as_ref().map(|variable| (variable.name, Some(variable.named)));
                variable.into_iter().chain([("at", None)]).collect()
            };
            Ok(resources::ALL.iter().find(|resource| resource.template() == template.uri).map(variables))
        }
        _ => Err(Problem::new("completions are for prompts and templates", "refer to one of these", Vec::new())),
    }
}
