//! `chemenu.toml`: the wiki's own settings, read from the same snapshot as its pages.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use crate::error::Error;
use crate::lint::{self, Level};
use crate::nearest;
use crate::page::LinkStyle;
use crate::text::Lines;

/// The file's name, at the wiki's root.
pub const FILE: &str = "chemenu.toml";

/// The settings of a wiki; a wiki without `chemenu.toml` has the defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What people call this wiki.
    pub name: Option<String>,
    /// The page that tells agents how this wiki works.
    pub guide: Option<String>,
    /// Pages that are not part of the wiki: globs below the root. One without `/` matches at any depth.
    pub exclude: Globs,
    /// Languages of the pages, the main one first.
    pub languages: Vec<String>,
    /// Folders of type pages.
    pub types: Vec<String>,
    /// Which side of a wikilink's pipe names the page.
    pub link_style: LinkStyle,
    /// Levels of lint rules.
    pub lint: LintConfig,
    /// The file's bytes.
    #[serde(skip)]
    pub source: Vec<u8>,
}

/// Levels of lint rules, by rule and by path.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LintConfig {
    /// Level by rule name.
    pub rules: IndexMap<String, Level>,
    /// For pages that match a glob: level by rule name. Of several globs the last one counts.
    pub paths: IndexMap<Globs, IndexMap<String, Level>>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            guide: None,
            exclude: Globs::default(),
            languages: vec!["de".into(), "en".into()],
            types: vec!["types/".into()],
            link_style: LinkStyle::default(),
            lint: LintConfig::default(),
            source: Vec::new(),
        }
    }
}

/// The keys at the top of the file, and below `[lint]`.
const KEYS: &[&str] =
    &["name", "guide", "exclude", "languages", "types", "link_style", "lint", "rules", "paths", "obsidian", "dendron"];

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`Error::ConfigInvalid`] with the line, and the nearest known key for an unknown one.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let text = String::from_utf8_lossy(bytes);
        let config: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| Lines::new(&text).line(span.start));
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            match message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next()) {
                Some(key) => Error::ConfigInvalid {
                    line,
                    message: format!("unknown key `{key}`"),
                    candidates: nearest::among(key, KEYS, 1),
                },
                None => Error::ConfigInvalid { line, message, candidates: Vec::new() },
            }
        })?;
        config.check_rules(&text)?;
        Ok(Self { source: bytes.to_vec(), ..config })
    }

    fn check_rules(&self, text: &str) -> Result<(), Error> {
        let mut names = self.lint.rules.keys().chain(self.lint.paths.values().flat_map(IndexMap::keys));
        match names.find(|name| lint::rule(name).is_none()) {
            Some(name) => Err(Error::ConfigInvalid {
                line: Places::of(text, name).map_or(1, |at| Lines::new(text).line(at)),
                message: format!("unknown lint rule `{name}`"),
                candidates: nearest::among(name, &lint::names(), 3),
            }),
            None => Ok(()),
        }
    }

    /// The level of a rule for a page.
    pub fn level(&self, rule: &lint::Rule, path: &str) -> Level {
        let by_path = self
            .lint
            .paths
            .iter()
            .rev()
            .find_map(|(globs, rules)| rules.get(rule.name).filter(|_| globs.matches(path)));
        *by_path.or_else(|| self.lint.rules.get(rule.name)).unwrap_or(&rule.level)
    }
}

/// Where the names of rules stand; read only to tell the place of a wrong one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Places {
    lint: LintPlaces,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LintPlaces {
    rules: IndexMap<Spanned<String>, Level>,
    paths: IndexMap<String, IndexMap<Spanned<String>, Level>>,
}

impl Places {
    fn of(text: &str, rule: &str) -> Option<usize> {
        let LintPlaces { rules, paths } = toml::from_str::<Self>(text).ok()?.lint;
        let mut keys = rules.keys().chain(paths.values().flat_map(IndexMap::keys));
        keys.find(|key| key.get_ref() == rule).map(|key| key.span().start)
    }
}

/// Globs below the root, one or a list of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "OneOrMany")]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl TryFrom<OneOrMany> for Globs {
    type Error = globset::Error;

    fn try_from(patterns: OneOrMany) -> Result<Self, globset::Error> {
        let patterns = match patterns {
            OneOrMany::One(pattern) => vec![pattern],
            OneOrMany::Many(patterns) => patterns,
        };
        Self::new(patterns)
    }
}

impl Globs {
    /// The pages that `path:` in a query means: as a glob does here, whatever the case, and with or without `.md`. Without `*` and
    /// `?` it is a path and no glob, for paths may hold brackets.
    ///
    /// # Errors
    /// The pattern is no glob.
    pub(crate) fn of_query(pattern: &str) -> Result<Self, globset::Error> {
        // Paths are folded as well, which the globs' own way leaves to ASCII.
        let pattern = crate::names::fold(pattern.trim());
        let pattern = if pattern.contains(['*', '?']) { pattern } else { globset::escape(&pattern) };
        Self::new(vec![format!("{pattern}.md"), pattern])
    }

    fn new(patterns: Vec<String>) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            let rooted = pattern.trim_start_matches('/');
            let rooted = if rooted.trim_end_matches('/').contains('/') || pattern.starts_with('/') {
                rooted.to_owned()
            } else {
                format!("**/{rooted}")
            };
            // A folder means all that is in it.
            let folder = format!("{}/**", rooted.trim_end_matches('/'));
            for glob in [rooted, folder] {
                set.add(GlobBuilder::new(&glob).literal_separator(true).build()?);
            }
        }
        Ok(Self { patterns, set: set.build()? })
    }

    /// Whether a path below the root matches one of them.
    pub fn matches(&self, path: &str) -> bool {
        self.set.is_match(path)
    }
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Globs {}

impl std::hash::Hash for Globs {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.patterns.hash(state);
    }
}
