"""The paper's tables: what to run, the published values, and our results."""

from ._paper import PROTOCOLS, load_paper
from ._published import PublishedResult, PublishedRun, released_accuracy, run_published
from ._reproduce import is_reproduction, reproduce, summarize_results

__all__ = [
    "PROTOCOLS",
    "PublishedResult",
    "PublishedRun",
    "is_reproduction",
    "load_paper",
    "released_accuracy",
    "reproduce",
    "run_published",
    "summarize_results",
]
