"""Events as an administrator reads them."""

from __future__ import annotations

import pytest
from in_process import NODE_UUID, Array

from sanstone.core import events
from sanstone.core.database.store import writing
from sanstone.core.events import Condition

DEGRADED = Condition(events.ALERT, "raid.degraded", "A disk is missing.", "storage/aggregates:a1")


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
    condition = {"raid:1": DEGRADED}
    for current in (condition, condition, {}):
        with writing(api.database) as session:
            events.set_conditions(session, NODE_UUID, current)
    names = [r["message"]["name"] for r in api.records("support/ems/events?fields=message.name")]
    assert names == ["raid.degraded", "raid.degraded.resolved"]
    grave = api.records("support/ems/events?message.severity=alert|emergency")
    assert len(grave) == 1


def test_an_alert_names_its_object_and_what_to_do(api: Array) -> None:
    with writing(api.database) as session:
        events.set_conditions(session, NODE_UUID, {"raid:1": DEGRADED})
        events.emit(session, events.NOTICE, "software.update.done", "Updated.")
    [alert] = api.records("support/ems/events?active=true&fields=*")
    assert alert["object"] == {"path": "storage/aggregates", "key": "a1"}
    assert "Without a spare, put one in" in alert["corrective_action"]
    assert api.records("support/ems/events?object.key=a1")[0]["index"] == alert["index"]
    with writing(api.database) as session:
        events.set_conditions(session, NODE_UUID, {})
    assert api.records("support/ems/events?active=true") == []
    *_, resolved = api.records("support/ems/events?fields=*")
    assert resolved["object"]["key"] == "a1"
    assert "corrective_action" not in resolved


def test_an_event_links_to_its_kind_in_the_manual(api: Array) -> None:
    names = ("raid.degraded", f"raid.degraded{events.RESOLVED}", "lun.fault", "of.no.kind")
    with writing(api.database) as session:
        for name in names:
            events.emit(session, events.NOTICE, name, "It happened.")
    records = api.records("support/ems/events?fields=manual")
    assert [record.get("manual") for record in records] == [
        "/docs/events/raid.degraded/",
        "/docs/events/raid.degraded/",
        "/docs/events/fault/",
        None,
    ]
    [kind] = api.records("support/ems/messages?name=raid.degraded&fields=manual")
    assert kind["manual"] == records[0]["manual"]


def test_an_alert_is_acknowledged_and_that_is_taken_back(api: Array) -> None:
    with writing(api.database) as session:
        events.set_conditions(session, NODE_UUID, {"raid:1": DEGRADED})
    [alert] = api.records("support/ems/events?active=true")
    place = f"support/ems/events/{alert['index']}"
    assert api.call("PATCH", place, {"acknowledged.state": True}).status_code == 200
    acknowledged = api.get(f"{place}?fields=acknowledged")["acknowledged"]
    assert (acknowledged["state"], acknowledged["user"]) == (True, "admin")
    assert acknowledged["time"].startswith("20")
    assert api.call("PATCH", place, {"acknowledged.state": True}).status_code == 200
    assert api.get(f"{place}?fields=acknowledged")["acknowledged"] == acknowledged
    assert api.call("PATCH", place, {"acknowledged.state": False}).status_code == 200
    assert api.get(f"{place}?fields=acknowledged")["acknowledged"] == {"state": False}
