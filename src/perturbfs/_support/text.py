"""Keep sentences short enough to read, whatever a file holds."""

from __future__ import annotations

import re

# A word of more than 200 letters. The marks at its end, with which a sentence ends, stay.
TOO_LONG = re.compile(r"(\S{200})\S*?([.?)'\"]*)(?!\S)")


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
    return keep.join(TOO_LONG.sub(r"\1…\2", part) for part in parts)
