"""`perturbfs doctor`: what a bug report needs, and what is wrong with the installation."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from perturbfs import __version__
from perturbfs._support.installed import (
    Requirement,
    describe_threads,
    installed_version,
    read_requirements,
)

from ._console import Terminal, print_utf8

# Used if they are there, but no extra installs them: which one is right depends on the device.
_DEVICE_PACKAGES = ("torch", "cupy", "cupy-cuda12x", "cupy-cuda13x")


def run_doctor(terminal: Terminal) -> None:
    """Print what is installed and used; exit with 1 if something is wrong."""
    found = examine(read_requirements())
    if terminal.json:
        print_utf8(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(terminal, found)
    if found["problems"]:
        raise typer.Exit(1)


def examine(requirements: list[Requirement]) -> dict[str, Any]:
    """Return what is installed and used, in plain values, and sentences about what is wrong.

    A part that cannot be examined is None, and a sentence says why.

    Parameters
    ----------
    requirements : list of Requirement

    Returns
    -------
    found : dict
        ``perturbfs``, ``python``, ``system``, ``encoding``, ``packages``, ``extras``,
        ``devices``, ``threads``, ``data`` and ``problems``. Paths in the home directory begin
        with ``~``.
    """
    problems = [text for each in requirements for text in _faults(each)]
    threads = _attempt(describe_threads, problems)
    data = _attempt(_describe_data, problems)
    problems += [] if threads is None else _thread_faults(threads)
    problems += [] if data is None else _data_faults(data)
    extras = dict.fromkeys(each.extra for each in requirements if each.extra)
    return {
        "perturbfs": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "encoding": sys.stdout.encoding,
        "packages": {each.name: each.installed for each in requirements if not each.extra},
        "extras": {
            extra: {each.name: each.installed for each in requirements if each.extra == extra}
            for extra in extras
        },
        "devices": {
            name: found for name in _DEVICE_PACKAGES if (found := installed_version(name))
        },
        "threads": threads,
        "data": data,
        "problems": problems,
    }


def _attempt(examine_part: Callable[[], dict[str, Any]], problems: list[str]) -> Any:
    """Return a part of the answer, or None and a sentence: a broken package must not hide it."""
    try:
        return examine_part()
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
        return None


def _faults(package: Requirement) -> list[str]:
    cure = f"pip install '{package.name}>={package.lowest}'"
    if package.installed is None and package.extra is None:
        return [f"{package.name} is missing. Install it with: {cure}"]
    if package.is_too_old:
        old = f"{package.name} {package.installed} is older than {package.lowest}"
        return [f"{old}. Update it with: {cure}"]
    return []


def _thread_faults(threads: dict[str, Any]) -> list[str]:
    return [
        f"{each['name']} uses {each['threads']} threads, but only {threads['usable']} of the "
        "processors may be used, so it will be slow. Set OMP_NUM_THREADS and "
        f"OPENBLAS_NUM_THREADS to {threads['usable']}."
        for each in threads["libraries"]
        if each["threads"] > threads["usable"]
    ]


def _describe_data() -> dict[str, Any]:
    from perturbfs.datasets import cache_directory, list_datasets, where

    named = os.environ.get("PERTURBFS_DATA", "")
    is_wrong = bool(named) and not Path(named).expanduser().is_dir()
    names = [] if is_wrong else [each.name for each in list_datasets() if where(each.name)]
    cache = cache_directory()
    return {
        "PERTURBFS_DATA": _short(named) or None,
        "is_directory": not is_wrong,
        "cache": _short(str(cache)),
        "is_writable": _can_write(cache),
        "on_disk": names,
    }


def _can_write(folder: Path) -> bool:
    """Return whether files can be made in a folder, which may have to be made first."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK)


def _data_faults(data: dict[str, Any]) -> list[str]:
    faults = []
    if not data["is_directory"]:
        faults.append(
            f"PERTURBFS_DATA is {data['PERTURBFS_DATA']}, which is not a directory. Set it to a "
            "directory with data sets, or unset it."
        )
    if not data["is_writable"]:
        faults.append(
            f"Data sets cannot be kept in {data['cache']}, which cannot be written. Set "
            "XDG_CACHE_HOME to a directory that can be."
        )
    return faults


def _short(path: str) -> str:
    """Return a path without the name of the user."""
    home = str(Path.home())
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def _print(terminal: Terminal, found: dict[str, Any]) -> None:
    packages, extras = found["packages"], found["extras"]
    rows = [(name, found[name]) for name in ("perturbfs", "python", "system", "encoding")]
    rows += [(name, version or "missing") for name, version in packages.items()]
    rows += [(f"extra {extra}", _versions(extras[extra], extra)) for extra in extras]
    rows += found["devices"].items()
    rows += [] if found["threads"] is None else _thread_rows(found["threads"])
    rows += [] if found["data"] is None else _data_rows(found["data"])
    terminal.show((), rows)
    for problem in found["problems"]:
        terminal.say(f"\n{problem}")
    if not found["problems"]:
        terminal.say("\nNothing is wrong.")


def _versions(packages: dict[str, str | None], extra: str) -> str:
    text = ", ".join(f"{name} {version or 'missing'}" for name, version in packages.items())
    hint = f"; pip install 'perturbfs[{extra}]' adds what is missing"
    return text + ("" if all(packages.values()) else hint)


def _thread_rows(threads: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("processors", f"{threads['usable']} of {threads['processors']} can be used")]
    rows += threads["variables"].items()
    for each in threads["libraries"]:
        parts = (each["version"], f"{each['threads']} threads", each["architecture"])
        rows.append((each["name"], ", ".join(part for part in parts if part)))
    return rows


def _data_rows(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("PERTURBFS_DATA", data["PERTURBFS_DATA"] or "not set"),
        ("cache", data["cache"]),
        ("sets on disk", ", ".join(data["on_disk"]) or "none"),
    ]
