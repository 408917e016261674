"""The cost of work, in calls of the array's own functions.

Calls are the same on every machine and at every time; seconds are not. Calls of functions of the
package `sanstone` count, and each time that one of its generators goes on.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import sanstone

OURS = str(Path(sanstone.__file__).parent)


class Calls(Counter[str]):
    """Calls by function in this thread, while it counts."""

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            self[f"{frame.f_code.co_filename.removeprefix(OURS)}:{frame.f_code.co_name}"] += 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the calls inside."""
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    @contextmanager
    def pausing(self) -> Iterator[None]:
        """Count no calls inside."""
        before = sys.getprofile()
        sys.setprofile(None)
        try:
            yield
        finally:
            sys.setprofile(before)

    def most(self) -> str:
        """Return the functions with the most calls, for a test that fails."""
        return f"{self.total()} calls, most of them {self.most_common(12)}"
