"""Whoever has a token gets in, through the real proxies with the operators' files, and nobody else."""

import contextlib
import http.client
import json
import re
import subprocess
import threading

import deploy_stack
import foreign
import golden
import pytest
from deploy_stack import HOST, Recorder, Stack, auth


@pytest.fixture(scope="module", params=deploy_stack.PROXIES)
def proxy(request):
    return request.param


@pytest.fixture(scope="module")
def stack(proxy, wiki, tmp_path_factory):
    """One for all tests that leave it as it was."""
    with Stack(tmp_path_factory.mktemp(proxy), wiki, proxy) as stack:
        yield stack


def expire(file, name):
    """Makes the token of `name` one of long ago."""
    head, *entries = file.read_text().split("[[token]]")
    for number, entry in enumerate(entries):
        if f'name = "{name}"' in entry:
            entry = re.sub(r"created = .*", "created = 2020-01-01T00:00:00Z", entry)
            entries[number] = re.sub(r"expires = .*", "expires = 2020-01-02T00:00:00Z", entry)
    file.write_text("[[token]]".join([head, *entries]))


def test_a_good_token_gets_the_same_bytes_as_without_a_proxy(stack):
    direct = [stack.ask(port=port, token=None) for port in stack.wiki_ports]
    through = [stack.ask() for _ in range(4)]
    assert {answer.status for answer in direct + through} == {200}
    assert len({answer.body for answer in direct + through}) == 1
    assert json.loads(direct[0].body)["result"]["structuredContent"]["commit"] == golden.git(stack.wiki, "rev-parse", "HEAD")


def test_nobody_else_gets_in(stack):
    tokens = {name: auth("token", "add", name, "--file", stack.tokens) for name in ("expired", "revoked")}
    assert [stack.ask(token=token).status for token in tokens.values()] == [200, 200]
    expire(stack.tokens, "expired")
    auth("token", "revoke", "revoked", "--file", stack.tokens)
    for token in (None, "wrong", stack.token[:-1], stack.token.upper(), *tokens.values()):
        answer = stack.ask(token=token)
        assert answer.status == 401, token
        assert answer.headers["WWW-Authenticate"].startswith("Bearer "), token
        assert b"commit" not in answer.body
    twice = stack.ask(headers=[("Authorization", f"Bearer {stack.token}")])
    assert twice.status in (400, 401)
    for headers in ([("X-Auth-User", "ada")], [("Cookie", f"token={stack.token}")], [("X-Forwarded-User", "ada"), ("X-Original-Url", "/healthz")]):
        assert stack.ask(token=None, headers=headers).status == 401
    assert stack.ask().status == 200


def test_only_the_endpoint_is_reachable(stack):
    for path in ("/", "/healthz", "/readyz", "/metrics", "/verify", "/mcp/", "/mcp/../readyz", "//readyz"):
        answer = stack.ask(path=path)
        # What a proxy makes `/mcp` of once it has put the path straight needs the token as well.
        assert answer.status in (301, 308, 400, 404), path
        assert stack.ask(path=path, token=None).status in (301, 308, 400, 401, 404), path


def test_without_chemenu_auth_nobody_gets_in(stack):
    stack.stop("auth", kill=True)
    try:
        for token in (stack.token, None):
            answer = stack.ask(token=token)
            assert answer.status >= 500
            assert b"commit" not in answer.body
    finally:
        stack.start_auth()
    stack.until(lambda: stack.ask().status == 200)


def test_a_token_file_that_others_can_read_lets_nobody_in(stack):
    stack.tokens.chmod(0o644)
    try:
        assert stack.ask().status == 401
    finally:
        stack.tokens.chmod(0o600)
    assert stack.ask().status == 200


def test_a_server_that_is_killed_loses_no_request_that_asking_again_would_not(stack):
    answers, stop = [], threading.Event()

    def client():
        while not stop.is_set():
            try:
                answer = stack.ask()
            except OSError:
                answer = stack.ask()
            # Under way when the server was killed: what a client may ask again.
            if answer.status >= 500:
                answer = stack.ask()
            answers.append((answer.status, answer.body))

    good = (200, stack.ask().body)
    clients = [threading.Thread(target=client) for _ in range(2)]
    for each in clients:
        each.start()
    try:
        for number in (0, 1):
            before = len(answers)
            stack.until(lambda before=before: len(answers) > before + 3)
            stack.stop(f"server {number}", kill=True)
            before = len(answers)
            stack.until(lambda before=before: len(answers) > before + 10)
            stack.start_server(number)
            # Until the proxy sees that it is back.
            stack.until(lambda number=number: stack.ask(port=stack.wiki_ports[number], token=None).status == 200)
            threading.Event().wait(3)
    finally:
        stop.set()
        for each in clients:
            each.join()
    # The limit of requests is the proxy's own answer.
    wrong = {answer for answer in answers if answer != good and answer[0] != 429}
    assert not wrong
    assert answers.count(good) > 20


FORGED = [
    ("X-Auth-User", "root"),
    ("x-auth-user", "admin"),
    ("X_Auth_User", "root"),
    ("X-Auth_User", "root"),
    ("X.Auth.User", "root"),
    ("X-Forwarded-For", "203.0.113.9"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Forwarded-Proto", "gopher"),
    ("X-Real-Ip", "203.0.113.9"),
    ("Forwarded", "for=203.0.113.9;host=evil.example"),
]


def test_what_a_client_forges_and_its_token_do_not_reach_the_server(proxy, wiki, tmp_path):
    with Recorder() as recorder, Stack(tmp_path, wiki, proxy, backends=[recorder.server_port] * 2) as stack:
        recorder.heads.clear()
        assert stack.ask(headers=FORGED).status == 200
        [head] = recorder.heads
        text = str(head)
        assert head.get_all("X-Auth-User") == ["ada"]
        assert head["Host"] == HOST
        assert "Authorization" not in head and stack.token not in text
        for forged in ("root", "admin", "203.0.113.9", "evil.example", "gopher"):
            assert forged not in text, text
        assert not [name for name in head.keys() if "_" in name or "." in name]
        assert stack.ask(headers=FORGED, token=None).status == 401
        assert len(recorder.heads) == 1


def test_the_recorder_sees_what_is_forged_where_nothing_stands_before_it(wiki, tmp_path):
    with Recorder() as recorder:
        stack = Stack(tmp_path, wiki, "none", backends=[recorder.server_port] * 2)
        assert stack.ask(headers=FORGED, token="x", port=recorder.server_port).status == 200
        assert "evil.example" in str(recorder.heads[0]) and recorder.heads[0]["Authorization"] == "Bearer x"


def test_the_server_knows_who_asked_by_the_token_alone(stack):
    def users():
        return [json.loads(line)["user"] for line in stack.telemetry.read_text().splitlines()]

    before = len(users())
    assert stack.ask(headers=FORGED).status == 200
    stack.until(lambda: len(users()) > before)
    assert users()[before:] == ["ada"]
    # Without a proxy the header is believed: this is why nobody else may reach a server.
    assert stack.ask(headers=[("X-Auth-User", "eve")], token=None, port=stack.wiki_ports[0]).status == 200
    stack.until(lambda: "eve" in users())


def test_a_client_cannot_take_its_own_name_out(stack):
    def users():
        return [json.loads(line)["user"] for line in stack.telemetry.read_text().splitlines()]

    for value in ("X-Auth-User", "close, x-auth-user"):
        before = len(users())
        assert stack.ask(headers=[("Connection", value)]).status == 200
        stack.until(lambda before=before: len(users()) > before)
        assert users()[before:] == ["ada"]


def test_a_body_is_as_long_as_the_server_takes(stack):
    question = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"types","arguments":{}}'
    assert stack.ask(body=question + b" " * 1_040_000 + b"}").status == 200
    assert stack.ask(body=question + b" " * 1_500_000 + b"}").status == 413


def test_one_request_is_one_request(proxy, wiki, tmp_path):
    with Recorder() as recorder, Stack(tmp_path, wiki, proxy, backends=[recorder.server_port] * 2) as stack:
        recorder.heads.clear()
        stack.ask(body=b" " * 1_500_000)
        assert len(recorder.heads) <= 1


def test_no_other_host_is_served(proxy, wiki, tmp_path):
    with Recorder() as recorder, Stack(tmp_path, wiki, proxy, backends=[recorder.server_port] * 2) as stack:
        recorder.heads.clear()
        for host in ("evil.example", "localhost", "127.0.0.1"):
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", stack.port, timeout=30)) as connection:
                connection.request("POST", "/mcp", b"{}", {"Host": host, "Authorization": f"Bearer {stack.token}"})
                assert connection.getresponse().status == 404, host
        assert not recorder.heads


@pytest.mark.timeout(600)
def test_a_real_client_works_through_it(stack, tmp_path):
    python = foreign.python("mcp-2", "mcp==2.3.0", "mcp-types==2.3.0", "pydantic==2.14.4")
    script = golden.ROOT / "tests" / "deploy_client.py"
    url = f"http://127.0.0.1:{stack.port}/mcp"
    for mode in ("auto", "legacy"):
        command = [python, script, url, HOST, stack.token, mode]
        run = subprocess.run(command, cwd=tmp_path, env=foreign.clean(), capture_output=True, text=True, timeout=90)
        assert run.returncode == 0, run.stderr
        told = json.loads(run.stdout)
        assert told["commit"] == golden.git(stack.wiki, "rev-parse", "HEAD") and told["hits"]
    command[4] = "wrong"
    run = subprocess.run(command, cwd=tmp_path, env=foreign.clean(), capture_output=True, text=True, timeout=90)
    assert run.returncode != 0
