"""What goes wrong, for people on stderr and for programs as one JSON object on stdout."""

import sys

from chemenu.cli._text import line, stamp


def answer(text):
    """Tells an error object of the core's."""
    import json

    value = json.loads(text)
    error = value["error"]
    _tell(error["message"], error["hint"], error["candidates"])
    if value["as_of"]:
        print(stamp(value), file=sys.stderr)


def usage(problem, json):
    """Tells that a command line cannot be understood; gives the exit status."""
    if json:
        from json import dumps

        error = {"code": "usage", "message": problem.message, "hint": problem.hint, "candidates": problem.candidates}
        sys.stdout.write(dumps({"commit": None, "as_of": None, "error": error}, separators=(",", ":")))
        sys.stdout.flush()
    else:
        _tell(problem.message, problem.hint, problem.candidates)
    return 2


def output(error):
    """Tells that an answer could not be written; gives the exit status."""
    _tell(f"the answer could not be written: {error.strerror}", "check where the output goes", ())
    return 2


def _tell(message, hint, candidates):
    print(f"error: {line(message)}", file=sys.stderr)
    print(f"hint: {line(hint)}", file=sys.stderr)
    for candidate in candidates:
        if f"`{candidate}`" not in hint:
            print(f"  {line(candidate)}", file=sys.stderr)
