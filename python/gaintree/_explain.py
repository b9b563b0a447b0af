"""Why a tree answers what it answers for one row."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["RowExplanation"]


@dataclass(frozen=True, repr=False)
class RowExplanation:
    """The answer of a tree for one row, how it came about, and what would change it.

    Made by `Tree.explain_row`. It prints as lines of text.

    Attributes
    ----------
    prediction : class or number
        The prediction, as `Tree.score` gives it.
    probability : float or None
        The probability of the predicted class; None where the target is a number.
    mean : float or None
        The predicted mean; None where the target is classes.
    leaf_id : int
        The node where the row ends; that of the largest share, if it goes down several branches.
    in_parts : bool
        Whether a value is missing and the row goes down several branches, in parts (as C4.5 does).
        The answer is then a mixture of what several leaves say, and `path` leads to one of them.
    path : DataFrame
        The nodes from the root to the leaf: what holds of the row, and what each step changes.
    changes : DataFrame
        What would have to hold of the row to end in a leaf of another answer.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.fit_tree(df, "y").tree.explain_row(df, 3)
    b (probability 1.0000), leaf 2
    <BLANKLINE>
    path      its value  rows  probability of b   change
    all rows                4            0.5000
    x >= 3    4             2            1.0000  +0.5000
    <BLANKLINE>
    what would change the class  class  probability  rows  leaf
    x < 3                        a           1.0000     2     1
    """

    prediction: Any
    probability: float | None
    mean: float | None
    leaf_id: int
    in_parts: bool
    path: pl.DataFrame
    changes: pl.DataFrame
    _text: str = field(compare=False)

    def __repr__(self) -> str:
        return self._text.removesuffix("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._text)}</pre>"
