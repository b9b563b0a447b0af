"""One ranking by Polars or scikit-learn in a process of its own; prints one line of JSON.

The Polars ways are written for two classes, 0 and 1, and no missing values: what one would write
by hand for the table at hand, all columns in one query so that they run in parallel.
"""

import json
import resource
import sys
import time

import polars as pl


def entropy(positives: pl.Expr, rows: pl.Expr) -> pl.Expr:
    """In bits, times the rows; a class without rows adds nothing."""
    negatives = rows - positives

    def part(count: pl.Expr) -> pl.Expr:
        return pl.when(count > 0).then(-count * (count / rows).log(2)).otherwise(0.0)

    return part(positives) + part(negatives)


def best_cut(counts: pl.LazyFrame) -> pl.LazyFrame:
    """The highest gain of the cuts after each row but the last, from running counts `n` and `k`."""
    n, k, rows, ones = pl.col("n"), pl.col("k"), pl.col("n").last(), pl.col("k").last()
    left_over = entropy(k, n) + entropy(ones - k, rows - n)
    gain = (entropy(ones, rows) - left_over) / rows
    return counts.select(gain.filter(n < rows).max())


def by_sort(df: pl.DataFrame, x: str) -> pl.LazyFrame:
    counts = df.lazy().select(x, "y").sort(x).select(
        pl.col(x),
        n=pl.int_range(1, pl.len() + 1).cast(pl.Float64),
        k=pl.col("y").cum_sum().cast(pl.Float64),
    )
    # Only between distinct values.
    return best_cut(counts.filter((pl.col(x) != pl.col(x).shift(-1)).fill_null(True)))


def by_group(df: pl.DataFrame, x: str) -> pl.LazyFrame:
    levels = df.lazy().group_by(x).agg(n=pl.len(), k=pl.col("y").sum()).sort(x)
    return best_cut(levels.select(pl.col("n", "k").cum_sum().cast(pl.Float64)))


def multiway(df: pl.DataFrame, x: str) -> pl.LazyFrame:
    levels = df.lazy().group_by(x).agg(n=pl.len(), k=pl.col("y").sum()).cast({"n": float, "k": float})
    n, k = pl.col("n"), pl.col("k")
    return levels.select((entropy(k.sum(), n.sum()) - entropy(k, n).sum()) / n.sum())


def polars_gains(query, df: pl.DataFrame, features: list[str]) -> list[float]:
    return [frame.item() for frame in pl.collect_all([query(df, x) for x in features])]


def arg_sort(df: pl.DataFrame, features: list[str]) -> None:
    df.select(pl.col(features).arg_sort())


def sklearn_gains(tree, X, y) -> list[float]:
    gains = []
    for i in range(X.shape[1]):
        t = tree(criterion="entropy", max_depth=1).fit(X[:, i : i + 1], y).tree_
        n, h = t.weighted_n_node_samples, t.impurity
        gains.append(float(h[0] - (n[1:] * h[1:]).sum() / n[0]))
    return gains


def main() -> None:
    method, path = sys.argv[1:]
    df = pl.read_parquet(path).rechunk()
    features = [name for name in df.columns if name != "y"]
    work = {
        "arg_sort": lambda: arg_sort(df, features),
        "sort": lambda: polars_gains(by_sort, df, features),
        "group_by": lambda: polars_gains(by_group, df, features),
        "multiway": lambda: polars_gains(multiway, df, features),
    }
    if method == "sklearn":
        from sklearn.tree import DecisionTreeClassifier

        X, y = df.select(features).cast(pl.Float32).to_numpy(), df["y"].to_numpy()
        work["sklearn"] = lambda: sklearn_gains(DecisionTreeClassifier, X, y)
    start = time.perf_counter()
    gains = work[method]()
    took = time.perf_counter() - start
    result = {"rank_s": took, "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
    if gains:
        result["gains"] = dict(zip(features, gains))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
