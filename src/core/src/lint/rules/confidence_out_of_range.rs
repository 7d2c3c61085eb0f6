use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "confidence-out-of-range",
    level: Level::Warn,
    source: Source::Base,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds a `confidence` or `confidence_base` below 0 or above 1, unless the type's schema sets other bounds.",
    why: "Pages are compared by it, and a value on another scale outweighs all others.",
    bad: &[("p.md", "---\nconfidence: 85\n---\n# P\n\nText.\n")],
    good: &[("p.md", "---\nconfidence: 0.85\n---\n# P\n\nText.\n")],
    check,
};

/// What a schema says where it decides about a field's values itself.
const BOUNDS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "values", "const"];

fn check(snapshot: &Snapshot, report: &mut Report) {
    for (index, page) in snapshot.checked() {
        for field in ["confidence", "confidence_base"] {
            let Some(node) = page.field(field) else { continue };
            let Some(number) = node.name().and_then(|text| text.parse::<f64>().ok()) else { continue };
            let bounded = snapshot.types().of(page).is_some_and(|of| {
                of.fields()
                    .any(|(name, _, about)| name == field && BOUNDS.iter().any(|bound| about.contains_key(*bound)))
            });
            if !(0.0..=1.0).contains(&number) && !bounded {
                report.push(
                    index,
                    node.span,
                    format!("`{field}` is not between 0 and 1"),
                    "write a share, such as `0.85`",
                );
            }
        }
    }
}
