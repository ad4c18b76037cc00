"""Say an error of the library in the words of the command line."""

from __future__ import annotations

import re

# Parameters of the library that are options under another name.
_RENAMED = {
    "n_features_to_select": "n_features",
    "n_splits": "splits",
    "n_repeats": "repeats",
    "n_jobs": "jobs",
}
# Parameters that are options under the same name. Those that are also plain English words are
# meant only where a value follows.
_SAME = (
    "batch",
    "drop_text",
    "duplicates",
    "event",
    "event_value",
    "exclude",
    "features_in_rows",
    "groups",
    "header",
    "impute",
    "index",
    "layer",
    "match_names",
    "memory",
    "min_class_size",
    "random_state",
    "read_memory",
    "scoring",
    "sheet",
    "skip_rows",
    "stand_ins",
    "target",
    "task",
    "thousands",
    "time",
    "decimal",
    "unknown_classes",
    "unlabelled",
)
# Values that have an option of their own.
_FLAGS = {
    "features_in_rows=False": "--features-in-columns",
    "header=False": "--no-header",
    "drop_text='all'": "--drop-all-text",
}
_NAMES = "|".join([*_RENAMED, *_SAME])
# A quoted name that looks like an option is left alone.
_WITH_VALUE = re.compile(rf"(?<!['\"])\b({_NAMES})=('[^']*'|\"[^\"]*\"|[-+\w.*]*\w|)")
_UNMISTAKABLE = "|".join(name for name in (*_RENAMED, *_SAME) if "_" in name)
_ALONE = re.compile(rf"(?<!['\"])\b({_UNMISTAKABLE})\b")
# What has no parameter in the library, or no option on the command line.
_PHRASES = {
    r"pass a regressor as estimator": "pass --task regression",
    r"Pass a regressor as estimator": "Pass --task regression",
    r"\b([Pp])ass a number as (--n-features)": r"\1ass a number to \2",
    r"; read_table reads the others into memory": "; without --memory, others are read as a whole",
    r"On the command line: (.*?); in Python: .*\.": r"Pass \1.",
    r"\by (is|has|holds)\b": r"the outcome \1",
    r"\bof X\b": "of the table",
    r"\bX (is|has|holds)\b": r"the table \1",
    r"\bhow X was made": "how the table was made",
}


def in_options(text: str) -> str:
    """Return a message with parameters of the library said as options of the command.

    Parameters
    ----------
    text : str

    Returns
    -------
    text : str

    Examples
    --------
    >>> in_options("Leave it out with min_class_size=2, or pass task='regression'.")
    'Leave it out with --min-class-size 2, or pass --task regression.'
    >>> in_options("y is the same for all samples. Leave out drop_text (--drop-text).")
    'The outcome is the same for all samples. Leave out --drop-text.'
    """
    text = re.sub(r" \((?:in|In) Python:? [^()]*\)", "", text)
    text = _WITH_VALUE.sub(_option_with_value, text)
    text = _ALONE.sub(lambda found: _option(found[1]), text)
    for phrase, words in _PHRASES.items():
        text = re.sub(phrase, words, text)
    # Messages that name both say the option twice now.
    text = re.sub(r"(--[-a-z]+(?: [\w'.-]+)?) \(\1\)", r"\1", text)
    return re.sub(r"(^|(?:[.:] ))the (outcome|table) (?=is|has|holds)", _start, text)


def option_name(name: str) -> str:
    """Return the name of an option as a user types it."""
    return f"--{name.replace('_', '-')}"


def _start(found: re.Match[str]) -> str:
    return f"{found[1]}The {found[2]} "


def _option(name: str) -> str:
    return option_name(_RENAMED.get(name, name))


def _option_with_value(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if f"{name}={value}" in _FLAGS:
        return _FLAGS[f"{name}={value}"]
    if value in ("True", ""):
        return _option(name)
    is_word = re.fullmatch(r"'[\w.*/:-]+'", value)
    return f"{_option(name)} {value[1:-1] if is_word else value}"
