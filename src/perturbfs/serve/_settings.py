"""From the fields of the form to the words of `perturbfs select`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._requests import RefusedError
from ._uploads import Upload

RESULT = "result"
LONGEST_FIELD = 2000
DIRECTIONS = {"": (), "rows": ("--features-in-rows",), "columns": ("--features-in-columns",)}
# What the form shows first; as on the command line.
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
    """The fields of a form, each of them text; those that are missing as by default.

    Parameters
    ----------
    form : any
        What the page sent.

    Returns
    -------
    settings : dict of str to str
    """
    if not isinstance(form, dict) or not form.keys() <= DEFAULTS.keys():
        raise RefusedError(400, f"A form with the fields {', '.join(DEFAULTS)} is needed.")
    for name, value in form.items():
        if not isinstance(value, str) or len(value) > LONGEST_FIELD or "\0" in value:
            raise RefusedError(
                400, f"The field {name} must be text of at most {LONGEST_FIELD:,} letters."
            )
    settings = {**DEFAULTS, **form}
    if settings["features_in"] not in DIRECTIONS:
        raise RefusedError(400, "Features are in rows or in columns, or left to be found.")
    try:
        int(settings["random_state"])
    except ValueError:
        given = settings["random_state"]
        raise RefusedError(
            400, f"--random-state got {given!r}, but a whole number is needed."
        ) from None
    return settings


def select_command(
    settings: dict[str, str],
    table: Upload,
    labels: Upload | None,
    outlines: list[dict[str, Any]],
    *,
    folder: Path,
    n_jobs: int,
) -> list[str]:
    """Arguments of `perturbfs` that select as the form says.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    table : Upload
    labels : Upload or None
        The second file.
    outlines : list of dict
        Of the files, as far as they could be read.
    folder : Path
        Where the files are.
    n_jobs : int

    Returns
    -------
    command : list of str
        Values stand behind a sign of equality, so that none is taken for an option.
    """
    command = ["select", table.stored, f"--out={RESULT}", "--quiet", f"--jobs={n_jobs}"]
    target = _target(settings, labels, outlines, folder)
    command += [f"--target={target}"] if target else []
    command += [f"--method={settings['method']}"]
    command += [f"--n-features={settings['n_features'].strip() or 'auto'}"]
    command += [f"--impute={settings['impute']}"] if settings["impute"] else []
    command += [f"--task={settings['task']}"] if settings["task"] else []
    command += ["--drop-text"] if settings["drop_text"] else []
    command += DIRECTIONS[settings["features_in"]]
    return [*command, f"--random-state={int(settings['random_state'])}"]


def _target(
    settings: dict[str, str],
    labels: Upload | None,
    outlines: list[dict[str, Any]],
    folder: Path,
) -> str:
    """The outcome as the command line names it; empty for what the file itself says."""
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
        raise RefusedError(400, "This outcome is not among those that were found. Choose again.")
    return candidates[int(number)]


def _refuse_files(text: str, outlines: list[dict[str, Any]], folder: Path) -> None:
    """On the command line a target may be a file anywhere; from a page it must be a name."""
    if outlines and outlines[0]["has_targets"] and text in outlines[0]["names"]:
        return  # a column of this name comes before a file of this name
    paths = (folder / text, folder / (text.rpartition(":")[0] or text))
    if any(_exists(path) for path in paths):
        raise RefusedError(
            400, f"target={text!r} is a file. To take the outcome from a file, add it here."
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a path, and so none
        return False
