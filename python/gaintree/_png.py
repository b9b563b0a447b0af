"""The pixels of a picture, which the package resvg_py draws."""

from __future__ import annotations

import math
import re
from functools import cache

from gaintree._checks import finite
from gaintree.errors import FileError, SpecError

# Pixels of the largest picture: drawing and encoding it takes 800 MB.
_MOST_PIXELS = 100_000_000

# What letters are drawn in: resvg takes the first family that the machine has.
_FAMILIES = "sans-serif, DejaVu Sans, Liberation Sans, Noto Sans, Arial, Helvetica"

_HEAD = re.compile(r"<svg\s[^>]*>")
_LENGTH = re.compile(r'\s(width|height)="(\d+(?:\.\d+)?)"')


def png(svg: str, scale: float) -> bytes:
    """The bytes of a PNG file: an SVG in pixels, `scale` of them for one of the SVG."""
    scale = finite("scale", scale)
    if scale <= 0:
        msg = (
            f"scale {scale:g}: expected a number above 0, the pixels of the PNG for one of the "
            "SVG; take 2"
        )
        raise SpecError(msg)
    head = _HEAD.match(svg)
    lengths = dict(_LENGTH.findall(head[0])) if head else {}
    if len(lengths) < 2:
        raise SpecError(_not_drawn("it has no width and height in pixels"))
    width, height = (float(lengths[name]) * scale for name in ("width", "height"))
    if width * height > _MOST_PIXELS:
        msg = (
            f"a PNG of {width:.0f} x {height:.0f} pixels is too large: expected at most "
            f"{_MOST_PIXELS // 1_000_000} million; take a smaller scale, or write the SVG"
        )
        raise SpecError(msg)
    if "<text" in svg and not _has_font():
        msg = (
            "there is no font on this machine to draw the text of a PNG with: install one, such "
            "as DejaVu Sans (on Debian and Ubuntu: apt-get install fonts-dejavu-core), or write "
            "the SVG"
        )
        raise FileError(msg)
    # resvg would round a scaled size down, and cut the last pixels off.
    return _drawn(math.ceil(width), math.ceil(height), f'<g transform="scale({scale})">{svg}</g>')


@cache
def _has_font() -> bool:
    return _drawn(9, 9, '<text y="9">X</text>') != _drawn(9, 9, "")


def _drawn(width: int, height: int, content: str) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        msg = "a PNG needs resvg_py 0.5 or newer: pip install gaintree[png]"
        raise ImportError(msg) from error
    content = content.replace(' font-family="sans-serif"', "", 1)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="{_FAMILIES}">{content}</svg>'
    )
    try:
        return svg_to_bytes(svg_string=picture)
    except ValueError as error:
        raise SpecError(_not_drawn(str(error))) from error


def _not_drawn(why: str) -> str:
    return f"cannot draw this SVG: {why}; expected a picture that gaintree has made"
