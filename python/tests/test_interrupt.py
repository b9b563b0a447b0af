"""Ctrl-C ends long work."""

from __future__ import annotations

import random
import signal

import polars as pl
import pytest

import gaintree as gt


@pytest.mark.parametrize(
    "work",
    [
        lambda df: gt.fit_tree(df, "y"),
        lambda df: gt.rank_gain(df, "y", chance=1_000_000),
        lambda df: gt.fit_tree(df.lazy(), "y", memory="300MB"),
    ],
)
def test_a_signal_ends_work_and_the_next_one_works(work):
    draw = random.Random(7)
    columns = {f"x{i}": [draw.random() for _ in range(200_000)] for i in range(8)}
    target = [draw.randrange(2) for _ in range(200_000)]
    df = pl.DataFrame({**columns, "y": target})

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        # Long before it is done: a full tree of noise, or permutations without end.
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            work(df)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert gt.fit_tree(df.head(1000), "y", gt.cart(max_depth=1)).tree.n_leaves == 2
