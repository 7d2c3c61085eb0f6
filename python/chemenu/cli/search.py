"""`wikitool search`: which pages have these words."""

from chemenu.cli._ask import question
from chemenu.cli._options import NUMBER, ONE, READING

HELP = "Find pages by their words"
ARGUMENTS = {"query": ONE, "limit": NUMBER, **READING}


def ask(values):
    return question("search", values)


def text(answer):
    from chemenu.cli._text import count, line, names

    yield f"{count(answer['total'], 'page')} for {line(answer['query']['text'])}"
    for hit in answer["hits"]:
        yield ""
        yield f"{line(hit['path'])}  {line(hit['title'])}"
        about = [line(hit[key]) for key in ("type", "modified") if hit[key]]
        if hit["missing"]:
            about.append(f"without {names(hit['missing'])}")
        if about:
            yield "  " + ", ".join(about)
        if hit["summary"]:
            yield "  " + line(hit["summary"])
    for note in answer["notes"]:
        yield f"note: {line(note)}"
