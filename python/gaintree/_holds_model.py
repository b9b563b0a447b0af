"""Results that hold a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar


class HoldsModel:
    """A result whose model has the verbs, as `predict`; its error for such a name says so."""

    _holds: ClassVar[str]

    # Type checkers would take any attribute if they saw this method.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Say where an attribute is that the model has."""
            advice = ""
            if not name.startswith("_") and hasattr(type(self.__dict__.get(self._holds)), name):
                advice = f"; its {self._holds} has: .{self._holds}.{name}"
            msg = f"a {type(self).__name__} has no attribute `{name}`{advice}"
            raise AttributeError(msg, name=name, obj=self)
