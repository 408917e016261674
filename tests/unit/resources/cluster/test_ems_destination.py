"""Destinations of events, as clients make and change them."""

from __future__ import annotations

from in_process import Array

PATH = "support/ems/destinations"
LOGS = {"name": "logs", "type": "syslog", "destination": "192.0.2.7"}


def test_one_has_the_port_of_its_transport_unless_another_is_given(api: Array) -> None:
    made = api.make(PATH, LOGS)
    assert made["syslog"]["port"] == 514
    assert made["syslog"]["transport"] == "udp_unencrypted"
    assert made["connectivity"] == {"state": "unknown"}
    api.patch(f"{PATH}/logs", {"syslog": {"transport": "tcp_unencrypted"}})
    assert api.get(f"{PATH}/logs")["syslog"]["port"] == 601
    api.patch(f"{PATH}/logs", {"syslog.port": 1514})
    assert api.get(f"{PATH}/logs")["syslog"]["port"] == 1514


def test_what_it_is_told_of(api: Array) -> None:
    api.refuse("POST", PATH, "4", LOGS | {"filters": [{"name": "no-such"}]})
    twice = ["important-events", {"name": "important-events"}]
    made = api.make(PATH, LOGS | {"filters": twice})
    assert made["filters"] == [{"name": "important-events"}]


def test_what_the_array_does_not_speak_is_refused(api: Array) -> None:
    for kind in ("email", "rest_api", "snmp"):
        api.refuse("POST", PATH, "262197", LOGS | {"type": kind})
    api.refuse("POST", PATH, "262197", LOGS | {"syslog": {"transport": "tcp_encrypted"}})
    api.refuse("POST", PATH, "262197", LOGS | {"destination": "https://example.org/"})
    api.make(PATH, LOGS)
    api.refuse("POST", PATH, "1", LOGS)


def test_why_it_cannot_be_told_is_shown(api: Array) -> None:
    made = api.make(f"{PATH}?fields=**", LOGS)
    assert made["system_defined"] is False
    [event] = api.contents()["ems_destination"]
    api.observe(PATH, event.uuid, told=1, why="Connection refused")
    shown = api.get(f"{PATH}/logs?fields=connectivity")["connectivity"]
    assert shown == {"state": "fail", "errors": [{"message": {"message": "Connection refused"}}]}
    api.observe(PATH, event.uuid, told=2, why="")
    assert api.get(f"{PATH}/logs")["connectivity"] == {"state": "success"}
