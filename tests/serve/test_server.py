"""Who is let in, what every answer carries, and what is refused, over real HTTP."""

import errno
import http.client
import socket
import time
from contextlib import ExitStack, suppress
from random import Random
from unittest import mock

import pytest
from page_client import LIMIT, Client

from perturbfs.serve._answers import file_answer, text_answer
from perturbfs.serve._server import MAX_CONNECTIONS

ACTIONS = ["", "progress", "report.html", "selection.json"]


def test_only_the_loopback_interface_listens(server):
    socket.create_connection(("127.0.0.1", server.port), timeout=2).close()
    with pytest.raises(OSError):  # noqa: PT011
        socket.create_connection(("127.0.0.2", server.port), timeout=2).close()


@pytest.mark.parametrize(
    "path", ["", "?token=", "?token=wrong", "page.js", "jobs/x/", "jobs/x/report.html"]
)
def test_nothing_is_shown_without_the_token(path, server):
    answer = Client(server, is_admitted=False).ask(path)
    assert answer.status == 403
    assert "Open the address that perturbfs serve printed" in answer.text
    assert server.app.base not in answer.text


def test_nothing_is_taken_without_the_token(server, folder):
    status, said = Client(server, is_admitted=False).post("jobs?name=a.csv", b"a,b\n")
    assert (status, list(folder.iterdir())) == (403, [])
    assert said["error"].startswith("Open the address")


def test_the_first_visit_leaves_a_cookie_that_scripts_and_other_sites_do_not_get(server):
    answer = Client(server, is_admitted=False).ask(url=server.address)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.endswith(f"; Path={server.app.base}; HttpOnly; SameSite=Strict")
    assert server.app.token not in cookie
    assert server.app.token not in answer.text


def test_the_address_for_the_browser_opens_once(server):
    address = server.address_for_browser()
    assert server.app.token not in address
    assert Client(server, is_admitted=False).ask(url=address).status == 200
    assert Client(server, is_admitted=False).ask(url=address).status == 403


def test_a_name_that_leads_here_is_refused(client):
    answer = client.ask(Host=f"evil.example:{client.server.port}")
    assert answer.status == 421


def test_another_page_cannot_send_a_form(client):
    status, said = client.post("jobs?name=a.csv", b"a,b\n", Origin="http://evil.example")
    assert (status, said["error"][:12]) == (403, "Another page")


@pytest.mark.parametrize("path", ["", "page.css", "page.js", "nowhere", "jobs/none/"])
def test_every_answer_keeps_to_itself(path, client):
    headers = client.ask(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Server"] == "perturbfs"


def test_other_methods_are_refused(client, server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("PUT", server.app.base, headers={"Cookie": cookie_of(client)})
    answer = connection.getresponse()
    assert answer.status == 405
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    connection.close()


@pytest.mark.parametrize(
    "request_line",
    [
        "GET / HTTP/1.1\r\nContent-Length: " + "9" * 5000,
        "GET / HTTP/1.1\r\nContent-Length: -1",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1",
        "GET / HTTP/1.1\r\nno colon",
        "GET / HTTP/1.1\r\nX: " + "a" * 200_000,
        "GET /\x00 HTTP/1.1",
        "nonsense",
    ],
)
def test_a_malformed_request_gets_a_sentence_with_our_headers(request_line, server):
    answer = talk(server, request_line.encode() + b"\r\n\r\n")
    assert answer.startswith("HTTP/1.1 400 ")
    assert "content-security-policy: default-src 'none'" in answer.lower()
    assert "The request cannot be read." in answer


def cookie_of(client):
    [cookie] = client.jar
    return f"{cookie.name}={cookie.value}"


def talk(server, *pieces, every=0.0):
    """Send bytes, one piece after the other, and return all that comes back."""
    answer = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
        with suppress(ConnectionError):  # the server need not read all of it
            for piece in pieces:
                wire.sendall(piece)
                time.sleep(every)
        with suppress(ConnectionError):
            while piece := wire.recv(10_000):
                answer += piece
    return answer.decode()


def head(client, action, length):
    lines = (
        f"POST {client.server.app.base}{action} HTTP/1.1",
        f"Host: 127.0.0.1:{client.server.port}",
        f"Cookie: {cookie_of(client)}",
        f"Content-Length: {length}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def test_a_file_over_the_limit_is_refused_and_not_kept(client, folder):
    status, said = client.post("jobs?name=big.csv", b"1" * (LIMIT + 1))
    assert status == 413
    assert said["error"].startswith("big.csv has 2.0 MB, and at most 2.0 MB are accepted.")
    assert list(folder.iterdir()) == []


def test_a_length_that_promises_too_much_is_refused(client, folder, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._app.SECONDS_TO_DRAIN", 0.1)
    assert talk(client.server, head(client, "jobs?name=a.csv", 10**12)).startswith("HTTP/1.1 413")
    assert list(folder.iterdir()) == []


def test_a_file_that_does_not_arrive_whole_is_not_kept(client, folder):
    with socket.create_connection(("127.0.0.1", client.server.port), timeout=10) as wire:
        wire.sendall(head(client, "jobs?name=a.csv", 1000) + b"a,b\n1,2\n")
        wire.shutdown(socket.SHUT_WR)
        wire.recv(10_000)
    wait_until(lambda: not list(folder.iterdir()))


def test_a_slow_upload_is_refused_and_not_kept(client, folder, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._app.SECONDS", 0.3)
    answer = talk(client.server, head(client, "jobs?name=a.csv", 1000), *[b"1"] * 5, every=0.1)
    assert answer.startswith("HTTP/1.1 408")
    assert list(folder.iterdir()) == []


def test_a_client_that_never_asks_is_disconnected(server, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._server.SECONDS_TO_ASK", 0.2)
    assert talk(server, b"GET / HT") == ""


@pytest.mark.parametrize("is_file", [False, True])
def test_a_client_that_does_not_take_its_answer_is_disconnected(
    client, server, monkeypatch, tmp_path, is_file
):
    large = tmp_path / "large.csv"
    large.write_bytes(bytes(2**25))
    answer = file_answer(large) if is_file else text_answer(large.read_text())
    monkeypatch.setattr("perturbfs.serve._app.text_answer", lambda *_, **__: answer)
    monkeypatch.setattr("perturbfs.serve._app.SECONDS", 0.5)
    monkeypatch.setattr("perturbfs.serve._app.SLOWEST", 10**9)
    lines = f"Host: 127.0.0.1:{server.port}\r\nCookie: {cookie_of(client)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        wire.sendall(f"GET {server.app.base}page.css HTTP/1.1\r\n{lines}".encode())
        assert wire.recv(8) == b"HTTP/1.1"
        wait_until(lambda: not server._server.server_state.connections)


def wait_until(happened):
    end = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("fault", ["cut", "slow", "large", "unknown"])
def test_a_second_file_that_is_refused_is_not_kept(client, folder, quick, monkeypatch, fault):
    page = client.upload(b"a,b\n1,2\n", "a.csv")
    client.wait(page)
    before = sorted(folder.rglob("*"))
    monkeypatch.setattr("perturbfs.serve._app.SECONDS", 0.3)
    monkeypatch.setattr("perturbfs.serve._app.SECONDS_TO_DRAIN", 0.1)
    length = LIMIT + 1 if fault == "large" else 1000
    name = "b.pkl" if fault == "unknown" else "b.csv"
    with socket.create_connection(("127.0.0.1", client.server.port), timeout=10) as wire:
        wire.sendall(head(client, f"{page}labels?name={name}", length) + b"id,state\n")
        if fault == "cut":
            wire.shutdown(socket.SHUT_WR)
        answer = wire.recv(10_000).decode()
    assert answer == "" or answer.split()[1] in ("400", "408", "413", "415")
    wait_until(lambda: sorted(folder.rglob("*")) == before)


def test_mutated_requests_are_never_a_fault_of_ours(client, small, quick, monkeypatch):
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    for name in ("_app.SECONDS", "_app.SECONDS_TO_DRAIN", "_server.SECONDS_TO_ASK"):
        monkeypatch.setattr(f"perturbfs.serve.{name}", 0.2)
    form = b'{"target": "candidate:0", "typed": "a", "n_features": "2", "random_state": "1"}'
    valid = head(client, f"{page}select", len(form)) + form
    random = Random(0)
    for _ in range(100):
        mutated = bytearray(valid)
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(mutated))
            few = bytes(random.choices(b'\x00\r\n :[]{}"\\%\xff09', k=random.randint(0, 3)))
            mutated[place : place + random.randint(0, 2)] = few
        assert talk(client.server, bytes(mutated)).partition(" ")[2][:1] in ("", "2", "4")
        client.post(f"{page}cancel")


def test_clients_that_send_nothing_keep_nobody_out(client, server):
    with ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            for _ in range(300)
        ]
        assert client.ask().status == 200
        assert idle[0].recv(1) == b""
        assert len(server._server.server_state.connections) <= MAX_CONNECTIONS


def test_a_disk_that_is_full_gives_a_sentence(client, folder, monkeypatch):
    full = mock.AsyncMock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    with monkeypatch.context() as patch:
        patch.setattr("anyio.open_file", full)
        status, said = client.post("jobs?name=a.csv", b"a,b\n1,2\n")
    assert status == 507
    assert said["error"].startswith("a.csv cannot be stored: No space left on device.")
    assert list(folder.iterdir()) == []


def test_an_unknown_format_is_refused_and_not_kept(client, folder):
    status, said = client.post("jobs?name=model.pkl", b"\x80\x04")
    assert status == 415
    assert said["error"].startswith("model.pkl has the extension '.pkl'")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "page.css/../_server.py",
        "_server.py",
        "job.html.j2",
        "jobs",
    ],
)
def test_paths_lead_nowhere_else(path, client):
    answer = client.ask(path)
    assert answer.status in (403, 404)
    assert "root:" not in answer.text


def test_a_form_that_is_no_json_is_refused(client, small, quick):
    page = client.upload(small.csv, "a.csv")
    status, said = client.post(f"{page}select", b"target=state")
    assert (status, said["error"][:20]) == (400, "The form is not JSON")
    assert client.post(f"{page}select", b"1" * 200_000)[0] == 413
    deep, surrogate = b"[" * 90_000, b'{"typed": "\\ud800"}'
    assert client.post(f"{page}select", deep)[1]["error"].startswith("The form is not JSON")
    assert client.post(f"{page}select", surrogate)[1]["error"].startswith("The field typed must")
    for action in ("../../page.js", "uploaded-table.csv", "result/report.html", "%2e%2e/x"):
        assert client.ask(f"{page}{action}").status in (403, 404)
    status, said = client.post(f"{page}remove")
    assert (status, said) == (200, {})
    for action in ACTIONS:
        assert client.ask(f"{page}{action}").status == 404


def test_so_many_files_and_no_more_are_kept(client, quick, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._jobs.MAX_JOBS", 1)
    page = client.upload(b"a,b\n1,2\n", "a.csv")
    client.wait(page)
    status, said = client.post("jobs?name=b.csv", b"a,b\n1,2\n")
    assert (status, said["error"][-25:]) == (429, "Remove one of them first.")
    client.post(f"{page}remove")


def test_the_file_that_finished_first_makes_room(client, quick, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._jobs.MAX_JOBS", 2)
    waiting, ended = (client.upload(b"a,b\n1,2\n", name) for name in ("a.csv", "b.csv"))
    client.wait(waiting)
    client.wait(ended)
    client.select(ended)
    assert client.wait(ended)["state"] == "done"
    new = client.upload(b"a,b\n1,2\n", "c.csv")
    assert client.ask(ended).status == 404
    assert client.wait(new)["state"] == "ready"
    assert client.wait(waiting)["state"] == "ready"
