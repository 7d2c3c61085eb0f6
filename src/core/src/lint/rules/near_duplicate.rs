use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, likeness, Scope};
use crate::snapshot::Snapshot;

/// What the pages of the examples say.
macro_rules! text {
    () => {
        "Before a release somebody who did not write the changes reads them once more, from the first to the last, and writes \
         down what is unclear. Then the notes are written, in the words of those who use the program and not of those who \
         made it. The version is raised, the tag is set, and the packages are built on a machine that has seen neither. Only \
         when they were installed once, from nothing, are they published."
    };
}

pub(super) static RULE: Rule = Rule {
    name: "near-duplicate",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Wiki,
    what: "Finds pages of at least fifty words that say nearly the same as another one, word for word.",
    why: "Whoever corrects one of them leaves the other wrong, and searchers find both.",
    bad: &[
        ("p.md", concat!("# Release\n\n", text!(), "\n")),
        ("q.md", concat!("# How we release\n\n", text!(), " Then rest.\n")),
    ],
    good: &[
        ("index.md", "# How we release\n\nAs [[Release]] has it.\n"),
        ("p.md", concat!("# Release\n\n", text!(), "\n")),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let texts: Vec<&str> = snapshot.pages().iter().map(|page| page.text.slice(page.body.span)).collect();
    for (page, other) in likeness::alike(&texts) {
        let other = snapshot.page(other);
        report.push(
            page,
            top(snapshot.page(page)),
            format!("the page says nearly the same as `{}`", other.path),
            "make one page of both, and link to it from where the other was",
        );
    }
}
