use std::collections::BTreeMap;

use crate::lint::invisible::{Invisible, find};
use crate::lint::pages::top;
use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    name: "invisible-character",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Structure,
    scope: Scope::Wiki,
    what: "Finds invisible and direction-changing characters in texts and paths, once for each on a page; those that a script or an emoji needs are left alone.",
    why: "People and programs read different texts: names are not found, and what is hidden may be meant for an agent.",
    bad: &[("p.md", "# P\n\nThe pass\u{200B}word is new.\n")],
    good: &[("p.md", "# P\n\nThe password is new. 👩\u{200D}💻\n")],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.pages().iter().enumerate() {
        let mut seen: BTreeMap<char, (Invisible, usize)> = BTreeMap::new();
        for invisible in find(page.text.as_str()) {
            seen.entry(invisible.c).or_insert((invisible, 0)).1 += 1;
        }
        for (first, count) in seen.into_values() {
            let times = if count > 1 { format!(", {count} times") } else { String::new() };
            report.push(
                index,
                Span::new(first.at, first.at + first.c.len_utf8()),
                format!("`U+{:04X}` is {}{times}", u32::from(first.c), first.what),
                "take it out",
            );
        }
        // A soft hyphen parts no line in a name, it only makes it another one.
        let soft = page.path.contains('\u{AD}').then_some(('\u{AD}', "a soft hyphen"));
        if let Some((c, what)) = find(&page.path).first().map(|first| (first.c, first.what)).or(soft) {
            report.push(
                index,
                top(page),
                format!("`U+{:04X}` in the page's path is {what}", u32::from(c)),
                "rename the file",
            );
        }
    }
}
