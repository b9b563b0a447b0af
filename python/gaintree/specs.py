"""How trees are grown and features ranked, as options by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from gaintree._frames import names
from gaintree.errors import SpecError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gaintree._frames import Columns, Names

__all__ = ["TreeSpec", "c45", "cart", "id3"]

Algorithm = Literal["cart", "c45", "id3"]
Criterion = Literal["entropy", "gini", "variance"]
Selection = Literal["best_score", "best_ratio", "ratio_above_mean_gain"]
Grouping = Literal["multiway", "one_vs_rest", "subset"]
Missing = Literal["learn", "majority", "fractional", "error"]
RankMissing = Literal["known", "own_level"]
Cuts = Literal["best", "mdl"]
SortBy = Literal["info_gain", "gain_ratio", "gini_gain", "symmetric_uncertainty"]
Task = Literal["auto", "classify", "regress"]
LogBase = Literal[2, "2", "e"]
ClassWeights = Literal["equal", "balanced"] | Mapping[Any, float]
Pruning = Literal["none"] | Mapping[Literal["alpha", "leaves", "pessimistic"], float]


class RankOptions(TypedDict, total=False):
    """Options of a verb about one feature."""

    ordered: Names
    nominal: Names
    task: Task
    weight: str | None
    log_base: LogBase
    threads: int | None


class TreeOptions(TypedDict, total=False):
    """Options of a tree; each is optional."""

    criterion: Criterion
    selection: Selection
    grouping: Grouping
    task: Task
    log_base: LogBase
    missing: Missing
    weight: str | None
    class_weights: ClassWeights
    features: Columns | None
    exclude: Columns | None
    ordered: Names
    nominal: Names
    max_depth: int | None
    max_leaves: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_gain: float
    zero_gain_splits: bool
    pruning: Pruning
    subtree_raising: bool
    threads: int | None


@dataclass(frozen=True)
class TreeSpec:
    """How a tree is grown: an algorithm's preset, and the options that differ from it.

    Made by `cart`, `c45` and `id3`, which list the options.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.cart(max_depth=3)
    TreeSpec(algorithm='cart', options={'max_depth': 3})
    """

    algorithm: Algorithm = "cart"
    options: TreeOptions = field(default_factory=lambda: TreeOptions())

    def __post_init__(self) -> None:
        unknown = set(self.options) - set(TreeOptions.__annotations__)
        if unknown:
            known = ", ".join(sorted(TreeOptions.__annotations__))
            msg = f"option `{sorted(unknown)[0]}` is unknown: the options are {known}"
            raise SpecError(msg)


def cart(**options: Unpack[TreeOptions]) -> TreeSpec:
    """CART: two branches a rule, Gini (variance for numbers), no pruning unless asked.

    Parameters
    ----------
    criterion : {'entropy', 'gini', 'variance'}
        Impurity that splits are rated by. `cart` has gini, the others entropy; a numeric target
        has variance.
    selection : {'best_score', 'best_ratio', 'ratio_above_mean_gain'}
        How the column is chosen among the columns' best splits. `c45` has
        ratio_above_mean_gain, the others best_score.
    grouping : {'multiway', 'one_vs_rest', 'subset'}
        How a nominal feature splits. `cart` has subset, the others multiway.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number. With auto, floats and decimals are numbers and
        all else is classes.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    missing : {'learn', 'majority', 'fractional', 'error'}
        What is done with missing values. `c45` has fractional, the others learn.
    weight : str
        A column of non-negative weights.
    class_weights : {'equal', 'balanced'} or a mapping of class to weight
        Weights of whole classes.
    features, exclude : list of names, or a Polars selector
        The columns to use, or not to use.
    ordered, nominal : list of names
        Features taken as of the other kind.
    max_depth : int
        Depth of the deepest leaf; the root is at 0.
    max_leaves : int
        Grows best-first, to at most so many leaves.
    min_samples_split, min_samples_leaf : int
        Fewest rows of a node that is split, and of a branch. 2 and 1; `c45` has 2 and 2.
    min_weight_leaf, min_gain : float
        Least weight of a branch, and least gain of a split.
    zero_gain_splits : bool
        Whether a split may gain nothing, as exclusive-or needs. On in `cart`.
    pruning : 'none', {'alpha': a}, {'leaves': n} or {'pessimistic': confidence}
        How the grown tree is pruned. `c45` has {'pessimistic': 0.25}.
    subtree_raising : bool
        Whether pessimistic pruning may put a node's largest branch in its place. On in `c45`.
    threads : int
        Threads to work with; without it, Polars' number. It does not change the tree.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> print(gt.fit_tree(df, "y", gt.cart(max_depth=1)).tree)
    CART tree of `y`: 3 nodes, 2 leaves, depth 1
    all rows: a (50.0 % of 4)
    ├─ x < 3: a (100.0 % of 2)
    └─ x >= 3: b (100.0 % of 2)
    """
    return TreeSpec("cart", options)


def c45(**options: Unpack[TreeOptions]) -> TreeSpec:
    """C4.5: gain ratio, a branch per level, shared rows for missing values, pessimistic pruning.

    Parameters
    ----------
    **options
        As of `cart`.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.c45(pruning="none").algorithm
    'c45'
    """
    return TreeSpec("c45", options)


def id3(**options: Unpack[TreeOptions]) -> TreeSpec:
    """ID3: information gain, a branch per level, no pruning.

    Parameters
    ----------
    **options
        As of `cart`.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.id3(max_depth=2).algorithm
    'id3'
    """
    return TreeSpec("id3", options)


def tree_json(spec: TreeSpec, features: Sequence[str] | None) -> str:
    """The options as the JSON that the crate reads."""
    fields: dict[str, Any] = dict(spec.options)
    for other in ("threads", "exclude", "features"):
        fields.pop(other, None)
    if features is not None:
        fields["features"] = list(features)
    _write_common(fields)
    weights = fields.get("class_weights")
    if isinstance(weights, Mapping):
        fields["class_weights"] = {"given": [[_text(c), w] for c, w in weights.items()]}
    if "pruning" in fields:
        fields["pruning"] = _pruning(fields["pruning"])
    return _json(fields)


def rank_json(options: Mapping[str, Any]) -> str:
    """The same of a ranking."""
    fields = {name: value for name, value in options.items() if name != "threads"}
    _write_common(fields)
    return _json(fields)


def _write_common(fields: dict[str, Any]) -> None:
    for key in ("ordered", "nominal", "by"):
        if key in fields:
            fields[key] = names(fields[key])
    if "log_base" in fields:
        fields["log_base"] = str(fields["log_base"])


def _json(fields: Mapping[str, Any]) -> str:
    try:
        return json.dumps(fields, allow_nan=False)
    except (TypeError, ValueError) as error:
        msg = f"an option has a value that cannot be used: {error}"
        raise SpecError(msg) from error


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pruning(pruning: object) -> object:
    fields = {"alpha": ("cost_complexity", "alpha"), "leaves": ("leaves", "at_most")}
    fields["pessimistic"] = ("pessimistic", "confidence")
    if pruning is None or pruning == "none":
        return "none"
    if isinstance(pruning, Mapping) and len(pruning) == 1:
        (how, value) = next(iter(pruning.items()))
        if how in fields:
            variant, key = fields[how]
            return {variant: {key: value}}
    msg = (
        f"pruning {pruning!r} is not 'none', {{'alpha': a}}, {{'leaves': n}} or "
        "{'pessimistic': confidence}"
    )
    raise SpecError(msg)
