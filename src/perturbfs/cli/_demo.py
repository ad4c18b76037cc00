"""`perturbfs demo`: select where the truth is known, and say how close it came."""

from __future__ import annotations

from rich.table import Table as Grid

from perturbfs.datasets import Table, WideData, make_wide_classification
from perturbfs.results import SelectedFeature, select_features, summarize

from ._console import Terminal

N_SPLITS = 5

_WHY = (
    "Each feature was taken for what those before it leave unexplained, so that the first few "
    "differ in what they say; what a feature stands for is as good as the feature. The paper's "
    "own method is there too: perturbfs select TABLE.csv --target OUTCOME --method paper."
)

_NEXT = """\
Now with a table of yours, samples in rows, features and the outcome in columns:

  perturbfs select TABLE.csv --target OUTCOME --out result

It reads CSV, TSV, Parquet, ARFF, MATLAB, NumPy, GCT and more; see perturbfs select --help.\
"""


def run_demo(terminal: Terminal, *, random_state: int) -> None:
    """Make data, select, and compare with the truth."""
    data = make_wide_classification(80, 1000, random_state=random_state)
    table = Table(
        X=data.X,
        y=data.y,
        feature_names=data.feature_names,
        task="classification",
        target_name="class",
    )
    n_useful = int((data.groups >= 0).sum())
    terminal.say(
        f"A made-up table: {table.n_samples} samples, {table.n_features} features. "
        f"{len(data.informative)} of them drive the class, {n_useful - len(data.informative)} "
        "are noisy copies of those, all others say nothing about it.\n"
    )
    with terminal.progress(selecting=1, estimating=N_SPLITS) as (selected, split_done):
        outcome = select_features(
            table,
            method="robust",
            n_splits=N_SPLITS,
            random_state=random_state,
            on_selected=selected,
            on_split=split_done,
        )
    summary = summarize(outcome.selection)
    terminal.say(f"{summary['headline']}\n")
    grid = Grid("rank", "feature", "score", "the truth", box=None, padding=(0, 2, 0, 0))
    for feature in outcome.selection.features:
        grid.add_row(str(feature.rank), feature.name, f"{feature.score:.3f}", truth(feature, data))
    terminal.console.print(grid)
    terminal.say(f"\n{summary['stability']}\n\n{_WHY}\n\n{_NEXT}")


def truth(feature: SelectedFeature, data: WideData) -> str:
    """What a chosen feature really is."""
    signal = int(data.groups[feature.index])
    if feature.index in data.informative:
        return f"drives the class (signal {signal + 1})"
    if signal >= 0:
        return f"a noisy copy of signal {signal + 1}, which drives the class"
    names = {str(data.feature_names[j]) for j in data.informative}
    stood_for = names & set(map(str, feature.stands_for))
    if stood_for:
        return f"noise, but stands for {len(stood_for)} that drive the class"
    return "noise"
