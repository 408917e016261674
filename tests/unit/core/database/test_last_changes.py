"""Numbers of last changes: one for each owner, never again a lower one, and not too many."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from sanstone.core.database import last_changes, store, tracked
from sanstone.core.database.last_changes import GAP, Changed, State
from sanstone.core.database.store import reading, writing

SVM = "00000000-0000-4000-8000-000000000001"


def change(database: Engine, *keys: str, **more: Any) -> None:
    """Change owners in one transaction."""
    with writing(database) as session:
        tracked.note(session, [Changed("toys", key, **more) for key in keys])


def state(database: Engine) -> State:
    """Return the counter and the floor."""
    with reading(database) as session:
        return last_changes.state(session)


def keys(database: Engine, after: int, svm_uuid: str = "", most: int = 100) -> list[str]:
    """Return the keys of the objects that changed after a number."""
    with reading(database) as session:
        return [row.key for row in last_changes.since(session, after, svm_uuid, most)]


def test_an_owner_is_listed_once_by_its_last_change(toys: Engine) -> None:
    assert state(toys) == (0, 0)
    change(toys, "a")
    first = state(toys)
    assert first.counter == first.floor + 1
    change(toys, "b", "c")
    change(toys, "a")
    assert state(toys) == (first.counter + 3, first.floor)
    assert keys(toys, first.floor) == ["b", "c", "a"]
    assert keys(toys, first.counter + 2) == ["a"]
    assert keys(toys, first.counter + 3) == []
    assert keys(toys, first.floor, most=2) == ["b", "c"]


def test_each_change_has_a_number_of_its_own(toys: Engine) -> None:
    change(toys, *"abc")
    with reading(toys) as session:
        counter, floor = last_changes.state(session)
        indexes = [row.index for row in last_changes.since(session, floor, "", 100)]
    assert indexes == [counter - 2, counter - 1, counter]


def test_facts_of_an_owner_stay_known(toys: Engine) -> None:
    change(toys, "a", svm_uuid=SVM, deleted=True)
    change(toys, "a")
    change(toys, "b", deleted=True)
    change(toys, "b", deleted=False)
    with reading(toys) as session:
        changes = last_changes.since(session, 0, "", 100)
        facts = {row.key: (row.about_svm, row.deleted) for row in changes}
    assert facts == {"a": (SVM, True), "b": ("", False)}
    assert keys(toys, 0, SVM) == ["a"]


def test_the_oldest_are_dropped_and_the_floor_rises(
    toys: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_changes, "KEPT", 3)
    for key in "abcde":
        change(toys, key)
    before = state(toys)
    for _ in range(2):
        with writing(toys) as session:
            last_changes.prune(session)
        assert state(toys) == (before.counter, before.floor + 2)
        assert keys(toys, 0) == ["c", "d", "e"]
    change(toys, "f")
    assert state(toys).counter == before.counter + 1


def test_few_changes_are_kept(toys: Engine) -> None:
    change(toys, "a")
    before = state(toys)
    with writing(toys) as session:
        last_changes.prune(session)
    assert (state(toys), keys(toys, 0)) == (before, ["a"])


def test_a_copy_begins_past_all_that_were_given(toys: Engine) -> None:
    change(toys, "a")
    before = state(toys).counter
    with closing(sqlite3.connect(store.path())) as copy, copy:
        last_changes.begin_anew(copy)
    assert (state(toys), keys(toys, 0)) == ((before + GAP, before + GAP), [])
    change(toys, "a")
    assert keys(toys, before + GAP) == ["a"]
    assert state(toys).counter < 1 << 53, "JavaScript has no larger whole numbers"


def test_a_copy_of_a_release_without_them_is_left_alone() -> None:
    with closing(sqlite3.connect(":memory:")) as copy:
        last_changes.begin_anew(copy)


def test_a_change_of_many_costs_as_many_statements_as_one(toys: Engine) -> None:
    costs = []
    for count in (1, 50):
        with counted(toys) as statements:
            change(toys, *map(str, range(count)))
        costs.append(len([text for text in statements if not text.startswith("BEGIN")]))
    assert costs == [4, 4]


@contextmanager
def counted(database: Engine) -> Iterator[list[str]]:
    """Note the statements that are run inside."""
    statements: list[str] = []

    def note(*arguments: Any) -> None:
        statements.append(arguments[2])

    event.listen(database, "before_cursor_execute", note)
    yield statements
    event.remove(database, "before_cursor_execute", note)
