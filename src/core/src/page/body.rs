//! The Markdown below the front matter: headings, links, footnotes.

use std::ops::Range;
use std::sync::OnceLock;

use super::anchors::{Anchor, Anchors};
use super::hidden;
use super::links::{Found, Link, LinkKind, LinkStyle, Opaque, Source, merged, within};
use super::slug::Numbering;
use super::walk::{Draft, Run, Walk};
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
    anchors: OnceLock<Anchors>,
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
        let mut walk = Walk::through(text, start);
        let mut opaque = merged(std::mem::take(&mut walk.opaque));
        let comments = hide(text, &mut walk, &mut opaque);
        let starts: Vec<usize> = walk.markdown.iter().map(|link| link.span.start as usize).collect();
        let source = Source { text, opaque: &opaque, markdown: &starts, notes: &walk.notes, style };

        let mut body = Self { span: Span::new(start, text.len()), footnotes: walk.footnotes, ..Self::default() };
        let mut markdown = walk.markdown.into_iter().peekable();
        for run in &walk.runs {
            body.read(
                &source.within(&run.range),
                run,
                std::iter::from_fn(|| markdown.next_if(|link| (link.span.start as usize) < run.range.end)),
            );
        }
        body.headings = headings(text, walk.headings, &body, &comments);
        body
    }

    /// Adds what one run holds, which `source` is narrowed to; `markdown` are the Markdown links in it.
    fn read(&mut self, source: &Source, run: &Run, markdown: impl Iterator<Item = Link>) {
        let section = run.headings.checked_sub(1);
        let first = self.links.len();
        let first_ref = self.footnote_refs.len();
        source.scan(run.range.clone(), |found| match found {
            Found::Wikilink { range, embed, target, fragment, label } => self.links.push(Link {
                kind: if embed { LinkKind::Embed } else { LinkKind::Wikilink },
                span: Span::new(range.start, range.end),
                target,
                fragment,
                label,
                section,
                relation: None,
            }),
            Found::Footnote { range, key } => {
                self.footnote_refs.push(FootnoteRef { key, span: Span::new(range.start, range.end), section });
            }
        });
        self.links.extend(markdown.map(|link| Link { section, ..link }));
        let links = &mut self.links[first..];
        links.sort_by_key(|link| link.span.start);
        let block = block_id(source, run);
        if run.opens_item {
            let end = block.as_ref().map_or(run.range.end, |block| block.span.start as usize);
            let relation = relation(source, run.range.start..end, links, &self.footnote_refs[first_ref..]);
            for link in links {
                link.relation.clone_from(&relation);
            }
        }
        self.blocks.extend(block);
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

    /// What a fragment (`H`, `A#B`, `^block`, `an-anchor`) means here.
    ///
    /// Headings are found by their text as Obsidian compares it, the first of equal ones, or by GitHub's anchor; of a
    /// path each heading must stand below the one before it.
    pub fn anchor(&self, fragment: &str) -> Option<Anchor> {
        self.anchors.get_or_init(|| Anchors::new(&self.headings, &self.blocks)).find(fragment)
    }
}

/// Takes out what stands in comments, expressions and maths, and makes all of it opaque. Gives the comments.
fn hide(text: &str, walk: &mut Walk, opaque: &mut Vec<Opaque>) -> Vec<Opaque> {
    let bytes = text.as_bytes();
    let has = |mark: &[u8]| memchr::memmem::find(bytes, mark).is_some();
    let percents = has(b"%%");
    let dollars = memchr::memchr(b'$', bytes).is_some();
    let expressions = dollars && has(b"${");
    let part = |hard| move |range| Opaque { range, hard };
    let mut comments = Vec::new();
    if percents {
        comments.extend(hidden::comments(text, &walk.runs, opaque).into_iter().map(part(true)));
        *opaque = merged([&opaque[..], &comments].concat());
    }
    let mut gone = comments.clone();
    if expressions {
        gone.extend(hidden::expressions(text, opaque).into_iter().map(part(true)));
        *opaque = merged([&opaque[..], &gone].concat());
    }
    if dollars {
        let maths: Vec<Opaque> = hidden::maths(text, &walk.runs, opaque).into_iter().map(part(false)).collect();
        *opaque = merged([&opaque[..], &maths].concat());
        gone.extend(maths);
    }
    if gone.is_empty() {
        return comments;
    }
    let gone = merged(gone);
    let kept: Vec<bool> = walk.headings.iter().map(|heading| !within(&gone, heading.span.start as usize)).collect();
    let mut before = vec![0u32];
    before.extend(kept.iter().scan(0, |count, &kept| {
        *count += u32::from(kept);
        Some(*count)
    }));
    for run in &mut walk.runs {
        run.headings = before[run.headings as usize];
    }
    let mut kept = kept.into_iter();
    walk.headings.retain(|_| kept.next().unwrap_or(true));
    walk.markdown.retain(|link| !within(&gone, link.span.start as usize));
    walk.footnotes.retain(|note| !within(&gone, note.span.start as usize));
    comments
}

/// Headings with their texts: of wikilinks in them only what they show, of comments and block ids nothing.
fn headings(text: &str, drafts: Vec<Draft>, body: &Body, comments: &[Opaque]) -> Vec<Heading> {
    let mut numbering = Numbering::default();
    let mut heading = |draft: Draft| {
        let span = draft.span.range();
        let inside = |range: &Range<usize>| range.start < span.end;
        let first = body.links.partition_point(|link| (link.span.start as usize) < span.start);
        let wikilinks = body.links[first..]
            .iter()
            .map(|link| (link.span.range(), link))
            .take_while(|(range, _)| inside(range))
            .filter(|(_, link)| matches!(link.kind, LinkKind::Wikilink | LinkKind::Embed))
            .map(|(range, link)| (range, link.shown()));
        let first = comments.partition_point(|comment| comment.range.end <= span.start);
        let comments = comments[first..].iter().map(|comment| comment.range.clone()).take_while(inside);
        let first = body.blocks.partition_point(|block| (block.span.start as usize) < span.start);
        let blocks = body.blocks[first..].iter().map(|block| block.span.range()).take_while(inside);
        let mut replaced: Vec<_> = wikilinks.chain(comments.chain(blocks).map(|range| (range, ""))).collect();
        replaced.sort_by_key(|(range, _)| range.start);
        let shown = shown(text, &draft.parts, &replaced);
        Heading { level: draft.level, anchor: numbering.anchor(&shown), text: shown, span: draft.span }
    };
    drafts.into_iter().map(&mut heading).collect()
}

/// The parts of a heading as one text, where some ranges of the source show something else.
fn shown(text: &str, parts: &[(Range<usize>, impl AsRef<str>)], replaced: &[(Range<usize>, &str)]) -> String {
    let mut shown = String::new();
    let mut replaced = replaced.iter().peekable();
    // Up to where the source is shown already.
    let mut done = 0;
    for (at, content) in parts {
        let content = content.as_ref();
        // Code, entities and line ends are shown otherwise than they are written, and only as a whole.
        let verbatim = text[at.clone()] == *content;
        let mut from = at.start.max(done);
        while let Some((range, instead)) = replaced.next_if(|(range, _)| range.start < at.end) {
            if verbatim && from < range.start {
                shown.push_str(&text[from..range.start]);
            }
            shown.push_str(instead);
            done = range.end;
            from = from.max(done);
        }
        if from == at.start {
            shown.push_str(content);
        } else if verbatim && from < at.end {
            shown.push_str(&text[from..at.end]);
        }
    }
    let trimmed = shown.trim();
    if trimmed.len() == shown.len() { shown } else { trimmed.to_owned() }
}

/// The name of the relation that a list item states: a bold label that ends in a colon, followed by links only.
fn relation(source: &Source, item: Range<usize>, links: &[Link], refs: &[FootnoteRef]) -> Option<String> {
    let text = &source.text[item.clone()];
    let fence = ["**", "__"].into_iter().find(|fence| text.starts_with(fence))?;
    let close = fence.len() + text[fence.len()..].find(fence)?;
    let label = text[fence.len()..close].trim().strip_suffix(':')?.trim();
    let mut at = item.start + close + fence.len();
    let mut spans: Vec<Span> = links.iter().map(|link| link.span).chain(refs.iter().map(|note| note.span)).collect();
    spans.sort();
    if label.is_empty() || links.is_empty() || (spans[0].start as usize) < at {
        return None;
    }
    for span in spans.into_iter().map(Span::range) {
        // A link within the text of another one says nothing new.
        if span.start >= at {
            if !separates(source, at..span.start) {
                return None;
            }
            at = span.end;
        }
    }
    separates(source, at..item.end).then(|| label.to_owned())
}

/// Whether nothing but commas, blanks and comments stands between two links.
fn separates(source: &Source, gap: Range<usize>) -> bool {
    let first = source.opaque.partition_point(|part| part.range.end <= gap.start);
    let parts = source.opaque[first..].iter().take_while(|part| part.range.start < gap.end);
    let mut at = gap.start;
    let mut texts = Vec::new();
    for part in parts {
        if !["<!--", "%%"].iter().any(|open| source.text[part.range.clone()].starts_with(open)) {
            return false;
        }
        texts.push(at.min(part.range.start)..part.range.start);
        at = part.range.end;
    }
    texts.push(at.min(gap.end)..gap.end);
    texts.into_iter().all(|range| {
        // A wrapped line of a quote begins with its marks.
        source.text[range].split('\n').enumerate().all(|(line, text)| {
            text.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';') || (line > 0 && c == '>'))
        })
    })
}

/// `^id` at the end of a block, after a blank or alone.
fn block_id(source: &Source, run: &Run) -> Option<Block> {
    let block = source.text[run.range.clone()].trim_end();
    let before = block.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let id = &block[before.len()..];
    let rest = before.strip_suffix('^').filter(|_| !id.is_empty())?;
    let caret = rest.len();
    let start = run.range.start + caret;
    if !rest.chars().next_back().is_none_or(char::is_whitespace) || within(source.opaque, start) {
        return None;
    }
    // A line behind a table is its last row to CommonMark; in any other cell `^2` is a power.
    if run.cell && (caret > 0 || !opens_line(source.text, start)) {
        return None;
    }
    Some(Block { id: id.to_owned(), span: Span::new(start, run.range.start + block.len()) })
}

fn opens_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '>']);
    before.is_empty() || before.ends_with('\n')
}
