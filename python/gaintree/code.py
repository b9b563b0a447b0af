"""Models as source code."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Code"]


@dataclass(frozen=True)
class Code:
    """A model as source code.

    Made by `Tree.to_code` and `Forest.to_code`.

    Attributes
    ----------
    name : str
        What its files are called, and in C what its public names begin with.
    source : str
        The model: a file that needs no other.
    header : str or None
        What other files include, in C.
    example : str
        A program that asks the model for a row.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
    >>> code = gt.fit_tree(df, "y").tree.to_code("python")
    >>> print(code.example)
    # python y_example.py
    from y import Row, predict, probabilities
    <BLANKLINE>
    row = Row(
        x=2.5,
    )
    print(predict(row))
    print(probabilities(row))
    <BLANKLINE>
    """

    name: str
    source: str
    header: str | None
    example: str
