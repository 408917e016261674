"""Rules are seen in what the API answers: the tests have an array in this process."""

from __future__ import annotations

from in_process import api, new_database

__all__ = ("api", "new_database")
