//! The resources: what a client may show or attach by itself, one file each, in one fixed order.

mod guide;
mod lint;
mod list;
mod page;
mod status;
mod type_page;
mod uri;

use std::sync::{Arc, LazyLock};

use chemenu_core::Named;
use chemenu_core::snapshot::Snapshot;
use rmcp::model::{Resource as Definition, ResourceContents, ResourceTemplate};

use crate::meta;
use crate::problem::Problem;
use crate::wiki::Wiki;

pub(crate) use list::list;
pub(crate) use uri::Uri;

/// What the author of a resource writes.
pub struct Resource {
    /// The name, which is also the first part of its URI.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it is, and for what it is the right thing to read.
    pub description: &'static str,
    /// What its text is.
    pub mime_type: &'static str,
    /// What follows the first part of the URI; nothing if `None`.
    pub variable: Option<Variable>,
    /// Whether a commit says all of it. It may be kept for long, then, by whoever asked for a commit.
    pub is_of_commit: bool,
    /// Its text.
    read: fn(&Reading, &str) -> Result<String, Problem>,
}

/// The variable part of a resource's URI.
pub struct Variable {
    /// Its name in the template.
    pub name: &'static str,
    /// The template's expression.
    pub expression: &'static str,
    /// What kind of name it is.
    pub named: Named,
}

/// All resources, in the order in which they are listed.
pub const ALL: &[Resource] = &[guide::RESOURCE, page::RESOURCE, type_page::RESOURCE, lint::RESOURCE, status::RESOURCE];

/// What a resource is read from.
struct Reading<'w> {
    wiki: &'w Wiki,
    snapshot: &'w Arc<Snapshot>,
}

impl Resource {
    /// The template of its URIs.
    pub fn template(&self) -> String {
        let variable = self.variable.as_ref().map_or(String::new(), |variable| format!("/{}", variable.expression));
        format!("{}{}{variable}{{?at}}", uri::PREFIX, self.name)
    }

    fn definition(&self) -> ResourceTemplate {
        let description = format!(
            "{} `at` is a revision: the `commit` of an answer, a tag, a branch or a date; the current one if left out.",
            self.description
        );
        ResourceTemplate::new(self.template(), self.name)
            .with_title(self.title)
            .with_description(description)
            .with_mime_type(self.mime_type)
    }

    /// As it is listed, where nothing varies in its URI.
    fn fixed(&self) -> Option<Definition> {
        self.variable.is_none().then(|| {
            Definition::new(format!("{}{}", uri::PREFIX, self.name), self.name)
                .with_title(self.title)
                .with_description(self.description)
                .with_mime_type(self.mime_type)
        })
    }
}

/// The templates as the protocol describes them, in the order of [`ALL`].
pub fn definitions() -> &'static [ResourceTemplate] {
    static DEFINITIONS: LazyLock<Vec<ResourceTemplate>> =
        LazyLock::new(|| ALL.iter().map(Resource::definition).collect());
    &DEFINITIONS
}

/// Reads what a URI names, from the revision that it names; gives that revision's snapshot too.
pub(crate) fn read(wiki: &Wiki, uri: &Uri) -> Result<(Arc<Snapshot>, ResourceContents), Problem> {
    let snapshot = wiki.corpus.snapshot(uri.at.as_deref())?;
    let text = (uri.resource.read)(&Reading { wiki, snapshot: &snapshot }, &uri.argument)?;
    let contents = ResourceContents::text(text, uri.text.clone())
        .with_mime_type(uri.resource.mime_type)
        .with_meta(meta::page_text());
    Ok((snapshot, contents))
}
