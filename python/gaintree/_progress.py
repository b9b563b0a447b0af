"""How far long work is, told to a caller or shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from gaintree._checks import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shorter work goes without a bar.
_LONG = 0.4


class Stage(NamedTuple):
    """A stage of long work, and how far it is.

    Attributes
    ----------
    name : str
        What is being done, as "growing trees".
    done : int
        How much of it is done. The unit is the stage's own: only the share counts.
    total : int
        All there is to do. A stage may end before all is done.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> stages = []
    >>> _ = gt.fit_forest(df, "y", trees=10, out_of_bag=False, progress=stages.append)
    >>> stages[-1]
    Stage(name='growing trees', done=10, total=10)
    """

    name: str
    done: int
    total: int


class Pass(NamedTuple):
    """A pass over rows that are not in memory, told before it begins.

    Attributes
    ----------
    number : int
        The number of the pass, from 1 on.
    task : str
        What it is for: `summary`, `weights`, `counts` or `gather`.
    levels : int
        The counts that were needed for the deepest node so far.
    nodes : int
        The nodes that are asked about.
    nodes_so_far : int
        The nodes of the tree so far.
    values_fetched : int
        The values that were fetched with their counts so far.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> rows = pl.LazyFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> fit = gt.fit_tree(rows, "y", memory="1GB", progress=print)
    Pass(number=1, task='summary', levels=0, nodes=1, nodes_so_far=0, values_fetched=0)
    Pass(number=2, task='gather', levels=0, nodes=1, nodes_so_far=0, values_fetched=0)
    """

    number: int
    task: str
    levels: int
    nodes: int
    nodes_so_far: int
    values_fetched: int


Progress = bool | Callable[[Stage], object]
PassProgress = bool | Callable[[Pass], object]


Listener = AbstractContextManager[Callable[..., object] | None]


def stages(progress: Progress | None) -> Listener:
    """What native work tells its stages: the caller's own, a bar, or nobody."""
    return _listener(progress, Stage, lambda bar, stage: bar.show(*stage))


def passes(progress: PassProgress | None) -> Listener:
    """What a fit tells its passes: the caller's own, a bar, or nobody."""
    return _listener(progress, Pass, _show_pass)


@contextmanager
def _listener(
    progress: object, of: Callable[..., Any], show: Callable[[_Bar, Any], object]
) -> Iterator[Callable[..., object] | None]:
    if progress is None:
        progress = _is_watched()
    if callable(progress):
        call = progress
        yield lambda *told: call(of(*told))
    elif not isinstance(progress, bool):
        refuse("progress", progress, "True, False, or a callable")
    elif not progress:
        yield None
    else:
        bar = _Bar()
        try:
            yield lambda *told: show(bar, of(*told))
        finally:
            bar.close()


def _show_pass(bar: _Bar, at: Pass) -> None:
    bar.show(f"pass {at.number}: {at.task}, {at.nodes_so_far} nodes so far", 0, None)


def _is_watched() -> bool:
    """Whether somebody sees a bar: at a terminal, or in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and "IPKernelApp" in getattr(shell, "config", ()):
        return True
    isatty = getattr(sys.stderr, "isatty", lambda: False)
    return bool(isatty())


class _Bar:
    """A bar on standard error, which is cleared at the end."""

    def __init__(self) -> None:
        self._bar: Any = None

    def show(self, name: str, done: int, total: int | None) -> None:
        """Show how far a stage is."""
        bar = self._bar
        if bar is None or bar.desc != name or bar.total != total or done < bar.n:
            self.close()
            bar = self._bar = self._new(name, total)
        bar.update(done - bar.n)

    def close(self) -> None:
        """Clear what is shown."""
        if self._bar is not None:
            self._bar.close()

    def _new(self, name: str, total: int | None) -> Any:  # noqa: ANN401 (tqdm has no types)
        # At first use: few need it.
        from tqdm import tqdm

        class Quiet(tqdm):  # type: ignore[misc]
            # Without a thread that looks whether bars are stuck: threads do not survive a fork.
            monitor_interval = 0

        form = "{l_bar}{bar}| {elapsed}<{remaining}" if total else "{desc} [{elapsed}]"
        shown = {"bar_format": form, "leave": False, "delay": _LONG, "file": sys.stderr}
        return Quiet(desc=name, total=total, **shown)
