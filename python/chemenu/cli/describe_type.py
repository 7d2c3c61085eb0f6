"""`wikitool describe-type`: what a page of a type looks like, for whoever writes or looks for one."""

from chemenu.cli._ask import question
from chemenu.cli._options import ONE, READING

HELP = "Explain a type to whoever is about to write or query such a page"
ARGUMENTS = {"type": ONE, **READING}


def ask(values):
    return question("describe_type", values)


def text(answer):
    from chemenu.cli._text import line, titled

    yield f"{line(answer['name'])}  {line(answer['path'] or '')}".rstrip()
    for key, item in answer.items():
        if key == "fields":
            yield "fields:"
            yield from map(_field, item)
        elif key == "constraints":
            yield "constraints (JSON Schema):"
            yield from map(_constraint, item)
        elif key not in ("commit", "as_of", "name", "path", "truncated") and item not in (None, "", [], {}):
            yield from titled(key, item)


def _field(field):
    from chemenu.cli._text import line, value

    kind = " ".join(["required"] * field["required"] + [value(field[key]) for key in ("type", "format") if key in field])
    if "values" in field:
        kind += f", one of {value(field['values'])}"
    if "values" in field.get("items", ()):
        kind += f", each one of {value(field['items']['values'])}"
    told = ("name", "required", "type", "format", "values", "description", "advice", "pages", "examples", "items", "fields", "inferred")
    kind += "".join(f", {key} {value(item)}" for key, item in field.items() if key not in told)
    about = f": {line(field['description'])}" if field.get("description") else ""
    advice = "".join(f"\n    {line(text)}" for text in field.get("advice", ()))
    return f"  {line(field['name'])} ({kind}){about}{advice}"


def _constraint(constraint):
    import json

    from chemenu.cli._text import line

    return f"  {line(constraint['of'])}: {line(json.dumps(constraint['schema'], ensure_ascii=False))}"
