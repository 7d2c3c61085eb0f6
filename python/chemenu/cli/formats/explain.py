"""`wikitool lint --explain`: the reference of the rules, made from what the rules say of themselves."""

import json

from chemenu._chemenu import rules
from chemenu.cli._options import Usage


def ask(values):
    """The reference as an answer. Words of the command line are names of rules."""
    names = list(values.get("paths", ()))
    if values["explain"] is not True:
        names.append(values["explain"])
    known = json.loads(rules())
    for name in names:
        if not any(rule["name"] == name for rule in known):
            raise _unknown(name, [rule["name"] for rule in known])
    chosen = [rule for rule in known if not names or rule["name"] in names]
    if not values["json"]:
        values["write"] = lambda _: print("\n\n".join(map(_explained, chosen)))
    answer = {"commit": None, "as_of": None, "rules": chosen}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode(), 0, False


def _unknown(name, known):
    from difflib import get_close_matches

    near = get_close_matches(name, known)
    hint = f"did you mean `{near[0]}`" if near else "see `wikitool lint --explain`"
    return Usage(f"no rule is named `{name}`", hint, near)


def _explained(rule):
    lines = [f"{rule['name']}: {rule['level']}, about {rule['class']}, from {_SOURCES[rule['source']]}", "", rule["what"], rule["why"]]
    for title, wiki in (("Bad:", rule["bad"]), ("Good:", rule["good"])):
        if wiki:
            lines += ["", title]
            lines += [f"    {line}".rstrip() for path, text in wiki.items() for line in (f"-- {path}", *text.splitlines())]
    return "\n".join(lines)


_SOURCES = {"base": "every wiki", "type": "the page's type", "schema": "the type's schema"}
