"""`wikitool search`: which pages have these words."""

from chemenu.cli._ask import question
from chemenu.cli._options import MAYBE, NUMBER, ONE, READING, TEXT

HELP = "Find pages by their words"
ARGUMENTS = {"query": ONE, "limit": NUMBER, "cursor": TEXT, "explain": MAYBE, **READING}


def ask(values):
    return question("search", values)


def text(answer):
    from chemenu.cli._text import count, line, names

    asked = answer["query"]
    yield f"{count(answer['total'], 'page')} for {line(asked['text'])}"
    for hit in answer["hits"]:
        yield ""
        yield from _hit(hit)
    if answer["total"]:
        yield ""
    if explained := answer.get("explained"):
        yield f"{line(explained['path'])}: {line(explained['reason'])}"
        yield from _parts(explained.get("explain", ()))
    for kind, counts in answer["facets"].items():
        if counts:
            yield f"{kind}s: " + ", ".join(f"{line(facet['value'])} ({facet['count']})" for facet in counts)
    for near in answer["suggestions"]:
        yield f"no page has {names([near['term']])}; near: {names(near['words'])}"
    for note in answer["notes"]:
        yield f"note: {line(note)}"
    if "next_cursor" in answer:
        shown = len(answer["hits"])
        yield f"{shown} shown; go on with `--cursor {line(answer['next_cursor'])}`"


def _hit(hit):
    from chemenu.cli._text import line, names

    yield f"{line(hit['path'])}  {line(hit['title'])}"
    about = [line(hit[key]) for key in ("type", "modified") if hit[key]]
    if hit["missing"]:
        about.append(f"without {names(hit['missing'])}")
    if "superseded_by" in hit:
        about.append(f"superseded by {names([hit['superseded_by']])}")
    if about:
        yield "  " + ", ".join(about)
    if hit["summary"]:
        yield "  " + line(hit["summary"])
    for snippet in hit["snippets"]:
        yield f"  {snippet['line']}: {_highlighted(snippet)}"
    yield from _parts(hit.get("explain", ()))


def _highlighted(snippet):
    """A snippet's text, what matched in it bold on a terminal."""
    from chemenu.cli._text import bold, line

    text, shown, at = snippet["text"], "", 0
    for start, end in snippet["highlights"]:
        shown += line(text[at:start]) + bold(line(text[start:end]))
        at = end
    return shown + line(text[at:])


def _parts(parts):
    """What each term adds to a score."""
    from chemenu.cli._text import count, line

    for part in parts:
        fields = ", ".join(f"{name} {times['stemmed'] or times['exact']}" for name, times in part["fields"].items())
        yield f"  {part['score']:.4f} for {line(part['term'])} ({count(part['pages'], 'page')}): {fields or 'no text'}"
