"""Changes, citations and last changes against git itself, and against naive readings of the texts."""

import datetime
import random
import re
from collections import Counter

import corpora
import fronts
import golden
import pytest
import yaml
from chemenu import errors
from chemenu.api import Corpus
from corpora import BUDGET, History

# All scalars are texts; written in C where that is at hand.
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
EVERYTHING = {"limit": 10**6, "budget": BUDGET}
# Pairs of commits of the real wiki that are compared, each in both directions; fifty and more have been.
PAIRS = 6


@pytest.fixture(scope="module")
def commonplace(tmp_path_factory):
    history = History(corpora.commonplace(tmp_path_factory.mktemp("commonplace") / "wiki"))
    yield history
    history.close()


@pytest.fixture(scope="module")
def asked(commonplace):
    """One corpus for all questions: it keeps what it has read."""
    return Corpus(commonplace.wiki, cache=False)


def changes(corpus, before, after, **arguments):
    return corpus.changes(before, at=after, **{**EVERYTHING, **arguments})


def stated(answer):
    """The pages of an answer as git states them."""
    return sorted((entry["status"], entry["path"], entry.get("from") or "") for entry in answer["pages"])


def as_git_says(history, before, after):
    return sorted((status, path, origin or "") for status, path, origin in history.differences(before, after))


def pairs(history, count, seed):
    """Sampled pairs of commits, the older one first, three in a part of the history: far ones take long."""
    choice = random.Random(seed)
    for number in range(count):
        if number % 3 == 0:
            first = choice.randrange(len(history.commits) - 60)
        after, distance = first + choice.randrange(30), choice.randint(1, 30)
        yield history.commits[after + distance], history.commits[after]


def check(history, corpus, before, after):
    """One answer against git and the texts; gives it."""
    answer = changes(corpus, before, after)
    assert stated(answer) == as_git_says(history, before, after), (before, after)
    assert Counter(entry["status"] for entry in answer["pages"]) == Counter(answer["total"])
    for entry in answer["pages"]:
        if entry["status"] in ("changed", "renamed"):
            old = history.text(before, entry.get("from") or entry["path"])
            new = history.text(after, entry["path"])
            check_fields(entry, old, new)
            check_sections(entry, old, new)
    return answer


def parts(text):
    """A page's front matter and its body."""
    found = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return (found[1], text[found.end() :]) if found else ("", text)


def fields(text):
    """The front matter by another YAML reader; `None` where it is no plain mapping."""
    try:
        found = yaml.load(parts(text)[0] or "{}", LOADER)
    except yaml.YAMLError:
        return None
    return found if isinstance(found, dict) else None


def differing(old, new):
    """Keys with what became of them."""
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            yield key, "added" if key not in old else "removed" if key not in new else "changed"


def check_fields(entry, old, new):
    old, new = fields(old), fields(new)
    if old is not None and new is not None:
        found = sorted((field["field"], field["status"]) for field in entry["frontmatter"])
        assert found == sorted(differing(old, new)), entry["path"]


def sections(text):
    """By headings and a number: the text of each section, by a reader of simple Markdown; `None` for any other."""
    body = parts(text)[1].split("\n")
    found, open_, fence, paragraph = [[None, ""]], [], None, 0
    for line in body:
        heading = None
        if fence:
            if re.fullmatch(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*", line):
                fence = None
            paragraph = 0
        elif started := re.match(r"[ \t]*(```+|~~~+)", line):
            if line[0] != started[1][0] or (started[1][0] == "`" and "`" in line[len(started[1]) :]):
                return None
            fence, paragraph = started[1], 0
        elif simple := re.fullmatch(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*", line):
            heading = len(simple[1]), simple[2] or ""
            paragraph = 0
        elif re.fullmatch(r" {0,3}(=+|-+)[ \t]*", line) and paragraph:
            # A heading of one plain line, or something else altogether.
            before = found[-1][1].rstrip("\n").split("\n")[-1]
            if paragraph > 1 or not re.match(r"\w", before) or re.match(r"\d+[.)]", before):
                return None
            found[-1][1] = found[-1][1].removesuffix(before + "\n")
            heading, line = (1 if "=" in line else 2, before.strip()), f"{before}\n{line}"
            paragraph = 0
        # HTML blocks and headings in quotes and lists are beyond this reader.
        elif re.match(r"[ \t]*<|[ \t>*+-]*[>*+-][ \t]*#|[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:#|```|~~~)", line) or "%%" in line or "$$" in line:
            return None
        else:
            paragraph = paragraph + 1 if line.strip() else 0
        if heading:
            level, name = heading
            if re.search(r"[\[\]<>&\\~=|%$^#!]", name):
                return None
            open_ = [(depth, of) for depth, of in open_ if depth < level] + [(level, re.sub("[`*_]", "", name).strip())]
            found.append(["#".join(of for _, of in open_), ""])
        found[-1][1] += line + "\n"
    seen, keyed = Counter(), {}
    for path, section in found:
        if path is not None or section.strip():
            keyed[path, seen[path]] = section.strip()
            seen[path] += 1
    return keyed


compared = Counter()


def check_sections(entry, old, new):
    old, new = sections(old), sections(new)
    compared["left out" if old is None or new is None else "sections"] += 1
    if old is not None and new is not None:
        found = sorted((re.sub("[`*_]", "", section["heading"] or ""), section["status"]) for section in entry["sections"])
        expected = sorted((heading or "", status) for (heading, _), status in differing(old, new))
        assert found == expected, entry["path"]


def test_changes_are_what_git_says(commonplace, asked):
    statuses = Counter()
    for before, after in pairs(commonplace, PAIRS, seed=1):
        for answer in (check(commonplace, asked, before, after), check(commonplace, asked, after, before)):
            statuses.update(answer["total"])
            assert (answer["commit"], answer["since"]["commit"]) in [(before, after), (after, before)]
    assert all(statuses[status] > 5 for status in ("added", "removed", "renamed", "changed")), statuses
    # The naive reader of sections is no excuse for comparing none.
    assert compared["sections"] > compared["left out"], compared


class Synthetic:
    """A wiki that a test writes, and git's view of it."""

    def __init__(self, folder):
        folder.mkdir()
        self.folder = golden.init(folder)
        golden.git(folder, "config", "core.fileMode", "true")

    def commit(self, pages, removed=()):
        for path in removed:
            (self.folder / path).unlink()
        for path, text in pages.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        golden.git(self.folder, "add", "--all", "--force")
        golden.git(self.folder, "commit", "--quiet", "--allow-empty", "--message", "x")
        return golden.git(self.folder, "rev-parse", "HEAD")

    def check(self, before, after):
        """Both directions against git."""
        history, corpus = History(self.folder), Corpus(self.folder, cache=False)
        try:
            check(history, corpus, after, before)
            return check(history, corpus, before, after)
        finally:
            history.close()


@pytest.fixture
def synthetic(tmp_path):
    return Synthetic(tmp_path / "wiki")


def page(seed, lines=20):
    """A page of words, the same for the same seed."""
    choice = random.Random(seed)
    body = [" ".join(f"w{choice.randrange(10**6)}" for _ in range(choice.randint(1, 20))) for _ in range(lines)]
    return f"# Page {seed}\n\n## Part\n" + "\n".join(body) + "\n"


def edited(text, share, seed=0):
    """The text with about that share of its lines written anew."""
    choice = random.Random(seed)
    return "\n".join(line if choice.random() > share or not line else f"new {choice.random()}" for line in text.split("\n"))


RENAMES = {
    "alike": ({"a.md": page(1)}, {"b.md": page(1)}),
    "with edits": ({"a.md": page(1)}, {"b.md": edited(page(1), 0.3)}),
    "with too many": ({"a.md": page(1)}, {"b.md": edited(page(1), 0.8)}),
    "into a folder": ({"a.md": page(1), "b.md": page(2)}, {"x/y/a.md": edited(page(1), 0.2), "x/b.md": page(2)}),
    "one name in other folders": (
        {"a/index.md": page(1), "b/index.md": edited(page(1), 0.1), "c/index.md": edited(page(1), 0.1, 1)},
        {"d/index.md": page(1), "e/index.md": edited(page(1), 0.15), "f/other.md": edited(page(1), 0.1, 1)},
    ),
    "a swap": ({"a.md": page(1), "b.md": page(2)}, {"a.md": page(2), "b.md": page(1)}),
    "a copy": ({"a.md": page(1)}, {"a.md": page(1), "b.md": page(1)}),
    "a copy of what is gone": ({"a.md": page(1)}, {"x/a.md": page(1), "b.md": page(1), "c.md": edited(page(1), 0.1)}),
    "a new one at the old path": ({"a.md": page(1)}, {"b.md": page(1), "a.md": page(2)}),
    "of which one is more alike": (
        {"a.md": page(1), "b.md": edited(page(1), 0.1)},
        {"c.md": edited(page(1), 0.2), "d.md": edited(page(1), 0.05)},
    ),
    "no text": ({"a.md": page(1) + "\0\n", "b.md": b"\x89PNG\r\n\0" * 90}, {"c.md": page(1) + "\0\n\n", "d.md": b"\x89PNG\r\n\0" * 80}),
    "no UTF-8": ({"a.md": b"\xff\n" + page(1).encode()}, {"b.md": b"\xff\n" + page(1).encode(), "a.md": b"\xfe\n" + page(1).encode()}),
    "other line ends": ({"a.md": page(1), "b.md": page(2)}, {"c.md": page(1).replace("\n", "\r\n"), "b.md": page(2).replace("\n", "\r\n")}),
    "other bytes of one text": ({"a.md": "# A\n", "b.md": b"# \xff\n"}, {"a.md": "\ufeff# A\n", "b.md": b"# \xfe\n"}),
    "empty": ({"a.md": "", "b.md": "", "c/d.md": ""}, {"x.md": "", "c/a.md": "", "y.md": "\n"}),
    "no last line end": ({"a.md": "x\ny\nz", "b.md": "one line"}, {"c.md": "x\ny\nz\n", "d.md": "one line\n"}),
    "long lines": ({"a.md": "# A\n" + "word " * 100}, {"b.md": "# A\n" + "word " * 80 + "other " * 15}),
    "small ones": ({"a.md": "a\n", "b.md": "a\nb\n"}, {"c.md": "a\nc\n", "d.md": "b\n"}),
    "hidden": ({"a.md": page(1), ".x/b.md": page(2), "c/.d.md": page(3)}, {".a.md": page(1), "b.md": page(2), "d.md": page(3)}),
    "no page": ({"a.md": page(1), "b.txt": page(2)}, {"a.txt": page(1), "b.md": page(2)}),
    "odd names": ({'a "b".md': page(1), "ü\té.md": page(2), "c.MD": page(3)}, {"a\\b.md": page(1), "x\ny.md": page(2), "c.md": page(3)}),
}


@pytest.mark.parametrize("name", RENAMES)
def test_renames_are_what_git_says(synthetic, name):
    old, new = RENAMES[name]
    before = synthetic.commit({"stays.md": "# Stays\n", **old})
    synthetic.check(before, synthetic.commit(new, removed=old.keys()))


@pytest.mark.parametrize("seed", range(6))
def test_renames_of_many_alike_are_what_git_says(synthetic, seed):
    """Pages of a few lines, of which many are equally alike: which one is taken depends on git's order."""
    choice = random.Random(seed)

    def some():
        lines = [f"line {choice.randrange(3)} {'x' * choice.randrange(3)}" for _ in range(choice.randint(0, 7))]
        return "\n".join(lines) + choice.choice(["", "\n", "\r\n"])

    def files(count):
        folders, names = ["", "a/", "b/", "a/c/"], ["index.md", "x.md", "y.md", "z.md", *(f"{number}.md" for number in range(12))]
        return {choice.choice(folders) + choice.choice(names): some() for _ in range(count)}

    old, new = files(30), files(30)
    before = synthetic.commit(old)
    answer = synthetic.check(before, synthetic.commit(new, removed=old.keys()))
    assert answer["total"]["renamed"] > 3


def test_a_mode_is_no_change(synthetic):
    before = synthetic.commit({"a.md": page(1), "b.md": page(2)})
    (synthetic.folder / "a.md").chmod(0o755)
    (synthetic.folder / "b.md").chmod(0o755)
    after = synthetic.commit({"b.md": edited(page(2), 0.3)})
    assert [entry["path"] for entry in synthetic.check(before, after)["pages"]] == ["b.md"]


def test_a_page_that_becomes_a_symlink_is_gone(synthetic):
    before = synthetic.commit({"a.md": page(1), "b.md": page(2)})
    (synthetic.folder / "a.md").unlink()
    (synthetic.folder / "a.md").symlink_to("b.md")
    answer = synthetic.check(before, synthetic.commit({}))
    assert stated(answer) == [("removed", "a.md", "")]


def test_a_page_that_moved_and_left_a_symlink_is_renamed(synthetic):
    """Here we say more than git, which calls the old path changed and the new one added: a symlink is no page to us."""
    before = synthetic.commit({"a.md": page(1)})
    (synthetic.folder / "a.md").unlink()
    (synthetic.folder / "a.md").symlink_to("b.md")
    after = synthetic.commit({"b.md": page(1)})
    assert stated(changes(Corpus(synthetic.folder, cache=False), before, after)) == [("renamed", "b.md", "a.md")]


def test_pages_of_an_answer_add_up(commonplace, asked):
    before, after = commonplace.commits[12], commonplace.commits[0]
    whole, found, cursor = changes(asked, before, after), [], None
    limit = len(whole["pages"]) // 3 - 1
    assert limit > 5
    while True:
        part = changes(asked, before, after, limit=limit, **({"cursor": cursor} if cursor else {}))
        assert part["total"] == whole["total"]
        found += part["pages"]
        cursor = part.get("next_cursor")
        if not cursor:
            break
    assert found == whole["pages"]
    assert "next_cursor" not in whole
    with pytest.raises(errors.ArgumentInvalid):
        changes(asked, commonplace.commits[11], after, cursor=changes(asked, before, after, limit=limit)["next_cursor"])


def test_since_the_same_commit_nothing_has_changed(commonplace, asked):
    for commit in (commonplace.commits[0], commonplace.commits[7]):
        answer = changes(asked, commit, commit)
        assert (answer["pages"], answer["types"], answer["committers"]) == ([], [], [])
        assert answer["findings"] == {"new": [], "fixed": []}
        assert not any(answer["total"].values())


def test_since_a_date_is_since_the_last_commit_before_it(commonplace, asked):
    head = commonplace.commits[0]
    for commit in random.Random(3).sample(commonplace.commits[:40], 2):
        moment = corpora.output(commonplace.wiki, "log", "-1", "--format=%cI", commit).decode().strip()
        expected = next(other for other in commonplace.commits if seconds(commonplace, other) <= seconds(commonplace, commit))
        answer = asked.changes(moment, limit=1)
        assert (answer["since"]["commit"], answer["commit"]) == (expected, head)


def seconds(history, commit):
    return int(corpora.output(history.wiki, "log", "-1", "--format=%ct", commit))


def test_committers_are_those_of_git(commonplace, asked):
    """Commits count that are other than each of their parents: no merge that takes one side, and no empty one."""
    listed = corpora.output(commonplace.wiki, "log", "--format=%H %T %P").decode().splitlines()
    trees = {line.split()[0]: line.split()[1] for line in listed}
    parents = {line.split()[0]: line.split()[2:] for line in listed}
    for before, after in pairs(commonplace, 2, seed=4):
        for old, new in ((before, after), (after, before)):
            expected = Counter()
            for line in corpora.output(commonplace.wiki, "log", "--format=%H %cn", f"{old}..{new}").decode().splitlines():
                commit, name = line.split(" ", 1)
                expected[name] += all(trees[parent] != trees[commit] for parent in parents[commit])
            found = changes(asked, old, new, limit=1)["committers"]
            assert {entry["name"]: entry["commits"] for entry in found} == +expected


def page_rules():
    """The rules that look at one page and what it links to."""
    found = set()
    for file in (golden.ROOT / "src/core/src/lint/rules").glob("*.rs"):
        name = re.search(r'name: "([a-z0-9-]+)"', file.read_text())
        if name and "scope: Scope::Page" in file.read_text():
            found.add(name[1])
    assert len(found) > 10
    return found


def test_findings_are_those_of_two_whole_lints(commonplace, asked):
    rules, count = page_rules(), Counter()
    for before, after in [(commonplace.commits[30], commonplace.commits[0]), (commonplace.commits[620], commonplace.commits[600])]:
        answer = changes(asked, before, after)
        now = {entry["path"] for entry in answer["pages"] if entry["status"] != "removed"}
        then = {entry.get("from") or entry["path"] for entry in answer["pages"] if entry["status"] != "added"}
        moved = {entry["from"]: entry["path"] for entry in answer["pages"] if "from" in entry}

        def found(commit, paths):
            findings = asked.lint(at=commit, **EVERYTHING)["findings"]
            return [finding for finding in findings if finding["path"] in paths and finding["rule"] in rules]

        def key(finding):
            path = moved.get(finding["path"], finding["path"])
            return path, finding["rule"], finding["message"] if path in moved.values() else finding["fingerprint"]

        old, new = found(before, then), found(after, now)
        expected = {
            "new": [finding for finding in new if key(finding) not in set(map(key, old))],
            "fixed": [finding for finding in old if key(finding) not in set(map(key, new))],
        }
        assert answer["findings"] == expected
        count.update({side: len(findings) for side, findings in expected.items()})
    assert count["new"] and count["fixed"], count


def cited(corpus, path, commit, first, last, at=None):
    return corpus.page(f"{path}@{commit}#L{first}-L{last}", at=at, budget=BUDGET)


def places(lines, passage):
    """Where a passage stands in a text, from 1."""
    return [start + 1 for start in range(len(lines) - len(passage) + 1) if lines[start : start + len(passage)] == passage]


def check_citation(history, answer, at, path, commit, first, last):
    """What is said of cited lines against the texts of both revisions."""
    passage = history.lines(commit, path)[first - 1 : last]
    assert (answer["path"], answer["citation"]["commit"], answer["commit"]) == (path, commit, at)
    assert answer["lines"] == {"first": first, "last": last, "total": len(history.lines(commit, path))}
    assert answer["body"].removesuffix("\n").split("\n") == passage
    status, now = answer["citation"]["status"], answer["citation"]["now"]
    there = history.pages(at)
    if now and now["lines"]:
        lines = history.lines(at, now["path"])
        assert now["lines"]["total"] == len(lines)
        said = answer["citation"]["body"]
        assert (said is None) == (status != "changed")
        if said is not None:
            assert said.removesuffix("\n").split("\n") == lines[now["lines"]["first"] - 1 : now["lines"]["last"]]

    def is_nowhere(lines):
        """Of a short passage that stands in several places none is the one."""
        found = places(lines, passage)
        return not found or len(found) > 1 and sum(len(line.strip()) for line in passage) < 40

    is_blank = not any(line.strip() for line in passage)
    if status == "unchanged":
        assert (now["path"], now["lines"]["first"], now["lines"]["last"]) == (path, first, last)
        assert history.lines(at, path)[first - 1 : last] == passage
    elif status == "moved":
        assert history.lines(at, now["path"])[now["lines"]["first"] - 1 : now["lines"]["last"]] == passage
        assert (now["path"], now["lines"]["first"]) != (path, first)
    elif status == "changed":
        assert is_blank or is_nowhere(history.lines(at, now["path"]))
        assert now["path"] == path or path not in there
    else:
        assert status == "gone"
        if path in there:
            assert now["path"] == path
        if now:
            assert now["lines"] is None
            assert is_blank or is_nowhere(history.lines(at, now["path"]))
    # A page that is as it was has its lines where they were.
    if there.get(path) == history.pages(commit)[path]:
        assert status == "unchanged"
    return status


def test_citations_are_followed_to_where_the_texts_are(commonplace, asked):
    choice, head, statuses = random.Random(6), commonplace.commits[0], Counter()
    for _ in range(3):
        commit = choice.choice(commonplace.commits[:600])
        for _ in range(14):
            path = choice.choice(sorted(commonplace.pages(commit)))
            count = len(commonplace.lines(commit, path))
            if count:
                first = choice.randint(1, count)
                last = min(count, first + choice.randrange(8))
                answer = cited(asked, path, commit[: choice.randint(10, 40)], first, last)
                statuses[check_citation(commonplace, answer, head, path, commit, first, last)] += 1
    assert statuses.keys() == {"unchanged", "moved", "changed", "gone"}, statuses


def follow(synthetic, old, new, first, last, path="a.md"):
    """Cites lines of a page and follows them over a commit; gives the status and where they are now."""
    before = synthetic.commit({"stays.md": "# Stays\n", **old})
    after = synthetic.commit(new, removed=old.keys())
    history = History(synthetic.folder)
    try:
        answer = cited(Corpus(synthetic.folder, cache=False), path, before, first, last)
        check_citation(history, answer, after, path, before, first, last)
    finally:
        history.close()
    now = answer["citation"]["now"]
    return answer["citation"]["status"], now and (now["path"], now["lines"] and (now["lines"]["first"], now["lines"]["last"]))


LINES = [f"This is line {number} of a page that somebody cites, and no other." for number in range(1, 21)]


def written(*lines):
    return "".join(line + "\n" for line in lines)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ({"a.md": written(*LINES)}, ("unchanged", ("a.md", (5, 8)))),
        ({"a.md": written(*LINES[:10], "more")}, ("unchanged", ("a.md", (5, 8)))),
        ({"a.md": written("x", *LINES)}, ("moved", ("a.md", (6, 9)))),
        ({"a.md": written(*LINES[8:], *LINES[:8])}, ("moved", ("a.md", (17, 20)))),
        ({"a.md": written(*LINES).replace("\n", "\r\n")}, ("unchanged", ("a.md", (5, 8)))),
        ({"a.md": written(*LINES[:5], "other", *LINES[6:])}, ("changed", ("a.md", (5, 8)))),
        ({"a.md": written(*LINES[:5], "other", *LINES[5:])}, ("changed", ("a.md", (5, 9)))),
        ({"a.md": written(*LINES[:4], *LINES[8:])}, ("gone", ("a.md", None))),
        ({"b.md": written(*LINES)}, ("moved", ("b.md", (5, 8)))),
        ({"x/b.md": written("x", *LINES)}, ("moved", ("x/b.md", (6, 9)))),
        ({"b.md": written(*LINES[:5], "other", *LINES[6:])}, ("changed", ("b.md", (5, 8)))),
        ({"b.md": written(*LINES[:4], *LINES[8:])}, ("gone", ("b.md", None))),
        # Cut out and put on another page.
        ({"a.md": written(*LINES[:4], *LINES[8:]), "b.md": written("# B", *LINES[4:8])}, ("moved", ("b.md", (2, 5)))),
        ({"b.md": written("# B", *LINES[4:8])}, ("moved", ("b.md", (2, 5)))),
        # Another page has the old path; it was not what was cited.
        ({"b.md": written(*LINES), "a.md": "# Another\n"}, ("moved", ("b.md", (5, 8)))),
        ({}, ("gone", None)),
    ],
)
def test_cited_lines_are_followed(synthetic, new, expected):
    assert follow(synthetic, {"a.md": written(*LINES)}, new, 5, 8) == expected


def test_a_citation_of_the_future_is_followed_back(synthetic):
    before = synthetic.commit({"a.md": written(*LINES[3:])})
    after = synthetic.commit({"b.md": written(*LINES)}, removed=["a.md"])
    answer = cited(Corpus(synthetic.folder, cache=False), "b.md", after, 5, 8, at=before)["citation"]
    assert (answer["status"], answer["now"]["path"], answer["now"]["lines"]["first"]) == ("moved", "a.md", 2)


def test_what_was_cited_wrongly_is_told(synthetic):
    first = synthetic.commit({"a.md": "# A\nb\n"})
    second = synthetic.commit({"b.md": "# B\n", "empty.md": ""})
    corpus = Corpus(synthetic.folder, cache=False)
    assert cited(corpus, "a.md", first[:4], 1, 2)["citation"]["status"] == "unchanged"
    for name, error in {
        "a.md@0123abcd#L1": errors.RevisionNotFound,
        f"b.md@{first}#L1": errors.PageNotFound,
        f"nothing.md@{second}": errors.PageNotFound,
        f"a.md@{first}#L3": errors.LinesOutOfRange,
        f"a.md@{first}#L2-L3": errors.LinesOutOfRange,
        f"empty.md@{second}#L2": errors.LinesOutOfRange,
        f"a.md@{first}#L{10**30}": errors.CorpusError,
        f"a.md@{first}#L2-L1": errors.PageNotFound,
        f"a.md@{first}#L0": errors.PageNotFound,
        f"@{first}#L1": errors.PageNotFound,
    }.items():
        with pytest.raises(error) as caught:
            corpus.page(name)
        assert caught.value.commit == second, name
    for given in ({"section": "A"}, {"lines": "1"}):
        with pytest.raises(errors.ArgumentInvalid, match=f"`{next(iter(given))}`"):
            corpus.page(f"a.md@{first}#L1", **given)
    # Whole pages may be cited too, an empty one included.
    assert corpus.page(f"a.md@{first}")["body"].splitlines() == ["# A", "b"]
    assert corpus.page(f"empty.md@{second}")["body"] == ""


def test_a_page_that_is_named_like_a_citation_wins(synthetic):
    first = synthetic.commit({"a.md": "# A\n"})
    named = f"a.md@{first[:8]}#L1.md"
    synthetic.commit({named: "# Odd\n"})
    corpus = Corpus(synthetic.folder, cache=False)
    for name in (named, named.removesuffix(".md")):
        answer = corpus.page(name)
        assert (answer["path"], "citation" in answer) == (named, False)
    assert corpus.page(f"a.md@{first}#L1")["citation"]["status"] == "unchanged"


def last_change(history, path, at="HEAD"):
    """What `git log` says of a page's last commit."""
    found = corpora.output(history, "log", "-1", "--format=%H%x00%an%x00%ct", at, "--", f":(literal){path}").decode().strip()
    if not found:
        return None
    commit, author, date = found.split("\0")
    moment = datetime.datetime.fromtimestamp(int(date), datetime.timezone.utc)
    return {"commit": commit, "as_of": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "author": author}


def test_the_last_change_is_that_of_git(commonplace, asked):
    for path in random.Random(5).sample(sorted(commonplace.pages("HEAD")), 60):
        assert asked.page("/" + path, budget=BUDGET)["last_change"] == last_change(commonplace.wiki, path), path
    commit = commonplace.commits[700]
    for path in random.Random(5).sample(sorted(commonplace.pages(commit)), 20):
        assert asked.page("/" + path, at=commit, budget=BUDGET)["last_change"] == last_change(commonplace.wiki, path, commit), path


def test_the_last_change_among_merges_is_that_of_git(synthetic):
    folder, git = synthetic.folder, golden.git

    def as_git_says(*paths):
        corpus = Corpus(folder, cache=False)
        for path in paths:
            assert corpus.page(path)["last_change"] == last_change(folder, path), path
        return [corpus.page(path)["last_change"]["commit"] for path in paths]

    first = synthetic.commit({"a.md": "1\n", "b.md": "1\n", "x/c.md": "1\n", "stays.md": "1\n", "d.md": "1\n"})
    git(folder, "switch", "--quiet", "--create", "side")
    side = synthetic.commit({"a.md": "side\n", "b.md": "side\n"})
    both = synthetic.commit({"x/c.md": "both\n"})
    git(folder, "switch", "--quiet", "main")
    synthetic.commit({"b.md": "main\n"})
    same = synthetic.commit({"x/c.md": "both\n"})
    # One side's page as it is, one of both sides alike, and one that is neither.
    git(folder, "merge", "--quiet", "--no-commit", "--strategy", "ours", "side")
    git(folder, "checkout", "side", "--", "a.md")
    (folder / "b.md").write_text("neither\n")
    (folder / "new.md").write_text("in the merge\n")
    merge = golden.commit(folder, "evil")
    assert as_git_says("a.md", "b.md", "x/c.md", "stays.md", "new.md") == [side, merge, same, first, merge]
    assert both != same
    # A merge that takes one side in all.
    git(folder, "switch", "--quiet", "--create", "other", first)
    other = synthetic.commit({"b.md": "other\n", "d.md": "other\n"})
    git(folder, "switch", "--quiet", "main")
    git(folder, "merge", "--quiet", "--no-edit", "--strategy", "ours", "other")
    assert as_git_says("b.md", "d.md") == [merge, first]
    git(folder, "merge", "--quiet", "--no-commit", "--no-ff", "--strategy", "ours", "other^0")
    assert other
    # Gone and back again, as it was and otherwise; a page in the place of a folder.
    synthetic.commit({}, removed=["a.md", "b.md", "x/c.md"])
    again = synthetic.commit({"a.md": "side\n", "b.md": "again\n", "x.md": "1\n"})
    assert as_git_says("a.md", "b.md", "x.md") == [again] * 3
    (folder / "a.md").chmod(0o755)
    mode = golden.commit(folder, "mode")
    # To us a mode says nothing of a page, to git it does.
    corpus = Corpus(folder, cache=False)
    assert (last_change(folder, "a.md")["commit"], corpus.page("a.md")["last_change"]["commit"]) == (mode, again)


def test_a_page_that_is_not_committed_has_no_last_change(synthetic):
    synthetic.commit({"a.md": "1\n"})
    (synthetic.folder / "b.md").write_text("1\n")
    assert Corpus(synthetic.folder, cache=False).page("b.md")["last_change"] is None


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_shallow_clone_says_no_more_than_it_knows(synthetic, tmp_path, depth):
    """What the first commit of a shallow clone changed, nobody knows there."""
    commits = [synthetic.commit({f"{number}.md": f"{number}\n"}) for number in range(4)]
    clone = tmp_path / "clone"
    golden.git(tmp_path, "clone", "--quiet", f"--depth={depth}", synthetic.folder.as_uri(), str(clone))
    corpus = Corpus(clone, cache=False)
    found = [(corpus.page(f"{number}.md")["last_change"] or {}).get("commit") for number in range(4)]
    assert found == [None] * (5 - depth) + commits[5 - depth :]
    # The control: the whole history.
    whole = Corpus(synthetic.folder, cache=False)
    assert [whole.page(f"{number}.md")["last_change"]["commit"] for number in range(4)] == commits


def test_a_budget_cuts_findings_first_and_leads_on(tmp_path):
    """A model that reads 32 KiB at once must get through a commit of many broken pages."""
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    golden.init(wiki)
    (wiki / "chemenu.toml").write_text("")
    golden.commit(wiki)
    for number in range(150):
        (wiki / f"p{number}.md").write_text(f"# P{number}\n\n[[no such page {number}]]\n")
    golden.commit(wiki)
    corpus = Corpus(wiki, cache=False)
    paths, cursor = [], None
    while True:
        answer = corpus.changes("HEAD~1", cursor=cursor, budget=8192)
        assert answer["pages"] and set(answer["findings"]) == {"new", "fixed"}
        paths += [page["path"] for page in answer["pages"]]
        cursor = answer.get("next_cursor")
        if cursor is None:
            break
    assert sorted(paths) == sorted(f"p{number}.md" for number in range(150))


def test_a_citation_is_cut_and_shown_to_people(tmp_path):
    """What was cited may be as long as a page; and the README's own example is for a terminal."""
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    golden.init(wiki)
    (wiki / "a.md").write_text("# A\n\none\n" + "word " * 20000 + "\n")
    commit = golden.commit(wiki)
    (wiki / "a.md").write_text("# A\n\ntwo\n" + "other " * 20000 + "\n")
    golden.commit(wiki)
    whole = Corpus(wiki, cache=False).page(f"a.md@{commit}", budget=4096)
    assert whole["truncated"]["what"] and len(str(whole)) < 5000
    run = fronts.wikitool(wiki, "--no-cache", "page", f"a.md@{commit}#L3")
    assert run.returncode == 0 and run.stderr == b""
    shown = run.stdout.decode().splitlines()
    assert "one" in shown and "two" in shown and any(line.startswith("changed, now lines 3-") for line in shown)
