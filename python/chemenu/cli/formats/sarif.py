"""Findings as SARIF 2.1.0, for code scanning."""

import json
import re
from urllib.parse import quote

from chemenu._chemenu import rules, version
from chemenu.cli.formats import current, parts

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warn": "warning", "info": "note", "off": "none"}


def document(answer, folder):
    """One log with one run."""
    known = json.loads(rules())
    places = {rule["name"]: index for index, rule in enumerate(known)}
    # Either all results have these, or none.
    has_baseline = "baseline" in answer["summary"]
    states = {}
    if "findings" not in answer:
        by_state = {"new": answer["new"], "unchanged": answer["unchanged"], "absent": answer["fixed"]}
        states = {id(finding): state for state, findings in by_state.items() for finding in findings}

    def result(finding):
        told = {
            "ruleId": finding["rule"],
            "ruleIndex": places[finding["rule"]],
            "level": _LEVELS[finding["level"]],
            "message": {"text": f"{finding['message']}; {finding['hint']}"},
            "locations": [{"physicalLocation": _location(finding, folder)}],
            "partialFingerprints": {"chemenuFingerprint/v1": finding["fingerprint"]},
        }
        if states:
            told["baselineState"] = states[id(finding)]
        if has_baseline:
            told["suppressions"] = [{"kind": "external", "justification": "in the baseline"}] if "suppressed" in finding else []
        if "owner" in finding:
            told["properties"] = {"owner": finding["owner"]}
        return told

    run = {
        "tool": {"driver": {"name": "wikitool", "version": version, "rules": [_rule(rule) for rule in known]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
        "results": [result(finding) for finding in [*current(answer), *answer.get("fixed", ())]],
        "properties": {key: answer[key] for key in ("commit", "as_of", "summary", "checked")},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _location(finding, folder):
    return {
        "artifactLocation": {"uri": "/".join(map(_uri, parts(finding, folder))), "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": finding["line"],
            "startColumn": finding["column"],
            "endLine": finding["end_line"],
            "endColumn": finding["end_column"],
        },
    }


def _uri(path):
    """A shown path as a URI, whose escapes are of the stored bytes.

    Where those are not UTF-8, `\\xNN` shows such a byte and two backslashes one; every other path is shown as it is.
    """
    text = path.encode()
    if re.fullmatch(rb"(?:[^\\]|\\\\|\\x[89a-f][0-9a-f])*", text):
        stored = re.sub(rb"\\(\\|x(..))", lambda shown: bytes.fromhex(shown[2].decode()) if shown[2] else b"\\", text)
        try:
            stored.decode()
        except UnicodeDecodeError:
            return quote(stored)
    return quote(path)


def _rule(rule):
    examples = [
        f"{title} example:\n\n" + "\n".join(f"`{path}`\n\n~~~~~~markdown\n{text}\n~~~~~~\n" for path, text in wiki.items())
        for title, wiki in (("Bad", rule["bad"]), ("Good", rule["good"]))
        if wiki
    ]
    said = f"{rule['what']} {rule['why']}"
    return {
        "id": rule["name"],
        "shortDescription": {"text": rule["what"]},
        "fullDescription": {"text": said},
        "help": {"text": said, "markdown": "\n".join([f"{said}\n", *examples])},
        "defaultConfiguration": {"enabled": rule["level"] != "off", "level": _LEVELS[rule["level"]]},
        "properties": {"tags": [rule["class"], rule["source"]]},
    }
