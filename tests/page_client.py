"""A client of `perturbfs serve` that behaves like a browser, as far as tests need it."""

import json
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from types import SimpleNamespace

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
