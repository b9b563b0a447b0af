"""The pixels of a picture, which the package resvg_py draws."""

from __future__ import annotations

import re

from gaintree._checks import finite
from gaintree.errors import FileError, SpecError

# Pixels of the largest picture: drawing and encoding it takes 800 MB.
_MOST_PIXELS = 100_000_000

# What letters are drawn in: resvg takes the first family that the machine has.
_FAMILIES = "sans-serif, DejaVu Sans, Liberation Sans, Noto Sans, Arial, Helvetica"

_ONE_TEXT = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" font-family="sans-serif">'
    '<text y="9">{}</text></svg>'
)


def png(svg: str, scale: float) -> bytes:
    """The bytes of a PNG file: an SVG in pixels, `scale` of them for one of the SVG."""
    scale = finite("scale", scale)
    if scale <= 0:
        msg = (
            f"scale {scale:g}: expected a number above 0, the pixels of the PNG for one of the "
            "SVG; take 2"
        )
        raise SpecError(msg)
    lengths = dict(re.findall(r'\s(width|height)="([\d.]+)"', svg.partition(">")[0]))
    width, height = (float(lengths.get(name, 0)) * scale for name in ("width", "height"))
    if width * height > _MOST_PIXELS:
        msg = (
            f"a PNG of {width:.0f} x {height:.0f} pixels is too large: expected at most "
            f"{_MOST_PIXELS // 1_000_000} million; take a smaller scale, or write the SVG"
        )
        raise SpecError(msg)
    if "<text" in svg and _drawn(_ONE_TEXT.format("X"), 1) == _drawn(_ONE_TEXT.format(""), 1):
        msg = (
            "there is no font on this machine to draw the text of a PNG with: install one, such "
            "as DejaVu Sans (on Debian and Ubuntu: apt-get install fonts-dejavu-core), or write "
            "the SVG"
        )
        raise FileError(msg)
    return _drawn(svg, scale)


def _drawn(svg: str, scale: float) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        msg = "a PNG needs resvg_py 0.5 or newer: pip install gaintree[png]"
        raise ImportError(msg) from error
    svg = svg.replace('font-family="sans-serif"', f'font-family="{_FAMILIES}"', 1)
    try:
        return svg_to_bytes(svg_string=svg, zoom=scale)
    except ValueError as error:
        msg = (
            f"cannot draw this SVG at scale {scale:g}: {error}; expected a picture that gaintree "
            "has made"
        )
        raise SpecError(msg) from error
