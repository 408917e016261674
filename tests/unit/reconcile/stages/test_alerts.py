"""An alert is an event once, and again when its count is ten times as high."""

from __future__ import annotations

import pytest

from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.reconcile.stages import alerts
from sanstone.reconcile.stages.alerts import MOST, Alert

OWNER = "cluster/nodes:1"


def alert(text: str, count: int = 1, severity: str = ALERT) -> Alert:
    return Alert(Condition(severity, "a.kind", text), count)


def texts(lasting: dict[str, dict[str, object]]) -> list[str]:
    return [condition.message for _, condition in alerts.conditions(lasting, OWNER)]


@pytest.mark.parametrize(
    ("count", "severity", "message"),
    [
        (12, ALERT, "first"),
        (3, ALERT, "first"),
        (119, ALERT, "first"),
        (120, ALERT, "second"),
        (12, NOTICE, "second"),
    ],
)
def test_a_lasting_alert_is_raised_again_at_a_much_higher_count(
    count: int, severity: str, message: str
) -> None:
    lasting = alerts.lasting({}, {"key": alert("first", 12)})
    lasting = alerts.lasting(lasting, {"key": alert("second", count, severity)})
    assert texts(lasting) == [message]
    assert alerts.lasting(lasting, {}) == {}


def test_a_momentary_alert_lasts_for_a_while() -> None:
    recent = alerts.happened({}, {"one": alert("first")}, 1000.0, 60.0)
    recent = alerts.happened(recent, {"two": alert("second")}, 1059.0, 60.0)
    assert sorted(texts(recent)) == ["first", "second"]
    recent = alerts.happened(recent, {}, 1060.0, 60.0)
    assert texts(recent) == ["second"]


def test_the_last_ones_are_kept() -> None:
    many = {str(number): alert(str(number)) for number in range(2 * MOST)}
    assert len(alerts.lasting({}, many)) == MOST
    recent = alerts.happened({}, {"old": alert("old")}, 0.0, 60.0)
    recent = alerts.happened(recent, many, 1.0, 60.0)
    assert len(recent) == MOST
    assert "old" not in recent


def test_a_condition_is_about_its_owner() -> None:
    lasting = alerts.lasting({}, {"key": alert("first")})
    assert list(alerts.conditions(lasting, OWNER)) == [
        ("key", Condition(ALERT, "a.kind", "first", OWNER))
    ]
