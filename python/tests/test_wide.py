"""Work on wide frames grows with their columns, and not with the square of them."""

from __future__ import annotations

import polars as pl
import pytest

import gaintree as gt

N_COLUMNS = (20, 80)


class Counted(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def wide(n_columns: int) -> pl.DataFrame:
    columns = {f"x{i}": [i % 2, 1, 0, i % 3] for i in range(n_columns)}
    return pl.DataFrame({**columns, "y": ["a", "b", "b", "a"]})


def names(n_columns: int) -> list[str]:
    return [Counted(f"x{i}") for i in range(n_columns)]


def score(df, **options):
    return gt.fit_tree(df, "y").tree.score(df, **options)


VERBS = {
    "rank_gain": lambda df, **options: gt.rank_gain(df, "y", **options),
    "fit_tree": lambda df, **options: gt.fit_tree(df, "y", **options),
    "fit_forest": lambda df, **options: gt.fit_forest(df, "y", trees=2, **options),
    "select_features": lambda df, **options: gt.select_features(df, "y", k=1, **options),
    "woe_bins": lambda df, **options: gt.woe_bins(df, "y", **options),
    "gain_matrix": gt.gain_matrix,
    "drift": lambda df, **options: gt.drift(df, df, **options),
}


@pytest.mark.parametrize("verb", [*VERBS.values(), score], ids=[*VERBS, "score"])
def test_a_frame_is_asked_for_its_schema_as_often_however_wide_it_is(verb, monkeypatch):
    schema, asked = pl.DataFrame.schema, []

    def counted(df):
        asked.append(df)
        return schema.fget(df)

    monkeypatch.setattr(pl.DataFrame, "schema", property(counted))
    times = []
    for n_columns in N_COLUMNS:
        asked.clear()
        verb(wide(n_columns))
        times.append(len(asked))
    assert times[0] == times[1]


@pytest.mark.parametrize("option", ["features", "exclude", "ordered", "nominal"])
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_names_are_looked_up_and_not_searched_for(verb, option):
    option = "columns" if (verb, option) == (gt.gain_matrix, "features") else option
    times = []
    for n_columns in N_COLUMNS:
        given = names(n_columns)
        Counted.compared = 0
        verb(wide(n_columns + 2), **{option: given})
        times.append(Counted.compared)
    assert times[1] <= 4 * times[0]


def test_columns_to_keep_are_looked_up_and_not_searched_for():
    times = []
    for n_columns in N_COLUMNS:
        # As many classes as columns.
        df = pl.DataFrame({"z": range(n_columns), "y": [f"class {i}" for i in range(n_columns)]})
        tree = gt.fit_tree(df.with_columns(x=pl.col("z") % 2), "y", exclude="z").tree
        kept = names(n_columns)
        Counted.compared = 0
        tree.score(wide(n_columns).with_columns(x=1), keep=kept, probability=True)
        times.append(Counted.compared)
    assert times[1] <= 4 * times[0]


def test_the_features_of_bins_are_listed_once(monkeypatch):
    bins = gt.woe_bins(wide(20), "y", intervals=2)
    features, listed = bins.features, []
    monkeypatch.setattr(
        gt.WoeBins, "features", property(lambda bins: listed.append(bins) or features)
    )
    for feature in features:
        bins.woe(feature)
        bins.map(wide(20)[feature])
    assert not listed
