"""Options by name: their types, their checks, and the JSON of them that the crate reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, get_args

from gaintree._checks import (
    MOST_SEED,
    choice,
    count,
    finite,
    known,
    plain,
    refuse,
    switch,
    text,
    threads_of,
)
from gaintree.errors import SpecError

if TYPE_CHECKING:
    from gaintree._frames import Columns, Excluded

Algorithm = Literal["cart", "c45", "id3"]
Criterion = Literal["entropy", "gini", "variance"]
Selection = Literal["best_score", "best_ratio", "ratio_above_mean_gain"]
Grouping = Literal["multiway", "one_vs_rest", "subset"]
Missing = Literal["learn", "majority", "fractional", "error"]
RankMissing = Literal["known", "own_level"]
Cuts = Literal["best", "mdl"]
SortBy = Literal[
    "info_gain", "gain_ratio", "gini_gain", "symmetric_uncertainty", "information_value"
]
Task = Literal["auto", "classify", "regress"]
LogBase = Literal[2, "2", "e"]
SelectScore = Literal["jmi", "mrmr", "cmim", "conditional_gain"]
Intervals = Literal["mdl"] | int
Monotone = Literal["no", "either", "increasing", "decreasing"]
PruneBy = Literal["error_rate", "log_loss", "gini"]
MatrixForm = Literal["long", "wide"]
ClassWeights = Literal["equal", "balanced"] | Mapping[Any, float]
Pruning = Literal["none"] | Mapping[Literal["alpha", "leaves", "pessimistic"], float]

Check = Callable[[str, Any], Any]
Function = TypeVar("Function", bound=Callable[..., Any])


class _OfPreset:
    """A default that the algorithm, or the spec, has."""

    def __repr__(self) -> str:
        return "..."


class RankOptions(TypedDict, total=False):
    """Options of a verb about one feature."""

    ordered: Columns
    nominal: Columns
    task: Task
    weight: str | None
    log_base: LogBase
    threads: int | None


class DriftOptions(TypedDict, total=False):
    """Options of a comparison of one column of two frames."""

    ordered: Columns
    nominal: Columns
    intervals: Intervals
    target: str | None
    threads: int | None


class AllDriftOptions(DriftOptions, total=False):
    """Options of a comparison of two frames."""

    alpha: float
    threshold: float
    full: bool


class TreeOptions(TypedDict, total=False):
    """Options of a tree; each is optional."""

    criterion: Criterion
    selection: Selection
    grouping: Grouping
    max_subset_levels: int | None
    task: Task
    log_base: LogBase
    missing: Missing
    weight: str | None
    class_weights: ClassWeights | None
    features: Columns | None
    exclude: Excluded | None
    ordered: Columns
    nominal: Columns
    max_depth: int | None
    max_leaves: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_gain: float
    zero_gain_splits: bool
    pruning: Pruning | None
    subtree_raising: bool
    threads: int | None


def options_shown(options: type) -> Callable[[Function], Function]:
    """Show a TypedDict's keys in place of `**options` in a signature, for completion and help."""

    def decorate(function: Function) -> Function:
        shown = inspect.signature(function)
        *others, _ = shown.parameters.values()
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=_OfPreset(),
                annotation=getattr(of, "__forward_arg__", of),
            )
            for name, of in inspect.get_annotations(options).items()
        ]
        function.__signature__ = shown.replace(parameters=[*others, *named])  # type: ignore[attr-defined]
        return function

    return decorate


def tree_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a tree. Columns are left: they may be selectors, which need a frame."""
    if not isinstance(options, Mapping):
        refuse("options", options, "a mapping of names to values")
    known(options, TreeOptions.__annotations__)
    return _checked(options, _TREE)


def rank_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a verb about one feature, likewise."""
    known(options, RankOptions.__annotations__)
    return _checked(options, _RANK)


def ranking_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a ranking."""
    return _checked(options, _RANK)


def chance_options(permutations: object, seed: object) -> dict[str, int] | None:
    """What a ranking is compared with."""
    seed = count("seed", seed, MOST_SEED)
    if permutations is None:
        return None
    return {"permutations": count("chance", permutations, least=1), "seed": seed}


def select_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a selection."""
    return _checked(options, _SELECT)


def screen_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a screen."""
    return _checked(options, _SCREEN)


def woe_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of weights of evidence."""
    return _checked(options, _WOE)


def eval_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of judging."""
    return _checked(options, _EVAL)


def matrix_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a matrix."""
    return _checked(options, _MATRIX)


def drift_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of a comparison of two frames."""
    known(options, {*AllDriftOptions.__annotations__, "features", "exclude"})
    return _checked(options, _DRIFT)


def fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a spec that checked options with only names of columns set."""
    set_fields = {name: given for name, given in options.items() if name != "threads"}
    if isinstance(set_fields.get("class_weights"), Mapping):
        set_fields["class_weights"] = {"given": list(set_fields["class_weights"].items())}
    if isinstance(set_fields.get("pruning"), Mapping):
        how, value = next(iter(set_fields["pruning"].items()))
        variant, key, _ = _PRUNINGS[how]
        set_fields["pruning"] = {variant: {key: value}}
    return set_fields


def _checked(options: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    return {name: checks.get(name, _as_it_is)(name, given) for name, given in options.items()}


def _as_it_is(_: str, given: object) -> object:
    return given


def _one_of(choices: object) -> Check:
    return lambda what, given: choice(what, given, get_args(choices))


def _optional(check: Check) -> Check:
    return lambda what, given: None if given is None else check(what, given)


def _log_base(what: str, given: object) -> str:
    whole = isinstance(given, int) and not isinstance(given, bool)
    if given != "e" and not (str(given) == "2" and (whole or isinstance(given, str))):
        refuse(what, given, "2 or 'e'")
    return str(given)


def _class_weights(what: str, given: object) -> object:
    if given is None or (isinstance(given, str) and given in ("equal", "balanced")):
        return given or "equal"
    if not isinstance(given, Mapping):
        refuse(what, given, "'equal', 'balanced' or a mapping of classes to weights")
    return {_class(c): finite(f"{what}[{c!r}]", weight) for c, weight in given.items()}


def _class(given: object) -> str:
    value = plain(given)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pruning(what: str, given: object) -> object:
    if given is None or (isinstance(given, str) and given == "none"):
        return "none"
    if not isinstance(given, Mapping) or len(given) != 1 or next(iter(given)) not in _PRUNINGS:
        expected = "'none', {'alpha': a}, {'leaves': n} or {'pessimistic': confidence}"
        if str(given).lower().startswith(("cv", "cross")):
            expected += (
                "; cross-validated pruning is a call: cross_validate_pruning(data, target, spec)"
            )
        refuse(what, given, expected)
    how, value = next(iter(given.items()))
    return {how: _PRUNINGS[how][2](f"{what}[{how!r}]", value)}


def _intervals(what: str, given: object) -> object:
    if isinstance(given, str) and given == "mdl":
        return given
    try:
        return {"quantiles": count(what, given)}
    except SpecError:
        refuse(what, given, "'mdl' or a number of intervals")


# The variant of the crate, its field, and the check of the value.
_PRUNINGS: dict[object, tuple[str, str, Check]] = {
    "alpha": ("cost_complexity", "alpha", finite),
    "leaves": ("leaves", "at_most", count),
    "pessimistic": ("pessimistic", "confidence", finite),
}
_SHARED: dict[str, Check] = {
    "task": _one_of(Task),
    "weight": _optional(text),
    "log_base": _log_base,
    "threads": _optional(count),
}
_RANK = _SHARED | {
    "missing": _one_of(RankMissing),
    "cuts": _one_of(Cuts),
    "sort_by": _one_of(SortBy),
    "full": switch,
}
_MATRIX: dict[str, Check] = {
    "bins": count,
    "log_base": _log_base,
    "form": _one_of(MatrixForm),
    "threads": _optional(count),
}
_DRIFT: dict[str, Check] = {
    "intervals": _intervals,
    "target": _optional(text),
    "alpha": finite,
    "threshold": finite,
    "full": switch,
    "threads": _optional(count),
}
_SELECT = _SHARED | {
    "score": _one_of(SelectScore),
    "k": count,
    "alpha": finite,
    "keep_all": switch,
    "full": switch,
    "intervals": _intervals,
}
_SCREEN = _SHARED | {
    "alpha": finite,
    "weak_share": finite,
    "leak_share": finite,
    "pure_share": finite,
    "pure_recall": finite,
    "rare_share": finite,
    "id_share": finite,
    "id_share_nominal": finite,
    "twin_share": finite,
    "full": switch,
}
_WOE: dict[str, Check] = {
    "weight": _optional(text),
    "event": _optional(lambda _, given: _class(given)),
    "intervals": _intervals,
    "max_bins": _optional(count),
    "min_share": finite,
    "monotone": _one_of(Monotone),
    "missing_bin": switch,
    "unseen": _optional(finite),
    "threads": _optional(count),
}
_EVAL: dict[str, Check] = {
    "event": _optional(lambda _, given: _class(given)),
    "bins": count,
    "false_positive_cost": finite,
    "false_negative_cost": finite,
}
_TREE = _SHARED | {
    "criterion": _one_of(Criterion),
    "selection": _one_of(Selection),
    "grouping": _one_of(Grouping),
    "max_subset_levels": _optional(count),
    "missing": _one_of(Missing),
    "class_weights": _class_weights,
    "max_depth": _optional(count),
    "max_leaves": _optional(count),
    "min_samples_split": count,
    "min_samples_leaf": count,
    "min_weight_leaf": finite,
    "min_gain": finite,
    "zero_gain_splits": switch,
    "pruning": _pruning,
    "subtree_raising": switch,
}


def cv_options(folds: int, one_standard_error: bool, prune_by: str) -> dict[str, Any]:
    """The checked options of pruning by cross-validation."""
    return {
        "folds": count("folds", folds),
        "one_standard_error": switch("one_standard_error", one_standard_error),
        "prune_by": choice("prune_by", prune_by, get_args(PruneBy)),
    }


def event_of(event: object) -> str | None:
    """The class that figures are about, as text."""
    checked: str | None = eval_options({"event": event}).get("event")
    return checked


def report_about(
    event: object, row: int | None, source: str | None, threads: int | None
) -> dict[str, Any]:
    """What a report is about: a class as text, a row, and what the rows are called."""
    return {
        "event": event_of(event),
        "row": None if row is None else count("row", row),
        "source": None if source is None else text("source", source),
        "threads": threads_of(threads),
    }
