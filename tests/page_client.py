"""A server of the local page, a client that behaves like a browser, and tables to send."""

import json
import os
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import asdict
from http.cookiejar import CookieJar
from types import SimpleNamespace
from unittest import mock

import numpy as np

from perturbfs.datasets import make_wide_classification
from perturbfs.datasets.reading import outline_file
from perturbfs.serve._server import PageServer

LIMIT = 2_000_000
ACTIVE = ("reading", "queued", "running")


class Client:
    """Keeps the cookie, asks for pages, and says what came back."""

    def __init__(self, server, *, is_admitted=True):
        self.server = server
        self.jar = CookieJar()
        handlers = (urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.jar))
        self._opener = urllib.request.build_opener(*handlers)
        self.base = server.address.partition("?")[0]
        if is_admitted:
            assert self.ask(url=server.address).status == 200

    def ask(self, path="", *, data=None, url=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(url or self.base + path, data=data, headers=headers)
        try:
            with self._opener.open(request, timeout=60) as answer:
                return SimpleNamespace(
                    status=answer.status, headers=answer.headers, text=answer.read().decode()
                )
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode()
            return SimpleNamespace(status=error.code, headers=error.headers, text=text)

    def post(self, path, data=b"", **headers):
        answer = self.ask(path, data=data, Accept="application/json", **headers)
        return answer.status, json.loads(answer.text)

    def upload(self, content, name):
        status, said = self.post(f"jobs?name={urllib.request.quote(name)}", content)
        assert status == 201, said
        return said["page"]

    def select(self, page, **fields):
        return self.post(f"{page}select", json.dumps(fields).encode())

    def progress(self, page):
        return json.loads(self.ask(f"{page}progress").text)

    def wait(self, page, until=lambda said: said["state"] not in ACTIVE, seconds=120):
        end = time.monotonic() + seconds
        while not until(said := self.progress(page)):
            assert time.monotonic() < end, said
            time.sleep(0.05)
        return said


@contextmanager
def running_server(folder, **options):
    """A server in a thread; what it leaves behind is looked at when it has ended."""
    # One thread a process: the tests themselves run side by side.
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    server = PageServer(folder, max_size=LIMIT, **options)
    thread = threading.Thread(target=server.run)
    with mock.patch.dict(os.environ, one):
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()
    assert list(folder.iterdir()) == []


def without_processes(found, commands, run=None):
    """Return what replaces `run_child`: files are outlined in this process.

    Checks have the findings `found`, commands are appended to `commands`. Commands succeed at
    once, or are given to `run`.
    """

    async def run_child(request, folder, hear):
        if "outline" in request:
            outlines = [asdict(outline_file(folder / name)) for name in request["outline"]]
            hear({"outlines": json.loads(json.dumps(outlines))})
            return []
        commands.append(request.get("check") or request["command"])
        if "check" in request:
            hear({"findings": list(found)})
        return await run(request, folder, hear) if run and "command" in request else []

    return run_child


def is_alive(pid):
    """Return whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def small_table():
    """40 samples, 60 features and two classes as CSV; the outcome is the column called state."""
    made = make_wide_classification(40, 60, random_state=0)
    X, y = np.round(made.X, 3), np.where(made.y == "class 1", "normal", "tumor")
    names = [f"gene {j:02d}" for j in range(60)]
    return SimpleNamespace(X=X, y=y, names=names, csv=as_csv(X, y, names))


def large_table():
    """120 samples, 1,500 features of noise and two classes as CSV."""
    X = np.round(np.random.default_rng(0).standard_normal((120, 1500)), 2)
    return as_csv(X, ["a", "b"] * 60, [f"g{j}" for j in range(1500)])


def as_csv(X, y, names):
    rows = [",".join(["sample", *names, "state"])]
    rows += [f"S{i},{','.join(map(str, row))},{y[i]}" for i, row in enumerate(X.tolist())]
    return ("\n".join(rows) + "\n").encode()
