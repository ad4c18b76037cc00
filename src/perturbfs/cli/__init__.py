"""The command line: parse, call, print."""

from ._app import app

__all__ = ["app"]
