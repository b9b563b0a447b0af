"""Trees as SQL: what engines answer is what `score` answers."""

import hashlib
from typing import get_args

import duckdb
import polars as pl
import pytest
import sqlglot
from sqlglot import exp

import gaintree as gt
from gaintree.tree import Dialect

ROWS = pl.DataFrame(
    {
        "price": [1.5, 0.1, None, float("nan"), 2.5, 7.0, 0.1, 3.25],
        'col"our': ["red", "it's", None, "*/ --", "red", "new\nline", "it's", "unseen"],
        "day": pl.Series([0, 1, 2, 3, 4, 5, None, 7], dtype=pl.Int32).cast(pl.Date),
        "y": ["a", "b", "a", "b", "a", "c", "b", "c"],
    }
)
SQLGLOT = {"sqlserver": "tsql", "datafusion": "postgres", "postgresql": "postgres"}


def tree():
    return gt.fit_tree(ROWS.head(7), "y", gt.cart()).tree


def test_a_select_list_scores_as_score_does():
    connection = duckdb.connect()
    connection.register("rows", ROWS.with_row_index("nr").to_arrow())
    select = tree().to_sql_select("duckdb", probability=True, leaf=True)
    found = connection.sql(f"SELECT {select} FROM rows ORDER BY nr").pl()
    expected = tree().score(ROWS, probability=True, leaf=True).select(found.columns)
    assert found.select(pl.exclude("leaf_id")).equals(expected.select(pl.exclude("leaf_id")))
    assert found["leaf_id"].to_list() == expected["leaf_id"].to_list()
    leaf = connection.sql(f"SELECT {tree().to_sql_leaf_id()} FROM rows ORDER BY nr").fetchall()
    assert [row[0] for row in leaf] == expected["leaf_id"].to_list()


@pytest.mark.parametrize("dialect", [d for d in get_args(Dialect) if d != "bigquery"])
def test_every_dialect_is_one_list_of_columns(dialect):
    select = tree().to_sql_select(dialect, probability=True, leaf=True)
    read = SQLGLOT.get(dialect, dialect)
    [query] = sqlglot.parse(f"SELECT {select} FROM rows", dialect=read)
    names = ["prediction", "probability_a", "probability_b", "probability_c", "leaf_id"]
    assert query.named_selects == names
    assert {column.name for column in query.find_all(exp.Column)} <= set(ROWS.columns)
    assert hashlib.sha256(tree().to_json().encode()).hexdigest() in select.split("*/")[0]


def test_what_cannot_be_is_said():
    with pytest.raises(gt.SpecError, match=r'`col"our` cannot be put into BigQuery\'s SQL.*rename'):
        tree().to_sql_select("bigquery")
    with pytest.raises(gt.SpecError, match="clickhouse"):
        tree().to_sql_select("oracle")
    spec = gt.cart(task="regress", features=["price"])
    numbers = gt.fit_tree(ROWS.with_row_index("n"), "n", spec).tree
    with pytest.raises(gt.SpecError, match="`n`"):
        numbers.to_sql_select(probability=True)
