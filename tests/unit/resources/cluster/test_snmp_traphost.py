"""Trap hosts, and the destination of events that stands for them."""

from __future__ import annotations

from in_process import Array

SNMP, HOSTS, DESTINATIONS = "support/snmp", "support/snmp/traphosts", "support/ems/destinations"


def test_the_destination_comes_and_goes_with_trap_hosts(api: Array) -> None:
    api.refuse("POST", DESTINATIONS, "262197", {"name": "t", "type": "snmp", "destination": "a"})
    api.make(HOSTS, {"host": "192.0.2.2"})
    api.make(HOSTS, {"host": "traps.example.org"})
    place = f"{DESTINATIONS}/snmp-traphost"
    before = api.get(f"{place}?fields=*")
    assert (before["type"], before["system_defined"]) == ("snmp", True)
    assert before["destination"] == "192.0.2.2, traps.example.org"
    assert before["filters"] == [{"name": "important-events"}]
    api.patch(place, {"filters": [{"name": "no-info-debug-events"}]})
    api.refuse("PATCH", place, "262197", {"destination": "192.0.2.3"})
    api.refuse("DELETE", place, "8")
    api.delete(f"{HOSTS}/192.0.2.2")
    after = api.get(f"{place}?fields=*")
    assert after["destination"] == "traps.example.org"
    assert after["filters"] == [{"name": "no-info-debug-events"}]
    api.delete(f"{HOSTS}/traps.example.org")
    assert api.get(DESTINATIONS)["records"] == []


def test_there_are_ten_at_most_and_each_once(api: Array) -> None:
    for number in range(10):
        api.make(HOSTS, {"host": f"192.0.2.{number + 1}"})
    api.refuse("POST", HOSTS, "1", {"host": "192.0.2.1"})
    api.refuse("POST", HOSTS, "8", {"host": "192.0.2.11"})


def test_a_destination_may_have_the_name_already(api: Array) -> None:
    logs = {"name": "snmp-traphost", "type": "syslog", "destination": "192.0.2.7"}
    api.make(DESTINATIONS, logs)
    api.refuse("POST", HOSTS, "8", {"host": "192.0.2.1"})
    assert api.get(HOSTS)["records"] == []


def test_a_test_trap_needs_a_trap_host(api: Array) -> None:
    test = {"trigger_test_trap": True}
    api.refuse("PATCH", SNMP, "8", test)
    api.refuse("PATCH", SNMP, "8", test | {"enabled": True})
    api.make(HOSTS, {"host": "192.0.2.1"})
    api.patch(SNMP, test | {"enabled": True})
    assert api.get("support/ems/events?message.name=snmp.test.trap")["num_records"] == 1
    assert "trigger_test_trap" not in api.get(SNMP)
