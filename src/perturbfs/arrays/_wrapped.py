"""Blocks that change one thing about others."""

from __future__ import annotations

from typing import Any

from ._blocks import FeatureBlocks
from ._namespace import Namespace


class WrappedBlocks:
    """All that other blocks know, but for what is defined on top.

    Parameters
    ----------
    blocks : FeatureBlocks
    """

    def __init__(self, blocks: FeatureBlocks) -> None:
        self.blocks, self.shape = blocks, blocks.shape
        self.xp: Namespace = blocks.xp

    def __getattr__(self, name: str) -> Any:
        """Whatever else the blocks know: names, type, limit of memory."""
        if name == "blocks":  # not there yet while being unpickled
            raise AttributeError(name)
        return getattr(self.blocks, name)
