//! Paths of files below the wiki's root, as they are written in type pages and schemas.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::names;

/// What stands in a URI of ours instead of a host: schemas are known by their path below the root.
const BASE: &str = "wiki:///";

const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'$');

/// The path that `written` means in a file at `from`; `None` where it leads above the root.
///
/// A leading `/` is the root; anything else is relative to the file's folder.
pub(super) fn join(from: &str, written: &str) -> Option<String> {
    names::join(if written.starts_with('/') { "" } else { names::folder(from) }, written)
}

/// The paths that `written` may mean in a file at `from`, the first one that exists deciding: from the root, then
/// relative to the file. With a leading `/`, `./` or `../` there is only one.
pub(super) fn from_root_or_beside(from: &str, written: &str) -> Vec<String> {
    let beside = join(from, written);
    if written.starts_with(['/', '.']) {
        return beside.into_iter().collect();
    }
    let mut paths: Vec<String> = join("", written).into_iter().chain(beside).collect();
    paths.dedup();
    paths
}

/// The URI under which the schema library knows the file at `path`.
pub(super) fn uri(path: &str) -> String {
    format!("{BASE}{}", utf8_percent_encode(path, ENCODED))
}

/// A fragment with its `#`, encoded however it was written: people write `#/$defs/größe`.
pub(super) fn fragment(written: &str) -> String {
    format!("#{}", utf8_percent_encode(&decoded(written), ENCODED))
}

/// The path and the fragment of a URI made by [`uri`].
pub(super) fn of_uri(uri: &str) -> Option<(String, String)> {
    let rest = uri.strip_prefix(BASE)?;
    let (path, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    Some((decoded(path), decoded(fragment)))
}

/// Percent-encoded text decoded; what is not UTF-8 then stays as it is.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), |text| text.into_owned())
}

/// Whether `reference` has a scheme or a host, so that it means no file of a wiki.
pub(super) fn is_remote(reference: &str) -> bool {
    let scheme = reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    });
    scheme || reference.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join_and_never_leave_the_root() {
        assert_eq!(join("a/b/c.md", "../x.yaml").as_deref(), Some("a/x.yaml"));
        assert_eq!(join("a/b/c.md", "./x.yaml").as_deref(), Some("a/b/x.yaml"));
        assert_eq!(join("a/b/c.md", "/x.yaml").as_deref(), Some("x.yaml"));
        assert_eq!(join("c.md", "x/y.yaml").as_deref(), Some("x/y.yaml"));
        assert_eq!(join("a/c.md", "../../x.yaml"), None);
        assert_eq!(join("a/c.md", "/../x.yaml"), None);
    }

    #[test]
    fn the_root_comes_before_the_folder() {
        assert_eq!(from_root_or_beside("a/c.md", "t/x.md"), ["t/x.md", "a/t/x.md"]);
        assert_eq!(from_root_or_beside("c.md", "t/x.md"), ["t/x.md"]);
        assert_eq!(from_root_or_beside("a/c.md", "./x.md"), ["a/x.md"]);
    }

    #[test]
    fn uris_and_paths_are_the_same_thing() {
        let uri = uri("types/größe & mehr.yaml");
        assert!(uri.is_ascii());
        assert_eq!(of_uri(&format!("{uri}#/a%20b")), Some(("types/größe & mehr.yaml".into(), "/a b".into())));
        assert_eq!(of_uri("https://example.org/x"), None);
    }

    #[test]
    fn remote_is_what_has_a_scheme_or_a_host() {
        assert!(is_remote("https://example.org/x") && is_remote("urn:x:y") && is_remote("//example.org/x"));
        assert!(!is_remote("./a.yaml") && !is_remote("#/$defs/a:b") && !is_remote("/a.yaml") && !is_remote("größe:x"));
    }
}
