//! Every error of this system, in one table: a sentence, a stable code, what to do next, and near names.

use crate::answer::Outcome;

/// Why a question has no answer.
///
/// `Display` is the message: one sentence, no period, literals in backticks. [`Error::hint`] says what to do next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The root does not exist, or no folder upwards is a git repository.
    #[error("`{root}` is no wiki: no git repository holds it")]
    NotAWiki {
        /// What was asked for, as the user wrote it.
        root: String,
    },
    /// The wiki's folder is not in the revision that was asked for.
    #[error("the folder `{folder}` is not in {revision}")]
    FolderNotFound {
        /// Path below the repository's top.
        folder: String,
        /// The revision, for people.
        revision: String,
    },
    /// git refuses a repository that belongs to somebody else.
    #[error("the repository `{path}` belongs to another user")]
    ForeignOwner {
        /// The repository's folder.
        path: String,
    },
    /// A repository format that libgit2 cannot read.
    #[error("the repository uses {feature}, which this program cannot read")]
    UnsupportedRepository {
        /// The format's name: `the object format sha256`, `the reference storage reftable`.
        feature: String,
    },
    /// Anything else that git reports.
    #[error("git could not {action}: {message}")]
    Git {
        /// What was tried, as a verb phrase.
        action: String,
        /// The library's own words.
        message: String,
    },
    /// A file or folder of the work tree could not be read.
    #[error("`{path}` could not be read: {message}")]
    Io {
        /// The path, relative to the root.
        path: String,
        /// The system's own words.
        message: String,
    },
    /// No commit by that name or date.
    #[error("no revision `{revision}` in this repository")]
    RevisionNotFound {
        /// As asked.
        revision: String,
    },
    /// Several commits whose ids begin like that.
    #[error("`{revision}` begins the ids of {} commits", candidates.len())]
    RevisionAmbiguous {
        /// As asked.
        revision: String,
        /// Their ids.
        candidates: Vec<String>,
    },
    /// A commit that is there, and that a server does not show.
    #[error("no branch or tag leads to the commit `{revision}`")]
    RevisionUnreachable {
        /// As asked.
        revision: String,
    },
    /// The tree differs from HEAD and `--dirty refuse` was given.
    #[error("the work tree has {count} uncommitted {}, and `--dirty refuse` was given", if *count == 1 { "change" } else { "changes" })]
    DirtyTree {
        /// How many files that answers depend on differ.
        count: usize,
        /// The first few of them.
        first: Vec<String>,
    },
    /// The cache would lie in what is only read.
    #[error("the cache folder `{folder}` lies in the wiki or in its `.git`")]
    CacheInsideWiki {
        /// As asked.
        folder: String,
    },
    /// `chemenu.toml` is no TOML or says something that is not known.
    #[error("`chemenu.toml` line {line}: {message}")]
    ConfigInvalid {
        /// Line, from 1.
        line: u32,
        /// What is wrong there.
        message: String,
        /// Nearest known keys or values.
        candidates: Vec<String>,
    },
    /// No page has that name.
    #[error("no page is named `{name}`")]
    PageNotFound {
        /// As asked.
        name: String,
        /// Paths of the nearest pages.
        candidates: Vec<String>,
    },
    /// Several pages have that name.
    #[error("`{name}` names {} pages", candidates.len())]
    PageAmbiguous {
        /// As asked.
        name: String,
        /// Their paths.
        candidates: Vec<String>,
    },
    /// The page has no such section.
    #[error("`{path}` has no section `{section}`")]
    SectionNotFound {
        /// The page.
        path: String,
        /// As asked.
        section: String,
        /// The page's headings that come closest.
        candidates: Vec<String>,
    },
    /// The page has no such lines.
    #[error("`{path}` has {count} lines, not `{lines}`")]
    LinesOutOfRange {
        /// The page.
        path: String,
        /// As asked.
        lines: String,
        /// How many it has.
        count: usize,
    },
    /// A page is in the tree and its object or file cannot be read.
    #[error("the page `{path}` could not be read: {message}")]
    PageUnreadable {
        /// The page.
        path: String,
        /// Why.
        message: String,
    },
    /// No type has that name.
    #[error("no type is named `{name}`")]
    TypeNotFound {
        /// As asked.
        name: String,
        /// The known types, the nearest first.
        candidates: Vec<String>,
    },
    /// Several types have that name.
    #[error("`{name}` names {} types", candidates.len())]
    TypeAmbiguous {
        /// As asked.
        name: String,
        /// Their paths.
        candidates: Vec<String>,
    },
    /// No question, and no tool, has that name.
    #[error("no question is named `{name}`")]
    QuestionUnknown {
        /// As asked.
        name: String,
        /// The known ones, the nearest first.
        candidates: Vec<String>,
    },
    /// An argument that the question does not have.
    #[error("`{question}` has no argument `{argument}`")]
    ArgumentUnknown {
        /// The question.
        question: String,
        /// As given.
        argument: String,
        /// The arguments it has, the nearest first.
        candidates: Vec<String>,
    },
    /// An argument is missing, of the wrong type, or out of range.
    #[error("the argument `{argument}` of `{question}` {message}")]
    ArgumentInvalid {
        /// The question.
        question: String,
        /// Which one.
        argument: String,
        /// A verb phrase: `is missing`, `must be 1 to 100`.
        message: String,
        /// Valid values, where there are few.
        candidates: Vec<String>,
    },
    /// A page cannot be changed as asked.
    #[error("`{path}` was not changed: {message}")]
    NotChanged {
        /// The page.
        path: String,
        /// Why.
        message: String,
    },
    /// A defect of this program; the question was not answered.
    #[error("internal error: {message}")]
    Internal {
        /// What the program noticed.
        message: String,
    },
}

/// One row of the table of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, in answers.
    pub code: &'static str,
    /// Name of the Python exception class.
    pub class: &'static str,
    /// What it means for the exit status.
    pub outcome: Outcome,
}

macro_rules! codes {
    ($($variant:ident => $code:literal, $outcome:ident;)*) => {
        /// All errors, in the order of the enum. Python's exception classes are made from this table.
        pub const CODES: &[Code] = &[$(Code { code: $code, class: stringify!($variant), outcome: Outcome::$outcome },)*];

        impl Error {
            /// This error's row of [`CODES`].
            pub fn code(&self) -> Code {
                match self {
                    $(Self::$variant { .. } => Code { code: $code, class: stringify!($variant), outcome: Outcome::$outcome },)*
                }
            }
        }
    };
}

codes! {
    NotAWiki => "not_a_wiki", Failed;
    FolderNotFound => "folder_not_found", Failed;
    ForeignOwner => "foreign_owner", Failed;
    UnsupportedRepository => "unsupported_repository", Failed;
    Git => "git", Failed;
    Io => "io", Failed;
    RevisionNotFound => "revision_not_found", Failed;
    RevisionAmbiguous => "revision_ambiguous", Failed;
    RevisionUnreachable => "revision_unreachable", Failed;
    DirtyTree => "dirty_tree", Failed;
    CacheInsideWiki => "cache_inside_wiki", Failed;
    ConfigInvalid => "config_invalid", Failed;
    PageNotFound => "page_not_found", Problem;
    PageAmbiguous => "page_ambiguous", Problem;
    SectionNotFound => "section_not_found", Problem;
    LinesOutOfRange => "lines_out_of_range", Problem;
    PageUnreadable => "page_unreadable", Problem;
    TypeNotFound => "type_not_found", Problem;
    TypeAmbiguous => "type_ambiguous", Problem;
    QuestionUnknown => "question_unknown", Failed;
    ArgumentUnknown => "argument_unknown", Failed;
    ArgumentInvalid => "argument_invalid", Failed;
    NotChanged => "not_changed", Problem;
    Internal => "internal", Failed;
}

impl Error {
    /// What to do next: one sentence, no period.
    pub fn hint(&self) -> String {
        match self {
            Self::NotAWiki { .. } => "name the wiki's folder with `--root` or `CHEMENU_ROOT`, or run `git init` there".into(),
            Self::FolderNotFound { .. } => "name a folder of that revision with `--folder` or `--root`".into(),
            Self::ForeignOwner { path } => {
                // git wants the absolute path, and the one that was given may be relative to who knows what.
                format!("if you trust it, run `git config --global --add safe.directory \"$(realpath '{path}')\"`")
            }
            Self::UnsupportedRepository { feature } if feature == "a split index" => {
                "run `git update-index --no-split-index` there, or use `--dirty ignore`".into()
            }
            Self::UnsupportedRepository { feature } if feature == "a sparse index" => {
                "run `git sparse-checkout reapply --no-sparse-index` there, or use `--dirty ignore`".into()
            }
            Self::UnsupportedRepository { .. } => {
                "serve a clone in the usual format: `git init --object-format=sha1 --ref-format=files` and fetch into it".into()
            }
            Self::Git { .. } => "run `git fsck` in the repository".into(),
            Self::Io { .. } => "check that the path exists and may be read".into(),
            Self::RevisionNotFound { .. } => {
                "give a commit id, a tag, a branch, `HEAD~1`, or an RFC 3339 date; a shallow clone may lack it".into()
            }
            Self::RevisionAmbiguous { candidates, .. } => format!("give more digits: {}", list(candidates, "or")),
            Self::RevisionUnreachable { .. } => "name a branch, a tag, a commit of one of them, or the `commit` of an answer".into(),
            Self::DirtyTree { first, .. } => {
                format!("commit or stash {}, or use `--dirty serve` or `--dirty ignore`", list(first, "and"))
            }
            Self::CacheInsideWiki { .. } => "name a folder elsewhere with `--cache-dir`, or use `--no-cache`".into(),
            Self::ConfigInvalid { candidates, .. } if candidates.is_empty() => "correct that line".into(),
            Self::PageNotFound { candidates, .. } if candidates.is_empty() => "ask `search` for words of the page".into(),
            Self::SectionNotFound { candidates, .. } if candidates.is_empty() => "the page has no headings; ask for it whole".into(),
            Self::TypeNotFound { candidates, .. } if candidates.is_empty() => "this wiki has no types; ask `types`".into(),
            Self::ConfigInvalid { candidates, .. }
            | Self::PageNotFound { candidates, .. }
            | Self::SectionNotFound { candidates, .. }
            | Self::TypeNotFound { candidates, .. }
            | Self::QuestionUnknown { candidates, .. }
            | Self::ArgumentUnknown { candidates, .. } => format!("did you mean {}", list(candidates, "or")),
            Self::PageAmbiguous { .. } | Self::TypeAmbiguous { .. } => "ask for one of them by its path".into(),
            Self::LinesOutOfRange { count, .. } => format!("ask for lines within `1-{count}`"),
            Self::PageUnreadable { .. } => "fetch the missing object, or check the file's permissions".into(),
            Self::ArgumentInvalid { candidates, .. } if candidates.is_empty() => {
                "see the argument's description in `--help` or the tool's input schema".into()
            }
            Self::ArgumentInvalid { candidates, .. } => format!("give {}", list(candidates, "or")),
            Self::NotChanged { .. } => "nothing was written; mend the cause and try again".into(),
            Self::Internal { .. } => "please report this with the question that was asked".into(),
        }
    }

    /// Names that come closest to a wrong one, or all that an ambiguous one means.
    pub fn candidates(&self) -> &[String] {
        match self {
            Self::RevisionAmbiguous { candidates, .. }
            | Self::ConfigInvalid { candidates, .. }
            | Self::PageNotFound { candidates, .. }
            | Self::PageAmbiguous { candidates, .. }
            | Self::SectionNotFound { candidates, .. }
            | Self::TypeNotFound { candidates, .. }
            | Self::TypeAmbiguous { candidates, .. }
            | Self::QuestionUnknown { candidates, .. }
            | Self::ArgumentUnknown { candidates, .. }
            | Self::ArgumentInvalid { candidates, .. } => candidates,
            _ => &[],
        }
    }

    /// An [`Error::ArgumentInvalid`] without candidates.
    pub fn argument(question: &str, argument: &str, message: impl Into<String>) -> Self {
        Self::ArgumentInvalid {
            question: question.into(),
            argument: argument.into(),
            message: message.into(),
            candidates: Vec::new(),
        }
    }
}

/// How many names a sentence lists.
pub(crate) const LISTED: usize = 5;

/// `` `a`, `b` or `c` ``, at most [`LISTED`] of them.
pub(crate) fn list<S: AsRef<str>>(names: &[S], last: &str) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{}`", name.as_ref())).collect();
    match shown.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}
