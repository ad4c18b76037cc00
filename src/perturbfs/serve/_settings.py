"""Turn the fields of the form into the arguments of `perturbfs select`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._requests import RefusedError
from ._uploads import Upload

RESULT = "result"
LONGEST_FIELD = 2000
FLAGS = {"": (), "rows": ("--features-in-rows",), "columns": ("--features-in-columns",)}
# Fields that are options of `perturbfs select` under the same name; empty ones are not passed on.
OPTIONS = ("method", "n_features", "impute", "task", "random_state")
# First values of the form, the same as on the command line.
DEFAULTS = {
    "target": "",
    "typed": "",
    "method": "robust",
    "n_features": "auto",
    "impute": "",
    "features_in": "",
    "task": "",
    "drop_text": "",
    "random_state": "0",
}


def read_settings(form: Any) -> dict[str, str]:
    """Return the fields of a form as text; missing fields get their default.

    Parameters
    ----------
    form : any
        Content of the request.

    Returns
    -------
    settings : dict of str to str
    """
    if not isinstance(form, dict) or not form.keys() <= DEFAULTS.keys():
        raise RefusedError(400, f"The form may only have the fields {', '.join(DEFAULTS)}.")
    for name, value in form.items():
        if not isinstance(value, str) or len(value) > LONGEST_FIELD or "\0" in value:
            raise RefusedError(
                400, f"The field {name} must be text of at most {LONGEST_FIELD:,} characters."
            )
    settings = {**DEFAULTS, **form}
    if settings["features_in"] not in FLAGS:
        raise RefusedError(400, "features_in must be rows, columns or empty.")
    try:
        int(settings["random_state"])
    except ValueError:
        given = settings["random_state"]
        raise RefusedError(
            400, f"--random-state got {given!r}, but a whole number is needed."
        ) from None
    return settings


def select_command(
    settings: dict[str, str], table: Upload, target: str, *, n_jobs: int
) -> list[str]:
    """Return the arguments of `perturbfs` that select as the form says.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    table : Upload
    target : str
        From `target_of`.
    n_jobs : int

    Returns
    -------
    command : list of str
        A value follows an equals sign, so that no value is read as an option.
    """
    options = {name: settings[name].strip() for name in OPTIONS}
    options |= {"target": target, "out": RESULT, "jobs": str(n_jobs)}
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value]
    flags = FLAGS[settings["features_in"]] + (("--drop-text",) if settings["drop_text"] else ())
    return ["select", table.stored, "--quiet", *given, *flags]


def target_of(
    settings: dict[str, str],
    labels: Upload | None,
    outlines: list[dict[str, Any]],
    *,
    folder: Path,
) -> str:
    """Return the outcome as the command line names it.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    labels : Upload or None
        The second file.
    outlines : list of dict
        Outlines of the files that could be read.
    folder : Path
        Folder of the files.

    Returns
    -------
    target : str
        Empty for the outcome that the file itself names.
    """
    kind, _, number = settings["target"].partition(":")
    if kind == "candidate":
        return str(_candidate(outlines[:1], number)["target"])
    if kind == "labels":
        if labels is None:
            raise RefusedError(400, "There is no second file. Add it, or choose another outcome.")
        if not number:
            return labels.stored
        return f"{labels.stored}:{_candidate(outlines[1:], number)['target']}"
    if kind == "typed":
        _refuse_files(settings["typed"], outlines, folder)
        return settings["typed"]
    return ""


def _candidate(outlines: list[dict[str, Any]], number: str) -> dict[str, Any]:
    candidates: list[dict[str, Any]] = outlines[0]["candidates"] if outlines else []
    if not (number.isascii() and number.isdecimal() and int(number) < len(candidates)):
        raise RefusedError(
            400, "This outcome is not among the outcomes that were found. Choose again."
        )
    return candidates[int(number)]


def _refuse_files(text: str, outlines: list[dict[str, Any]], folder: Path) -> None:
    """Refuse a target that is a file: the command line would open it, the page must not."""
    if outlines and outlines[0]["has_targets"] and text in outlines[0]["names"]:
        return  # the command line prefers a column of this name to a file
    paths = (folder / text, folder / (text.rpartition(":")[0] or text))
    if any(_exists(path) for path in paths):
        raise RefusedError(
            400, f"target={text!r} is a file. To take the outcome from a file, add the file here."
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a path
        return False
