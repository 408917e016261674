"""What an `ensure_…` function did.

Idempotence is in the type: calling such a function twice gives UNCHANGED the second time, whatever
the first call found, and a caller that was killed in between simply calls again.
"""

from __future__ import annotations

from enum import Enum


class Ensured(Enum):
    """CREATED: it was not there. CHANGED: it was there and differed. UNCHANGED: nothing to do."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
