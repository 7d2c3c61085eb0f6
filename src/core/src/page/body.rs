//! The Markdown below the front matter: headings, links, footnotes.
//!
//! CommonMark decides what is text. One walk over its events collects *runs* (stretches of inline source) and what in
//! them is *opaque* (code, HTML, maths, destinations); links and footnotes are then found in the source of the runs,
//! because the events have already lost the brackets' places.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::links::{self, Found, Link, LinkKind, LinkStyle, Opaque, is_escaped};
use super::slug::Numbering;
use crate::text::Span;

/// What was found in a body. All spans are in the page's text.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The body: everything after the front matter.
    pub span: Span,
    /// Headings, in order.
    pub headings: Vec<Heading>,
    /// Links, in order.
    pub links: Vec<Link>,
    /// Footnote references `[^k]`, in order.
    pub footnote_refs: Vec<FootnoteRef>,
    /// Footnote definitions `[^k]: …`, in order.
    pub footnotes: Vec<Footnote>,
    /// Block ids `^id`, in order, without the `^`.
    pub blocks: Vec<Block>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: String,
    /// The whole heading, without its line end.
    pub span: Span,
    /// GitHub's anchor: `a`, and `a-1` for the second heading of that text.
    pub anchor: String,
}

/// A footnote reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FootnoteRef {
    /// The key, without `^`.
    pub key: String,
    /// Brackets included.
    pub span: Span,
    /// Index of the heading it stands under.
    pub section: Option<u32>,
}

/// A footnote definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// The key, without `^`.
    pub key: String,
    /// The label's brackets and the definition's text.
    pub span: Span,
}

/// A block that can be linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The id, without `^`.
    pub id: String,
    /// The id with its `^`.
    pub span: Span,
}

impl Body {
    /// Parses `text` from `start` on.
    pub fn parse(text: &str, start: usize, style: LinkStyle) -> Self {
        let mut walk = Walk { text, ..Walk::default() };
        walk.fragment(start..text.len());
        walk.finish(start, style)
    }

    /// The index of the first heading of that level.
    pub fn first_heading(&self, level: u8) -> Option<&Heading> {
        self.headings.iter().find(|heading| heading.level == level)
    }

    /// Everything from a heading to the next one of its level or above; line ends included.
    pub fn section_span(&self, heading: usize) -> Span {
        let own = &self.headings[heading];
        let end = self.headings[heading + 1..]
            .iter()
            .find(|next| next.level <= own.level)
            .map_or(self.span.end, |next| next.span.start);
        Span { start: own.span.start, end }
    }
}

/// A stretch of inline source, as one paragraph, heading, table cell or tight list item holds it.
#[derive(Debug)]
struct Run {
    range: Range<usize>,
    /// Whether it opens a list item: only there a typed relation may stand.
    opens_item: bool,
    /// Headings before and at it.
    headings: u32,
}

#[derive(Default)]
struct Walk<'t> {
    text: &'t str,
    runs: Vec<Run>,
    opaque: Vec<Opaque>,
    markdown: Vec<Link>,
    headings: Vec<Heading>,
    footnotes: Vec<Footnote>,

    run: Option<Range<usize>>,
    opens_item: bool,
    /// Start of the heading under way, and its text.
    heading: Option<(Range<usize>, u8, String)>,
    /// Markdown links under way: where their text ends so far, and their place in `markdown`.
    open_links: Vec<(usize, usize)>,
    /// Whether the rest of an HTML block's line is being read; it is read once, not again within itself.
    in_html_block: bool,
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
}

impl<'t> Walk<'t> {
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
            Event::Text(content) => {
                if let Some((_, _, text)) = &mut self.heading {
                    text.push_str(&content);
                }
                self.label(&content);
                self.inline(at);
            }
            Event::Code(content) => {
                self.label(&content);
                if let Some((_, _, text)) = &mut self.heading {
                    text.push_str(&content);
                }
                self.opaque(at, true);
            }
            Event::InlineMath(content) | Event::DisplayMath(content) => {
                if let Some((_, _, text)) = &mut self.heading {
                    text.push_str(&content);
                }
                // `US$5 and US$6` is money: a closing dollar before a digit closes nothing.
                if self.text.as_bytes().get(at.end).is_some_and(u8::is_ascii_digit) {
                    self.inline(at);
                } else {
                    self.opaque(at, false);
                }
            }
            Event::InlineHtml(content) => self.opaque(at, content.starts_with("<!--")),
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, _, text)) = &mut self.heading {
                    text.push(' ');
                }
                self.label(" ");
                self.inline(at);
            }
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => self.inline(at),
            Event::Html(_) | Event::Rule => {}
        }
    }

    fn start(&mut self, tag: Tag<'t>, at: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => self.inline(at),
            Tag::Link { dest_url, .. } => self.open_link(LinkKind::Markdown, &dest_url, at),
            Tag::Image { dest_url, .. } => self.open_link(LinkKind::Image, &dest_url, at),
            Tag::Heading { level, .. } => {
                self.end_run();
                self.heading = Some((at, level as u8, String::new()));
            }
            Tag::Item => {
                self.end_run();
                self.opens_item = true;
            }
            Tag::CodeBlock(_) => {
                self.end_run();
                self.opens_item = false;
                self.opaque.push(Opaque { range: at, hard: true });
            }
            Tag::HtmlBlock => {
                self.end_run();
                self.html_block(at);
            }
            Tag::FootnoteDefinition(key) => {
                self.end_run();
                let end = at.start + self.text[at.clone()].trim_end().len();
                self.footnotes.push(Footnote { key: key.to_string(), span: Span::new(at.start, end) });
            }
            _ => self.end_run(),
        }
    }

    fn end(&mut self, tag: TagEnd, at: Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => {
                if let Some((text_end, _)) = self.open_links.pop() {
                    // The destination behind the text: brackets in it are no links.
                    self.opaque.push(Opaque { range: text_end..at.end, hard: true });
                    self.inline(at);
                }
            }
            TagEnd::Heading(_) => {
                self.end_run();
                if let Some((range, level, text)) = self.heading.take() {
                    let end = range.start + self.text[range.clone()].trim_end().len();
                    self.headings.push(Heading {
                        level,
                        text: plain(text.trim()),
                        span: Span::new(range.start, end),
                        anchor: String::new(),
                    });
                    if let Some(run) = self.runs.last_mut().filter(|run| run.range.start >= range.start) {
                        run.headings = self.headings.len() as u32;
                    }
                }
            }
            _ => self.end_run(),
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

    fn open_link(&mut self, kind: LinkKind, url: &str, at: Range<usize>) {
        let (target, fragment) = links::destination(url);
        let bracket = if kind == LinkKind::Image { 2 } else { 1 };
        self.open_links.push((at.start + bracket, self.markdown.len()));
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

    fn label(&mut self, text: &str) {
        if let Some(&(_, link)) = self.open_links.last() {
            self.markdown[link].label.get_or_insert_default().push_str(text);
        }
    }

    fn inline(&mut self, at: Range<usize>) {
        if let Some((text_end, _)) = self.open_links.last_mut() {
            *text_end = (*text_end).max(at.end);
        }
        self.extend(at);
    }

    fn opaque(&mut self, at: Range<usize>, hard: bool) {
        self.opaque.push(Opaque { range: at.clone(), hard });
        self.inline(at);
    }

    fn extend(&mut self, at: Range<usize>) {
        match &mut self.run {
            Some(run) => run.end = run.end.max(at.end),
            None => self.run = Some(at),
        }
    }

    fn end_run(&mut self) {
        if let Some(range) = self.run.take() {
            let opens_item = std::mem::take(&mut self.opens_item);
            self.runs.push(Run { range, opens_item, headings: self.headings.len() as u32 });
        }
    }

    fn finish(mut self, start: usize, style: LinkStyle) -> Body {
        self.hide();
        let opaque = merged(self.opaque);

        let mut body = Body { span: Span::new(start, self.text.len()), footnotes: self.footnotes, ..Body::default() };
        let mut numbering = Numbering::default();
        body.headings = self.headings;
        for heading in &mut body.headings {
            heading.anchor = numbering.anchor(&heading.text);
        }

        let starts: Vec<usize> = self.markdown.iter().map(|link| link.span.start as usize).collect();
        let mut markdown = self.markdown.into_iter().peekable();
        for run in self.runs {
            let section = run.headings.checked_sub(1);
            let first = body.links.len();
            let first_ref = body.footnote_refs.len();
            links::scan(self.text, run.range.clone(), &opaque, &starts, style, |found| match found {
                Found::Wikilink { range, embed, target, fragment, label } => body.links.push(Link {
                    kind: if embed { LinkKind::Embed } else { LinkKind::Wikilink },
                    span: Span::new(range.start, range.end),
                    target,
                    fragment,
                    label,
                    section,
                    relation: None,
                }),
                Found::Footnote { range, key } => {
                    body.footnote_refs.push(FootnoteRef { key, span: Span::new(range.start, range.end), section });
                }
            });
            while let Some(mut link) = markdown.next_if(|link| (link.span.start as usize) < run.range.end) {
                link.section = section;
                body.links.push(link);
            }
            body.links[first..].sort_by_key(|link| link.span.start);
            if run.opens_item {
                let relation = relation(self.text, &run.range, &body.links[first..], &body.footnote_refs[first_ref..]);
                for link in &mut body.links[first..] {
                    link.relation = relation.clone();
                }
            }
            if let Some(block) = block_id(self.text, &run.range, &opaque) {
                body.blocks.push(block);
            }
        }
        body
    }

    /// Takes out what stands in comments and expressions, and makes both opaque.
    fn hide(&mut self) {
        let bytes = self.text.as_bytes();
        let [comments, expressions] = ["%%", "${"].map(|mark| memchr::memmem::find(bytes, mark.as_bytes()).is_some());
        if !comments && !expressions {
            return;
        }
        let opaque = merged(self.opaque.clone());
        let mut ranges = if comments { self.comments(&opaque) } else { Vec::new() };
        if expressions {
            ranges.extend(self.expressions(&opaque));
        }
        let hidden = merged(ranges.into_iter().map(|range| Opaque { range, hard: true }).collect());
        let kept: Vec<bool> = self.headings.iter().map(|heading| !within(&hidden, heading.span.start as usize)).collect();
        let mut before = vec![0u32];
        before.extend(kept.iter().scan(0, |count, &kept| {
            *count += u32::from(kept);
            Some(*count)
        }));
        for run in &mut self.runs {
            run.headings = before[run.headings as usize];
        }
        let mut kept = kept.into_iter();
        self.headings.retain(|_| kept.next().unwrap_or(true));
        self.markdown.retain(|link| !within(&hidden, link.span.start as usize));
        self.footnotes.retain(|note| !within(&hidden, note.span.start as usize));
        self.opaque.extend(hidden);
    }

    /// Obsidian's `%% … %%`: within one block, or from a line that opens with it over blocks to the next `%%`.
    fn comments(&self, opaque: &[Opaque]) -> Vec<Range<usize>> {
        let mut comments = Vec::new();
        // A comment still open: where it starts, and whether it may run on into the next block.
        let mut open: Option<(usize, bool)> = None;
        for run in &self.runs {
            open = open.filter(|&(_, over_blocks)| over_blocks);
            for at in marks(self.text, &run.range, opaque) {
                open = match open {
                    Some((start, _)) => {
                        comments.push(start..at + 2);
                        None
                    }
                    None => {
                        let before = &self.text[run.range.start..at];
                        let line = before.rfind('\n').map_or(0, |end| end + 1);
                        Some((at, before[line..].trim().is_empty()))
                    }
                };
            }
        }
        comments
    }

    /// `${ … }` is an expression that a program replaces: what looks like a link in it (`${query[[…]]}`) is none. Its
    /// braces must balance before the next blank line.
    fn expressions(&self, opaque: &[Opaque]) -> Vec<Range<usize>> {
        let bytes = self.text.as_bytes();
        let mut expressions = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for at in memchr::memchr3_iter(b'{', b'}', b'\n', bytes) {
            match bytes[at] {
                b'\n' if bytes.get(at + 1).is_none_or(|&next| next == b'\n') => open.clear(),
                b'{' if !within(opaque, at) => open.push(at),
                b'}' if !within(opaque, at) => {
                    if let Some(start) = open.pop().filter(|&start| start > 0 && bytes[start - 1] == b'$') {
                        expressions.push(start - 1..at + 1);
                    }
                }
                _ => {}
            }
        }
        expressions
    }
}

/// Where `%%` stands in a run's text.
fn marks(text: &str, run: &Range<usize>, opaque: &[Opaque]) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = run.start;
    while let Some(mark) = memchr::memmem::find(&bytes[at..run.end], b"%%").map(|offset| at + offset) {
        at = mark + 2;
        if !within(opaque, mark) && !is_escaped(bytes, mark) {
            found.push(mark);
        }
    }
    found
}

fn within(opaque: &[Opaque], at: usize) -> bool {
    let next = opaque.partition_point(|part| part.range.end <= at);
    opaque.get(next).is_some_and(|part| part.range.start <= at)
}

/// Overlapping parts as one, so that starts and ends both ascend. They come out of order: a destination is known only at
/// its link's end, after what stands inside the link.
fn merged(mut parts: Vec<Opaque>) -> Vec<Opaque> {
    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    let mut merged: Vec<Opaque> = Vec::with_capacity(parts.len());
    for part in parts {
        match merged.last_mut() {
            Some(last) if part.range.start < last.range.end => {
                last.range.end = last.range.end.max(part.range.end);
                last.hard |= part.hard;
            }
            _ => merged.push(part),
        }
    }
    merged
}

/// The name of the relation that a list item states: a bold label that ends in a colon, followed by links only.
fn relation(text: &str, run: &Range<usize>, found: &[Link], refs: &[FootnoteRef]) -> Option<String> {
    let item = &text[run.clone()];
    let fence = ["**", "__"].into_iter().find(|fence| item.starts_with(fence))?;
    let close = fence.len() + item[fence.len()..].find(fence)?;
    let label = item[fence.len()..close].trim().strip_suffix(':')?.trim();
    let mut at = run.start + close + fence.len();
    let mut spans: Vec<Span> = found.iter().map(|link| link.span).chain(refs.iter().map(|note| note.span)).collect();
    spans.sort();
    if label.is_empty() || found.is_empty() || spans[0].start < at as u32 {
        return None;
    }
    let separates = |gap: &str| gap.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';'));
    for span in spans {
        if (span.start as usize) < at {
            continue;
        }
        if !separates(&text[at..span.start as usize]) {
            return None;
        }
        at = span.end as usize;
    }
    separates(&text[at.min(run.end)..run.end]).then(|| label.to_owned())
}

/// `^id` at the end of a block, after a blank or alone.
fn block_id(text: &str, run: &Range<usize>, opaque: &[Opaque]) -> Option<Block> {
    let block = text[run.clone()].trim_end();
    let caret = block.rfind('^')?;
    let id = &block[caret + 1..];
    let alone = block[..caret].chars().next_back().is_none_or(char::is_whitespace);
    let valid = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (alone && valid && !within(opaque, run.start + caret))
        .then(|| Block { id: id.to_owned(), span: Span::new(run.start + caret, run.start + block.len()) })
}

/// A heading's text as it is shown: of wikilinks in it only what they show.
fn plain(text: &str) -> String {
    if !text.contains("[[") {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("[[") {
        let Some(close) = rest[open..].find("]]").map(|close| open + close) else { break };
        shown.push_str(&rest[..open]);
        match links::wikilink(&rest[open + 2..close], LinkStyle::Obsidian) {
            Some((target, fragment, label)) => shown.push_str(&label.or(fragment.filter(|_| target.is_empty())).unwrap_or(target)),
            None => shown.push_str(&rest[open..close + 2]),
        }
        rest = &rest[close + 2..];
    }
    shown.push_str(rest);
    shown
}
