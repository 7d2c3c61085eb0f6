"""Answers for people. Everything that comes from a wiki is shown without the characters that control a terminal."""

import sys

# Controls, and what reorders text unseen; a page must not be able to speak to the terminal. Line ends and tabs are for
# `block` alone.
_UNSEEN = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_IN_LINE = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _UNSEEN}
_IN_LINE |= {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
_IN_BLOCK = {code: shown for code, shown in _IN_LINE.items() if code not in (ord("\n"), ord("\t"))}


def write(render, answer):
    """Writes the stamp and the lines that `render` makes of an answer's JSON to stdout."""
    import json

    value = json.loads(answer)
    # What the terminal's encoding lacks is escaped: an answer must not fail because of one character.
    sys.stdout.reconfigure(errors="backslashreplace")
    print(stamp(value))
    for text in render(value):
        print(text)
    cut(value)


def cut(value):
    """Tells on stderr what a budget cut of an answer."""
    if part := value.get("truncated"):
        also = f", and {names(part['also'])}" if part.get("also") else ""
        print(f"cut to the budget: {part['shown']} of {part['total']} of `{part['what']}`{also}", file=sys.stderr)


def stamp(value):
    """The revision that was read."""
    if value["commit"]:
        return f"commit {value['commit']}, {value['as_of']}"
    return f"no commit: the work tree's files as they were at {value['as_of']}"


def line(text):
    """Text from a wiki on one line."""
    return text.translate(_IN_LINE)


def block(text):
    """Text from a wiki with its own lines."""
    return text.replace("\r\n", "\n").translate(_IN_BLOCK)


def bold(text):
    """Text that stands out on a terminal, unless `NO_COLOR` is set; elsewhere as it is."""
    from os import environ

    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() and not environ.get("NO_COLOR") else text


def value(item):
    """Any value of an answer on one line."""
    if isinstance(item, dict) and item:
        return ", ".join(f"{line(key)} {_inner(inner)}" for key, inner in item.items())
    if isinstance(item, list) and item:
        return ", ".join(map(_inner, item))
    if isinstance(item, bool):
        return "yes" if item else "no"
    return "-" if item in (None, "", [], {}) else line(str(item))


def _inner(item):
    return f"({value(item)})" if item and isinstance(item, (dict, list)) else value(item)


def titled(key, item):
    """A part of an answer under its name: lists and long texts below it, everything else beside it."""
    title = key.replace("_", " ")
    if isinstance(item, list) and any(isinstance(inner, dict) for inner in item):
        yield f"{title}:"
        for inner in item:
            yield f"  {value(inner)}"
    elif isinstance(item, str) and "\n" in item:
        yield f"{title}:"
        for inner in block(item).splitlines():
            yield f"  {inner}".rstrip()
    else:
        yield f"{title}: {value(item)}"


def table(rows):
    """Rows of texts in columns."""
    rows = [[line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def names(items):
    """Names in a sentence."""
    return ", ".join(f"`{line(item)}`" for item in items)


def count(number, noun):
    """`1 page`, `2 pages`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
