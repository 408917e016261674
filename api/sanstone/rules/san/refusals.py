"""Refused initiators: why, and how many are kept."""

from __future__ import annotations

NOT_ALLOWED, NOT_AUTHENTICATED = REASONS = ("not_allowed", "not_authenticated")
KEPT = 256
"""Refused initiators that are kept, the last ones."""
