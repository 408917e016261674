"""An array with a sampler."""

from __future__ import annotations

from sampled_array import counted

__all__ = ("counted",)
