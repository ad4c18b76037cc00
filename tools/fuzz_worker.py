"""Give damaged files to the package, one after another; `tools/fuzz.py` runs this in a process.

The number of each input is printed before it is tried, and a line of JSON after a finding, so that
the parent knows which input ended the process.
"""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from fuzz_mutations import mutate

BLOCKS = (".npy", ".zarr", ".h5", ".h5ad", ".parquet")
TARGETS = (None, None, "state", "y", 0, -1, "alpha", "beta:2", "class", 99)
MARKUP = ("<script>alert", "<img src=x onerror")
LONGEST = 3000  # letters of an error
SECONDS = 5.0  # for one file in the child process of the package; 30 would make a run too long


def make_input(seeds: list[Path], number: int, seed: int, scratch: Path) -> Path:
    """Write the damaged file with a number and return its path.

    Equal numbers and seeds give equal files.
    """
    rng = random.Random(f"{seed}/{number}")
    source = rng.choice(seeds)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    path = scratch / source.name
    if source.is_dir():
        shutil.copytree(source, path)
        files = sorted(each for each in path.rglob("*") if each.is_file())
        changed = rng.choice(files)
        changed.write_bytes(mutate(changed.read_bytes(), changed.suffix, rng))
    else:
        path.write_bytes(mutate(source.read_bytes(), source.suffix, rng))
    return path


def try_input(path: Path, rng: random.Random, good: dict[str, Path]) -> str | None:
    """Give a file to the functions and commands that read it, and return what is wrong."""
    for task in _tasks(path, rng, good):
        try:
            task()
        except AssertionError as error:
            return f"wrong result: {error}"
        except Exception as error:
            wrong = _wrong_error(error)
            if wrong is not None:
                return wrong
    return None


def _tasks(path: Path, rng: random.Random, good: dict[str, Path]) -> Iterator[Callable[[], None]]:
    """Yield what is done with a file; the commands, which take longer, are run for some only."""
    out = path.parent / "applied.csv"
    if path.suffix == ".json":
        yield partial(_command, path, "report", path.parent)
        if path.stem == "selection":
            yield partial(_command, path, "apply", path, good["table"], "--out", out)
        return
    yield partial(_read, path, rng)
    if path.suffix in BLOCKS:
        yield partial(_open, path, rng)
    if rng.randrange(8) == 0 and path.is_file():
        yield partial(_outline, path)
        yield partial(_command, path, "apply", good["selection"], path, "--out", out)


def _wrong_error(error: Exception) -> str | None:
    """Return what is wrong with an exception, or None if it is one sentence of the package."""
    from perturbfs.datasets import TableError
    from perturbfs.exceptions import BlockReadError

    if not isinstance(error, TableError | BlockReadError):
        return "".join(traceback.format_exception(error))
    return _wrong_sentence(str(error))


def _wrong_sentence(text: str) -> str | None:
    is_sentence = text.rstrip().endswith((".", "?", ")")) or re.search(r"[.?] .*\w$", text, re.S)
    if not is_sentence or len(text) > LONGEST:
        return f"no sentence: {text[:LONGEST]!r}"
    if "is cut short or damaged ()" in text:
        return f"says nothing: {text!r}"
    return None


def _read(path: Path, rng: random.Random) -> None:
    from perturbfs.datasets import read_table

    options: dict[str, Any] = {}
    if rng.randrange(3) == 0:
        options = {"missing": "allow", "drop_text": rng.choice((True, "all"))}
    _check(read_table(path, rng.choice(TARGETS), **options), is_whole=True)


def _open(path: Path, rng: random.Random) -> None:
    from perturbfs.datasets import open_table

    table = open_table(path, rng.choice(TARGETS[:4]))
    _check(table, is_whole=False)
    if math.prod(table.X.shape) > 10**7:
        return
    try:
        for block in table.X.row_chunks():
            assert all(map(math.isfinite, block.ravel().tolist())), "a block holds NaN"
    except ValueError as error:
        if not str(error).startswith("X contains "):  # what fit says of such values
            raise


def _outline(path: Path) -> None:
    from perturbfs.datasets.reading import outline_file

    outline = outline_file(path)
    assert min(outline.n_rows, outline.n_columns) >= 0
    json.dumps(outline.candidates, default=str)


def _check(table: Any, *, is_whole: bool) -> None:
    """Check what holds for every table, whatever the file says."""
    import numpy as np

    n_samples, n_features = table.X.shape
    assert n_samples > 0, "no samples"
    assert n_features > 0, "no features"
    names = ((table.y, n_samples), (table.feature_names, n_features))
    for values, size in (*names, (table.sample_names, n_samples)):
        assert values is None or values.shape == (size,), f"{values} for {size}"
    if table.y is not None and table.y.dtype.kind == "f":
        assert np.isfinite(table.y).all(), "the outcome is not finite"
    if is_whole:
        values = table.X.data if hasattr(table.X, "tocsr") else table.X
        assert not np.isinf(values).any(), "infinite values"
        assert int(np.isnan(values).sum()) == table.n_missing, "NaN that are not counted"


def _command(path: Path, *words: Any) -> None:
    """Run a command of the command line; its error must be one sentence."""
    from typer.testing import CliRunner

    from perturbfs.cli import app

    done = CliRunner().invoke(app, [*map(str, words), *(["--force"] if "--out" in words else [])])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2), f"exit code {done.exit_code}"
    wrong = None
    if done.exit_code:
        text = done.stderr.partition("Error: ")[2].strip()
        wrong = _wrong_sentence(text)
        assert "probably a bug" not in text, text
        assert wrong is None, wrong
    page = path.parent / "report.html"
    if page.exists():
        content = page.read_text(encoding="utf-8")
        assert not any(each in content for each in MARKUP), "markup reached the page"


def main() -> None:
    """Try the inputs from one number to another, with files in a scratch folder."""
    start, stop, step, seed = map(int, sys.argv[1:5])
    folder, scratch = Path(sys.argv[5]), Path(sys.argv[6])
    warnings.simplefilter("ignore")
    from perturbfs.datasets.reading import _limits

    _limits.SECONDS = SECONDS
    seeds = [Path(line) for line in (folder / "seeds.txt").read_text().splitlines()]
    good = {"table": folder / "good.csv", "selection": folder / "good.json"}
    for number in range(start, stop, step):
        print(number, flush=True)
        path = make_input(seeds, number, seed, scratch)
        wrong = try_input(path, random.Random(number), good)
        if wrong is not None:
            print(json.dumps({"input": number, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main()
