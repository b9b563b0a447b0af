"""The pictures of the pages: `python docs/pictures.py` writes them into `docs/pictures`."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import gaintree as gt

HERE = Path(__file__).parent
DATA = HERE.parent / "examples" / "data"


def pictures() -> dict[str, str]:
    """Each picture by the name of its file."""
    iris = pl.read_parquet(DATA / "iris.parquet")
    tumours = pl.read_parquet(DATA / "breast_cancer.parquet")
    wine = pl.read_parquet(DATA / "wine.parquet")
    diabetes = pl.read_parquet(DATA / "diabetes.parquet")
    row = pl.int_range(pl.len())
    messy = tumours.select(
        "diagnosis",
        "worst_area",
        "worst_texture",
        "texture_error",
        "worst_radius",
        patient=pl.format("P{}", row),
        diameter=2 * pl.col("worst_radius"),
        grade=pl.when(pl.col("diagnosis") == "malignant").then(row % 3 + 1),
        clinic=pl.lit("Madison"),
    )
    weather = pl.read_csv(DATA / "weather.csv")
    tree = gt.fit_tree(tumours, "diagnosis", gt.cart(max_depth=3)).tree
    ranking = gt.rank_gain(tumours, "diagnosis").head(12)
    small = tumours.filter(pl.col("mean_radius") < 14)
    binned = {"intervals": 20, "max_bins": 4, "monotone": "increasing"}
    woe = gt.woe_bins(tumours, "diagnosis", features="worst_radius", **binned)
    forest = gt.fit_forest(tumours, "diagnosis", trees=300, seed=1)
    permuted = forest.forest.out_of_bag_importance(tumours).head(12)
    return {
        "contributions.svg": forest.forest.contributions_svg(tumours, event="malignant"),
        "diabetes.svg": gt.fit_tree(diabetes, "progression", gt.cart(max_depth=2)).tree.to_svg(),
        "drift.svg": gt.drift_svg(tumours, small, "mean_texture"),
        "error_curve.svg": gt.error_curve_svg(forest.out_of_bag.curve),
        "importance.svg": gt.ranking_svg(tree.importance().head(8), "importance"),
        "iris.svg": gt.fit_tree(iris, "species", gt.cart(max_depth=3)).tree.to_svg(),
        "matrix.svg": gt.matrix_svg(gt.gain_matrix(wine)),
        "permuted.svg": gt.ranking_svg(permuted, "importance"),
        "petal_length.svg": gt.curve_svg(iris, "species", "petal_length_cm"),
        "ranking.svg": gt.ranking_svg(ranking),
        "screen.svg": gt.screen_svg(gt.screen(messy, "diagnosis")),
        "selection.svg": gt.selection_svg(gt.select_features(tumours, "diagnosis", k=8, alpha=1)),
        "tumours.svg": tree.to_svg(max_leaves=4),
        "waterfall.svg": forest.forest.waterfall_svg(tumours, 0, event="malignant"),
        "weather.svg": gt.fit_tree(weather, "play", gt.id3()).tree.to_svg(),
        "woe.svg": woe.to_svg("worst_radius"),
        "worst_radius.svg": gt.curve_svg(tumours, "diagnosis", "worst_radius"),
    }


if __name__ == "__main__":
    for name, svg in pictures().items():
        HERE.joinpath("pictures", name).write_text(svg, encoding="utf-8", newline="")
