use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "leaked-secret",
    level: Level::Error,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds access tokens of well-known shapes and private keys.",
    why: "Everybody who can read the wiki, and its history, can use it.",
    bad: &[("p.md", concat!("# P\n\nUse `AK", "IA5Q7ZJ2VWT4XN9RKB` for the upload.\n"))],
    good: &[("p.md", "# P\n\nUse the key from the vault for the upload; it looks like `AKIAIOSFODNN7EXAMPLE`.\n")],
    check,
};

/// Names of the groups below, and what they find.
const KINDS: &[(&str, &str)] = &[
    ("aws", "an access key of AWS"),
    ("github", "a token of GitHub"),
    ("gitlab", "a token of GitLab"),
    ("slack", "a token of Slack"),
    ("google", "an API key of Google"),
    ("stripe", "a live key of Stripe"),
    ("npm", "a token of npm"),
    ("pypi", "a token of PyPI"),
    ("anthropic", "an API key of Anthropic"),
    ("openai", "an API key of OpenAI"),
    ("key", "a private key"),
];

/// Each begins with letters that nothing else begins with, so that pages without them are passed over fast.
static SHAPES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        (?<aws>       (?-u:\b)(?:AKIA|ASIA)[A-Z0-9]{16}(?-u:\b) )
      | (?<github>    gh[pousr]_[A-Za-z0-9]{36,255} | github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59} )
      | (?<gitlab>    glpat-[A-Za-z0-9_-]{20,} )
      | (?<slack>     xox[abeoprs]-[0-9]{8,}-[A-Za-z0-9-]{16,} )
      | (?<google>    AIza[A-Za-z0-9_-]{35} )
      | (?<stripe>    [rs]k_live_[A-Za-z0-9]{24,} )
      | (?<npm>       npm_[A-Za-z0-9]{36} )
      | (?<pypi>      pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,} )
      | (?<anthropic> sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{40,} )
      | (?<openai>    sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,} )
      | (?<key>       -----BEGIN\ (?:[A-Z]+\ )*PRIVATE\ KEY(?:\ BLOCK)?-----\s+(?:[A-Za-z-]+:[^\n]*\s+)*[A-Za-z0-9+/=]{40,} )
        ",
    )
    .expect("the shapes are a pattern")
});

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for found in SHAPES.captures_iter(page.text.as_str()) {
            let of_kind = |(name, what): &(&str, &'static str)| found.name(name).map(|found| (found, *what));
            let Some((found, what)) = KINDS.iter().find_map(of_kind) else { continue };
            if !is_placeholder(found.as_str()) {
                let shown = beginning(found.as_str());
                report.push(
                    index,
                    Span::new(found.start(), found.start() + shown.len()),
                    format!("`{shown}…` is what {what} looks like"),
                    "revoke it where it was issued, then take it out; the history still has it",
                );
            }
        }
    }
}

/// What it begins with tells its kind, and not more.
fn beginning(secret: &str) -> &str {
    &secret[..4]
}

/// A message or hint without the secrets that a page's names and values may be: reports of lint are read by more people.
pub(in crate::lint) fn masked(text: String) -> String {
    let shown = SHAPES.replace_all(&text, |found: &Captures| match &found[0] {
        secret if is_placeholder(secret) => secret.to_owned(),
        secret => format!("{}…", beginning(secret)),
    });
    if let Cow::Owned(masked) = shown { masked } else { text }
}

/// Whether it only shows the shape: `EXAMPLE`, `xxxx`, or a few letters over and over.
fn is_placeholder(secret: &str) -> bool {
    let upper = secret.to_ascii_uppercase();
    let mut letters: Vec<u8> = upper.bytes().skip(4).collect();
    letters.sort_unstable();
    letters.dedup();
    let said = ["EXAMPLE", "XXXX", "YOUR"];
    letters.len() < 6 || said.iter().any(|word| upper.contains(word))
}
