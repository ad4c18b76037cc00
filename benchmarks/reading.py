"""Measure the seconds and the memory that readers need for a wide table.

It writes a table of 100 samples by 100,000 features as CSV and as Parquet, and reads it with each
reader in its own process into a matrix in double precision. It prints CPU and wall seconds, the
peak of memory without the imports, and the ratios to the fastest reader and to the size of the
file. The peak of memory needs Linux.

    python benchmarks/reading.py [--samples 100] [--features 100000] [--out results/reading.csv]
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

Read = Callable[[Path], Any]
RESULTS = Path(__file__).parent / "results" / "reading.csv"
COLUMNS = ["format", "reader", "version", "cpu_s", "wall_s", "cpu_over_fastest", "peak_mb"]
COLUMNS += ["peak_over_file", "file_mb", "samples", "features", "python"]


def read_ours(path: Path) -> Any:
    from perturbfs.datasets import read_table

    return read_table(path, target="state").X


def read_loadtxt(path: Path) -> Any:
    with path.open() as handle:
        width = handle.readline().count(",")
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=range(1, width))


def read_fromstring(path: Path) -> Any:
    with path.open() as handle:
        next(handle)
        middles = (line[line.index(",") + 1 : line.rindex(",")] for line in handle)
        return np.array([np.fromstring(middle, sep=",") for middle in middles])


def read_pandas(path: Path, **options: Any) -> Any:
    import pandas

    return pandas.read_csv(path, **options).iloc[:, 1:-1].to_numpy(dtype=float)


def read_polars(path: Path) -> Any:
    import polars

    read = polars.read_csv if path.suffix == ".csv" else polars.read_parquet
    return read(path)[:, 1:-1].to_numpy()


def from_arrow(table: Any) -> Any:
    values = np.empty((table.num_rows, table.num_columns - 2))
    for column, series in enumerate(table.columns[1:-1]):
        values[:, column] = series.to_numpy()
    return values


def read_pyarrow_csv(path: Path) -> Any:
    import pyarrow.csv

    # A block must hold a whole line, which here is longer than the default block.
    options = pyarrow.csv.ReadOptions(block_size=1 << 24)
    return from_arrow(pyarrow.csv.read_csv(path, read_options=options))


def read_pyarrow_parquet(path: Path) -> Any:
    import pyarrow.parquet

    return from_arrow(pyarrow.parquet.ParquetFile(path).read())


# Reader → package, modules to import before the clock starts, function.
READERS: dict[str, dict[str, tuple[str, str, Read]]] = {
    "csv": {
        "perturbfs.read_table": ("perturbfs", "perturbfs.datasets", read_ours),
        "numpy.loadtxt": ("numpy", "numpy", read_loadtxt),
        "numpy.fromstring": ("numpy", "numpy", read_fromstring),
        "pandas c": ("pandas", "pandas", read_pandas),
        "pandas c, low_memory=False": (
            "pandas",
            "pandas",
            lambda path: read_pandas(path, low_memory=False),
        ),
        "pandas pyarrow": ("pandas", "pandas", lambda path: read_pandas(path, engine="pyarrow")),
        "polars": ("polars", "polars", read_polars),
        "pyarrow": ("pyarrow", "pyarrow.csv", read_pyarrow_csv),
    },
    "parquet": {
        "perturbfs.read_table": ("perturbfs", "perturbfs.datasets", read_ours),
        "polars": ("polars", "polars", read_polars),
        "pyarrow": ("pyarrow", "pyarrow.parquet", read_pyarrow_parquet),
    },
}


def peak_memory() -> float:
    """Return the largest resident size of this process so far, in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def measure_here(kind: str, name: str, path: Path) -> dict[str, Any]:
    package, module, read = READERS[kind][name]
    import_module(module)
    before, cpu, wall = peak_memory(), time.process_time(), time.perf_counter()
    values = read(path)
    taken = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
    total = float(values.sum())
    return {**taken, "peak_mb": peak_memory() - before, "version": version(package), "sum": total}


def measure(kind: str, name: str, path: Path) -> dict[str, Any] | None:
    command = [sys.executable, __file__, "--one", kind, name, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        print(f"{kind} {name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def write_tables(folder: Path, n_samples: int, n_features: int) -> dict[str, Path]:
    rng = np.random.default_rng(0)
    paths = {"csv": folder / "wide.csv", "parquet": folder / "wide.parquet"}
    names = [f"g{j}" for j in range(n_features)]
    values = rng.normal(8, 2, size=(n_samples, n_features)).round(5)
    with paths["csv"].open("w") as handle:
        handle.write(",".join(["sample", *names, "state"]) + "\n")
        for i, row in enumerate(values):
            fields = map("{:.5f}".format, row.tolist())
            handle.write(",".join([f"S{i}", *fields, "ab"[i % 2]]) + "\n")
    import polars

    frame = polars.from_numpy(values, schema=names)
    labels = polars.DataFrame({"state": ["ab"[i % 2] for i in range(n_samples)]})
    samples = polars.DataFrame({"sample": [f"S{i}" for i in range(n_samples)]})
    polars.concat([samples, frame, labels], how="horizontal").write_parquet(paths["parquet"])
    return paths


def compare(kind: str, path: Path, n_samples: int, n_features: int) -> list[dict[str, Any]]:
    size = path.stat().st_size / 2**20
    found = {name: measure(kind, name, path) for name in READERS[kind]}
    rows = [{"reader": name, **result} for name, result in found.items() if result is not None]
    if len({round(row.pop("sum"), 4) for row in rows}) != 1:
        raise RuntimeError("the readers disagree on the values")
    fastest = min(row["cpu_s"] for row in rows)
    for row in rows:
        row |= {"format": kind, "file_mb": size, "samples": n_samples, "features": n_features}
        row |= {"cpu_over_fastest": row["cpu_s"] / fastest, "python": platform.python_version()}
        row["peak_over_file"] = row["peak_mb"] / size
    return sorted(rows, key=lambda row: row["cpu_s"])


def save(rows: list[dict[str, Any]], out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", newline="") as handle:
        writer = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            short = {k: round(v, 2) if isinstance(v, float) else v for k, v in row.items()}
            writer.writerow(short)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--features", type=int, default=100_000)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--one", nargs=3, metavar=("FORMAT", "READER", "FILE"))
    options = parser.parse_args()
    if options.one:
        kind, name, file = options.one
        print(json.dumps(measure_here(kind, name, Path(file))))
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        paths = write_tables(Path(folder), options.samples, options.features)
        for kind, path in paths.items():
            rows += compare(kind, path, options.samples, options.features)
    for row in rows:
        print(
            f"{row['format']:8}{row['reader']:28}{row['version']:12}"
            f"{row['cpu_s']:6.1f} s cpu {row['wall_s']:6.1f} s wall "
            f"{row['cpu_over_fastest']:5.1f} x fastest {row['peak_over_file']:6.1f} x file"
        )
    save(rows, options.out)


if __name__ == "__main__":
    main()
