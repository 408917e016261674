"""Conditions that a node keeps with its observations, so that each is reported once.

Their causes are read beside the turns: until the first reading after a start, those before stand.
An alert of a count is reported anew only when the count is ten times as high, however often it goes
up and down meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sanstone.core.events import Condition

MOST = 64
"""Alerts that are kept, the last ones: what brings up new names all the time must fill no log."""


class Alert(NamedTuple):
    """A condition to report; `times` is how often it happened, 1 for one that lasts."""

    condition: Condition
    times: int = 1


def lasting(kept: Mapping[str, Any], alerts: Mapping[str, Alert]) -> dict[str, dict[str, Any]]:
    """Return the alerts to keep in the place of those that were `kept`."""
    return {
        key: _kept(kept[key], alert) if key in kept else _new(alert)
        for key, alert in list(alerts.items())[:MOST]
    }


def _new(alert: Alert) -> dict[str, Any]:
    severity, name, text, _owner = alert.condition
    return {"severity": severity, "name": name, "text": text, "times": alert.times}


def _kept(before: dict[str, Any], alert: Alert) -> dict[str, Any]:
    """Return the former report, unless the severity differs or the count is ten times as high."""
    new = _new(alert)
    is_same = all(before[part] == new[part] for part in ("severity", "name"))
    return before if is_same and alert.times < 10 * before["times"] else new


def happened(
    kept: Mapping[str, Any], alerts: Mapping[str, Alert], now: float, lasts: float
) -> dict[str, dict[str, Any]]:
    """Return the alerts to keep, with the present ones.

    Those that were seen before last for so many seconds more.
    """
    current = {key: entry for key, entry in kept.items() if entry["last"] > now - lasts}
    for key, entry in lasting(kept, alerts).items():
        current[key] = entry | {"last": now}
    newest = sorted(current, key=lambda key: -float(current[key]["last"]))
    return {key: current[key] for key in newest[:MOST]}


def conditions(kept: Mapping[str, Any], owner: str) -> Iterator[tuple[str, Condition]]:
    """Yield the conditions of the kept alerts, with their keys, about an owner."""
    for key, entry in kept.items():
        yield key, Condition(entry["severity"], entry["name"], entry["text"], owner)
