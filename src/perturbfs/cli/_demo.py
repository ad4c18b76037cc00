"""`perturbfs demo`: select from made-up data and compare with the truth."""

from __future__ import annotations

from perturbfs.datasets import Table, WideData, make_wide_classification
from perturbfs.results import SelectedFeature, select_features, summarize

from ._console import Terminal

N_SPLITS = 5

_WHY = (
    "Each feature was selected because it explains something that the features before it do not, "
    "so the first few carry different information. Any feature of its group would do about as "
    "well. The paper's own method is also available: "
    "perturbfs select TABLE.csv --target OUTCOME --method paper."
)

_NEXT = """\
Now use your own table, with samples in rows, and features and the outcome in columns:

  perturbfs select TABLE.csv --target OUTCOME --out result

It reads CSV, TSV, Excel, ARFF, MATLAB, NumPy, GCT and more; see perturbfs select --help.\
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
        "are noisy copies of those. All others are noise.\n"
    )
    with terminal.progress(selecting=1, estimating=N_SPLITS) as (selected, split_done):
        outcome = select_features(
            table,
            method="robust",
            n_splits=N_SPLITS,
            random_state=random_state,
            on_selected=lambda _: selected(),
            on_split=split_done,
        )
    summary = summarize(outcome.selection)
    terminal.say(f"{summary['headline']}\n")
    rows = (
        [str(each.rank), each.label, f"{each.score:.3f}", describe_truth(each, data)]
        for each in outcome.selection.features
    )
    terminal.show(["rank", "feature", "score", "the truth"], rows)
    terminal.say(f"\n{summary['stability']}\n\n{_WHY}\n\n{_NEXT}")


def describe_truth(feature: SelectedFeature, data: WideData) -> str:
    """Describe how a selected feature was made."""
    signal = int(data.groups[feature.index])
    if feature.index in data.informative:
        return f"drives the class (signal {signal + 1})"
    if signal >= 0:
        return f"a noisy copy of signal {signal + 1}, which drives the class"
    names = {str(data.feature_names[j]) for j in data.informative}
    stood_for = names & set(map(str, feature.stands_for))
    if stood_for:
        return f"noise, but its group has {len(stood_for)} that drive the class"
    return "noise"
