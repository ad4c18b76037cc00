"""Turn the fields of the form into the arguments of `perturbfs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perturbfs.datasets.reading import find_label_file

from ._offers import Outline
from ._requests import RefusedError
from ._uploads import Upload

RESULT = "result"
LONGEST_FIELD = 2000
# Fields with a choice of options.
FLAGS = {
    "features_in": {"": "", "rows": "--features-in-rows", "columns": "--features-in-columns"},
    "header": {"": "", "yes": "--header", "no": "--no-header"},
    "drop_text": {"": "", "yes": "--drop-text", "all": "--drop-all-text"},
}
# Fields that are options under the same name; empty ones are not passed on.
READING = (
    *("impute", "task", "na", "decimal", "thousands", "sheet", "layer", "skip_rows"),
    *("duplicates", "unlabelled", "match_names", "exclude"),
)
COLUMNS = ("groups", "batch")  # fields that name a column of one of the two files
LISTS = ("na", "exclude")  # their entries are separated by commas, and each is an option
OPTIONS = {
    "check": (),
    "select": ("method", "n_features", "min_class_size", "random_state"),
    "evaluate": ("methods", "min_class_size", "random_state"),
}
# First values of the form, the same as on the command line.
DEFAULTS = {
    "target": "",
    "typed": "",
    "groups": "",
    "batch": "",
    "method": "robust",
    "n_features": "auto",
    "methods": "robust,paper,mrmr,random",
    "sizes": "5,10,20,40",  # --n-features of `perturbfs evaluate`
    "min_class_size": "",
    "random_state": "0",
    **dict.fromkeys((*FLAGS, *READING), ""),
}
# Fields on which the findings of a check depend.
CHECKED = ("target", "typed", *COLUMNS, *FLAGS, *READING)


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
        if not _is_text(value) or len(value) > LONGEST_FIELD:
            raise RefusedError(
                400, f"The field {name} must be text of at most {LONGEST_FIELD:,} characters."
            )
    settings = {**DEFAULTS, **form}
    for name, allowed in FLAGS.items():
        if settings[name] not in allowed:
            raise RefusedError(
                400, f"{name} must be empty or one of {', '.join(filter(None, allowed))}."
            )
    try:
        int(settings["random_state"])
    except ValueError:
        given = settings["random_state"]
        raise RefusedError(
            400, f"--random-state got {given!r}, but a whole number is needed."
        ) from None
    return settings


def _is_text(value: Any) -> bool:
    """Return whether a value is text without characters that no name can have."""
    return isinstance(value, str) and not any(
        c == "\0" or "\ud800" <= c <= "\udfff" for c in value
    )


def command_of(
    kind: str,
    settings: dict[str, str],
    table: Upload,
    target: str,
    columns: dict[str, str],
    *,
    n_jobs: int,
) -> list[str]:
    """Return the arguments of `perturbfs` that do what the form says.

    Parameters
    ----------
    kind : {"check", "select", "evaluate"}
    settings : dict
        From `read_settings`.
    table : Upload
    target : str
        From `target_of`.
    columns : dict of str to str
        From `columns_of`.
    n_jobs : int

    Returns
    -------
    command : list of str
        A value follows an equals sign, so that no value is read as an option.
    """
    pairs = [("target", target), *columns.items()]
    for name in (*READING, *OPTIONS[kind]):
        values = settings[name].split(",") if name in LISTS else [settings[name]]
        pairs += [(name, value.strip()) for value in values]
    if kind == "evaluate":
        pairs.append(("n_features", settings["sizes"].strip()))
    if kind != "check":
        pairs += [("out", RESULT), ("jobs", str(n_jobs))]
    given = [f"--{name.replace('_', '-')}={value}" for name, value in pairs if value]
    flags = [words[settings[name]] for name, words in FLAGS.items() if settings[name]]
    says = "--json" if kind == "check" else "--quiet"
    return [kind, table.stored, says, *given, *flags]


def target_of(
    settings: dict[str, str],
    labels: Upload | None,
    outlines: list[Outline],
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
    if kind == "labels":
        if labels is None:
            raise RefusedError(400, "There is no second file. Add it, or choose another outcome.")
        if not number:
            return labels.stored
        return f"{labels.stored}:{_candidate(outlines[1:], number)['target']}"
    name = settings["typed"] if kind == "typed" else ""
    if kind == "candidate":
        name = str(_candidate(outlines[:1], number)["target"])
    return _checked_name(name, folder, field="target")


def columns_of(
    settings: dict[str, str],
    labels: Upload | None,
    outlines: list[Outline],
    *,
    folder: Path,
) -> dict[str, str]:
    """Return groups and batches as the command line names them: columns of one of the files."""
    known = [each for other in outlines[1:] for each in other["names"]]
    columns = {}
    for field in COLUMNS:
        name = settings[field].strip()
        if name and labels is not None and name in known:
            columns[field] = f"{labels.stored}:{name}"
        else:
            columns[field] = _checked_name(name, folder, field=field) if name else ""
    return columns


def _candidate(outlines: list[Outline], number: str) -> dict[str, Any]:
    candidates: list[dict[str, Any]] = outlines[0]["candidates"] if outlines else []
    if not (number.isascii() and number.isdecimal() and int(number) < len(candidates)):
        raise RefusedError(
            400, "This outcome is not among the outcomes that were found. Choose again."
        )
    return candidates[int(number)]


def _checked_name(text: str, folder: Path, *, field: str) -> str:
    """Return a name that was typed or found in a file; refuse one that a command would open."""
    if find_label_file(str(folder / text)):
        raise RefusedError(
            400,
            f"{field}={text!r} is a file on this machine, which this page does not open. Add the "
            "file here, or rename the column.",
        )
    return text
