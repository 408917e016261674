"""Events are raised once when a condition begins and once when it ends."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select
from toy import NODE

from sanstone.core import events
from sanstone.core.database.store import reading, writing
from sanstone.core.events import ALERT, ERROR, NOTICE, Condition, Event

Conditions = dict[str, Condition]
LATE: Conditions = {"disk:1": Condition(ERROR, "disk.missing", "Disk 1 is missing.")}


def _set(database: Engine, current: Conditions) -> list[tuple[str, str, str, bool]]:
    """Set the conditions and return all events."""
    with writing(database) as session:
        events.set_conditions(session, NODE, current)
    return _all(database)


def _all(database: Engine) -> list[tuple[str, str, str, bool]]:
    with reading(database) as session:
        rows = session.scalars(select(Event).order_by(Event.index))
        return [(row.severity, row.name, row.message, row.open) for row in rows]


def test_a_condition_is_one_event_however_often_it_is_met(toys: Engine) -> None:
    for _ in range(3):
        recorded = _set(toys, LATE)
    assert recorded == [(ERROR, "disk.missing", "Disk 1 is missing.", True)]


def test_the_end_of_a_condition_is_a_notice(toys: Engine) -> None:
    _set(toys, LATE)
    for _ in range(2):
        recorded = _set(toys, {})
    assert recorded == [
        (ERROR, "disk.missing", "Disk 1 is missing.", False),
        (NOTICE, "disk.missing.resolved", "Resolved: Disk 1 is missing.", False),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        Condition(ERROR, "disk.missing", "Disk 1 is missing for an hour."),
        Condition(ALERT, "disk.missing", "Disk 1 is missing."),
        Condition(ERROR, "disk.broken", "Disk 1 is missing."),
    ],
)
def test_a_condition_that_changes_is_a_new_event(toys: Engine, changed: Condition) -> None:
    _set(toys, LATE)
    recorded = _set(toys, {"disk:1": changed})
    assert [event[-1] for event in recorded] == [False, True]
    assert recorded[1][:3] == changed[:3]


def test_a_condition_that_comes_back_is_a_new_event(toys: Engine) -> None:
    for current in (LATE, {}, LATE, LATE):
        recorded = _set(toys, current)
    assert [event[-1] for event in recorded] == [False, False, True]


def test_conditions_are_distinguished(toys: Engine) -> None:
    other: Conditions = {"disk:2": Condition(ERROR, "disk.missing", "Disk 2 is missing.")}
    _set(toys, LATE | other)
    recorded = _set(toys, other)
    assert [event[2] for event in recorded if event[-1]] == ["Disk 2 is missing."]


def test_plain_events_have_no_end(toys: Engine) -> None:
    with writing(toys) as session:
        events.emit(session, ERROR, "job.failed", "It failed.", job="7")
    assert _set(toys, {}) == [(ERROR, "job.failed", "It failed.", False)]
    with reading(toys) as session:
        assert session.scalars(select(Event)).one().parameters == {"job": "7"}


def test_old_events_go_and_open_ones_stay(toys: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "KEPT", 3)
    _set(toys, LATE)
    with writing(toys) as session:
        for number in range(6):
            events.emit(session, NOTICE, "n", str(number))
        session.flush()
        events.prune(session)
    assert [event[2] for event in _all(toys)] == ["Disk 1 is missing.", "3", "4", "5"]


def test_pruning_nothing_is_fine(toys: Engine) -> None:
    with writing(toys) as session:
        events.prune(session)
    assert _all(toys) == []


def test_a_node_closes_its_own_conditions_alone(toys: Engine) -> None:
    _set(toys, LATE)
    with writing(toys) as session:
        events.set_conditions(session, "20000000-0000-4000-8000-000000000000", {})
    assert _all(toys) == [(ERROR, "disk.missing", "Disk 1 is missing.", True)]
