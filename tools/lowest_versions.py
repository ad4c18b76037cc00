"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

Only what users install counts: the dependencies, and every extra but those of developers.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOR_DEVELOPERS = ("bench", "dev", "docs", "release")
BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)")


def lowest_versions(project: dict[str, object]) -> list[str]:
    """Return ``name==version`` for the lower bound of each dependency.

    Parameters
    ----------
    project : dict
        The table ``project`` of a pyproject.toml.

    Raises
    ------
    ValueError
        If a dependency has no lower bound, or two.

    Examples
    --------
    >>> lowest_versions({"dependencies": ["numpy>=2.1", "dask[array]>=2025.9"]})
    ['dask==2025.9', 'numpy==2.1']
    """
    extras = project.get("optional-dependencies", {})
    for_users = [extras[name] for name in extras if name not in FOR_DEVELOPERS]
    bounds: dict[str, str] = {}
    for text in [each for group in (project["dependencies"], *for_users) for each in group]:
        if text.startswith("perturbfs["):
            continue
        found = BOUND.match(text)
        if found is None:
            raise ValueError(f"{text!r} has no lower bound. Write it as name>=version.")
        name, version = found.groups()
        if bounds.setdefault(name, version) != version:
            raise ValueError(f"{name} has two lower bounds: {bounds[name]} and {version}.")
    return sorted(f"{name}=={version}" for name, version in bounds.items())


if __name__ == "__main__":
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    sys.stdout.write("\n".join(lowest_versions(tomllib.loads(text)["project"])) + "\n")
