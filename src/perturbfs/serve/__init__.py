"""The local page of `perturbfs serve`: requests → jobs → child processes → pages.

Nothing here is meant to be imported; the command is the interface.
"""

__all__: list[str] = []
