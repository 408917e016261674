"""Events as an administrator reads them."""

from __future__ import annotations

import pytest
from in_process import Array

from sanstone.core import events
from sanstone.core.store import writing


def test_events_come_oldest_first_and_newest_first_on_request(api: Array) -> None:
    with writing(api.database) as session:
        for number in range(3):
            events.emit(session, events.NOTICE, "disk.found", f"Disk {number}.", number=number)
    records = api.records("support/ems/events?fields=*")
    assert [r["log_message"] for r in records] == ["Disk 0.", "Disk 1.", "Disk 2."]
    assert records[1]["message"] == {"name": "disk.found", "severity": "notice"}
    assert records[1]["parameters"] == [{"name": "number", "value": "1"}]
    newest = api.records("support/ems/events?order_by=index desc&max_records=1&fields=log_message")
    assert newest[0]["log_message"] == "Disk 2."
    one = api.get(f"support/ems/events/{newest[0]['index']}")
    assert one["log_message"] == "Disk 2."
    assert one["node"]["name"] == "array1-01"


def test_a_program_adds_events_and_drives_none_out(api: Array) -> None:
    with writing(api.database) as session:
        events.emit(session, events.ALERT, "raid.degraded", "A disk is missing.")
    body = {"event_source": "trident", "category": "heartbeat", "event_description": "Alive."}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sanstone.resources.cluster.ems_application_log.KEPT", 3)
        for number in range(5):
            path = "support/ems/application-logs?return_records=true"
            answer = api.call("POST", path, body | {"event_id": number})
            assert (answer.status_code, answer.get_json()["num_records"]) == (201, 1)
    records = api.records("support/ems/events?fields=*")
    assert [r["message"]["name"] for r in records] == ["raid.degraded", *["app.log.notice"] * 3]
    assert records[-1]["log_message"] == "trident: heartbeat: Alive."
    assert {"name": "event_id", "value": "4"} in records[-1]["parameters"]


def test_a_lasting_condition_is_one_event_and_one_more_when_it_ends(api: Array) -> None:
    condition = {"raid:1": (events.ALERT, "raid.degraded", "A disk is missing.")}
    for current in (condition, condition, {}):
        with writing(api.database) as session:
            events.set_conditions(session, current)
    names = [r["message"]["name"] for r in api.records("support/ems/events?fields=message.name")]
    assert names == ["raid.degraded", "raid.degraded.resolved"]
    grave = api.records("support/ems/events?message.severity=alert|emergency")
    assert len(grave) == 1
