//! One walk over CommonMark's events.
//!
//! It collects *runs* (stretches of inline source) and what in them is *opaque* (code, HTML, destinations); links and
//! footnotes are then found in the source of the runs, because the events have already lost the brackets' places.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::body::Footnote;
use super::links::{self, Link, LinkKind, Opaque, is_escaped};
use crate::text::Span;

/// A stretch of inline source, as one paragraph, heading, table cell or tight list item holds it.
#[derive(Debug)]
pub(super) struct Run {
    pub range: Range<usize>,
    /// Whether it opens a list item: only there a typed relation may stand.
    pub opens_item: bool,
    /// Whether it is a table's cell.
    pub cell: bool,
    /// Headings before and at it.
    pub headings: u32,
}

/// A heading whose text is not known yet: what its wikilinks show has to be found first.
#[derive(Debug)]
pub(super) struct Draft<'t> {
    pub level: u8,
    pub span: Span,
    /// Its text without markup, and where each part of it stands.
    pub parts: Vec<(Range<usize>, CowStr<'t>)>,
}

/// What the walk collects, all in the order of the text; `opaque` only once it is merged.
#[derive(Debug, Default)]
pub(super) struct Walk<'t> {
    text: &'t str,
    pub runs: Vec<Run>,
    pub opaque: Vec<Opaque>,
    pub markdown: Vec<Link>,
    pub headings: Vec<Draft<'t>>,
    pub footnotes: Vec<Footnote>,
    /// References to footnotes that are defined.
    pub notes: Vec<Range<usize>>,

    run: Option<Range<usize>>,
    opens_item: bool,
    in_cell: bool,
    in_heading: bool,
    in_code: bool,
    /// Links under way: where their text ends so far, and their place in `markdown`; `None` for what is no link of its own.
    open_links: Vec<Option<(usize, usize)>>,
    /// Whether the rest of an HTML block's line is being read: it is text, and opens no block.
    in_html_block: bool,
}

/// What CommonMark makes of the text from `start` on, for whoever asks more than [`super::Body`] keeps; places are in
/// `text`.
pub(super) fn events(text: &str, start: usize) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let parser = Parser::new_ext(&text[start..], options()).into_offset_iter();
    parser.map(move |(event, at)| (event, at.start + start..at.end + start))
}

/// Maths is not among them, it is found with the comments: a price has a dollar too.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

impl<'t> Walk<'t> {
    /// Walks through `text` from `start` on.
    pub(super) fn through(text: &'t str, start: usize) -> Self {
        let mut walk = Self { text, ..Self::default() };
        walk.fragment(start..text.len());
        walk
    }

    fn fragment(&mut self, range: Range<usize>) {
        let text = self.text;
        let base = range.start;
        for (event, span) in Parser::new_ext(&text[range], options()).into_offset_iter() {
            self.event(event, base + span.start..base + span.end);
        }
        self.end_run();
    }

    fn event(&mut self, event: Event<'t>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, at),
            Event::End(tag) => self.end(tag, at),
            Event::Text(_) if self.in_code => {}
            Event::Text(content) => self.shown(content, at),
            Event::Code(content) => {
                self.opaque.push(Opaque { range: at.clone(), hard: true });
                self.shown(content, at);
            }
            Event::InlineHtml(content) => {
                self.opaque.push(Opaque { range: at.clone(), hard: content.starts_with("<!--") });
                self.inline(at);
            }
            Event::SoftBreak | Event::HardBreak => self.shown(CowStr::Borrowed(" "), at),
            Event::FootnoteReference(_) => {
                self.notes.push(at.clone());
                self.inline(at);
            }
            Event::TaskListMarker(_) => self.inline(at),
            Event::Html(_) | Event::Rule | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'t>, at: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => self.inline(at),
            Tag::Link { link_type, dest_url, .. } => self.open_link(LinkKind::Markdown, link_type, &dest_url, at),
            Tag::Image { link_type, dest_url, .. } => self.open_link(LinkKind::Image, link_type, &dest_url, at),
            Tag::Paragraph => self.end_run(),
            Tag::Item => {
                self.open_block();
                self.opens_item = !self.in_html_block;
            }
            Tag::Heading { level, .. } => {
                self.open_block();
                if !self.in_html_block {
                    self.in_heading = true;
                    self.headings.push(Draft { level: level as u8, span: self.trimmed(&at), parts: Vec::new() });
                }
            }
            Tag::FootnoteDefinition(key) => {
                self.open_block();
                if !self.in_html_block {
                    self.footnotes.push(Footnote { key: key.to_string(), span: self.trimmed(&at) });
                }
            }
            Tag::CodeBlock(_) => {
                self.open_block();
                self.in_code = true;
                self.opaque.push(Opaque { range: at, hard: true });
            }
            Tag::HtmlBlock => {
                self.open_block();
                self.html_block(at);
            }
            Tag::TableCell => {
                self.open_block();
                self.in_cell = true;
            }
            _ => self.open_block(),
        }
    }

    fn end(&mut self, tag: TagEnd, at: Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => {
                if let Some(Some((text_end, _))) = self.open_links.pop() {
                    // The destination behind the text: brackets in it are no links.
                    self.opaque.push(Opaque { range: text_end..at.end, hard: true });
                }
                self.inline(at);
            }
            _ => {
                self.open_block();
                self.in_heading = false;
                self.in_code = false;
                self.in_cell = false;
            }
        }
    }

    /// A comment that opens a line makes the whole line an HTML block; what follows it there is still the author's text.
    fn html_block(&mut self, at: Range<usize>) {
        let block = &self.text[at.clone()];
        let mut comments = 0;
        while !self.in_html_block && block[comments..].trim_start().starts_with("<!--") {
            comments = block[comments..].find("-->").map_or(block.len(), |close| comments + close + "-->".len());
        }
        if comments == 0 {
            comments = block.len();
        }
        self.opaque.push(Opaque { range: at.start..at.start + comments, hard: true });
        let rest = block[comments..].trim_start();
        if !rest.is_empty() {
            self.in_html_block = true;
            self.fragment(at.end - rest.len()..at.end);
            self.in_html_block = false;
        }
    }

    fn open_link(&mut self, kind: LinkKind, link_type: LinkType, url: &str, at: Range<usize>) {
        let bytes = self.text.as_bytes();
        // `[[x]]` stays a wikilink where `[x]: …` is defined too.
        if link_type == LinkType::Shortcut
            && at.start > 0
            && bytes[at.start - 1] == b'['
            && bytes.get(at.end) == Some(&b']')
            && !is_escaped(bytes, at.start - 1)
        {
            self.open_links.push(None);
            return self.inline(at);
        }
        let (target, fragment) = match link_type {
            LinkType::Email => (format!("mailto:{url}"), None),
            _ => links::destination(url),
        };
        let text_start = match (link_type, kind) {
            // Of `<https://…>` nothing is text of its own.
            (LinkType::Autolink | LinkType::Email, _) => at.start,
            (_, LinkKind::Image) => at.start + 2,
            _ => at.start + 1,
        };
        if text_start == at.start {
            self.opaque.push(Opaque { range: at.clone(), hard: true });
        }
        self.open_links.push(Some((text_start, self.markdown.len())));
        self.markdown.push(Link {
            kind,
            span: Span::new(at.start, at.end),
            target,
            fragment,
            label: None,
            section: None,
            relation: None,
        });
        self.extend(at);
    }

    /// Inline content that readers see.
    fn shown(&mut self, content: CowStr<'t>, at: Range<usize>) {
        if let Some(&Some((_, link))) = self.open_links.last() {
            self.markdown[link].label.get_or_insert_default().push_str(&content);
        }
        if let Some(heading) = self.headings.last_mut().filter(|_| self.in_heading) {
            heading.parts.push((at.clone(), content));
        }
        self.inline(at);
    }

    fn inline(&mut self, at: Range<usize>) {
        if let Some(Some((text_end, _))) = self.open_links.last_mut() {
            *text_end = (*text_end).max(at.end);
        }
        self.extend(at);
    }

    fn extend(&mut self, at: Range<usize>) {
        match &mut self.run {
            Some(run) => run.end = run.end.max(at.end),
            None => self.run = Some(at),
        }
    }

    /// Another block begins or ends here, so what follows does not open a list item.
    fn open_block(&mut self) {
        self.end_run();
        self.opens_item = false;
    }

    fn end_run(&mut self) {
        if let Some(range) = self.run.take() {
            let opens_item = std::mem::take(&mut self.opens_item);
            self.runs.push(Run { range, opens_item, cell: self.in_cell, headings: self.headings.len() as u32 });
        }
    }

    /// A block's span without the line ends behind it.
    fn trimmed(&self, at: &Range<usize>) -> Span {
        Span::new(at.start, at.start + self.text[at.clone()].trim_end().len())
    }
}
