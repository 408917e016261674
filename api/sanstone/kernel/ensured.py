"""The result of an `ensure_…` function.

Idempotence is in the type: the second of two calls returns UNCHANGED, whatever the first did, and a
caller that was killed in between simply calls again.
"""

from __future__ import annotations

from enum import Enum


class Ensured(Enum):
    """CREATED: it did not exist. CHANGED: it existed and differed. UNCHANGED: nothing to do."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
