"""The paper's experiments: how they were run, and what comes out."""

from ._published import PublishedResult, PublishedRun, released_accuracy, run_published

__all__ = ["PublishedResult", "PublishedRun", "released_accuracy", "run_published"]
