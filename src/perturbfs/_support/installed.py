"""List the packages that perturbfs needs or can use, and their threads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

# As hatchling writes `zarr>=3.1; extra == 'formats'`.
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^]]*\])?>=([\w.]+)(?:; extra == ['\"]([\w-]+)['\"])?")
_FOR_DEVELOPERS = ("all", "bench", "dev", "docs", "release")  # "all" repeats the other extras
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that perturbfs needs, or that one of its extras installs."""

    name: str
    lowest: str  # the lowest version that works
    extra: str | None  # None if perturbfs does not work without it
    installed: str | None  # the version, or None if it is missing

    @property
    def is_too_old(self) -> bool:
        """Whether an older version than the lowest is installed."""
        return self.installed is not None and _numbers(self.installed) < _numbers(self.lowest)


def read_requirements(lines: Iterable[str] | None = None) -> list[Requirement]:
    """Return what perturbfs needs or can use, and what of it is installed.

    Parameters
    ----------
    lines : iterable of str, optional
        Requirements as a distribution lists them; those of perturbfs by default.

    Returns
    -------
    requirements : list of Requirement

    Examples
    --------
    >>> [package] = read_requirements(["no-such-package>=1.0; extra == 'formats'"])
    >>> package.extra, package.installed
    ('formats', None)
    """
    found = map(_REQUIREMENT.match, (requires("perturbfs") or []) if lines is None else lines)
    parts = (match.groups() for match in found if match)
    return [
        Requirement(name, lowest, extra, installed_version(name))
        for name, lowest, extra in parts
        if extra not in _FOR_DEVELOPERS
    ]


def installed_version(name: str) -> str | None:
    """Return the version of an installed distribution, or None; it is not imported."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a release, without letters behind them."""
    release = re.match(r"[\d.]*", text)
    return tuple(int(part) for part in release.group().split(".") if part) if release else ()


def describe_threads() -> dict[str, Any]:
    """Return how many processors and threads there are, and the libraries that use them.

    Returns
    -------
    threads : dict
        ``processors`` of the machine; ``usable`` ones, which a container or a scheduler may
        limit; ``variables`` of the environment that are set; and ``libraries``, each with
        ``name``, ``version``, ``threads`` and, for BLAS, ``architecture``.

    Raises
    ------
    ImportError
        If a package that brings such a library is broken.
    """
    import joblib
    import sklearn.cluster  # noqa: F401, it loads BLAS and OpenMP
    import threadpoolctl

    return {
        "processors": os.cpu_count(),
        "usable": joblib.cpu_count(),
        "variables": {name: os.environ[name] for name in THREAD_VARIABLES if name in os.environ},
        "libraries": [
            {
                "name": each["internal_api"],
                "version": each["version"],
                "threads": each["num_threads"],
                "architecture": each.get("architecture"),
            }
            for each in threadpoolctl.threadpool_info()
        ],
    }
