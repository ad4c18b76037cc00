"""`perturbfs convert`: copy a table so that it is stored feature by feature."""

from __future__ import annotations

from pathlib import Path

from perturbfs.datasets import convert_table, open_table

from ._command import WrongUseError
from ._console import Terminal
from ._select import refuse_taken


def run_convert(
    terminal: Terminal,
    source: str,
    to: str,
    out: str | None,
    *,
    target: str | None,
    memory: str,
    layer: str | None = None,
) -> None:
    """Write the copy and print where it is."""
    if to != "zarr":
        raise WrongUseError(f"--to {to} is not known. The only format is zarr.")
    place = str(Path(source).with_suffix(".zarr")) if out is None else out
    refuse_taken(place, force=False)
    with terminal.counting("features") as (set_total, advance):
        convert_table(
            source,
            place,
            target=target,
            memory=memory,
            layer=layer,
            on_plan=set_total,
            on_written=advance,
        )
    n_samples, n_features = open_table(place).X.shape
    terminal.say(
        f"Written to {place}: {n_samples} samples, {n_features} features, stored feature by "
        f"feature, with at most {memory} of memory."
    )
