"""What several tests begin with is made once: making it takes longer than most of them."""

from __future__ import annotations

import copy
import functools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar, cast

from alike_databases import NO_WAITING
from simulator import commits

from sanstone.core import secrets
from sanstone.core.database import store

KEY = secrets.new_key()
"""The secret key of all arrays, so that each can have a copy of another's database."""


class Watched:
    """An array in this process, which knows whether nothing was done to it yet."""

    def __init__(self) -> None:
        self._watcher = sqlite3.connect(store.path())
        self._new = commits(self._watcher)

    def is_new(self) -> bool:
        """Return whether it is as it was delivered."""
        return commits(self._watcher) == self._new

    def close(self) -> None:
        """Close what looks at the database."""
        self._watcher.close()


Api = TypeVar("Api", bound=Watched)
Made = TypeVar("Made")


def begun(make: Callable[[Api], Made]) -> Callable[[Api], Made]:
    """Return a fixture that does to a new array what `make` does, and returns what it returns.

    Later arrays of the process get a copy of the database that `make` left of the first one. To an
    array to which something was done before, `make` itself is done.
    """
    kept: list[tuple[sqlite3.Connection, Any]] = []

    @functools.wraps(make)
    def fixture(api: Api) -> Made:
        if kept and api.is_new():
            database, made = kept[0]
            with closing(sqlite3.connect(store.path())) as new:
                new.execute(f"PRAGMA {NO_WAITING}")
                database.backup(new)
            given: Any = api if made is None else copy.deepcopy(made)
            return cast(Made, given)
        was_new, made = api.is_new(), make(api)
        if was_new:
            database = sqlite3.connect(":memory:")
            with closing(sqlite3.connect(store.path())) as left:
                left.backup(database)
            kept.append((database, None if made is api else copy.deepcopy(made)))
        return made

    return fixture
