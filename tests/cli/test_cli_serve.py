"""`perturbfs serve` as a process: what it prints, how it ends, and what it leaves."""

import signal
import socket
import sys

import pytest
from page_client import Client


@pytest.fixture
def serving(start, tmp_path):
    """The example of the help, started, and a client with the address that it printed."""
    process = start("serve", "--no-browser", cwd=tmp_path, env={"TMPDIR": tmp_path})
    lines = [process.stdout.readline() for _ in range(3)]
    yield process, lines
    if process.poll() is None:
        process.kill()
    process.communicate()


def served(address):
    """A client for a server in another process."""
    port = int(address.split("/")[2].rpartition(":")[2])
    return Client(type("Server", (), {"address": address, "server_port": port}))


@pytest.mark.skipif(sys.platform == "win32", reason="ends with POSIX signals")
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM"])
def test_it_prints_an_address_and_removes_all_when_it_ends(end, serving, tmp_path):
    process, lines = serving
    address = lines[1].strip()
    assert address.startswith("http://127.0.0.1:")
    assert lines[2].startswith("Ctrl-C stops the server")
    client = served(address)
    page = client.upload(b"a,b,state\n1,2,x\n3,4,y\n", "table.csv")
    folders = list(tmp_path.glob("perturbfs-serve-*"))
    assert [folder.stat().st_mode & 0o077 for folder in folders] == [0]  # nobody else may enter
    assert list(folders[0].rglob("uploaded-table.csv"))
    assert client.progress(page)["state"] == "reading"  # and so a process is at work
    process.send_signal(getattr(signal, end))
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert output.endswith("Stopped. All uploaded files and their results were removed.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_refused(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--no-browser", "--port", port, cwd=tmp_path)
    assert done.returncode == 2
    assert f"--port got {port}, but 127.0.0.1:{port} cannot be used" in done.stderr


def test_the_browser_gets_an_address_that_opens(monkeypatch, run, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("perturbfs.serve._server.PageServer.run", lambda _: None)
    printed = run("serve", "--max-size", "1", cwd=tmp_path).stdout
    assert len(opened) == 1
    assert opened[0].partition("=")[0] in printed  # the same page,
    assert opened[0] not in printed  # and a token for this visit alone


def test_without_the_extra_it_says_how_to_install_it(monkeypatch, run, tmp_path):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("serve", "--no-browser", cwd=tmp_path)
    assert done.returncode == 1
    assert "Install it with: pip install 'perturbfs[serve]'" in done.stderr
