"""The fixtures of all tests of resources: an array in this process, and one with a sampler."""

from __future__ import annotations

from in_process import api, new_database
from sampled_array import counted

__all__ = ("api", "counted", "new_database")
