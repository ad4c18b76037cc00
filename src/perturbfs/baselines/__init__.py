"""Published selection methods to compare with, all of them scikit-learn selectors."""

from ._anova import AnovaSelector
from ._boruta import BorutaSelector
from ._fs_svm import FSSVMSelector
from ._gbm import GBMSelector
from ._group_lasso import GroupLassoSelector
from ._hsic_lasso import HSICLassoSelector
from ._l1_logistic import L1LogisticSelector
from ._land import LANDSelector
from ._lars import LARSSelector
from ._lasso import LassoSelector
from ._mrmr import MRMRSelector
from ._mutual_information import MutualInformationSelector
from ._pca import PCASelector
from ._random import RandomSelector
from ._random_forest import RandomForestSelector
from ._relieff import ReliefFSelector
from ._rlsr import RLSRSelector
from ._stability_selection import StabilitySelector
from ._svm_rfe import SVMRFESelector

__all__ = [
    "AnovaSelector",
    "BorutaSelector",
    "FSSVMSelector",
    "GBMSelector",
    "GroupLassoSelector",
    "HSICLassoSelector",
    "L1LogisticSelector",
    "LANDSelector",
    "LARSSelector",
    "LassoSelector",
    "MRMRSelector",
    "MutualInformationSelector",
    "PCASelector",
    "RLSRSelector",
    "RandomForestSelector",
    "RandomSelector",
    "ReliefFSelector",
    "SVMRFESelector",
    "StabilitySelector",
]
