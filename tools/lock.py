"""Write the installed versions of all packages to a lock file, without this package itself."""

from __future__ import annotations

import re
import sys
from importlib.metadata import distributions
from pathlib import Path

HEAD = "# Versions with which everything was tested last. `make lock` renews this file.\n"


def main() -> None:
    Path(sys.argv[1]).write_text(HEAD + "".join(sorted(lines())), encoding="utf-8")


def lines() -> set[str]:
    """Return one line per installed package."""
    found = set()
    for each in distributions():
        name = re.sub(r"[-_.]+", "-", each.name).lower()
        if name != "perturbfs":
            found.add(f"{name}=={each.version}\n")
    return found


if __name__ == "__main__":
    main()
