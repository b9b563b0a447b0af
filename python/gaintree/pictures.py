"""What a notebook shows of pictures and pages, which are texts."""

from __future__ import annotations

from html import escape
from typing import Literal, get_args

from gaintree import _gaintree
from gaintree._checks import choice, text
from gaintree._png import png

__all__ = ["Html", "Svg"]

Theme = Literal["light", "dark", "auto"]


class _Shown(str):
    """A long text. Only its length is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<gaintree.{type(self).__name__}: {len(self):,} characters>"


class Svg(_Shown):
    """A picture: the text of an SVG, which a notebook draws.

    It is a `str`: `Path("tree.svg").write_text(svg, encoding="utf-8")` writes it.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> svg = gt.fit_tree(df, "y").tree.to_svg()
    >>> svg.startswith("<svg"), isinstance(svg, str)
    (True, True)
    """

    __slots__ = ()

    def on(self, theme: Theme) -> Svg:
        """Put the picture on another ground, by a theme.

        Parameters
        ----------
        theme : 'light', 'dark' or 'auto'
            White, nearly black, or what the reader's system prefers, where a browser shows it.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> "#FFFFFF" in gt.fit_tree(df, "y").tree.to_svg().on("dark")
        False
        """
        return Svg(_gaintree.svg_on(self, choice("theme", theme, get_args(Theme))))

    def to_png(self, scale: float = 2.0) -> bytes:
        """Draw the picture in pixels, as the bytes of a PNG file.

        `Path("tree.png").write_bytes(svg.to_png())` writes it. It needs `resvg_py`:
        `pip install gaintree[png]`. Text is drawn in a font of the machine. A picture of the theme
        'auto' becomes light.

        Parameters
        ----------
        scale : float
            The pixels of the PNG for one of the SVG; 2 suits slides and screens of high density.

        Raises
        ------
        SpecError
            The scale is not above 0, the PNG would have more than 100 million pixels, or the text
            is no SVG.
        FileError
            There is no font on the machine.
        ImportError
            `resvg_py` is not installed.

        Examples
        --------
        >>> import gaintree as gt
        >>> svg = gt.Svg('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>')
        >>> svg.to_png()[1:4]
        b'PNG'
        """
        return png(text("svg", str(self), "a picture"), scale)

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self}</div>'


class Html(_Shown):
    """A page: the text of an HTML file, which a notebook shows in a frame.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> page = gt.fit_tree(df, "y").tree.report(df)
    >>> page.startswith("<!DOCTYPE html>"), isinstance(page, str)
    (True, True)
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width:100%;height:80vh;border:0"></iframe>'
