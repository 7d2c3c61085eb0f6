"""Links from both ends, and against a walk over the pages by another reader of CommonMark."""

import re
import unicodedata
from collections import Counter
from pathlib import PurePosixPath
from urllib.parse import unquote

import corpora
import fronts
import golden
import pytest
import yaml
from chemenu.api import Corpus
from corpora import BUDGET
from markdown_it import MarkdownIt

LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
WIKIS = {
    "golden": golden.repository,
    "commonplace": corpora.commonplace,
    "silverbullet": corpora.silverbullet,
}


class Wiki:
    """A wiki with the answer for each of its pages, as it is computed without an index."""

    def __init__(self, root):
        self.root = root
        self.corpus = Corpus(root, cache=False)
        listed = corpora.output(root, "ls-files", "-z").decode().split("\0")[:-1]
        self.files = [path for path in listed if not any(part.startswith(".") for part in path.split("/"))]
        # The golden wiki's templates are left out by its settings.
        self.pages = [path for path in self.files if path.lower().endswith(".md") and not path.startswith("templates/")]
        self.answers = {path: self.corpus.links("/" + path, budget=BUDGET) for path in self.pages}

    def text(self, path):
        text = (self.root / path).read_bytes().decode("utf-8", "replace")
        return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def edges(self):
        """Which page links to which others, by the outgoing links."""
        return {path: {entry["path"] for entry in answer["outgoing"]} - {path} for path, answer in self.answers.items()}


@pytest.fixture(scope="module", params=WIKIS)
def a_wiki(request, tmp_path_factory):
    return Wiki(WIKIS[request.param](tmp_path_factory.mktemp(request.param) / "wiki"))


@pytest.fixture(scope="module")
def golden_wiki(tmp_path_factory):
    return Wiki(WIKIS["golden"](tmp_path_factory.mktemp("golden") / "wiki"))


def stated(entry, path):
    """A link as it is stated, with the page at its other end."""
    return path, *(entry[key] for key in ("line", "column", "kind", "fragment", "label", "relation", "footnote", "section"))


def test_what_leads_in_is_what_leads_out_elsewhere(a_wiki):
    incoming = {path: Counter() for path in a_wiki.pages}
    for path, answer in a_wiki.answers.items():
        assert (answer["path"], answer["via"]) == (path, "path")
        for entry in answer["outgoing"]:
            if entry["path"] != path:
                incoming[entry["path"]][stated(entry, path)] += 1
    for path, answer in a_wiki.answers.items():
        assert Counter(stated(entry, entry["path"]) for entry in answer["incoming"]) == incoming[path], path
        assert answer["total"] == {key: len(answer[key]) for key in ("outgoing", "incoming", "unresolved")}
    assert sum(map(Counter.total, incoming.values())) > 100


def test_an_index_finds_the_same(a_wiki, tmp_path):
    """With a stored index only the pages that may link to one are read."""
    Corpus(a_wiki.root, cache_dir=tmp_path).search("x")
    # A corpus of its own, which has read no page yet.
    corpus = Corpus(a_wiki.root, cache_dir=tmp_path)
    assert any(file.is_file() for file in tmp_path.rglob("*"))
    for path in a_wiki.pages[:: 1 + len(a_wiki.pages) // 60]:
        assert corpus.links("/" + path, budget=BUDGET) == a_wiki.answers[path], path


@pytest.mark.parametrize("depth", [2, 3])
def test_what_is_reached_is_what_a_naive_search_reaches(a_wiki, depth):
    edges = a_wiki.edges()
    near = {path: set(to) for path, to in edges.items()}
    for path, to in edges.items():
        for other in to:
            near[other].add(path)
    for start in a_wiki.pages[:: 1 + len(a_wiki.pages) // 25]:
        distance, ring = {start: 0}, {start}
        for away in range(1, depth + 1):
            ring = {other for path in ring for other in near[path]} - distance.keys()
            distance.update(dict.fromkeys(ring, away))
        reached = a_wiki.corpus.links("/" + start, depth=depth, budget=BUDGET)["reached"]
        assert len(reached) == len({entry["path"] for entry in reached})
        assert {entry["path"]: entry["distance"] for entry in reached} == {path: away for path, away in distance.items() if away > 1}
        for entry in reached:
            assert distance[entry["from"]] == entry["distance"] - 1
            ends = entry["from"], entry["path"]
            start_, end = ends if entry["direction"] == "outgoing" else ends[::-1]
            assert end in edges[start_]


# In the place of what may not be part of a name: code, links, escaped brackets.
WALL = "\1"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def body(text):
    """A page without its front matter, and that as another YAML reader reads it."""
    found = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", text, re.DOTALL | re.MULTILINE)
    try:
        fields = yaml.load(found[1], LOADER) if found else {}
    except yaml.YAMLError:
        fields = {}
    return text[found.end() :] if found else text, fields if isinstance(fields, dict) else {}


def flat(children):
    """Inline Markdown as one text, walls for what is no text."""
    for token in children:
        if token.type == "text":
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif token.type == "text_special":
            yield WALL if token.content in "[]" else token.content
        elif token.type == "html_inline" and not token.content.startswith("<!--"):
            yield token.content
        elif token.type in ("em_open", "em_close", "strong_open", "strong_close"):
            yield token.markup
        else:
            yield WALL


def walk(text):
    """The destinations of a page's Markdown links and the names of its wikilinks, without those in code and comments."""
    for token in MARKDOWN.parse(text):
        for inline in token.children or ():
            if inline.type == "link_open" and inline.info != "auto":
                yield "markdown", inline.attrs["href"]
        if token.children:
            for line in "".join(flat(token.children)).split("\n"):
                yield from (("wikilink", name) for name in re.findall(r"\[\[([^\[\]\1]+)\]\]", line))


class Naive:
    """Says where links lead, by comparing them with the names of all pages, one after the other."""

    FORMS = (str, lambda name: unicodedata.normalize("NFC", name), lambda name: unicodedata.normalize("NFC", name).casefold())

    def __init__(self, wiki):
        self.texts = {path: wiki.text(path) for path in wiki.pages}
        # By form: name to pages, in the order of the levels.
        self.paths, self.stems, self.titles, self.aliases = {}, {}, {}, {}
        for path, text in self.texts.items():
            rest, fields = body(text)
            stem = PurePosixPath(path).name[:-3]
            headings = re.findall(r"^ {0,3}#[ \t]+(.*?)[ \t]*#*$", re.sub(r"^(```|~~~).*?^\1", "", rest, flags=re.S | re.M), re.M)
            title = fields.get("title") or (headings[0] if headings else stem)
            aliases = fields.get("aliases") or fields.get("alias") or []
            self.paths[path] = [path]
            self.stems.setdefault(stem, []).append(path)
            self.titles.setdefault(title if isinstance(title, str) else stem, []).append(path)
            for alias in [aliases] if isinstance(aliases, str) else aliases:
                self.aliases.setdefault(alias, []).append(path)

    def named(self, name, page):
        """The page that a name means on another; `None` for none or several."""
        root, beside = joined("", name), joined(str(PurePosixPath(page).parent), name)
        only_paths = name.startswith(("/", "."))
        for form in self.FORMS:
            levels = [
                (self.paths, None if name.startswith(("./", "../")) else root),
                (self.paths, None if name.startswith("/") else beside),
                (self.paths, root and not name.startswith(("./", "../")) and root + ".md"),
                (self.paths, None if name.startswith("/") else beside and beside + ".md"),
                *(() if only_paths else ((table, name) for table in (self.stems, self.titles, self.aliases))),
            ]
            for table, key in levels:
                found = {path for other, paths in table.items() if key and form(other) == form(key) for path in paths}
                if found:
                    return found.pop() if len(found) == 1 else None
        return None

    def leads(self, kind, target, page):
        """The page that a link leads to."""
        if kind == "markdown":
            target = unquote(target.split("#")[0])
            if not target:
                return page
            if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE) or target.endswith("/"):
                return None
            path = joined("" if target.startswith("/") else str(PurePosixPath(page).parent), target)
            return path and self.named("/" + path, page)
        name = target.split("|")[0].strip().rstrip("\\")
        if found := self.named(name, page):
            return found
        name = name.split("#")[0].strip()
        if not name:
            return page
        return self.named(name, page) or self.named(re.sub(r"^\^|@[Ll]?\d+([Cc]\d+)?$", "", name), page)


def joined(folder, path):
    """A path seen from a folder, without dots; `None` above the root."""
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    for part in path.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def test_links_are_those_of_another_reader(a_wiki):
    """Links in front matter apart: which fields hold names is the types' matter."""
    naive, total = Naive(a_wiki), Counter()
    for path in a_wiki.pages:
        text = body(naive.texts[path])[0]
        expected = Counter()
        for kind, target in walk(text):
            if to := naive.leads(kind, target, path):
                expected[kind, to] += 1
        found = Counter()
        for entry in a_wiki.answers[path]["outgoing"]:
            if entry["kind"] != "front_matter":
                found["markdown" if entry["kind"] == "markdown" else "wikilink", entry["path"]] += 1
        assert found == expected, path
        total.update(kind for kind, _ in found.elements())
    assert total.total() > 50, total


def dot(text):
    """A graph's edges with their labels, by a reader of the little that we write of the language."""
    quoted = r'"(?:[^"\\\n]|\\.)*"'
    head, *lines, end, rest = text.split("\n")
    assert (head, end, rest) == ("digraph wiki {", "}", "")
    edges = []
    for line in lines:
        if re.fullmatch(rf"  {quoted} \[style=bold\];", line):
            continue
        edge = re.fullmatch(rf"  ({quoted}) -> ({quoted})(?: \[label=({quoted})\])?;", line)
        assert edge, line
        edges.append(tuple(part and re.sub(r"\\(.)", r"\1", part[1:-1]) for part in edge.groups()))
    return edges


def drawn(wiki, name, *arguments):
    return dot(fronts.wikitool(wiki, "links", "--format=dot", *arguments, "--", name).stdout.decode())


def test_a_graph_has_each_pair_of_pages_once(golden_wiki):
    path = max(golden_wiki.pages, key=lambda path: sum(golden_wiki.answers[path]["total"].values()))
    answer = golden_wiki.answers[path]
    out = {entry["path"] for entry in answer["outgoing"]}
    into = {entry["path"] for entry in answer["incoming"]}
    edges = [edge[:2] for edge in drawn(golden_wiki.root, path)]
    assert len(edges) == len(set(edges)) and len(edges) > 3
    assert set(edges) == {(path, other) for other in out} | {(other, path) for other in into}
    further = {edge[:2] for edge in drawn(golden_wiki.root, path, "--depth=2")}
    assert further > set(edges)


def test_a_graph_quotes_odd_names(tmp_path):
    names = ['say "a".md', "back\\slash.md", "end\\.md", "{curly} -> <b>.md", "ü [style=bold];.md"]
    (tmp_path / "p.md").write_text("# P\n" + "".join(f"- **a \"b\" \\c:** [[{name[:-3]}]]\n" for name in names if "[" not in name))
    for name in names:
        (tmp_path / name).write_text("# x\n[[p]]\n")
    golden.commit(golden.init(tmp_path))
    edges = drawn(tmp_path, "p.md")
    assert {start for start, end, _ in edges if end == "p.md"} == set(names)
    led = {end: label for start, end, label in edges if start == "p.md"}
    assert len(led) > 2 and led.keys() <= set(names) and set(led.values()) == {'a "b" \\c'}
