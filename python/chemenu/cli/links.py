"""`wikitool links`: what a page links to, and what links to it."""

from chemenu.cli._ask import question
from chemenu.cli._options import NUMBER, ONE, READING, TEXT, Usage

HELP = "See what a page links to, and what links to it"
ARGUMENTS = {"name": ONE, "depth": NUMBER, "format": TEXT, **READING}
# What the question does not have.
DESCRIPTIONS = {"format": "`text`, `json` (as `--json`) or `dot` (a graph for Graphviz)."}
FORMATS = ("text", "json", "dot")


def ask(values):
    name = values.pop("format", "json" if values.get("json") else "text")
    if name not in FORMATS:
        raise Usage(f"no format is named `{name}`", "use `text`, `json` or `dot`", FORMATS)
    if values.get("json") and name != "json":
        raise Usage(f"`--json` does not go with `--format {name}`", "leave one of them out")
    values["json"] = name == "json"
    if name == "dot":
        values["write"] = _dot
    return question("links", {key: value for key, value in values.items() if key != "write"})


def text(answer):
    from chemenu.cli._text import line, names

    yield f"{line(answer['path'])}  {line(answer['title'])}"
    for key, arrow in ("outgoing", "->"), ("incoming", "<-"):
        yield f"{key}: {answer['total'][key]}"
        yield from (f"  {arrow} {_shown(entry)}" for entry in answer[key])
    if answer["unresolved"]:
        yield f"unresolved: {answer['total']['unresolved']}"
        for entry in answer["unresolved"]:
            near = f"; {names(entry['candidates'])}" if entry["candidates"] else ""
            yield f"  line {entry['line']}: {line(entry['target'] or entry['fragment'] or '')} ({entry['reason']}){near}"
    for entry in answer.get("reached", ()):
        arrow = "->" if entry["direction"] == "outgoing" else "<-"
        yield f"  {entry['distance']} away: {line(entry['from'])} {arrow} {line(entry['path'])}"


def _shown(entry):
    """One link on one line: the page at its other end, and how it is stated."""
    from chemenu.cli._text import line

    how = [entry["kind"].replace("_", " ")] if entry["kind"] != "wikilink" else []
    how += [f"{key} {line(entry[key])}" for key in ("relation", "footnote", "section") if entry[key]]
    return f"{line(entry['path'])}  line {entry['line']}" + (f" ({', '.join(how)})" if how else "")


def _dot(answer):
    """The links as a graph; each pair of pages once."""
    import json

    answer = json.loads(answer)
    own, edges = answer["path"], {}
    for entry in answer["outgoing"]:
        edges.setdefault((own, entry["path"]), entry["relation"])
    for entry in answer["incoming"]:
        edges.setdefault((entry["path"], own), entry["relation"])
    for entry in answer.get("reached", ()):
        ends = (entry["from"], entry["path"])
        edges.setdefault(ends if entry["direction"] == "outgoing" else ends[::-1], None)
    print("digraph wiki {")
    print(f"  {_quoted(own)} [style=bold];")
    for (start, end), relation in edges.items():
        label = f" [label={_quoted(relation)}]" if relation else ""
        print(f"  {_quoted(start)} -> {_quoted(end)}{label};")
    print("}")


def _quoted(name):
    from chemenu.cli._text import line

    return '"' + line(name).replace("\\", "\\\\").replace('"', '\\"') + '"'
