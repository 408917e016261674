"""Alerts are told once, and again when there is ten times as much."""

from __future__ import annotations

import pytest

from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.reconcile.stages import alerts
from sanstone.reconcile.stages.alerts import MOST, Alert

OWNER = "cluster/nodes:1"


def alert(text: str, count: int = 1, severity: str = ALERT) -> Alert:
    return Alert(Condition(severity, "a.kind", text), count)


def texts(kept: dict[str, dict[str, object]]) -> list[str]:
    return [condition.message for _, condition in alerts.conditions(kept, OWNER)]


@pytest.mark.parametrize(
    ("count", "severity", "told"),
    [
        (12, ALERT, "first"),
        (3, ALERT, "first"),
        (119, ALERT, "first"),
        (120, ALERT, "second"),
        (12, NOTICE, "second"),
    ],
)
def test_what_lasts_is_told_anew_when_it_is_much_more(count: int, severity: str, told: str) -> None:
    kept = alerts.lasting({}, {"key": alert("first", 12)})
    kept = alerts.lasting(kept, {"key": alert("second", count, severity)})
    assert texts(kept) == [told]
    assert alerts.lasting(kept, {}) == {}


def test_what_happened_lasts_for_a_while() -> None:
    kept = alerts.happened({}, {"one": alert("first")}, 1000.0, 60.0)
    kept = alerts.happened(kept, {"two": alert("second")}, 1059.0, 60.0)
    assert sorted(texts(kept)) == ["first", "second"]
    kept = alerts.happened(kept, {}, 1060.0, 60.0)
    assert texts(kept) == ["second"]


def test_the_last_ones_are_kept() -> None:
    many = {str(number): alert(str(number)) for number in range(2 * MOST)}
    assert len(alerts.lasting({}, many)) == MOST
    kept = alerts.happened({}, {"old": alert("old")}, 0.0, 60.0)
    kept = alerts.happened(kept, many, 1.0, 60.0)
    assert len(kept) == MOST
    assert "old" not in kept


def test_a_condition_is_about_its_owner() -> None:
    kept = alerts.lasting({}, {"key": alert("first")})
    assert list(alerts.conditions(kept, OWNER)) == [
        ("key", Condition(ALERT, "a.kind", "first", OWNER))
    ]
