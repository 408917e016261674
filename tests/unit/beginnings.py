"""The starting point of several tests is prepared once: that takes longer than most of them."""

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
    """An array in this process that knows whether anything has changed it."""

    def __init__(self) -> None:
        self._watcher = sqlite3.connect(store.path())
        self._new = commits(self._watcher)

    def is_new(self) -> bool:
        """Return whether it is as delivered."""
        return commits(self._watcher) == self._new

    def close(self) -> None:
        """Close the connection that watches the database."""
        self._watcher.close()


Api = TypeVar("Api", bound=Watched)
Result = TypeVar("Result")


def prepared_once(make: Callable[[Api], Result]) -> Callable[[Api], Result]:
    """Return a fixture that prepares an array by `make`, and returns the result of `make`.

    `make` runs for the first new array of the process; later ones get a copy of its database.
    For an array that another fixture has changed, `make` itself runs.
    """
    copies: list[tuple[sqlite3.Connection, Any]] = []

    @functools.wraps(make)
    def fixture(api: Api) -> Result:
        if copies and api.is_new():
            database, result = copies[0]
            with closing(sqlite3.connect(store.path())) as new:
                new.execute(f"PRAGMA {NO_WAITING}")
                database.backup(new)
            copied_result: Any = api if result is None else copy.deepcopy(result)
            return cast(Result, copied_result)
        was_new, result = api.is_new(), make(api)
        if was_new:
            database = sqlite3.connect(":memory:")
            with closing(sqlite3.connect(store.path())) as file:
                file.backup(database)
            copies.append((database, None if result is api else copy.deepcopy(result)))
        return result

    return fixture
