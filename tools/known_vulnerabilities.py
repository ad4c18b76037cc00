"""Compare installed packages with a list of versions that mend known vulnerabilities.

The list is kept by hand, so that `make check` needs no network. It names packages that this one
installs, directly or not. A new advisory is a line here and, if it concerns what perturbfs does
with the package, a higher lower bound in pyproject.toml::

    python tools/known_vulnerabilities.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from packaging.version import Version

# First version without the vulnerability, and its number. Looked at last on 2026-11-19.
SAFE = {
    "cryptography": ("44.0.1", "CVE-2024-12797"),
    "distributed": ("2026.1.1", "CVE-2026-23528, of the dashboard"),
    "fonttools": ("4.60.2", "CVE-2025-66034"),
    "h11": ("0.16.0", "CVE-2025-43859"),
    "jinja2": ("3.1.6", "CVE-2025-27516"),
    "joblib": ("1.2.0", "CVE-2022-21797"),
    "numpy": ("1.22.0", "CVE-2021-41496"),
    "pillow": ("11.3.0", "CVE-2025-48379"),
    "pyarrow": ("14.0.1", "CVE-2023-47248"),
    "pygments": ("2.15.0", "CVE-2022-40896"),
    "pyyaml": ("5.4", "CVE-2020-14343"),
    "requests": ("2.32.4", "CVE-2024-47081"),
    "scikit-learn": ("1.5.0", "CVE-2024-5206"),
    "scipy": ("1.10.0", "CVE-2023-25399"),
    "starlette": ("0.49.1", "CVE-2025-62727"),
    "tornado": ("6.5.5", "CVE-2026-31958"),
    "urllib3": ("2.5.0", "CVE-2025-50181"),
}


def main() -> None:
    sentences = find_vulnerable(installed())
    print("\n".join(sentences) or f"None of {len(SAFE)} known vulnerabilities is installed.")
    sys.exit(bool(sentences))


def installed() -> dict[str, str]:
    """Return the versions of the packages of the list that are installed."""
    versions = {}
    for name in SAFE:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def find_vulnerable(versions: Mapping[str, str]) -> list[str]:
    """Return a sentence for each package that is older than its first safe version."""
    return [
        f"{name} {found} has a known vulnerability ({SAFE[name][1]}). Install {SAFE[name][0]} or "
        "later."
        for name, found in versions.items()
        if Version(found) < Version(SAFE[name][0])
    ]


if __name__ == "__main__":
    main()
