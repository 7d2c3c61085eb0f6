use memchr::memchr_iter;

use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "long-page",
    level: Level::Info,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages of more than 3,000 lines or 200 kB.",
    why: "Nobody reads such a page as a whole, and its title says little about most of it.",
    bad: &[],
    good: &[("p.md", "# P\n\nText.\n")],
    check,
};

const LINES: usize = 3_000;
const BYTES: usize = 200_000;

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        let text = page.text.as_str();
        // A page of fewer bytes has fewer lines too.
        let lines = if text.len() > LINES { memchr_iter(b'\n', text.as_bytes()).count() } else { 0 };
        let message = if lines > LINES {
            format!("the page has {lines} lines, more than {LINES}")
        } else if text.len() > BYTES {
            format!("the page has {} kB, more than {}", text.len() / 1_000, BYTES / 1_000)
        } else {
            continue;
        };
        report.push(index, top(page), message, "part it into pages of one subject each");
    }
}
