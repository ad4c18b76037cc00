"""Write the small files that give users trouble, one folder per file, to try commands on them.

The files are made up. The tests in ``tests/troubles`` use the same functions::

    python tools/trouble_files.py /tmp/troubles
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"


def main() -> None:
    sys.path[:0] = [str(TESTS), str(TESTS / "troubles")]
    out = Path(sys.argv[1])
    for path in sorted((TESTS / "troubles").glob("*_files.py")):
        for name, write in inspect.getmembers(import_module(path.stem), inspect.isfunction):
            if name.startswith("write_") and needs_only_a_folder(write):
                folder = out / path.stem.removesuffix("_files") / name.removeprefix("write_")
                folder.mkdir(parents=True, exist_ok=True)
                print(write(folder))


def needs_only_a_folder(write) -> bool:
    """Return whether all parameters after the folder have defaults."""
    first, *others = inspect.signature(write).parameters.values()
    has_defaults = all(
        each.default is not each.empty or each.kind is each.VAR_POSITIONAL for each in others
    )
    return first.name == "folder" and has_defaults


if __name__ == "__main__":
    main()
