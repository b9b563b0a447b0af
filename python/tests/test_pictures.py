"""Pictures and pages, and what they are about."""

from __future__ import annotations

import sys

import polars as pl
import pytest

import gaintree as gt

ROWS = pl.DataFrame(
    {
        "x": range(200),
        "kind": ["a", "b", "c", "d"] * 50,
        "y": ["yes" if i % 40 == 3 else "no" for i in range(200)],
    }
)
TREE = gt.fit_tree(ROWS, "y", max_depth=2).tree


def test_a_picture_is_about_a_class() -> None:
    svg = TREE.to_svg()
    assert "lift of yes" in svg
    assert "lift of no" in TREE.to_svg(event="no")
    assert svg != TREE.to_svg(compact=True)
    page = TREE.to_html(event="no")
    assert page.startswith("<!DOCTYPE html>")
    assert "lift of no" in page
    for call in (TREE.to_svg, TREE.to_html):
        with pytest.raises(gt.SpecError, match="event `maybe` is no class"):
            call(event="maybe")
    with pytest.raises(gt.SpecError, match="compact"):
        TREE.to_svg(compact="yes")  # type: ignore[arg-type]


def test_a_picture_stands_on_another_ground() -> None:
    svg = TREE.to_svg()
    assert isinstance(svg.on("dark"), gt.Svg)
    assert "#FFFFFF" not in svg.on("dark")
    assert svg.on("light") == svg
    assert "prefers-color-scheme" in svg.on("auto")
    with pytest.raises(gt.SpecError, match="theme"):
        svg.on("black")  # type: ignore[arg-type]


def size(png: bytes) -> tuple[int, int]:
    """The width and height that the head of a PNG says."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_a_picture_has_pixels() -> None:
    empty = gt.Svg('<svg xmlns="http://www.w3.org/2000/svg" width="21" height="10"/>')
    assert size(empty.to_png()) == (42, 20)
    assert size(empty.to_png(scale=0.25)) == (6, 3)
    for scale in (0, -1.0, float("nan"), float("inf"), "2", 1e6):
        with pytest.raises(gt.SpecError, match="scale"):
            empty.to_png(scale=scale)  # type: ignore[arg-type]
    with pytest.raises(gt.SpecError, match="cannot draw this SVG"):
        gt.Svg("a text").to_png()


def test_without_resvg_a_picture_says_what_pixels_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"pip install gaintree\[png\]"):
        TREE.to_svg().to_png()


def test_text_is_drawn_in_a_font_of_the_machine() -> None:
    try:
        png = TREE.to_svg().to_png()
    except gt.FileError as error:
        assert "no font on this machine" in str(error)  # noqa: PT017
        return
    assert TREE.to_svg().to_png() == png
    assert TREE.to_svg().on("auto").to_png() == png
    assert TREE.to_svg().on("dark").to_png() != png


def test_a_report_compares() -> None:
    train, test = ROWS.head(120), ROWS.tail(80)
    tree = gt.fit_tree(train, "y", max_depth=3).tree
    page = tree.report(test, event="no", row=3, source="test.csv", beside=train, against=TREE)
    for part in ("test.csv", "Row 4: ", "the other rows", "the other tree", "ROC of no"):
        assert part in page, part
    with pytest.raises(gt.SpecError, match="row is 80, and the frame has 80 rows"):
        tree.report(test, row=80)
    with pytest.raises(gt.SpecError, match="event `maybe` is no class"):
        tree.report(test, event="maybe")
    with pytest.raises(gt.DataError, match="no rows"):
        tree.report(test, beside=train.clear())
    moved = tree.report(test, reference=train.drop("y"))
    assert "Beside the 120 rows" in moved
    with pytest.raises(gt.DataError, match="the reference has no rows"):
        tree.report(test, reference=train.clear())


def test_a_forest_has_pictures_and_a_report() -> None:
    fit = gt.fit_forest(ROWS, "y", trees=30, seed=1)
    assert fit.out_of_bag is not None
    curve = fit.out_of_bag.curve
    assert "out-of-bag error by trees, " in gt.error_curve_svg(curve)
    with pytest.raises(gt.DataError, match="n_trees"):
        gt.error_curve_svg(curve.drop("n_trees"))
    assert "whiskers" in gt.ranking_svg(fit.importance, "importance")
    page = fit.forest.report(ROWS, event="no", row=3, source="all.csv", out_of_bag=True)
    assert isinstance(page, gt.Html)
    for part in ("all.csv", "Row 4: ", "the trees that did not draw it", "ROC of no", "One tree"):
        assert part in page, part
    assert "did not draw it" not in fit.forest.report(ROWS.lazy())
    assert "Has it moved?" in fit.forest.report(ROWS.lazy(), reference=ROWS.head(99))
    with pytest.raises(gt.SpecError, match="out_of_bag"):
        fit.forest.report(ROWS, out_of_bag="yes")  # type: ignore[arg-type]
    with pytest.raises(gt.DataError, match="`y`"):
        fit.forest.report(ROWS.drop("y"))
