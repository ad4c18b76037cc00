"""Downloads from a real server on loopback, well-behaved and not."""

import hashlib
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import perturbfs.datasets._download as download
from perturbfs.datasets import DataFile, DownloadError, Layout, find_dataset
from perturbfs.datasets._download import download_file, file_checksum

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Publisher(BaseHTTPRequestHandler):
    """Serves CONTENT in the manner its path asks for."""

    def __init__(self, *args, release, **options):
        self.release = release
        super().__init__(*args, **options)

    def do_GET(self):
        manner = self.path.strip("/")
        if manner == "missing":
            self.send_error(404)
        elif manner == "broken":
            self.send_error(503)
        else:
            getattr(self, f"send_{manner}")()

    def send_right(self):
        self.announce(len(CONTENT))
        self.wfile.write(CONTENT)

    def send_unannounced(self):
        self.announce(None)
        self.wfile.write(CONTENT)

    def send_other(self):
        self.announce(len(CONTENT))
        self.wfile.write(b"\x01" + CONTENT[1:])

    def send_truncated(self):
        self.announce(len(CONTENT))
        self.wfile.write(CONTENT[:1000])

    def send_endless(self):
        self.announce(None)
        try:
            while not self.release.is_set():
                self.wfile.write(CONTENT)
        except ConnectionError:
            pass  # what a client that has had enough looks like from here

    def send_slow(self):
        self.announce(len(CONTENT))
        self.wfile.write(CONTENT[:1000])
        self.wfile.flush()
        self.release.wait(10)

    def send_drip(self):
        self.announce(len(CONTENT))
        self.drip(CONTENT)

    def send_dripping_headers(self):
        self.drip(
            b"HTTP/1.0 200 OK\r\n" + b"X-Note: ....................................\r\n" * 90
        )

    def drip(self, content):
        try:
            for byte in content:
                self.wfile.write(bytes([byte]))
                if self.release.wait(0.02):
                    return
        except ConnectionError:
            pass  # the client has had enough

    def send_silent(self):
        self.release.wait(10)

    def send_moved(self):
        self.send_response(302)
        self.send_header("Location", "/right")
        self.end_headers()

    def announce(self, length):
        self.send_response(200)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *args):
        """Keep quiet."""


@contextmanager
def running_server():
    release = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Publisher, release=release)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        release.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server():
    with running_server() as address:
        yield address


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def entry_at(*urls):
    file = DataFile("colon.mat", SHA256, len(CONTENT), urls, Layout())
    return replace(find_dataset("colon"), files=(file,))


@pytest.mark.parametrize("manner", ["right", "unannounced", "moved"])
def test_the_right_file_arrives_whole_and_alone(server, tmp_path, manner):
    path = download_file(entry_at(f"{server}/{manner}"), tmp_path / "new" / "cache")
    assert path == tmp_path / "new" / "cache" / "colon.mat"
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("manner", "message"),
    [
        (
            "other",
            f"its sha256 is [0-9a-f]{{64}}, the catalogue expects {SHA256}. It was not kept",
        ),
        ("truncated", "stopped after 1000 of 256000 bytes: the file is truncated"),
        ("missing", r"answered with HTTP status 404 \(Not Found\)"),
        ("broken", r"answered with HTTP status 503 \(Service Unavailable\)"),
        ("slow", r"sent nothing for 0\.3 seconds"),
        ("silent", r"sent nothing for 0\.3 seconds"),
        ("endless", "sent more than the 256000 bytes the file has"),
    ],
)
def test_a_failure_is_explained_and_leaves_nothing(server, tmp_path, manner, message):
    with pytest.raises(DownloadError, match=f"/{manner} .*{message}") as caught:
        download_file(entry_at(f"{server}/{manner}"), tmp_path, timeout=0.3)
    assert "'colon' could not be downloaded" in str(caught.value)
    assert f"put it in {tmp_path}. By hand: Take X and Y of colon.mat" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("manner", ["drip", "dripping_headers"])
def test_a_server_that_sends_a_byte_now_and_then_is_given_up(
    server, tmp_path, monkeypatch, manner
):
    monkeypatch.setattr(download, "SLOWEST", 10**6)  # so all must have come in half a second
    with pytest.raises(DownloadError, match=f"/{manner} sent less than 1,000,000 bytes per sec"):
        download_file(entry_at(f"{server}/{manner}"), tmp_path, timeout=0.3)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_an_older_file_as_it_was(server, tmp_path):
    (tmp_path / "colon.mat").write_bytes(b"old")
    with pytest.raises(DownloadError):
        download_file(entry_at(f"{server}/truncated"), tmp_path)
    assert (tmp_path / "colon.mat").read_bytes() == b"old"


def test_a_refused_connection_asks_for_a_network(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(DownloadError, match=r"could not be reached .* Is there a network\?"):
        download_file(entry_at(f"http://127.0.0.1:{port}/right"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_second_address_is_asked_when_the_first_fails(server, tmp_path):
    path = download_file(entry_at(f"{server}/missing", f"{server}/right"), tmp_path)
    assert file_checksum(path) == SHA256


def test_the_failure_of_every_address_is_reported(server, tmp_path):
    with pytest.raises(DownloadError, match=r"status 404.*truncated"):
        download_file(entry_at(f"{server}/missing", f"{server}/truncated"), tmp_path)


@pytest.mark.parametrize("manner", ["right", "unannounced"])
def test_progress_counts_up_to_all_bytes(server, tmp_path, manner):
    seen = []
    download_file(
        entry_at(f"{server}/{manner}"), tmp_path, progress=lambda *each: seen.append(each)
    )
    done = [each[0] for each in seen]
    assert done == sorted(set(done))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert {total for _, total in seen} == {len(CONTENT)}


def test_an_interrupted_download_leaves_nothing(server, tmp_path):
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download_file(entry_at(f"{server}/right"), tmp_path, progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_checksum_of_a_file_is_that_of_its_bytes(tmp_path):
    (tmp_path / "file").write_bytes(CONTENT)
    assert file_checksum(tmp_path / "file") == SHA256
