"""Findings as workflow commands, which GitHub shows beside the lines of a change. Known findings are left out."""

from chemenu.cli.formats import current, path

_COMMANDS = {"error": "error", "warn": "warning", "info": "notice"}


def document(answer, folder):
    """One command a line."""
    return "".join(_command(finding, folder) for finding in current(answer) if "suppressed" not in finding)


def _command(finding, folder):
    place = {"file": path(finding, folder), "line": finding["line"], "endLine": finding["end_line"]}
    if finding["line"] == finding["end_line"]:
        # Columns are understood within one line only, and the last one is included.
        place |= {"col": finding["column"], "endColumn": max(finding["column"], finding["end_column"] - 1)}
    place["title"] = finding["rule"]
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
    return f"::{_COMMANDS[finding['level']]} {properties}::{_data(finding['message'])}%0A{_data(finding['hint'])}\n"


def _data(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text):
    return _data(text).replace(":", "%3A").replace(",", "%2C")
