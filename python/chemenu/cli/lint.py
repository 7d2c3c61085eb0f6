"""`wikitool lint`: what is wrong in the wiki."""

from chemenu.cli._ask import question
from chemenu.cli._options import EACH, LIST, NUMBER, READING

HELP = "Find what is wrong in the wiki"
ARGUMENTS = {"paths": EACH, "select": LIST, "ignore": LIST, "limit": NUMBER, **READING}


def ask(values):
    return question("lint", values)


def text(answer):
    from chemenu.cli._text import line, value

    for finding in answer["findings"]:
        where = f"{line(finding['path'])}:{finding['line']}:{finding['column']}"
        yield f"{where}: {finding['level']}: {line(finding['message'])} [{finding['rule']}]"
        yield f"  hint: {line(finding['hint'])}"
    yield f"findings: {value(answer['summary'])}"
    yield f"checked: {value(answer['checked'])}"
