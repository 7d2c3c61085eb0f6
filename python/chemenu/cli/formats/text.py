"""Findings for people: by page, each with the line it is in."""

import json

from chemenu.cli._text import count, line

# The widest part of a line that is shown, and how much of it before the place that is meant.
_WIDTH, _BEFORE = 100, 40


def source(state, draft):
    """A function from a page's path to its lines; `None` where it cannot be read."""
    pages = {}

    def lines(path):
        if path not in pages:
            pages[path] = _lines(state, draft, path)
        return pages[path]

    return lines


def lines(answer, source):
    """What people read."""
    if "findings" in answer:
        yield from _pages(answer["findings"], source)
    else:
        for key in ("new", "unchanged"):
            if answer[key]:
                yield f"{key}:"
                yield from _pages(answer[key], source)
        if answer["fixed"]:
            yield "fixed:"
            yield from (f"  {line(finding['path'])}:{_head(finding)}" for finding in answer["fixed"])
            yield ""
    yield _summary(answer)
    yield _checked(answer["checked"])
    if "next_cursor" in answer:
        yield f"go on with `--cursor {answer['next_cursor']}`, or list more with `--limit`"


def _pages(findings, source):
    page = None
    # What CI prints is read by more people than the page.
    secret = {
        (finding["path"], number)
        for finding in findings
        if finding["rule"] == "leaked-secret"
        for number in range(finding["line"], finding["end_line"] + 1)
    }
    for finding in findings:
        if "suppressed" in finding:
            continue
        if finding["path"] != page:
            page = finding["path"]
            yield line(page)
        yield f"  {_head(finding)}"
        found = source(page)
        if found and finding["line"] <= len(found) and (page, finding["line"]) not in secret:
            yield from _frame(finding, found[finding["line"] - 1])
        yield f"    hint: {line(finding['hint'])}"
        yield ""


def _head(finding):
    return f"{finding['line']}:{finding['column']} {finding['level']}: {line(finding['message'])} [{finding['rule']}]"


def _frame(finding, text):
    start = finding["column"] - 1
    end = finding["end_column"] - 1 if finding["end_line"] == finding["line"] else len(text)
    first = max(0, min(start - _BEFORE, len(text) - _WIDTH)) if len(text) > _WIDTH else 0
    last = first + _WIDTH
    before, marked, after = (line(part) for part in (text[first:start], text[start : min(end, last)], text[max(start, min(end, last)) : last]))
    before = "…" * (first > 0) + before
    number = str(finding["line"])
    yield f"    {number} | {before}{marked}{after}{'…' * (last < len(text))}".rstrip()
    yield f"    {' ' * len(number)} | {' ' * _width(before)}{'^' * max(1, _width(marked))}"


def _width(text):
    """How many columns a terminal gives a text."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text if not combining(char))


def _lines(state, draft, path):
    if draft and draft["path"] == path:
        text = draft["text"].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    else:
        answer, _, is_error = state.ask("page", {"name": path, "lines": f"1-{2**31}"})
        if is_error:
            return None
        text = json.loads(answer)["body"]
    return text.split("\n")


def _summary(answer):
    summary = answer["summary"]
    levels = ", ".join(f"{summary[level]} {level}" for level in ("error", "warn", "info") if summary[level])
    told = count(summary["total"], "finding") + (f" ({levels})" if levels else "")
    if "fixed" in summary:
        told += f": {summary['new']} new, {summary['unchanged']} unchanged; {summary['fixed']} fixed"
    if summary.get("baseline"):
        told += f"; {summary['baseline']} in the baseline"
    if summary["suppressed"]:
        told += f"; {summary['suppressed']} more suppressed in the pages"
    # Which rules there is most to do for; of one or two that is plain to see.
    rules = sorted(summary["rules"].items(), key=lambda rule: (-rule[1], rule[0]))
    if len(rules) > 2:
        told += "\n" + ", ".join(f"{name} {number}" for name, number in rules)
    return told


def _checked(checked):
    told = ", ".join(count(checked[key], key[:-1]) for key in ("pages", "links", "footnotes", "rules"))
    unread = f"; not read: {', '.join(map(line, checked['unread']))}" if checked["unread"] else ""
    return f"checked: {told}{unread}"
