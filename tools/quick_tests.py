"""Run the tests of the packages that changed since the last commit, or else of the core.

Tests marked ``slow`` are left out, so that the answer comes within a minute::

    make quick
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ("arrays", "checks", "cluster", "paper", "robust", "scoring")
# A folder tests/anndata would be found in place of the package of that name.
FOLDERS = {"anndata": "with_anndata"}
# Tests of the whole tree that take a second.
ALWAYS = ("tests/test_imports.py", "tests/test_public_names.py")


def main() -> None:
    packages = sorted(package for package in changed_packages() if has_tests(package))
    print("Tests of", ", ".join(packages) if packages else f"the core: {', '.join(CORE)}")
    folders = [f"tests/{FOLDERS.get(package, package)}" for package in packages or CORE]
    call = [sys.executable, "-m", "pytest", "--numprocesses", "auto", "-m", "not slow", "-q"]
    sys.exit(subprocess.run([*call, *ALWAYS, *folders], cwd=ROOT, check=False).returncode)


def changed_packages() -> set[str]:
    """Return the packages with a source or test file that differs from the last commit."""
    lines = _git("status", "--porcelain", "--untracked-files=all").splitlines()
    paths = [Path(line[3:].rpartition(" -> ")[2].strip('"')) for line in lines]
    return {
        path.parts[depth]
        for path in paths
        for top, depth in ((("src", "perturbfs"), 2), (("tests",), 1))
        if path.parts[: len(top)] == top and len(path.parts) > depth + 1
    }


def has_tests(package: str) -> bool:
    """Return whether the package has tests of its own."""
    return (ROOT / "tests" / FOLDERS.get(package, package)).is_dir()


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


if __name__ == "__main__":
    main()
