"""Install a wheel without extras into a fresh virtual environment, and use it as a new user does.

It ends with the size of the installation, and with the time of an import beside scikit-learn's::

    make build
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

SCRIPTS, SUFFIX = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
RESULTS = ("selection.json", "features.csv", "groups.csv", "selected.csv", "report.html")
# Time of the processor, since other programs run too.
TIMED = "import time; start = time.process_time(); {}; print(time.process_time() - start)"
IMPORTS = {
    "scikit-learn": "import sklearn.feature_selection, sklearn.svm, sklearn.model_selection",
    "perturbfs": "from perturbfs import RobustSelector",
}
MOST_TIMES = 1.2  # an import of ours, beside that of scikit-learn's parts
PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main(wheel: str) -> None:
    """Install the wheel and try it; an error or a failed check ends the program."""
    check_readme(Path(wheel))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / SCRIPTS
        python = str(programs / f"python{SUFFIX}")
        command = str(programs / f"perturbfs{SUFFIX}")
        call(python, "-m", "pip", "install", "--quiet", os.path.abspath(wheel), cwd=folder)
        call(command, "demo", cwd=folder)
        try_table(command, folder)
        print(f"Installed: {megabytes(Path(call(python, '-c', PURELIB, cwd=folder).strip()))} MB")
        seconds = {name: import_seconds(python, code, folder) for name, code in IMPORTS.items()}
        ratio = seconds["perturbfs"] / seconds["scikit-learn"]
        print(f"{IMPORTS['perturbfs']}: {ratio:.2f} times the import of scikit-learn's parts")
        check(ratio < MOST_TIMES, f"The import must take less than {MOST_TIMES} times as long.")


def check_readme(wheel: Path) -> None:
    """Check that no link of the description needs a file beside it."""
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [each for each in archive.namelist() if each.endswith("/METADATA")]
        text = archive.read(metadata).decode("utf-8")
    relative = re.findall(r"\]\((?!https?:)([^)]*)\)", text)
    check(not relative, f"The description links to {relative}, which a package index lacks.")


def try_table(command: str, folder: Path) -> None:
    """Select features of a CSV file, apply the selection, and read what was written."""
    rng = random.Random(0)
    with (folder / "table.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["sample", *(f"gene {j}" for j in range(200)), "state"])
        for i in range(60):
            values = [rng.gauss(0, 1) + (2 * (i % 2) if j < 3 else 0) for j in range(200)]
            rows.writerow([f"s{i}", *values, ("ill", "well")[i % 2]])
    call(command, "select", "table.csv", "--target", "state", "--out", "result", cwd=folder)
    for name in RESULTS:
        check((folder / "result" / name).stat().st_size > 0, f"{name} is empty.")
    page = (folder / "result" / "report.html").read_text("utf-8")
    check("gene 0" in page and "<svg" in page, "The page lacks a selected feature or a figure.")
    call(command, "apply", "result", "table.csv", "--out", "new.csv", cwd=folder)
    found = json.loads(call(command, "doctor", "--json", cwd=folder))
    check(not any(found["extras"]["formats"].values()), "The wheel installs what an extra should.")


def import_seconds(python: str, code: str, folder: Path) -> float:
    """Return the median time of an import of nine, each in a new process."""
    times = (float(call(python, "-c", TIMED.format(code), cwd=folder)) for _ in range(9))
    return statistics.median(times)


def megabytes(folder: Path) -> int:
    """Return the size of what was installed: without pip and what Python compiles later."""
    files = (each for each in folder.rglob("*") if each.is_file())
    kept = (each for each in files if not {"__pycache__", "pip"} & set(each.parts))
    return sum(each.stat().st_size for each in kept) // 10**6


def call(*words: str, cwd: Path) -> str:
    """Run a program and return what it prints; an error ends with what it said."""
    variables = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(words, cwd=cwd, capture_output=True, encoding="utf-8", env=variables)
    check(done.returncode == 0, f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(is_right: bool, message: str) -> None:
    """End the program with a message if something is wrong."""
    if not is_right:
        sys.exit(message)


if __name__ == "__main__":
    main(*sys.argv[1:])
