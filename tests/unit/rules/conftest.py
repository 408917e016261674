"""Rules show in the answers of the API: the tests have an array in this process."""

from __future__ import annotations

from in_process import api, new_database

__all__ = ("api", "new_database")
