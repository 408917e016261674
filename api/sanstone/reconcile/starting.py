"""The start of `sanstone-reconciler`: imports are progress, too (see `keep_alive`).

On a slow machine to import all modules takes longer than systemd would wait for the first word.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from typing import Any

from sanstone.reconcile.keep_alive import KeepAlive


class _Watch(MetaPathFinder):
    """Finds no module, and calls `progress` for each that is looked for."""

    def __init__(self, progress: Callable[[], None]) -> None:
        self._progress = progress

    def find_spec(self, *_arguments: Any) -> None:
        """Leave it to the others."""
        self._progress()


@contextmanager
def importing(progress: Callable[[], None]) -> Iterator[None]:
    """Call `progress` for each module that is imported inside."""
    watch = _Watch(progress)
    sys.meta_path.insert(0, watch)
    try:
        yield
    finally:
        sys.meta_path.remove(watch)


def main() -> None:
    """Import the reconciler, and run it."""
    keep_alive = KeepAlive()
    with importing(keep_alive.progress):
        from sanstone.reconcile import main as reconciler
    reconciler.main(keep_alive)
