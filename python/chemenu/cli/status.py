"""`wikitool status`: what this wiki is, and how it is."""

from chemenu.cli._ask import question
from chemenu.cli._options import FLAG, READING, TEXT, Usage

HELP = "Say what this wiki is, and how it is"
ARGUMENTS = {"check": FLAG, "max_age": TEXT, **READING}
DESCRIPTIONS = {
    "check": "Exit with 1 where there are findings of level `error`, or where HEAD is not the commit that was read.",
    "max_age": "With `--check`, also where the last `git fetch` is longer ago than this: `90s`, `15m`, `2h`, `7d`.",
}
_SECONDS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}


def ask(values):
    check, age = values.pop("check", False), values.pop("max_age", None)
    if age is not None and not check:
        raise Usage("`--max-age` does nothing alone", "add `--check`")
    seconds = None if age is None else _seconds(age)
    json, status, is_error = question("status", values)
    if check and not is_error:
        import sys
        from json import loads

        for defect in _defects(loads(json), seconds, age):
            status = 1
            print(f"unhealthy: {defect}", file=sys.stderr)
    return json, status, is_error


def text(answer):
    from chemenu.cli._text import titled

    for key, item in answer.items():
        if key not in ("commit", "as_of"):
            yield from titled(key, item)


def _seconds(age):
    number, unit = age[:-1], age[-1:]
    if not (number.isascii() and number.isdigit() and unit in _SECONDS):
        raise Usage(f"`{age}` is no age", "write a whole number and `s`, `m`, `h` or `d`, as `15m`")
    return int(number) * _SECONDS[unit]


def _defects(answer, seconds, age):
    """Why the wiki is not as it should be, a sentence each."""
    errors, source = answer["findings"]["error"], answer["source"]
    if errors:
        yield f"{errors} finding{'s' * (errors > 1)} of level error; `wikitool lint` lists them"
    if answer["commit"] and source["head"] and answer["commit"] != source["head"]:
        yield f"HEAD is {source['head']}, and {answer['commit']} was read"
    if seconds is not None:
        from datetime import datetime, timezone

        fetched = source["last_fetch"]
        if fetched is None:
            yield "nothing has been fetched here, or the last fetch failed"
        elif (datetime.now(timezone.utc) - datetime.fromisoformat(fetched.replace("Z", "+00:00"))).total_seconds() > seconds:
            yield f"the last fetch was at {fetched}, more than {age} ago"
