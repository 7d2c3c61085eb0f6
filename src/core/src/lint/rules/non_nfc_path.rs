use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "non-nfc-path",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds paths whose letters are composed of a letter and an accent, not in Unicode's form NFC.",
    why: "The path looks like another one and differs from it; links that are typed miss it in most programs.",
    bad: &[("Gro\u{308}\u{DF}e.md", "# Size\n\nText.\n")],
    good: &[("Gr\u{F6}\u{DF}e.md", "# Size\n\nText.\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked().filter(|(_, page)| !is_nfc(&page.path)) {
        let composed: String = page.path.nfc().collect();
        report.push(
            index,
            top(page),
            "the page's path is not in Unicode's form NFC",
            format!("rename the file to `{composed}`"),
        );
    }
}
