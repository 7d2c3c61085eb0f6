"""A stamp is the revision that was read, whatever happens to the repository meanwhile."""

import json
import threading
import time

import fronts
import golden
import mcp_client
import pytest

# What is asked while the repository moves; each answer differs between the two commits.
QUESTIONS = [
    ("search", {"query": "gate", "limit": 100}),
    ("page", {"name": "git-snapshot"}),
    ("types", {}),
    ("lint", {"limit": 1000}),
]
BUDGET = {"budget": 1 << 24}


def change(wiki):
    """Changes, adds and removes pages; gives the new commit."""
    page = wiki / "concepts" / "git-snapshot.md"
    page.write_text(page.read_text() + "\nA gate at the end, and a [[link to nothing]].\n")
    (wiki / "added.md").write_text("---\ntype: types/concept.md\n---\n# Added gate\n")
    (wiki / "defects" / "broken-wikilink.md").unlink()
    return golden.commit(wiki, "Change")


def fresh(wiki, commit, question, arguments):
    """The answer of a program that has seen nothing else, asked for that commit alone."""
    return fronts.door(wiki, ref=commit)(question, {**arguments, **BUDGET})


def test_the_two_commits_answer_differently(own_wiki):
    first = golden.git(own_wiki, "rev-parse", "HEAD")
    second = change(own_wiki)
    for question, arguments in QUESTIONS:
        answers = [json.loads(fresh(own_wiki, commit, question, arguments)) for commit in (first, second)]
        for answer, commit in zip(answers, (first, second)):
            assert answer.pop("commit") == commit
            answer.pop("as_of")
        assert answers[0] != answers[1], question


def test_a_server_follows_head(own_wiki):
    first = golden.git(own_wiki, "rev-parse", "HEAD")
    with mcp_client.HttpServer(own_wiki) as server, mcp_client.Http(server.url, mcp_client.MODERN) as client:
        ask = fronts.mcp(client)
        for question, arguments in QUESTIONS:
            assert ask(question, {**arguments, **BUDGET}) == fresh(own_wiki, first, question, arguments)
        second = change(own_wiki)
        deadline = time.monotonic() + 30
        while json.loads(ask("types", {}))["commit"] != second and time.monotonic() < deadline:
            time.sleep(0.05)
        for question, arguments in QUESTIONS:
            assert ask(question, {**arguments, **BUDGET}) == fresh(own_wiki, second, question, arguments)


def test_uncommitted_changes_have_no_commit(own_wiki):
    (own_wiki / "concepts" / "git-snapshot.md").write_text("# Git-Snapshot\n\nUncommitted xylophon.\n")
    for ask in (fronts.door(own_wiki), fronts.cli(own_wiki)):
        answer = json.loads(ask("search", {"query": "xylophon"}))
        assert (answer["commit"], answer["total"]) == (None, 1)
        assert answer["as_of"]
    head = golden.git(own_wiki, "rev-parse", "HEAD")
    ignoring = json.loads(fronts.door(own_wiki, dirty="ignore")("search", {"query": "xylophon"}))
    assert (ignoring["commit"], ignoring["total"]) == (head, 0)
    refusing = json.loads(fronts.door(own_wiki, dirty="refuse")("search", {"query": "xylophon"}))
    assert refusing["error"]["code"] == "dirty_tree"


@pytest.mark.parametrize("dirty", ["serve", "ignore"])
def test_answers_while_git_resets_are_true_to_their_stamps(own_wiki, dirty):
    commits = [golden.git(own_wiki, "rev-parse", "HEAD"), change(own_wiki)]
    answers, failures, done = [], [], threading.Event()

    def ask(url, era):
        try:
            with mcp_client.Http(url, era) as client:
                while not done.is_set():
                    for question, arguments in QUESTIONS:
                        answers.append((question, fronts.mcp(client)(question, {**arguments, **BUDGET})))
        except BaseException as failure:
            failures.append(failure)

    with mcp_client.HttpServer(own_wiki, "--dirty", dirty) as server:
        askers = [threading.Thread(target=ask, args=(server.url, era)) for era in (mcp_client.MODERN, mcp_client.LEGACY) * 2]
        for asker in askers:
            asker.start()
        for turn in range(40):
            golden.git(own_wiki, "reset", "--quiet", "--hard", commits[turn % 2])
            # Sometimes at once, sometimes with time for a new snapshot.
            time.sleep(0.01 * (turn % 5) ** 2)
        done.set()
        for asker in askers:
            asker.join()
    assert not failures, failures[0]
    expected = {
        (commit, question): fresh(own_wiki, commit, question, arguments) for commit in commits for question, arguments in QUESTIONS
    }
    stamps = set()
    for question, text in answers:
        commit = json.loads(text)["commit"]
        stamps.add(commit)
        assert commit is None or text == expected[commit, question]
    assert set(commits) <= stamps
    if dirty == "ignore":
        assert None not in stamps
