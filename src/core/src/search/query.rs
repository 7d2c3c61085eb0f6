//! The query language. Any text is a query: what is not understood as an operator is text.
//!
//! Words part at blanks and at everything that is neither letter nor digit. `"a phrase"` is compared exactly, `-` before a
//! word, phrase or filter excludes it, `word*` is a beginning, `a OR b` is either, and `field:value` filters.

use super::analysis::{Analysis, exact, folded};
use super::facts::{self, Operand, Test};
use super::fields::Fields;
use super::words::words;
use crate::config::Globs;

/// More terms than these are left out, and a note says so; a page's matches fit one machine word.
pub const MAX_TERMS: usize = u64::BITS as usize;
/// Letters that a beginning must have: a shorter one would mean a large part of all words.
pub(super) const MIN_PREFIX: usize = 2;
/// Words of a phrase that count.
const MAX_PHRASE: usize = 32;
/// Bytes of a path or page's name.
const MAX_NAME: usize = 4096;
/// Colons of one word that may end a field's name.
const MAX_COLONS: usize = 4;

/// A query as it was understood.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// What pages should have: all of it, or as much as can be had.
    pub wanted: Vec<Clause>,
    /// What pages must fulfil.
    pub filters: Vec<Clause>,
    /// What pages must not have.
    pub excluded: Vec<Clause>,
    /// How many words, phrases and alternatives `wanted` was written as: `multi-agent` is one, and two clauses.
    pub written: usize,
    /// What was understood otherwise than it may have been meant.
    pub notes: Vec<String>,
}

/// One or several alternatives.
#[derive(Clone, Debug)]
pub struct Clause {
    /// As it is echoed.
    pub text: String,
    /// Any of these.
    pub any: Vec<Atom>,
    /// Whether it only adds to the score, as stop words do.
    pub optional: bool,
}

/// The smallest thing that a page has or has not.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A word in any of its inflections.
    Word {
        /// Its exact form.
        exact: String,
        /// Where it may stand.
        fields: Fields,
    },
    /// Words that begin so.
    Prefix {
        /// The beginning's exact form.
        exact: String,
        /// Where they may stand.
        fields: Fields,
    },
    /// Words in exactly this form and order.
    Phrase {
        /// Their exact forms.
        exact: Vec<String>,
        /// Where they may stand.
        fields: Fields,
    },
    /// A front matter field's value.
    Fact {
        /// The field's folded name.
        key: String,
        /// What its value must be.
        test: Test,
    },
    /// The page's path.
    Path(Globs),
    /// A link to a page of that name.
    Links(String),
}

/// What the parser must know of the wiki.
pub trait Vocabulary {
    /// Whether some page has a front matter field of that folded name.
    fn has_field(&self, key: &str) -> bool;
    /// The folded names of all front matter fields, sorted.
    fn field_names(&self) -> Vec<String>;
}

/// One operand of the query's text.
#[derive(Clone, Copy)]
struct Term<'t> {
    negated: bool,
    /// The field's name, where it is one.
    key: Option<&'t str>,
    /// The text, or the field's value.
    value: &'t str,
    quoted: bool,
    /// As written.
    written: &'t str,
}

impl Term<'_> {
    fn is_or(&self) -> bool {
        self.written == "OR"
    }
}

impl Query {
    /// Reads a query. Never fails.
    pub fn parse(text: &str, analysis: &Analysis, vocabulary: &impl Vocabulary) -> Self {
        let mut reader = Reader { rest: text, vocabulary, notes: Vec::new() };
        let terms: Vec<Term> = std::iter::from_fn(|| reader.term()).take(2 * MAX_TERMS).collect();
        let mut query = Self { notes: reader.notes, ..Self::default() };
        let mut is_cut = !reader.rest.trim().is_empty();
        let mut room = MAX_TERMS;
        let mut at = 0;
        while let Some(first) = terms.get(at) {
            let mut group = vec![*first];
            at += 1;
            while let [or, next, ..] = terms[at..]
                && or.is_or()
                && ![*group.last().expect("it has the first"), next].iter().any(|term| term.negated || term.is_or())
            {
                group.push(next);
                at += 2;
            }
            let before = query.wanted.len();
            for clause in clauses(&group, analysis, &mut query.notes) {
                let size = clause.any.len();
                if room < size {
                    is_cut = true;
                } else if query.add(clause, first.negated) {
                    room -= size;
                }
            }
            query.written += usize::from(query.wanted.len() > before);
        }
        if is_cut {
            query.notes.push(format!("only the first {MAX_TERMS} terms of the query were looked for"));
        }
        // A query of nothing but stop words asks for them.
        if query.wanted.iter().all(|clause| clause.optional) {
            query.wanted.iter_mut().for_each(|clause| clause.optional = false);
        }
        if query.wanted.is_empty() && query.filters.is_empty() && query.excluded.is_empty() {
            query.notes.push("the query has no word to look for".into());
        }
        query
    }

    /// Adds a clause; `false` for one that is there already.
    fn add(&mut self, clause: Clause, negated: bool) -> bool {
        let list = match (negated, clause.any.iter().any(Atom::is_text)) {
            (true, _) => &mut self.excluded,
            (false, true) => &mut self.wanted,
            (false, false) => &mut self.filters,
        };
        let is_new = list.iter().all(|known| known.text != clause.text);
        if is_new {
            list.push(clause);
        }
        is_new
    }
}

impl Atom {
    /// Whether it is looked for in texts and counts for the score; all else only filters.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Word { .. } | Self::Prefix { .. } | Self::Phrase { .. })
    }
}

/// Cuts a query into terms.
struct Reader<'t, 'v, V> {
    rest: &'t str,
    vocabulary: &'v V,
    notes: Vec<String>,
}

impl<'t, V: Vocabulary> Reader<'t, '_, V> {
    fn term(&mut self) -> Option<Term<'t>> {
        self.rest = self.rest.trim_start();
        let start = self.rest;
        // `--flag` is text that a wiki may well have, and `- item` no exclusion.
        let after =
            self.rest.strip_prefix('-').filter(|after| after.starts_with(|c: char| c != '-' && !c.is_whitespace()));
        self.rest = after.unwrap_or(self.rest);
        let negated = after.is_some();
        if let Some(value) = self.quoted() {
            return Some(Term { negated, key: None, value, quoted: true, written: self.since(start) });
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() {
            return None;
        }
        self.rest = &self.rest[end..];
        let Some((key, value)) = self.field(word) else {
            return Some(Term { negated, key: None, value: word, quoted: false, written: self.since(start) });
        };
        let (value, quoted) = match self.quoted().filter(|_| value.is_empty()) {
            Some(value) => (value, true),
            None => (value, false),
        };
        Some(Term { negated, key: Some(key), value, quoted, written: self.since(start) })
    }

    /// The text in quotes that comes next; without an end quote, all that is left.
    fn quoted(&mut self) -> Option<&'t str> {
        let inside = self.rest.strip_prefix('"')?;
        let (value, rest) = inside.split_once('"').unwrap_or((inside, ""));
        self.rest = rest;
        Some(value)
    }

    /// Name and value, where some page has such a field; the longest name that one has, for names may hold colons.
    fn field(&mut self, word: &'t str) -> Option<(&'t str, &'t str)> {
        let colons = word.match_indices(':').take(MAX_COLONS).map(|(at, _)| (&word[..at], &word[at + 1..]));
        let has_value = |value: &str| !value.is_empty() || self.rest.starts_with('"');
        let pairs: Vec<_> = colons.filter(|(key, value)| !key.is_empty() && has_value(value)).collect();
        let is_known = |key: &str| BUILT_IN.contains(&&*facts::key(key)) || self.vocabulary.has_field(&facts::key(key));
        if let Some(known) = pairs.iter().rev().find(|(key, _)| is_known(key)) {
            return Some(*known);
        }
        // `https://…`, `std::…` and `12:30` are no fields to anybody.
        let (key, value) = *pairs.first()?;
        let is_name =
            key.starts_with(char::is_alphabetic) && key.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        if is_name && !value.starts_with(['/', ':']) {
            let mut names: Vec<String> = BUILT_IN[..TOLD].iter().map(|name| (*name).to_owned()).collect();
            let is_other = |name: &String| !BUILT_IN.contains(&&**name) && !name.contains('.');
            names.extend(self.vocabulary.field_names().into_iter().filter(is_other));
            let more = names.len().saturating_sub(MAX_NAMES);
            let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let note = format!(
                "no page has a field `{}`, so it was taken for text; fields are {}{more}",
                shortened(key),
                shown.join(", ")
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        None
    }

    fn since(&self, start: &'t str) -> &'t str {
        &start[..start.len() - self.rest.len()]
    }
}

/// Fields that every wiki has, besides those of its front matter; the last ones are other names for earlier ones.
const BUILT_IN: &[&str] = &[
    "type",
    "tag",
    "path",
    "title",
    "links",
    "alias",
    "heading",
    "summary",
    "body",
    "tags",
    "aliases",
    "headings",
    "description",
];
/// How many of them a note names.
const TOLD: usize = 9;
/// How many fields it names altogether.
const MAX_NAMES: usize = 40;

/// The clauses that a term, or several alternatives, make: one for each word where the words may stand apart.
fn clauses(group: &[Term], analysis: &Analysis, notes: &mut Vec<String>) -> Vec<Clause> {
    if let [term] = group
        && !term.negated
    {
        let atoms = atoms(term, notes);
        let clause = |(text, atom): (String, Atom)| {
            let optional = matches!(&atom, Atom::Word { exact, .. } if analysis.is_stop_word(exact));
            Clause { text, any: vec![atom], optional }
        };
        return atoms.map(clause).collect();
    }
    // Alternatives, and what is excluded, are one thing each: several words stand together.
    let one = |term: &Term| {
        let mut atoms: Vec<_> = atoms(term, notes).collect();
        if atoms.len() < 2 {
            return atoms.pop();
        }
        let parts = atoms.iter().map(|(_, atom)| match atom {
            Atom::Word { exact, fields } | Atom::Prefix { exact, fields } => Some((exact.clone(), *fields)),
            _ => None,
        });
        let (words, fields): (Vec<String>, Vec<Fields>) = parts.flatten().unzip();
        Some((term.written.trim_start_matches('-').to_owned(), Atom::Phrase { exact: words, fields: *fields.first()? }))
    };
    let (texts, any): (Vec<String>, Vec<Atom>) = group.iter().filter_map(one).unzip();
    if any.is_empty() { Vec::new() } else { vec![Clause { text: texts.join(" OR "), any, optional: false }] }
}

/// What one term asks for, each with its echo: one atom for a filter or phrase, else one for each word.
fn atoms(term: &Term, notes: &mut Vec<String>) -> impl Iterator<Item = (String, Atom)> + use<> {
    let key = term.key.map(facts::key);
    let scope = key.as_deref().map(Fields::named);
    let found = match (key.as_deref(), scope) {
        (None, _) => texts(term.value, term.quoted, Fields::ALL, ""),
        (Some(key), Some(Some(fields))) => texts(term.value, term.quoted, fields, key),
        (Some(key), _) => match filter(key, term.value) {
            Ok(atom) => {
                let blank = if term.value.contains(char::is_whitespace) { "\"" } else { "" };
                vec![(format!("{key}:{blank}{}{blank}", term.value), atom)]
            }
            Err(problem) => {
                notes.push(format!("{problem}, so `{}` was taken for text", shortened(term.written)));
                texts(term.written, false, Fields::ALL, "")
            }
        },
    };
    found.into_iter()
}

/// The words of a text, its last one a beginning where `*` follows it; quoted, they are one phrase.
fn texts(text: &str, quoted: bool, fields: Fields, key: &str) -> Vec<(String, Atom)> {
    let scope = if key.is_empty() { String::new() } else { format!("{key}:") };
    let outer = words(text).filter(|word| !word.inner);
    if quoted {
        let exact: Vec<String> = outer.take(MAX_PHRASE).map(|word| exact(word.text).into_owned()).collect();
        let echo = format!("{scope}\"{}\"", exact.join(" "));
        return if exact.is_empty() { Vec::new() } else { vec![(echo, Atom::Phrase { exact, fields })] };
    }
    let atom = |word: super::words::Word| {
        let form = exact(word.text).into_owned();
        let starred = text[word.start + word.text.len()..].starts_with('*');
        if starred && form.chars().count() >= MIN_PREFIX {
            (format!("{scope}{form}*"), Atom::Prefix { exact: form, fields })
        } else {
            (format!("{scope}{form}"), Atom::Word { exact: form, fields })
        }
    };
    outer.take(MAX_TERMS + 1).map(atom).collect()
}

/// A filter on something other than text.
///
/// # Errors
/// Why the value is none for that field.
fn filter(key: &str, value: &str) -> Result<Atom, String> {
    match key {
        "path" | "links" if value.len() > MAX_NAME => Err(format!("`{}` is longer than any path", shortened(value))),
        "path" => Globs::of_query(value).map(Atom::Path).map_err(|_| format!("`{}` is no path", shortened(value))),
        "links" => {
            let name = value.trim_start_matches("[[").trim_end_matches("]]");
            Ok(Atom::Links(name.split('|').next().filter(|name| !name.is_empty()).unwrap_or(name).trim().to_owned()))
        }
        _ => Ok(Atom::Fact { key: key.to_owned(), test: test(key, value)? }),
    }
}

/// What a front matter field's value must be: equal, one that begins so, any, or within bounds.
fn test(key: &str, value: &str) -> Result<Test, String> {
    let operand = |text: &str| {
        Operand::parse(text).ok_or_else(|| format!("`{}` is neither a number nor a date", shortened(text)))
    };
    for (sign, is_low, inclusive) in [(">=", true, true), ("<=", false, true), (">", true, false), ("<", false, false)]
    {
        if let Some(bound) = value.strip_prefix(sign) {
            let bound = Some((operand(bound)?, inclusive));
            return Ok(if is_low { Test::Between(bound, None) } else { Test::Between(None, bound) });
        }
    }
    let value = value.strip_prefix('=').unwrap_or(value);
    if let Some((low, high)) = value.split_once("..") {
        // An end that is left out is open.
        let [low, high] =
            [low, high].map(|end| if end.is_empty() { Ok(None) } else { Operand::parse(end).map(Some).ok_or(()) });
        if let (Ok(low), Ok(high)) = (low, high)
            && (low.is_some() || high.is_some())
        {
            return Ok(Test::Between(low.map(|low| (low, true)), high.map(|high| (high, true))));
        }
    }
    // `=v`, `tag:#v`: the sign is not part of the value.
    let value = if key == "tag" { value.trim_start_matches('#') } else { value };
    Ok(match value.strip_suffix('*') {
        Some("") => Test::Any,
        Some(beginning) => Test::Begins(folded(&exact_value(beginning)).into_owned()),
        None => Test::Is(folded(&exact_value(value)).into_owned(), Operand::parse(value)),
    })
}

/// A value in lower case, composed; not cut as a word is.
pub(super) fn exact_value(value: &str) -> String {
    crate::names::fold(value.trim())
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST).chain(['…']).collect() }
}
