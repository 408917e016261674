"""An array for each test of support bundles."""

from __future__ import annotations

from simulated_array import array, begin

__all__ = ("array", "begin")
