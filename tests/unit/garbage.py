"""Python's collection of garbage, in processes that run thousands of tests or sequences."""

from __future__ import annotations

import gc


def collect_rarely() -> None:
    """Collect less: present objects stay, and a test leaves little behind."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
