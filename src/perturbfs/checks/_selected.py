"""The selected features of a fitted selector as a data frame, and their groups by name."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from perturbfs._support.extras import import_extra

from ._notebook import choice_order, choice_scores


class SelectedFeaturesMixin:
    """Show the selected features of a fitted selector under their names."""

    def to_frame(self) -> Any:
        """Return the selected features as a pandas data frame, sorted by rank.

        Returns
        -------
        frame : pandas.DataFrame
            Columns: ``rank``; ``name``; ``index``, the position in X; ``score``, the absolute
            cosine of the angle to the outcome; ``direction``, where the feature is high;
            ``stands_for``, the names of the other features of its group and of its near copies
            among the selected ones; and ``copy_of``, the earlier selected feature of which it is
            a near copy, or None. Features without names are called x0, x1 and so on, as
            `get_feature_names_out` calls them.
        """
        check_is_fitted(self)
        pandas = import_extra("pandas", extra="frames", needed_by="to_frame")
        scores, groups = choice_scores(self), self.groups_by_name()
        directions, copies = getattr(self, "direction_", {}), getattr(self, "copy_of_", {})
        rows = []
        for rank, index in enumerate(choice_order(self), start=1):
            name = self._name(index)
            selected_copies = [self._name(copy) for copy, of in copies.items() if of == index]
            rows.append(
                {
                    "rank": rank,
                    "name": name,
                    "index": index,
                    "score": None if scores is None else float(scores[index]),
                    "direction": directions.get(index),
                    "stands_for": [*groups[name][1:], *selected_copies],
                    "copy_of": self._name(copies[index]) if index in copies else None,
                }
            )
        return pandas.DataFrame(rows)

    def groups_by_name(self) -> dict[str, list[str]]:
        """Return the group of each selected feature by names, sorted by rank.

        Returns
        -------
        groups : dict of str to list of str
            `groups_` with names: the selected feature first, then the features it stands for.
        """
        check_is_fitted(self)
        groups = getattr(self, "groups_", {})
        named = {}
        for index in choice_order(self):
            others = [int(member) for member in groups.get(index, ()) if member != index]
            named[self._name(index)] = [self._name(member) for member in (index, *others)]
        return named

    def _name(self, index: int) -> str:
        names = getattr(self, "feature_names_in_", None)
        return f"x{index}" if names is None else str(names[index])
