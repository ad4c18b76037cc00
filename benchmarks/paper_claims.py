"""Measure the claims of the paper that `docs/paper.md` lists.

    python benchmarks/paper_claims.py                   # all sections, about half an hour of CPU
    python benchmarks/paper_claims.py theorem angles    # some of them; the others are kept

Data sets are taken from disk (`PERTURBFS_DATA`); a message names those that are not there.
"""

from __future__ import annotations

import argparse
import csv

from _measure import RESULTS, cpu_seconds  # isort: skip  (pins the threads first)
import _claims_future
import _claims_misses
import _claims_selection
import _claims_tables
import _claims_theory

SECTIONS = {
    "theorem": _claims_theory.theorem,
    "interval": _claims_theory.interval,
    "proof": _claims_theory.proof,
    "noise size": _claims_theory.noise_size,
    "correlated if close": _claims_theory.correlated_if_close,
    "angles": _claims_theory.angles,
    "exactness": _claims_theory.exactness,
    "numbering": _claims_selection.numbering,
    "sensitivity counts": _claims_selection.sensitivity_counts,
    "equal sensitivities": _claims_selection.equal_sensitivities,
    "repeats": _claims_selection.repeats,
    "relevance": _claims_selection.relevance,
    "regression": _claims_selection.regression,
    "screened": _claims_selection.screened,
    "noise": _claims_selection.noise,
    "bound": _claims_future.bound,
    "own number": _claims_future.own_number,
    "stages": _claims_future.stages,
    "classifiers": _claims_tables.classifiers,
    "clusterings": _claims_tables.clusterings,
    "fraction": _claims_tables.fraction,
    "fs-svm": _claims_tables.fs_svm,
    "measures": _claims_tables.measures,
    "one split": _claims_tables.one_split,
    "spread": _claims_misses.spread,
    "flatness": _claims_misses.flatness,
    "splits": _claims_misses.splits,
    "allaml": _claims_misses.allaml,
}
PATH = RESULTS / "paper-claims.csv"
HEADER = ("section", "data", "quantity", "value")


def main(names: list[str]) -> None:
    rows = _kept()
    for name in names or SECTIONS:
        start = cpu_seconds()
        rows[name] = [(*place, f"{value:.4g}") for *place, value in SECTIONS[name]()]
        print(f"\n{name}: {cpu_seconds() - start:.0f} s of CPU")
        for data, quantity, value in rows[name]:
            print(f"  {data}: {quantity} = {value}", flush=True)
        _keep(rows)


def _kept() -> dict[str, list[tuple[str, ...]]]:
    rows: dict[str, list[tuple[str, ...]]] = {}
    if PATH.exists():
        with PATH.open(newline="") as file:
            for section, *rest in list(csv.reader(file))[1:]:
                rows.setdefault(section, []).append(tuple(rest))
    return rows


def _keep(rows: dict[str, list[tuple[str, ...]]]) -> None:
    with PATH.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows((name, *row) for name in SECTIONS for row in rows.get(name, ()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", choices=[[], *SECTIONS])
    main(parser.parse_args().sections)
