"""`wikitool lint`: what is wrong in the wiki."""

from chemenu.cli._ask import question
from chemenu.cli._options import EACH, LIST, NUMBER

HELP = "Find what is wrong in the wiki"
ARGUMENTS = {"paths": EACH, "select": LIST, "ignore": LIST, "limit": NUMBER}


def ask(values):
    return question("lint", values)


def text(answer):
    from chemenu.cli._text import line, value

    for finding in answer["findings"]:
        place = ":".join(str(finding[key]) for key in ("line", "column") if finding.get(key))
        where = ":".join(part for part in (line(finding["path"]), place) if part)
        yield f"{where}: {finding['level']}: {line(finding['message'])} [{finding['rule']}]"
        if finding.get("hint"):
            yield f"  hint: {line(finding['hint'])}"
    yield f"findings: {value(answer['summary'])}"
    yield f"checked: {value(answer['checked'])}"
