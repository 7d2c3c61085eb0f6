//! `wiki://` URIs: which resource one names, and how one is written.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{ALL, Resource};
use crate::problem::Problem;

/// What every URI begins with.
pub(super) const PREFIX: &str = "wiki://";

/// Everything but what stands for itself everywhere, and `/`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// What a URI names.
pub(crate) struct Uri {
    /// As it was written.
    pub(crate) text: String,
    pub(crate) resource: &'static Resource,
    /// The variable part, decoded; empty where there is none.
    pub(crate) argument: String,
    /// The revision, decoded.
    pub(crate) at: Option<String>,
}

/// The URI of a page or a type.
pub(super) fn of(resource: &Resource, argument: &str) -> String {
    format!("{PREFIX}{}/{}", resource.name, utf8_percent_encode(argument, ENCODED))
}

impl Uri {
    /// Reads a URI.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |what: &str, hint: &str| Err(Problem::new(what.to_owned(), hint, templates()));
        let beginning = text.get(..PREFIX.len()).unwrap_or_default();
        if !beginning.eq_ignore_ascii_case(PREFIX) {
            return wrong(
                "the URI does not begin with `wiki://`",
                "ask for a URI of the list, or one made from a template",
            );
        }
        let rest = &text[PREFIX.len()..];
        if rest.contains('#') {
            return wrong("the URI has a fragment", "leave out what begins with `#`; in a path write `%23` for it");
        }
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let (name, argument) = path.split_once('/').map_or((path, None), |(name, argument)| (name, Some(argument)));
        let Some(resource) = ALL.iter().find(|resource| resource.name.eq_ignore_ascii_case(name)) else {
            return wrong("no resource has that URI", "ask for a URI of the list, or one made from a template");
        };
        let argument = match (&resource.variable, argument.map(decoded).transpose()?) {
            (None, None) => String::new(),
            (None, Some(_)) => return wrong("nothing lies below that resource", "leave out what follows its name"),
            (Some(_), Some(argument)) if !argument.is_empty() => argument.into_owned(),
            (Some(_), _) => return wrong("the URI names no page or type", "put its name behind the last `/`"),
        };
        let at = query.map(revision).transpose()?;
        Ok(Self { text: text.to_owned(), resource, argument, at })
    }

    /// Whether it names a commit by its full id, which means the same for ever; a branch may be called like one.
    pub(crate) fn is_pinned(&self, commit: Option<&str>) -> bool {
        self.at.as_deref().zip(commit).is_some_and(|(at, commit)| at.eq_ignore_ascii_case(commit))
    }
}

fn templates() -> Vec<String> {
    ALL.iter().map(Resource::template).collect()
}

/// The revision in `at=REV`.
fn revision(query: &str) -> Result<String, Problem> {
    let hint = "give `?at=` and a revision, or nothing; in a path write `%3F` for `?`";
    let wrong = |what: String| Err(Problem::new(what, hint, vec!["at".to_owned()]));
    match query.split_once('=') {
        Some((_, value)) if value.contains('&') => wrong("the URI's query has more than `at`".into()),
        Some(("at", "")) => wrong("`at` is empty".into()),
        Some(("at", value)) => decoded(value).map(Cow::into_owned),
        Some((key, _)) => wrong(format!("the URI's query has the unknown key `{key}`")),
        None => wrong(format!("the URI's query has the unknown key `{query}`")),
    }
}

/// Percent-encoded text. What needs no encoding may be encoded all the same, and what needs it may be left as it is, `%` apart.
fn decoded(text: &str) -> Result<Cow<'_, str>, Problem> {
    let wrong = |what: &str| {
        Problem::new(what.to_owned(), "write bytes as `%` and two hex digits, and `%25` for `%`", Vec::new())
    };
    let is_whole = text
        .split('%')
        .skip(1)
        .all(|rest| rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    if !is_whole {
        return Err(wrong("the URI has a `%` that no two hex digits follow"));
    }
    percent_decode_str(text).decode_utf8().map_err(|_| wrong("the URI's encoded bytes are not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(&'static str, String, Option<String>), Problem> {
        Uri::parse(text).map(|uri| (uri.resource.name, uri.argument, uri.at))
    }

    #[test]
    fn what_is_written_is_read_again() {
        for path in ["a.md", "ein Ordner/Größe.md", "a?b#c%d&e=f+g.md", "..", "\\xff.md", "日本/語.md", "a//b"] {
            for resource in ALL.iter().filter(|resource| resource.variable.is_some()) {
                let uri = of(resource, path);
                assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
                assert_eq!(parsed(&uri).unwrap(), (resource.name, path.to_owned(), None));
            }
        }
    }

    #[test]
    fn other_spellings_of_a_uri_are_read() {
        for (text, path, at) in [
            ("wiki://page/Größe und mehr.md", "Größe und mehr.md", None),
            ("WIKI://Page/%61.md", "a.md", None),
            ("wiki://page/a.md?at=HEAD~1", "a.md", Some("HEAD~1")),
            ("wiki://page/a.md?at=2026-09-01T00:00:00+02:00", "a.md", Some("2026-09-01T00:00:00+02:00")),
            ("wiki://page/a.md?at=feature%2Fx", "a.md", Some("feature/x")),
            ("wiki://page/%2e%2e/a.md", "../a.md", None),
        ] {
            assert_eq!(parsed(text).unwrap(), ("page", path.to_owned(), at.map(str::to_owned)), "{text}");
        }
        assert_eq!(parsed("wiki://guide?at=v1").unwrap(), ("guide", String::new(), Some("v1".to_owned())));
    }

    #[test]
    fn what_is_no_uri_of_ours_is_refused() {
        for text in [
            "",
            "wiki",
            "wiki:",
            "wiki://",
            "wiki:///",
            "wiki:page/a.md",
            "file:///etc/passwd",
            "http://page/a.md",
            "page/a.md",
            "wiki://page",
            "wiki://page/",
            "wiki://type/",
            "wiki://guide/",
            "wiki://guide/x",
            "wiki://nothing",
            "wiki://../page/a.md",
            "wiki://page/a.md#L3",
            "wiki://page/a.md?",
            "wiki://page/a.md?at",
            "wiki://page/a.md?at=",
            "wiki://page/a.md?rev=x",
            "wiki://page/a.md?at=x&at=y",
            "wiki://page/a.md?at=x&b=y",
            "wiki://page/was?.md",
            "wiki://page/100%.md",
            "wiki://page/%zz.md",
            "wiki://page/%ff.md",
            "wiki://page/a.md?at=%",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
