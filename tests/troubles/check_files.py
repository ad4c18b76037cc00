"""Files with contents that mislead: copies of the outcome, twins, identifiers, dates and so on.

Each function writes one file into a folder and returns its path. The outcome is the column state.
"""

import csv

import numpy as np

N_SAMPLES, N_FEATURES = 60, 80


def _clean(seed=0, *, n_samples=N_SAMPLES, n_features=N_FEATURES):
    """Return values, some of which differ between two classes, and the labels."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(["healthy", "ill"], n_samples // 2))
    X = rng.standard_normal((n_samples, n_features))
    X[:, :5] += 1.2 * (labels == "ill")[:, None]
    return np.round(X, 4), labels, rng


def _write(folder, name, X, labels, **columns):
    """Write a table with further columns before the outcome."""
    path = folder / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        genes = [f"G{place:03d}" for place in range(X.shape[1])]
        writer.writerow(["sample", *genes, *columns, "state"])
        for row, (values, label) in enumerate(zip(X.tolist(), labels, strict=True)):
            more = [column[row] for column in columns.values()]
            writer.writerow([f"S{row:02d}", *values, *more, label])
    return path


def write_clean(folder):
    X, labels, _ = _clean()
    return _write(folder, "clean", X, labels)


def write_outcome_copy(folder):
    X, labels, _ = _clean()
    return _write(folder, "copy", X, labels, diagnosis_code=1 + (labels == "ill"))


def write_threshold(folder):
    """The outcome was made from a score, which is still in the table."""
    X, labels, rng = _clean()
    score = np.where(labels == "ill", 1, -1) * rng.uniform(0.1, 3, len(labels))
    return _write(folder, "threshold", X, labels, risk=np.round(score, 3))


def write_follow_up(folder):
    """The outcome is a survival in days, and the follow-up in months is in the table."""
    X, _, rng = _clean()
    days = rng.integers(30, 3000, len(X))
    return _write(folder, "followup", X, days + 0.5, **{"follow-up (months)": days // 30})


def write_same_order(folder):
    """A feature has the order of the outcome, but neither its unit nor a telling name."""
    X, _, rng = _clean()
    weight = rng.uniform(40, 120, len(X))
    noise = rng.normal(0, 0.2, len(X))
    return _write(folder, "order", X, np.round(weight, 2), m7=np.round(np.exp(weight / 9) + noise))


def write_identifier(folder):
    """Rows are sorted by the outcome, so their numbers predict it."""
    X, labels, _ = _clean()
    order = np.argsort(labels, kind="stable")
    return _write(folder, "identifier", X[order], labels[order], nr=range(1, len(X) + 1))


def write_random_numbers(folder):
    """Samples are numbered at random, so the numbers say nothing."""
    X, labels, rng = _clean()
    return _write(folder, "numbers", X, labels, nr=rng.permutation(len(X)) + 1)


def write_codes_by_class(folder):
    """Cases have other sample codes than controls, and ten features tell the classes as well."""
    X, labels, rng = _clean()
    X[:, :10] += 8 * (labels == "ill")[:, None]
    codes = rng.choice(500, len(X), replace=False) + np.where(labels == "ill", 1000, 3000)
    return _write(folder, "codes", X, labels, code=codes)


def write_nearly_copied(folder):
    """A score was derived from the outcome; one sample has the score of the other class."""
    X, labels, rng = _clean()
    score = (labels == "ill") + 0.1 * rng.standard_normal(len(X))
    score[np.flatnonzero(labels == "ill")[0]] = 0
    return _write(folder, "nearly", X, labels, score=np.round(score, 4))


def write_date(folder):
    X, labels, rng = _clean()
    dates = [20230000 + 100 * m + d for m, d in rng.integers(1, 13, (len(X), 2))]
    return _write(folder, "date", X, labels, taken=dates)


def write_replicates(folder, *, noise=0.1, name_column=None):
    """24 patients with three replicates each; their outcomes are random."""
    rng = np.random.default_rng(0)
    profiles = np.repeat(rng.standard_normal((24, 500)), 3, axis=0)
    X = profiles + noise * rng.standard_normal(profiles.shape)
    labels = np.repeat(rng.permutation(np.repeat(["healthy", "ill"], 12)), 3)
    patients = np.repeat(np.arange(101, 125), 3)
    columns = {} if name_column is None else {name_column: patients}
    return _write(folder, f"replicates-{noise}-{name_column}", np.round(X, 4), labels, **columns)


def write_one_copied_sample(folder):
    X, labels, _ = _clean()
    X[41] = X[7]
    labels[41] = labels[7]
    return _write(folder, "copied", X, labels)


def write_labels_in_two_spellings(folder):
    X, labels, _ = _clean()
    labels = labels.astype(object)
    labels[np.flatnonzero(labels == "ill")[:6]] = "Ill"
    return _write(folder, "spellings", X, labels)


def write_small_classes(folder):
    X, labels, _ = _clean()
    labels = labels.astype(object)
    labels[:2], labels[2:6] = "rare", "unusual"
    return _write(folder, "small", X, labels)


def write_many_numbers_as_classes(folder):
    """Ages: 25 whole numbers, which are taken for classes."""
    X, _, rng = _clean()
    return _write(folder, "ages", X, rng.permutation(np.arange(len(X)) % 25) + 40)


def write_constants(folder):
    X, labels, _ = _clean()
    X[:, 60:75] = 0
    X[3, 70:75] = 4.5
    return _write(folder, "constants", X, labels)


def write_batches(folder):
    """A column of plates, which shift most features."""
    X, labels, rng = _clean()
    plate = rng.integers(1, 4, len(X))
    X += rng.normal(0, 3, (4, X.shape[1]))[plate]
    return _write(folder, "batches", np.round(X, 4), labels, p=plate)


def write_batches_in_order(folder):
    """The last 25 samples were measured on another machine."""
    X, labels, rng = _clean()
    X[35:] += rng.normal(0, 4, X.shape[1])
    return _write(folder, "machine", np.round(X, 4), labels)


def write_missing(folder):
    X, labels, rng = _clean()
    cells = X.astype(object)
    cells[rng.random(X.shape) < 0.03] = ""
    cells[rng.random(len(X)) < 0.5, 7] = ""
    cells[12, 5:] = ""
    return _write(folder, "missing", cells, labels)


def write_missing_by_class(folder):
    """A dose is known of the patients only."""
    X, labels, rng = _clean()
    dose = [round(rng.uniform(1, 9), 2) if label == "ill" else "" for label in labels]
    return _write(folder, "dose", X, labels, dose=dose)


def write_few_values(folder):
    """A grade from 1.5 to 3.5, which is taken for a quantity."""
    X, _, rng = _clean()
    return _write(folder, "grades", X, rng.integers(1, 4, len(X)) + 0.5)


def write_repeated_sample_names(folder):
    X, labels, _ = _clean()
    path = _write(folder, "names", X, labels)
    lines = path.read_text(encoding="utf-8").splitlines()
    for row in range(1, len(lines)):
        lines[row] = f"P{row % 20}," + lines[row].split(",", 1)[1]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_one_class(folder):
    X, labels, _ = _clean()
    return _write(folder, "one", X, np.full(len(labels), "ill"))
