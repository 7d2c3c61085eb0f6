//! `search`: pages by their words.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::object;
use crate::answer::Body;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::names::{Resolution, Resolve};
use crate::page::Page;
use crate::question::{Explain, Search};
use crate::search::fields::{self, NAMES};
use crate::search::snippets::{Matcher, Snippet};
use crate::search::{self, Clause, Found, Hit, Index, Part, Ranking, Verdict};
use crate::snapshot::Snapshot;

/// Characters of a summary that a hit shows; whoever wants all of it reads the page.
const SUMMARY: usize = 600;
/// Tags that a hit shows.
const MAX_TAGS: usize = 50;
/// Types, and tags, whose pages are counted.
const MAX_FACETS: usize = 10;

pub(super) fn answer(snapshot: &Snapshot, arguments: &Search) -> Result<Body, Error> {
    let index = snapshot.index()?;
    let ranking = Ranking::default();
    let about = match &arguments.explain {
        Some(Explain::Page(name)) => Some(About::find(snapshot, name)?),
        Some(Explain::Scores(_)) | None => None,
    };
    let page = about.as_ref().and_then(|about| about.page);
    let found = search::search(index, &arguments.query, &ranking, snapshot, page)?;
    let cursor = cursor(snapshot, arguments, &found.hits)?;
    let shown: Vec<Hit> = found.hits.iter().copied().skip(cursor.skips()).take(arguments.limit).collect();

    let mut matcher = Matcher::new(&found.query, index.analysis());
    let mut hits: Vec<Map<String, Value>> =
        shown.iter().map(|hit| hit_json(snapshot, hit, &found.query.wanted, &mut matcher)).collect();
    if arguments.explain == Some(Explain::Scores(true)) {
        let pages: Vec<u32> = shown.iter().map(|hit| hit.page).collect();
        let parts = search::parts(index, &found.query, &ranking, snapshot, &pages)?;
        for (hit, parts) in hits.iter_mut().zip(parts) {
            hit.insert("explain".into(), parts_json(&found.query.wanted, &parts));
        }
    }
    let [types, tags] = search::facets(index, &found.hits, snapshot)?;
    let mut object = object! {
        "query": query_json(&arguments.query, &found),
        "total": found.hits.len(),
        "hits": hits,
        "facets": { "type": facet_json(&types), "tag": facet_json(&tags) },
    };
    if cursor.skips() + shown.len() < found.hits.len() {
        object.insert("next_cursor".into(), cursor.after(shown.len()).into());
    }
    let suggestions = found.suggestions.iter().map(|near| json!({ "term": near.term, "words": near.words }));
    object.insert("suggestions".into(), suggestions.collect());
    object.insert("notes".into(), json!(found.notes));
    if let Some(about) = about {
        object.insert("explained".into(), about.json(snapshot, index, &ranking, &found)?);
    }
    let cuttable = &["hits", "facets", "suggestions", "notes"];
    Ok(Body { cursor: Some(("hits", cursor)), ..Body::answered(object, cuttable) })
}

/// The place in the list that is asked for.
fn cursor(snapshot: &Snapshot, arguments: &Search, hits: &[Hit]) -> Result<Cursor, Error> {
    let commit = snapshot.stamp.commit.clone();
    // What files held at some moment is told apart by what was found in them.
    let state = commit.unwrap_or_else(|| {
        json!(hits.iter().map(|hit| (path(snapshot, hit), hit.score)).collect::<Vec<_>>()).to_string()
    });
    Cursor::new(&[&arguments.query, &state], arguments.cursor.as_deref())
        .filter(|cursor| cursor.skips() <= hits.len())
        .ok_or_else(|| Error::argument("search", "cursor", "is of an answer with another commit or another query"))
}

fn path<'s>(snapshot: &'s Snapshot, hit: &Hit) -> &'s str {
    snapshot.table().path(hit.page as usize)
}

fn query_json(text: &str, found: &Found) -> Value {
    let query = &found.query;
    let texts = |clauses: &[Clause]| -> Vec<String> { clauses.iter().map(|clause| shortened(&clause.text)).collect() };
    let optional = query.wanted.iter().filter(|clause| clause.optional).map(|clause| shortened(&clause.text));
    json!({
        "text": shortened(text),
        "terms": texts(&query.wanted),
        "optional": optional.collect::<Vec<_>>(),
        "filters": texts(&query.filters),
        "excluded": texts(&query.excluded),
    })
}

fn hit_json(snapshot: &Snapshot, hit: &Hit, wanted: &[Clause], matcher: &mut Matcher) -> Map<String, Value> {
    let page = snapshot.page(hit.page as usize);
    let mut object = object! {
        "path": page.path,
        "title": shortened(&page.title),
        "type": page.field_text("type"),
        "summary": fields::summary(page).map(|summary| cut(summary, SUMMARY)),
        "tags": page.front_matter.tags().iter().take(MAX_TAGS).map(|(tag, _)| shortened(tag)).collect::<Vec<_>>(),
        "modified": page.field_text("modified"),
    };
    optional(&mut object, page, "confidence");
    optional(&mut object, page, "provenance");
    if let Some(&by) = snapshot.superseded().get(&(hit.page as usize)) {
        object.insert("superseded_by".into(), snapshot.table().path(by).into());
    }
    object.insert("score".into(), json!(hit.score));
    object.insert("matched".into(), matched(wanted, hit.matched));
    object.insert("missing".into(), missing(wanted, hit.matched));
    object.insert("snippets".into(), matcher.snippets(page).iter().map(snippet_json).collect());
    object
}

/// A field that is given only where the page sets it.
fn optional(object: &mut Map<String, Value>, page: &Page, field: &str) {
    if let Some(node) = page.field(field).filter(|node| !node.is_null()) {
        object.insert(field.into(), node.to_json());
    }
}

fn matched(wanted: &[Clause], bits: u64) -> Value {
    wanted
        .iter()
        .enumerate()
        .filter(|(number, _)| bits >> number & 1 == 1)
        .map(|(_, clause)| shortened(&clause.text))
        .collect()
}

/// What a page lacks; stop words are not missed.
fn missing(wanted: &[Clause], bits: u64) -> Value {
    let lacks = |(number, clause): &(usize, &Clause)| !clause.optional && bits >> number & 1 == 0;
    wanted.iter().enumerate().filter(lacks).map(|(_, clause)| shortened(&clause.text)).collect()
}

fn snippet_json(snippet: &Snippet) -> Value {
    json!({
        "heading": snippet.heading,
        "line": snippet.line,
        "text": snippet.text,
        "highlights": snippet.highlights,
    })
}

fn facet_json(facet: &[(String, usize)]) -> Value {
    facet.iter().take(MAX_FACETS).map(|(value, count)| json!({ "value": value, "count": count })).collect()
}

fn parts_json(wanted: &[Clause], parts: &[Part]) -> Value {
    let four_digits = |number: f64| (number * 1e4).round() / 1e4;
    let part = |part: &Part| {
        let times = part
            .fields
            .iter()
            .map(|(field, (exact, stemmed))| (NAMES[*field].to_owned(), json!({ "exact": exact, "stemmed": stemmed })));
        json!({
            "term": shortened(&wanted[part.clause].text),
            "pages": part.pages,
            "rarity": four_digits(part.rarity),
            "fields": times.collect::<Map<_, _>>(),
            "frequency": four_digits(part.frequency),
            "score": four_digits(part.score),
        })
    };
    parts.iter().map(part).collect()
}

/// A page that the caller wonders about.
struct About {
    path: String,
    /// Its number, if it is a page.
    page: Option<u32>,
    /// Why it is none, otherwise.
    reason: &'static str,
}

impl About {
    /// # Errors
    /// No page has that name, nor has anything that was left out; or several have.
    fn find(snapshot: &Snapshot, name: &str) -> Result<Self, Error> {
        let not_found = match snapshot.resolve(name) {
            Ok((page, ..)) => {
                return Ok(Self { path: snapshot.table().path(page).to_owned(), page: Some(page as u32), reason: "" });
            }
            Err(error) => error,
        };
        let left_out = |reason| Ok(Self { path: name.to_owned(), page: None, reason });
        if snapshot.skipped.iter().any(|skipped| skipped.path == name) {
            return left_out("it is no page: it is hidden, a link or a submodule, or could not be listed");
        }
        if crate::page::is_page(name) && snapshot.config.exclude.matches(name) {
            return left_out("`exclude` in `chemenu.toml` leaves it out");
        }
        Err(not_found)
    }

    fn json(&self, snapshot: &Snapshot, index: &Index, ranking: &Ranking, found: &Found) -> Result<Value, Error> {
        let (Some(page), Some(verdict)) = (self.page, &found.verdict) else {
            return Ok(json!({ "path": self.path, "matches": false, "reason": self.reason }));
        };
        let wanted = &found.query.wanted;
        let parts = search::parts(index, &found.query, ranking, snapshot, &[page])?;
        Ok(json!({
            "path": self.path,
            "matches": verdict.rank.is_some(),
            "reason": reason(verdict, found),
            "rank": verdict.rank,
            "matched": matched(wanted, verdict.matched),
            "missing": missing(wanted, verdict.matched),
            "filtered_by": verdict.filtered_by,
            "excluded_by": verdict.excluded_by,
            "explain": parts_json(wanted, &parts[0]),
        }))
    }
}

fn reason(verdict: &Verdict, found: &Found) -> String {
    let asked = found.query.wanted.iter().filter(|clause| !clause.optional).count();
    if let Some(rank) = verdict.rank {
        return format!("it is hit {rank} of {}", found.hits.len());
    }
    if !verdict.filtered_by.is_empty() {
        return format!("it does not pass {}", crate::error::list(&verdict.filtered_by, "and"));
    }
    if !verdict.excluded_by.is_empty() {
        return format!("it has {}, which the query excludes", crate::error::list(&verdict.excluded_by, "and"));
    }
    match (asked, verdict.has) {
        (0, _) => "the query asks for nothing".into(),
        (_, 0) => "it has none of the terms".into(),
        (_, has) => format!("it has {has} of {asked} terms, and {} were needed: other pages have more", verdict.needed),
    }
}

/// A query is repeated to who asked it, but not by the megabyte.
fn shortened(text: &str) -> String {
    cut(text, 200)
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl search::Wiki for Snapshot {
    fn type_named(&self, name: &str) -> Option<String> {
        self.types().named(name, None).map(|of| of.name.clone())
    }

    fn linking_to(&self, name: &str) -> Result<Vec<u32>, Vec<String>> {
        let targets: HashSet<usize> = match Resolve::resolve(self, name, None) {
            Resolution::Page { page, .. } => [page].into(),
            Resolution::Ambiguous(pages) => pages.into_iter().collect(),
            Resolution::NotFound => return Err(self.paths(&self.nearest(&[name]).concat())),
        };
        Ok(Self::linking_to(self, &targets).into_iter().map(|(page, _)| page as u32).collect())
    }
}
