"""The functions that Polars finds in the native library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polars.plugins import register_plugin_function

from gaintree import _gaintree

if TYPE_CHECKING:
    import polars as pl
    from polars._typing import IntoExpr

# The file, not its folder: Polars would look for the newest library in a folder each time.
LIBRARY = Path(_gaintree.__file__)


def plugin(
    function: str,
    *args: IntoExpr,
    kwargs: dict[str, Any] | None = None,
    is_elementwise: bool = False,
    returns_scalar: bool = False,
) -> pl.Expr:
    """An expression of a native function."""
    return register_plugin_function(
        plugin_path=LIBRARY,
        function_name=function,
        args=args,
        kwargs=kwargs,
        is_elementwise=is_elementwise,
        returns_scalar=returns_scalar,
    )
