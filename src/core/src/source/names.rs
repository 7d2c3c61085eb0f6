//! Stored names: how they are shown, and which of them matter.

/// A stored path for people and JSON. Bytes that are not UTF-8 become `\xNN`, and then a literal backslash `\\`, so that the
/// shown form stays reversible.
pub(super) fn shown(stored: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(stored) {
        return text.to_owned();
    }
    stored
        .utf8_chunks()
        .flat_map(|chunk| {
            let escaped = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
            std::iter::once(chunk.valid().replace('\\', "\\\\")).chain(escaped)
        })
        .collect()
}

/// Whether a file of that name, or at that path, is a Markdown file.
pub(super) fn is_markdown(path: &[u8]) -> bool {
    has_suffix(path, b".md")
}

/// Whether the path, or a folder on the way to it, begins with a dot.
pub(super) fn is_hidden(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|name| name.starts_with(b"."))
}

/// Whether an answer can depend on the file at that path below the root.
pub(super) fn matters(path: &[u8]) -> bool {
    let suffixes: [&[u8]; 4] = [b".md", b".yaml", b".yml", b".json"];
    !is_hidden(path) && (path == b"chemenu.toml" || suffixes.iter().any(|suffix| has_suffix(path, suffix)))
}

/// A path of the repository seen from a folder in it; `None` if it is elsewhere.
pub(super) fn below<'a>(folder: &[u8], path: &'a [u8]) -> Option<&'a [u8]> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix(b"/") }
}

fn has_suffix(path: &[u8], suffix: &[u8]) -> bool {
    path.len().checked_sub(suffix.len()).is_some_and(|start| path[start..].eq_ignore_ascii_case(suffix))
}
