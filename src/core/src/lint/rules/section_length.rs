use std::cell::OnceCell;
use std::ops::Range;

use crate::lint::{Class, Level, Report, Rule, Source, markdown, sections, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "section-length",
    level: Level::Warn,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds sections with fewer or more words than their type's `min_words` and `max_words` say.",
    why: "A definition of a page's length defines nothing, and one of three words neither.",
    bad: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nMuch more than was asked for.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections:\n  - {heading: Use, max_words: 3}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\n---\n# P\n\n## Use\n\nAs was asked.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nsections:\n  - {heading: Use, max_words: 3}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for page in sections::all(snapshot) {
        let comments = OnceCell::new();
        for &(heading, section) in &page.found {
            let declared = page.declared(section);
            if declared.min_words.is_none() && declared.max_words.is_none() {
                continue;
            }
            let own = &page.page.body.headings[heading];
            let section = own.span.end as usize..page.page.body.section_span(heading).end as usize;
            let comments = comments.get_or_init(|| markdown::comments(page.page));
            let words = words(&without(comments, page.page.text.as_str(), section));
            if let Some(max) = declared.max_words.filter(|max| words > *max) {
                let message = format!(
                    "the section `{}` has {words} words, and the type `{}` allows {max}",
                    own.text, page.of.name
                );
                report.push(page.index, own.span, message, "shorten it, or move a part into a section of its own");
            }
            if let Some(min) = declared.min_words.filter(|min| words < *min) {
                let message = format!(
                    "the section `{}` has {words} words, and the type `{}` asks for {min}",
                    own.text, page.of.name
                );
                report.push(page.index, own.span, message, "say more");
            }
        }
    }
}

/// A part of a text without the comments, which are in order.
fn without(comments: &[Range<usize>], text: &str, part: Range<usize>) -> String {
    let first = comments.partition_point(|comment| comment.start < part.start);
    let mut shown = String::new();
    let mut at = part.start;
    for comment in comments[first..].iter().take_while(|comment| comment.end <= part.end) {
        shown.push_str(&text[at..comment.start]);
        at = comment.end;
    }
    shown + &text[at..part.end]
}

/// Words have a letter or digit: a dash, a bullet and a table's pipe are none.
fn words(text: &str) -> u32 {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count() as u32
}
