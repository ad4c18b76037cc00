"""Keep sentences short enough to read, whatever a file holds."""

from __future__ import annotations

import re

LONGEST = 200  # letters without a blank


def shorten(text: str, keep: str = "") -> str:
    """Return a sentence in which words of more than 200 letters are cut.

    Parameters
    ----------
    text : str
    keep : str, default=""
        What is never cut, such as a path.

    Returns
    -------
    text : str

    Examples
    --------
    >>> len(shorten(f"The name {'e' * 5000} is wrong."))
    220
    """
    parts = text.split(keep) if keep else [text]
    return keep.join(re.sub(rf"(\S{{{LONGEST}}})\S+", r"\1…", part) for part in parts)
