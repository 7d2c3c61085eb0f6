"""`wikitool changes`: what has changed since a revision or date."""

from chemenu.cli._ask import question
from chemenu.cli._options import NUMBER, READING, TEXT

HELP = "See what has changed since a revision or date"
ARGUMENTS = {"since": TEXT, "limit": NUMBER, "cursor": TEXT, **READING}


def ask(values):
    return question("changes", values)


def text(answer):
    from chemenu.cli._text import count, line

    since = answer["since"]
    total = ", ".join(f"{number} {status}" for status, number in answer["total"].items() if number)
    yield f"since {since['commit']}, {since['as_of']}: {total or 'no page has changed'}"
    for page in answer["pages"]:
        source = f" from {line(page['from'])}" if "from" in page else ""
        yield f"{page['status']}{source}: {line(page['path'])}  {line(page['title'])}"
        yield from (f"  {entry['status']}: `{line(entry['field'])}`" for entry in page.get("frontmatter", ()))
        for entry in page.get("sections", ()):
            heading = line(entry["heading"]) if entry["heading"] else "what stands before the first heading"
            yield f"  {entry['status']}: {heading}"
    for kind in answer["types"]:
        yield f"type {kind['status']}: {line(kind['name'])}"
    for name, findings in answer["findings"].items():
        for finding in findings if isinstance(findings, list) else ():
            yield f"{name} finding: {line(finding['path'])}:{finding['line']} {finding['rule']}: {line(finding['message'])}"
    for committer in answer["committers"]:
        yield f"{line(committer['name'])}: {count(committer['commits'], 'commit')}"
    if "next_cursor" in answer:
        yield f"{len(answer['pages'])} shown; go on with `--cursor {line(answer['next_cursor'])}`"
