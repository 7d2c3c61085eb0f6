use crate::lint::{Class, Level, Report, Rule, Source, Scope};
use crate::snapshot::Snapshot;

pub(super) static RULE: Rule = Rule {
    name: "confidence-below-base",
    level: Level::Info,
    source: Source::Type,
    class: Class::Content,
    scope: Scope::Page,
    what: "Finds pages whose `confidence` has fallen below their `confidence_base`, where the type knows the latter; superseded ones may have.",
    why: "Something has shaken what the page says since it was written.",
    bad: &[
        ("p.md", "---\ntype: note\nconfidence: 0.3\nconfidence_base: 0.6\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  properties:\n    confidence: {type: number}\n    confidence_base: {type: number}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    good: &[
        ("p.md", "---\ntype: note\nconfidence: 0.6\nconfidence_base: 0.6\n---\n# P\n\nText.\n"),
        (
            "types/note.md",
            "---\nname: note\nsummary: A note\nschema:\n  properties:\n    confidence: {type: number}\n    confidence_base: {type: number}\n---\n# note\n\nFor short texts.\n",
        ),
    ],
    check,
};

fn check(snapshot: &Snapshot, report: &mut Report) {
    let superseded = snapshot.superseded();
    for (index, page) in snapshot.checked() {
        let number = |field: &str| page.field_text(field)?.parse::<f64>().ok();
        let (Some(confidence), Some(base)) = (number("confidence"), number("confidence_base")) else { continue };
        let asks = || snapshot.types().of(page).is_some_and(|of| of.fields().any(|(name, ..)| name == "confidence_base"));
        if confidence < base && !superseded.contains_key(&index) && asks() {
            let span = page.field("confidence").map(|node| node.span).unwrap_or_default();
            report.push(
                index,
                span,
                format!("`confidence` is {confidence}, below the {base} that the page was written with"),
                "mend what shook it, or write the page that supersedes this one",
            );
        }
    }
}
