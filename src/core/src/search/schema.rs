//! What tantivy indexes of a page: its fields.

use tantivy::TantivyDocument;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};

use super::{facts, fields, keys};
use crate::page::{LinkStyle, Page};

/// tantivy's fields.
#[derive(Clone)]
pub(super) struct Fields {
    pub(super) schema: Schema,
    /// The exact words of each text, with positions.
    pub(super) exact: [Field; fields::COUNT],
    /// Their stems.
    pub(super) stems: [Field; fields::COUNT],
    pub(super) facts: Field,
    pub(super) keys: Field,
    pub(super) r#type: Field,
    pub(super) tag: Field,
}

/// Names of the columns that facets are counted by.
const TYPE: &str = "type";
const TAG: &str = "tag";

/// Which terms of a text field are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Exact,
    Stem,
}

impl Fields {
    pub(super) fn new() -> Self {
        let text = |tokenizer, option| {
            let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(option);
            indexing.set_fieldnorms(tokenizer == "exact")
        };
        let indexed = |indexing| TextOptions::default().set_indexing_options(indexing);
        let mut schema = Schema::builder();
        let exact = fields::NAMES
            .map(|name| schema.add_text_field(name, indexed(text("exact", IndexRecordOption::WithFreqsAndPositions))));
        let stems = fields::NAMES.map(|name| {
            schema.add_text_field(&format!("{name} stems"), indexed(text("stems", IndexRecordOption::WithFreqs)))
        });
        let [facts, keys] =
            ["facts", "keys"].map(|name| schema.add_text_field(name, indexed(text("raw", IndexRecordOption::Basic))));
        let [r#type, tag] = [TYPE, TAG]
            .map(|name| schema.add_text_field(&format!("{name} facet"), TextOptions::default().set_fast("raw")));
        Self { schema: schema.build(), exact, stems, facts, keys, r#type, tag }
    }

    pub(super) fn text(&self, number: usize, form: Form) -> Field {
        match form {
            Form::Exact => self.exact[number],
            Form::Stem => self.stems[number],
        }
    }

    /// A page as it is indexed.
    pub(super) fn document(&self, page: &Page, style: LinkStyle) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        for ((exact, stems), texts) in self.exact.iter().zip(self.stems).zip(fields::texts(page)) {
            for text in texts {
                document.add_text(*exact, text);
                document.add_text(stems, text);
            }
        }
        for fact in facts::of(page) {
            document.add_text(self.facts, fact);
        }
        for key in keys::of(page, style) {
            document.add_text(self.keys, key);
        }
        if let Some(of) = facts::written_type(page) {
            document.add_text(self.r#type, of);
        }
        for (tag, _) in page.front_matter.tags() {
            document.add_text(self.tag, tag);
        }
        document
    }
}
