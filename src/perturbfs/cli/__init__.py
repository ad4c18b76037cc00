"""The command line: parse, call, print."""

from ._start import ended_by_ctrl_c as _ended_by_ctrl_c

with _ended_by_ctrl_c():
    from ._app import app

__all__ = ["app"]
