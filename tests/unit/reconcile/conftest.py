"""An array for each test of the reconciler."""

from __future__ import annotations

from sampled_array import counted
from simulated_array import array, begin

__all__ = ("array", "begin", "counted")
