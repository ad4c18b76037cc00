"""Run `perturbfs serve`, send it a table, select, and end it as by Ctrl-C: a job for faults.py.

Server and browser are one process here, so that one kill ends both.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from page_client import Client

from perturbfs.cli import app

FORM = {"target": "candidate:0", "n_features": "2", "random_state": "0"}


class Listener(io.TextIOBase):
    """Standard output of the server; the browser starts when the address is printed."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._said = stream, ""

    def write(self, text: str) -> int:
        """Print text, and look for the address in it."""
        self._stream.write(text)
        self._said += text
        found = re.search(r"http://127\.0\.0\.1:\S+(?=\s)", self._said)
        if found:
            self._said = ""
            threading.Thread(target=browse, args=[found[0]], daemon=True).start()
        return len(text)


def browse(address: str) -> None:
    """Select features as a user of the page does, and then press Ctrl-C."""
    try:
        client: Any = Client(SimpleNamespace(address=address))
        page = client.upload(Path("table.csv").read_bytes(), "table.csv")
        client.wait(page)
        client.select(page, **FORM)
        client.wait(page)
    except (OSError, AssertionError) as error:  # the fault hit the job or the server
        print(f"The page ended early ({type(error).__name__}).", file=sys.stderr)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    sys.stdout = Listener(sys.stdout)
    app(["serve", "--no-browser", "--jobs", "2"])
