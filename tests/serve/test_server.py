"""Who is let in, what every answer carries, and what is refused, over real HTTP."""

import http.client
import socket

import pytest
from page_client import Client

ACTIONS = ["", "progress", "report.html", "selection.json"]


def test_only_the_loopback_interface_listens(server):
    assert server.server_address[0] == "127.0.0.1"
    with pytest.raises(OSError):  # noqa: PT011
        socket.create_connection(("127.0.0.2", server.server_port), timeout=2).close()


@pytest.mark.parametrize(
    "path", ["", "?token=", "?token=wrong", "page.js", "jobs/x/", "jobs/x/report.html"]
)
def test_nothing_is_shown_without_the_token(path, server):
    answer = Client(server, is_admitted=False).ask(path)
    assert answer.status == 403
    assert "Open the address that perturbfs serve printed" in answer.text
    assert server.base not in answer.text


def test_nothing_is_taken_without_the_token(server, folder):
    status, said = Client(server, is_admitted=False).post("jobs?name=a.csv", b"a,b\n")
    assert (status, list(folder.iterdir())) == (403, [])
    assert said["error"].startswith("Open the address")


def test_the_first_visit_leaves_a_cookie_that_scripts_and_other_sites_do_not_get(server):
    answer = Client(server, is_admitted=False).ask(url=server.address)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.endswith(f"; Path={server.base}; HttpOnly; SameSite=Strict")
    assert server.token not in cookie
    assert server.token not in answer.text


def test_the_address_for_the_browser_opens_once(server):
    address = server.address_for_browser()
    assert server.token not in address
    assert Client(server, is_admitted=False).ask(url=address).status == 200
    assert Client(server, is_admitted=False).ask(url=address).status == 403


def test_a_name_that_leads_here_is_refused(client):
    answer = client.ask(Host=f"evil.example:{client.server.server_port}")
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


def test_what_the_standard_library_refuses_has_our_headers(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("PUT", server.base)
    answer = connection.getresponse()
    assert answer.status == 501
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    connection.close()


def test_a_file_over_the_limit_is_refused_and_not_kept(client, folder):
    status, said = client.post("jobs?name=big.csv", b"1" * (client.server.max_size + 1))
    assert status == 413
    assert said["error"].startswith("big.csv has 2.0 MB, and at most 2.0 MB are accepted.")
    assert list(folder.iterdir()) == []


def test_a_length_that_promises_too_much_is_refused_before_it_comes(client, folder):
    connection = http.client.HTTPConnection("127.0.0.1", client.server.server_port, timeout=10)
    connection.putrequest("POST", f"{client.server.base}jobs?name=a.csv")
    cookie = next(iter(client.jar))
    connection.putheader("Cookie", f"{cookie.name}={cookie.value}")
    connection.putheader("Content-Length", str(10**12))
    connection.endheaders()
    assert connection.getresponse().status == 413
    assert list(folder.iterdir()) == []
    connection.close()


def test_a_file_that_does_not_arrive_whole_is_not_kept(client, folder):
    cookie = next(iter(client.jar))
    with socket.create_connection(("127.0.0.1", client.server.server_port), timeout=10) as wire:
        head = (
            f"POST {client.server.base}jobs?name=a.csv HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{client.server.server_port}\r\n"
            f"Cookie: {cookie.name}={cookie.value}\r\nContent-Length: 1000\r\n\r\n"
        )
        wire.sendall(head.encode() + b"a,b\n1,2\n")
        wire.shutdown(socket.SHUT_WR)
        answer = wire.recv(10_000).decode()
    assert answer.startswith("HTTP/1.0 400")
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


def test_a_form_that_is_no_json_is_refused(client, small):
    page = client.upload(small.csv, "a.csv")
    status, said = client.post(f"{page}select", b"target=state")
    assert (status, said["error"][:20]) == (400, "The form is not JSON")
    assert client.post(f"{page}select", b"1" * 200_000)[0] == 413
    for action in ("../../page.js", "uploaded-table.csv", "result/report.html", "%2e%2e/x"):
        assert client.ask(f"{page}{action}").status in (403, 404)
    status, said = client.post(f"{page}remove")
    assert (status, said) == (200, {})
    for action in ACTIONS:
        assert client.ask(f"{page}{action}").status == 404


def test_so_many_files_and_no_more_are_kept(client, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._jobs.MAX_JOBS", 1)
    page = client.upload(b"a,b\n1,2\n", "a.csv")
    client.wait(page)
    status, said = client.post("jobs?name=b.csv", b"a,b\n1,2\n")
    assert (status, said["error"][-25:]) == (429, "Remove one of them first.")
    client.post(f"{page}remove")


def test_the_file_that_finished_first_makes_room(client, monkeypatch):
    monkeypatch.setattr("perturbfs.serve._jobs.MAX_JOBS", 2)
    waiting, ended = (client.upload(b"a,b\n1,2\n", name) for name in ("a.csv", "b.csv"))
    client.wait(waiting)
    client.wait(ended)
    client.select(ended)  # without an outcome, which fails
    assert client.wait(ended)["state"] == "failed"
    new = client.upload(b"a,b\n1,2\n", "c.csv")
    assert client.ask(ended).status == 404
    assert client.wait(new)["state"] == "ready"
    assert client.wait(waiting)["state"] == "ready"
