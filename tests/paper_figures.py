"""What every number in a passage of docs/paper.md must be, in the order of the text.

A passage begins with the name of a section of benchmarks/results/paper-claims.csv in italics. A
plain number is a setting or part of a formula; `at`, `least` and `most` look a result up.
"""

LSVT, MADELON, COLON = "LSVT voice rehabilitation", "Madelon", "Colon tumor"
GLIOMA, LEUKEMIA, LYMPHOMA = "GLIOMA", "Leukemia, discretized", "Lymphoma"
ALLAML, LUNG = "ALLAML", "Lung carcinomas"
RIBOFLAVIN = "Riboflavin production of Bacillus subtilis"
GASOLINE = "Gasoline, near-infrared spectra and octane number"
INNERS = ("PFS-DT", "PFS-SVM", "PFS-kNN")


def at(data, quantity, factor=1):
    """Return what looks up one value of the section."""
    return lambda rows: factor * rows[data, quantity]


def _values(rows, quantity, without, among):
    return [
        value
        for (data, name), value in rows.items()
        if name == quantity and data not in without and (among is None or data in among)
    ]


def least(quantity, *, without=(), among=None, factor=1):
    """Return what looks up the smallest value over the data sets."""
    return lambda rows: factor * min(_values(rows, quantity, without, among))


def most(quantity, *, without=(), among=None, factor=1):
    """Return what looks up the largest value over the data sets."""
    return lambda rows: factor * max(_values(rows, quantity, without, among))


def each(data, quantity):
    """Return a look-up for every data set."""
    return [at(name, quantity) for name in data]


def classifiers(clusterer, quantity, order=INNERS):
    """Return look-ups of the means by inner classifier: published, ours and honest."""
    found = []
    for source in ("published", "ours, inner classifier", "honest"):
        for inner in order:
            is_tree = inner == "PFS-DT" and source.startswith("ours")
            label = "ours, outer tree" if is_tree else source
            found.append(at(f"{inner}, {clusterer}", f"{quantity}, {label}"))
    return found


ERROR = "norm of the error of the coefficients over their norm"
NOISE = "norm of E over the smallest singular value"
BOX = "norm of E as the algorithm box has it, over the norm of N"
CLOSE = "their median distance in the order of the sensitivities"
ALL_PAIRS, NEIGHBORS = (
    "share of all pairs with |r| of at least 0.5",
    "the same of neighbors in that order",
)
RANK2, IID = "SynthData, rank-2 noise", "SynthData, independent noise"
MINMAX = ", features in [0, 1]"
F1, F3_TO_F5, COPY = (
    "move of f1, independent",
    "smallest move of f3, f4, f5",
    "smallest move of f2 and its copy f6",
)
VARIATION = "deviation over mean, independent noise"
SHIFT = "standard deviation of the shift of the angles to the target, degrees"
TEN = "accuracy, ten features, "
ORDER = "rank correlation of the angle without and the coefficient"
CHANGE = "subsets of 4 that change, sensitivity "
OVERLAP = "overlap of the features of two seeds, "
BEST, ONE = OVERLAP + "automatic number, best of ten runs", OVERLAP + "automatic number, one run"
KMEANS, WARM = OVERLAP + "20 features, k-means", OVERLAP + "20 features, warm k-means"
REACHED = "share of simulated tables with shuffled rows that reach it"
BETTER = "sets of 8 with the better measure by k-means, "
FEWER, ACCURATE = (
    "sets with fewer features, published",
    "sets with at least its accuracy, published",
)
STAGE = "accuracy, mean of both sizes, "
STAGES = (
    *("one stage", "two stages", "random"),
    *("one stage, by relevance", "two stages, by relevance"),
)
FS_SVM = ("Leukemia", "Lung", "Prostate")
AHEAD = "accuracy, FS-SVM minus PFS-DT on common splits"
FUZZY_COUNTS = classifiers("fuzzy", "n_features")
KMEANS_COUNTS = classifiers("kmeans", "n_features")
TREE_LAST = ("PFS-kNN", "PFS-SVM", "PFS-DT")


def _fs_svm(source):
    return [
        look_up
        for quantity in ("accuracy", "n_features")
        for method in ("pfs-kmeans-tree", "fs-svm")
        for look_up in each(FS_SVM, f"{quantity}, {method}, {source}")
        if (quantity, method, source) != ("n_features", "fs-svm", "honest")
    ]


FIGURES = {
    ("exactness", 1): [256, most(ERROR, without=[ALLAML]), at(ALLAML, ERROR)],
    ("noise size", 1): [most("largest change of a singular value over the norm of E")],
    ("theorem", 1): [
        *(20, at(RANK2, F1), at(RANK2, F3_TO_F5), 8, 2),
        at(RANK2, "1 - cosine of the moves of f3, f4, f5 with the relation"),
        *(5, at(RANK2, COPY), at(IID, COPY), at(IID, F1)),
    ],
    ("theorem", 2): [
        *(at(RANK2 + MINMAX, F3_TO_F5), at(RANK2 + MINMAX, F1)),
        *(at(IID + MINMAX, F3_TO_F5), at(IID + MINMAX, F1), at(IID + MINMAX, COPY)),
    ],
    ("proof", 1): [
        *(at(RANK2, "norm of the perturbed solution"), at(RANK2, "its bound in the proof"), 0),
        at(RANK2, "norm of E times the perturbed solution"),
    ],
    ("noise size", 2): [
        *(least(NOISE), most(NOISE, without=[ALLAML]), at(ALLAML, NOISE)),
    ],
    ("correlated if close", 1): [
        *(0.9, least(CLOSE), most(CLOSE), 0.29, 0.5),
        *(at(LSVT, NEIGHBORS, 100), at(LSVT, ALL_PAIRS, 100)),
        *(at(COLON, NEIGHBORS, 100), at(COLON, ALL_PAIRS, 100)),
        *(at(LYMPHOMA, NEIGHBORS, 100), at(LYMPHOMA, ALL_PAIRS, 100)),
    ],
    ("noise size", 3): [0],
    ("equal sensitivities", 1): [
        least(VARIATION, without=[LSVT, MADELON]),
        most(VARIATION, without=[LSVT, MADELON]),
    ],
    ("numbering", 1): [
        at(LYMPHOMA, "correlation of the angle to target"),
        at(LYMPHOMA, "correlation of the angle without"),
        at(LYMPHOMA, "correlation of the sensitivity"),
        at(COLON, "correlation of the angle to target"),
    ],
    ("numbering", 2): [least(SHIFT), most(SHIFT)],
    ("relevance", 1): [
        at("mean", TEN + "smallest angle to the target"),
        90,
        at("mean", TEN + "angle to the target farthest from 90"),
        at("mean", TEN + "random"),
        at("mean", TEN + "correlation with the outcome"),
    ],
    ("angles", 1): [least(ORDER, without=[ALLAML]), most(ORDER), at(ALLAML, ORDER)],
    ("relevance", 2): [
        at("mean", TEN + kind)
        for kind in ("largest angle without", "largest coefficient", "random")
    ],
    ("sensitivity counts", 1): [
        *(1000, 5, 10, 20, 40, at(MADELON, CHANGE + "divided by 1000"), 4),
        at(ALLAML, "deviation of the sensitivity over that of the angles"),
        *(at(GLIOMA, CHANGE + "of another perturbation"), 4),
    ],
    ("noise size", 4): [],
    ("screened", 1): [
        at(MADELON, "share kept", 100),
        least("share kept", without=[MADELON], factor=100),
        most("share kept", factor=100),
    ],
    ("relevance", 3): [at("mean", TEN + kind) for kind in ("largest coefficient", "random")],
    ("noise size", 5): [1, least(BOX), most(BOX), 0, 1],
    ("regression", 1): [20]
    + [
        at(data, f"R^2, 20 features, {method}")
        for data in (RIBOFLAVIN, GASOLINE)
        for method in ("paper", "random", "robust")
    ],
    ("repeats", 1): [
        *(30, least(BEST), most(BEST, without=[GLIOMA])),
        *(least(ONE, without=[GLIOMA]), most(ONE, without=[GLIOMA])),
        *(at(GLIOMA, BEST), at(GLIOMA, ONE)),
    ],
    ("repeats", 2): [
        *(20, least(WARM, without=[ALLAML]), at(ALLAML, WARM)),
        *(at(ALLAML, WARM + ", expected sensitivity"), least(KMEANS), most(KMEANS)),
    ],
    ("one split", 1): [
        *(at("LSVT Voice, PFS-SVM and PFS-kNN", "numbers of 8 that one split explains"), 500),
        at("LSVT Voice, PFS-SVM and PFS-kNN", REACHED, 100),
        at("Leukemia, PFS-SVM and PFS-kNN", REACHED, 100),
    ],
    ("measures", 1): [at("48 cells", "measures that do not follow beyond rounding"), 48],
    ("classifiers", 1): classifiers("kmeans", "accuracy", TREE_LAST),
    ("classifiers", 2): [*KMEANS_COUNTS, *FUZZY_COUNTS],
    ("classifiers", 3): [
        look_up
        for start in (0, 3, 6)
        for counts in (FUZZY_COUNTS, KMEANS_COUNTS)
        for look_up in counts[start : start + 3]
    ],
    ("clusterings", 1): [8]
    + [
        at(inner, BETTER + source)
        for source in ("printed", "ours, inner classifier", "honest")
        for inner in INNERS
    ],
    ("classifiers", 4): [
        at(f"{inner}, fuzzy", f"accuracy, {source}")
        for source in ("published", "honest")
        for inner in INNERS
    ]
    + [7, 4],
    ("fraction", 1): [
        *(at("PFS-DT against gbm", FEWER), 8, at("PFS-DT against lasso", FEWER), 8),
        *(at("PFS-DT against hsic-lasso", FEWER), at("PFS-DT against hsic-lasso", "sets")),
    ],
    ("fraction", 2): [
        *(at("PFS-DT against hsic-lasso", ACCURATE), at("PFS-DT against hsic-lasso", "sets")),
        *(at("PFS-DT against gbm", ACCURATE), 8, at("PFS-DT against lasso", ACCURATE), 8),
    ],
    ("classifiers", 5): [
        at("PFS-DT, kmeans", "accuracy, honest"),
        *each(("gbm", "lasso", "lars", "rlsr", "hsic-lasso", "random-tree"), "accuracy, honest"),
    ],
    ("fs-svm", 1): [*_fs_svm("published"), *_fs_svm("honest"), 10, *each(FS_SVM, AHEAD), 0],
    ("noise", 1): [
        *(13, 1, 20),
        *(
            look(f"features kept, {name}", factor=100)
            for name in ("paper", "released")
            for look in (least, most)
        ),
        least("features kept, robust", without=[MADELON], factor=100),
        most("features kept, robust", factor=100),
        at(MADELON, "features kept, robust", 100),
        *(at(GLIOMA, f"features kept, {name}", 100) for name in ("paper", "released", "robust")),
        least("features kept, paper, warm k-means", factor=100),
        most("features kept, paper, warm k-means", without=[GASOLINE], factor=100),
        at(GASOLINE, "features kept, paper, warm k-means", 100),
    ],
    ("bound", 1): [
        *(
            at("mean", f"{quantity}, {kind}")
            for kind in ("rank", "effective rank", "half of the samples")
            for quantity in ("largest k", "accuracy")
        ),
        *(at(LSVT, f"largest k, {kind}") for kind in ("effective rank", "rank")),
        *(at(LSVT, f"accuracy, {kind}") for kind in ("effective rank", "rank")),
        lambda rows: (
            100 * (1 - rows["mean", "largest k, effective rank"] / rows["mean", "largest k, rank"])
        ),
        lambda rows: (
            100 * (1 - rows[LSVT, "largest k, effective rank"] / rows[LSVT, "largest k, rank"])
        ),
        lambda rows: rows["mean", "accuracy, rank"] - rows["mean", "accuracy, effective rank"],
        lambda rows: (
            rows["mean", "accuracy, rank"] - rows["mean", "accuracy, half of the samples"]
        ),
    ],
    ("stages", 1): [10, 40] + [at("mean", STAGE + kind) for kind in STAGES],
}

SVM_AND_KNN = "LSVT Voice, PFS-SVM and PFS-kNN"
SYMMETRIC, POSITIVE = "SynthData from (-1, 1)", "SynthData from (0, 1)"
NORM, ANGLE = "norm of f5", "angle of f2 to the outcome, degrees"


def _interval(data):
    return [
        ("interval", at(data, f"{quantity}, {end} end of 99 %"))
        for quantity in (NORM, ANGLE)
        for end in ("low", "high")
    ]


# The same for the notes of the reproduction page; a look-up has its section beside it.
NOTES = {
    "Shuffled rows": [
        ("one split", at(SVM_AND_KNN, "numbers of 8 that one split explains")),
        ("one split", at(SVM_AND_KNN, REACHED, 100)),
        100,
        (
            "one split",
            at("Lung", "chance that a random split tests no sample of the class of six", 100),
        ),
    ],
    "SynthData": [
        *(0, 1, 1, 1, 45.38, 112.98, 99, *_interval(SYMMETRIC), 1, 1),
        *(*_interval(POSITIVE), 0, 1),
    ],
    "Lung in the comparison with FS-SVM": [1000, 139, 156, 156, 139],
    "LSVT Voice": [
        ("spread", at("LSVT Voice", "standard deviation of one run")),
        ("spread", at("LSVT Voice", "runs")),
        ("spread", at("LSVT Voice", "mean number of features")),
        (
            "spread",
            at("LSVT Voice", "share of means of ten runs at or below the published mean", 100),
        ),
    ],
    "Lung": [
        ("splits", at("Lung", "smallest mean number of features of a split")),
        ("splits", at("Lung", "largest mean number of features of a split")),
        ("splits", at("Lung", "smallest mean accuracy of a split")),
        ("splits", at("Lung", "largest mean accuracy of a split")),
        ("flatness", at(LUNG, "numbers of clusters tried")),
        ("flatness", at(LUNG, "of them within 5 points of the best")),
        5,
        ("flatness", at(LUNG, "fewest features within 5 points")),
        ("flatness", at(LUNG, "most features within 5 points")),
    ],
    "ALLAML": [
        ("allaml", at("ALLAML, as stored", "smallest singular value over the largest")),
        ("allaml", at("ALLAML, columns centered again", "accuracy, published protocol")),
        ("allaml", at("ALLAML, raw values", "accuracy, published protocol")),
    ],
    "measure": [
        ("measures", at("48 cells", "measures that do not follow beyond rounding")),
        # Printed, and what the printed means give: 91.58 / 29.8 and 95.45 / 46.1.
        *(48, 5, 3.95, 4.52, 91.58 / 29.8, 95.45 / 46.1),
    ],
}
