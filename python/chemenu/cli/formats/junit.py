"""Findings as a JUnit report: a suite for each page, a failed test for each error.

Other levels do not make lint fail; their tests pass and say what was found. Known findings are skipped tests.
"""

from itertools import groupby
from xml.etree import ElementTree

from chemenu.cli._text import line
from chemenu.cli.formats import current, path


def document(answer, folder):
    """The report."""
    suites = ElementTree.Element("testsuites", name="wikitool lint")
    for page, findings in groupby(current(answer), lambda finding: path(finding, folder)):
        _suite(suites, page, answer, [_case(page, finding) for finding in findings])
    if not len(suites):
        _suite(suites, "wikitool lint", answer, [ElementTree.Element("testcase", name="no findings", classname="wikitool lint", time="0")])
    for key in ("tests", "failures", "skipped", "errors"):
        suites.set(key, str(sum(int(suite.get(key)) for suite in suites)))
    suites.set("time", "0")
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _suite(suites, name, answer, cases):
    counts = {key: str(sum(case.find(tag) is not None for case in cases)) for key, tag in (("failures", "failure"), ("skipped", "skipped"))}
    # The usual form has no zone.
    timestamp = answer["as_of"].removesuffix("Z")
    suite = ElementTree.SubElement(suites, "testsuite", name=_text(name), tests=str(len(cases)), **counts, errors="0", time="0", timestamp=timestamp)
    suite.extend(cases)


def _case(page, finding):
    place = f"{finding['line']}:{finding['column']}"
    case = ElementTree.Element("testcase", name=f"{finding['rule']} at {place}", classname=_text(page), time="0")
    message = _text(finding["message"])
    told = f"{_text(page)}:{place}: {finding['level']}: {message}\nhint: {_text(finding['hint'])}"
    if "suppressed" in finding:
        ElementTree.SubElement(case, "skipped", message="in the baseline")
    elif finding["level"] == "error":
        ElementTree.SubElement(case, "failure", type=finding["rule"], message=message).text = told
    else:
        ElementTree.SubElement(case, "system-out").text = told
    return case


def _text(text):
    """Without the characters that XML cannot say."""
    return line(text).translate({0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"})
