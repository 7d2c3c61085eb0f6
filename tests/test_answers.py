"""One question, one answer: the golden file, the extension module, CLI, API and MCP over both transports agree byte for byte."""

import contextlib
import shutil
import subprocess
import tarfile

import fronts
import golden
import mcp_client
import pytest

ANSWERS = golden.GOLDEN / "answers"
SHARED = golden.ROOT.parent / "shared"
# Over MCP a budget is set where the caller gives none; more than any of these answers needs is the same as none.
BUDGET = 1 << 24


def all_fronts(stack, wiki):
    """Every way to ask the wiki, by name, besides the extension module."""
    server = stack.enter_context(mcp_client.HttpServer(wiki))
    return {
        "cli": fronts.cli(wiki),
        "api": fronts.python(wiki),
        **{
            f"{transport} {era}": fronts.mcp(stack.enter_context(client))
            for era in (mcp_client.LEGACY, mcp_client.MODERN)
            for transport, client in (("stdio", mcp_client.Stdio(wiki, era)), ("http", mcp_client.Http(server.url, era)))
        },
    }


def assert_all_agree(ways, question, arguments, expected):
    """Asks everywhere. Gives how many could be asked."""
    arguments = {"budget": BUDGET, **arguments}
    asked = 0
    for front, ask in ways.items():
        found = ask(question, dict(arguments))
        if found is not None:
            fronts.assert_same(question, expected, golden.steady(question, found), front)
            asked += 1
    return asked


@pytest.fixture(scope="module")
def ways(wiki):
    with contextlib.ExitStack() as stack:
        yield all_fronts(stack, wiki)


@pytest.mark.parametrize("case", golden.CASES, ids=lambda case: case["name"])
def test_answers_are_golden_and_the_same_everywhere(case, wiki, ways):
    question, arguments = case["question"], case["arguments"]
    text = golden.steady(question, fronts.door(wiki)(question, arguments))
    assert_all_agree(ways, question, arguments, text)
    golden.expect(ANSWERS / f"{case['name']}.json", golden.indented(text))


def test_every_golden_answer_has_a_case():
    golden.expect_no_others(ANSWERS, ".json", [case["name"] for case in golden.CASES])


def test_every_front_is_asked_every_question(ways):
    asked = {(front, case["question"]) for case in golden.CASES for front, ask in ways.items() if ask(case["question"], case["arguments"])}
    assert asked == {(front, question) for front in ways for question in fronts._chemenu.question_names()}


def test_every_argument_of_every_question_has_a_case():
    given = {(case["question"], argument) for case in golden.CASES for argument in case["arguments"]}
    known = {(question, argument) for question in fronts._chemenu.question_names() for argument in fronts.schema(question)["properties"]}
    assert known <= given


CORPORA_QUESTIONS = [
    ("search", {"query": "agent memory"}),
    ("search", {"query": "\"template\" -page", "limit": 100}),
    ("page", {"name": "README"}),
    ("page", {"name": "index"}),
    ("page", {"name": "no such page anywhere"}),
    ("types", {}),
    ("describe_type", {"type": "note"}),
    ("describe_type", {"type": "no-such-type"}),
    ("lint", {"limit": 1000}),
    ("status", {}),
]


@pytest.fixture(scope="module", params=["commonplace", "silverbullet"])
def corpus(request, tmp_path_factory):
    """A real wiki, in a repository."""
    if not SHARED.exists():
        pytest.skip("the corpora are not beside this repository")
    folder = tmp_path_factory.mktemp("corpora") / request.param
    if request.param == "commonplace":
        golden.git(SHARED, "clone", "--quiet", str(SHARED / "corpora" / "commonplace.bundle"), str(folder))
    else:
        folder.mkdir()
        # Older patch releases of Python have no such filter, newer ones warn without one.
        filters = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        shutil.unpack_archive(SHARED / "corpora" / "silverbullet-docs.tar.xz", folder, **filters)
        golden.commit(golden.init(folder))
    return folder


def test_real_wikis_are_answered_the_same_everywhere(corpus):
    head = golden.git(corpus, "rev-parse", "HEAD")
    door = fronts.door(corpus)
    with contextlib.ExitStack() as stack:
        ways = all_fronts(stack, corpus)
        for question, arguments in CORPORA_QUESTIONS:
            text = golden.steady(question, door(question, arguments))
            assert fronts.json.loads(text)["commit"] == head
            assert assert_all_agree(ways, question, arguments, text) == len(ways)


def test_a_front_that_changes_one_byte_is_noticed(wiki):
    text = fronts.door(wiki)("types", {})
    with pytest.raises(pytest.fail.Exception):
        assert_all_agree({"cli": lambda *_: text.replace(b'"commit"', b'"Commit"')}, "types", {}, text)


def test_the_repository_of_the_golden_wiki_is_the_same_each_time(wiki, own_wiki):
    commits = {golden.git(folder, "rev-parse", "HEAD") for folder in (wiki, own_wiki)}
    assert len(commits) == 1
    assert subprocess.run(["git", "status", "--porcelain"], cwd=wiki, capture_output=True).stdout == b""


def test_indentation_loses_nothing():
    text = b'{"a":[],"b":{},"c":[1,-2.50e3,{"d":"x: {[,]}\\"\\\\"}],"e":null}'
    shown = golden.indented(text)
    assert shown.count(b"\n") > 5
    # Outside of strings, line ends, indentation and the blank after a colon are all that was added.
    assert b"".join(part.strip().replace(b'": ', b'":', 1) for part in shown.split(b"\n")) == text
