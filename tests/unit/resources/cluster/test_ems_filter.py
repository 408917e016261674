"""Filters of events, as clients make and change them."""

from __future__ import annotations

import pytest
from in_process import Array

from sanstone.core.events import Event
from sanstone.model.events import EmsFilter
from sanstone.resources.cluster.ems_filter import ordered

PATH = "support/ems/filters"
EVERY = {"name_pattern": "*", "severities": "*", "snmp_trap_types": "*"}


def test_system_filters_exist_and_cannot_change(api: Array) -> None:
    by_name = {record["name"]: record for record in api.records(f"{PATH}?fields=**")}
    assert by_name.keys() == {"important-events", "no-info-debug-events"}
    for name in by_name:
        assert by_name[name]["system_defined"] is True
        api.refuse("PATCH", f"{PATH}/{name}", "8", {"rules": []})
        api.refuse("DELETE", f"{PATH}/{name}", "8")


def test_rules_are_numbered_and_end_with_the_one_for_the_rest(api: Array) -> None:
    second = {"index": 2, "type": "include"}
    first = {"index": 1, "type": "exclude", "message_criteria": {"severities": "NOTICE, error"}}
    created = api.make(PATH, {"name": "mine", "rules": [second, first]})
    assert created["rules"] == [
        {"index": 1, "type": "exclude", "message_criteria": EVERY | {"severities": "notice,error"}},
        {"index": 2, "type": "include", "message_criteria": EVERY},
        {"index": 3, "type": "exclude", "message_criteria": EVERY},
    ]
    assert created["system_defined"] is False


def test_a_filters_record_can_be_sent_back(api: Array) -> None:
    created = api.make(PATH, {"name": "mine", "rules": [{"type": "include"}]})
    api.patch(f"{PATH}/mine", {"rules": created["rules"]})
    assert api.get(f"{PATH}/mine")["rules"] == created["rules"]


def test_invalid_filters_are_refused(api: Array) -> None:
    twice = [{"index": 1, "type": "include"}] * 2
    api.refuse("POST", PATH, "262188", {"name": "mine", "rules": twice})
    api.refuse("POST", PATH, "1", {"name": "important-events"})
    wrong = [{"type": "include", "message_criteria": {"severities": "fatal"}}]
    api.refuse("POST", PATH, "262197", {"name": "mine", "rules": wrong})
    api.refuse("DELETE", f"{PATH}/no-such", "4")


def test_a_filter_that_a_destination_has_stays(api: Array) -> None:
    api.make(PATH, {"name": "mine"})
    body = {"name": "logs", "type": "syslog", "destination": "192.0.2.7", "filters": ["mine"]}
    api.make("support/ems/destinations", body)
    api.refuse("DELETE", f"{PATH}/mine", "8")
    api.patch("support/ems/destinations/logs", {"filters": []})
    api.delete(f"{PATH}/mine")


@pytest.mark.parametrize(
    ("name", "severity", "included"),
    [
        ("disk.missing", "error", True),
        ("disk.missing", "notice", False),
        ("disk.missing.resolved", "notice", True),
        ("app.log.error", "error", False),
        ("diskxmissing", "alert", False),
    ],
)
def test_the_first_rule_that_fits_decides(name: str, severity: str, included: bool) -> None:
    def rule(kind: str, pattern: str, severities: str = "*") -> dict[str, str]:
        criteria = {"name_pattern": pattern, "severities": severities}
        return {"type": kind} | {f"message_criteria.{n}": v for n, v in criteria.items()}

    rules = ordered(
        [
            rule("exclude", "app.*"),
            rule("include", "*.resolved"),
            rule("include", "disk.*", "error,alert"),
            rule("include", "*.error"),
        ]
    )
    assert EmsFilter(rules=rules).includes(Event(name=name, severity=severity)) is included
