"""The local page of `perturbfs serve`: requests → jobs → child processes → pages.

The package has no public names; use the command.
"""

__all__: list[str] = []
