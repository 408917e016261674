"""Registrations of targets at iSNS servers."""

from __future__ import annotations

PENDING, REGISTERED, FAILED, DISABLED = STATES = ("pending", "registered", "failed", "disabled")


def entity_name(svm_uuid: str) -> str:
    """Return the name by which a server knows what an SVM registers."""
    return f"sanstone:{svm_uuid}"
