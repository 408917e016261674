"""Readings of sensors are shown, and are events when they are out of range."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes.ipmi import Entry, Measuring, Stating
from sanstone.reconcile.stages.sensors import CALM, LASTS, SILENCES
from sanstone.reconcile.tasks.sensor_reader import LOG_PERIOD, SENSORS_PERIOD

SENSORS, NODES, EVENTS = "cluster/sensors", "cluster/nodes", "support/ems/events"


@pytest.fixture
def server(array: Simulator) -> Simulator:
    """An array on a server with a management controller, all well."""
    array.kernel.controller.attach(
        Measuring("FAN1", "Fan", "RPM", "29.1", 4200, lower=(None, 500, 700)),
        Measuring("FAN2", "Fan", "RPM", "29.1", 4300, lower=(None, 500, 700)),
        Measuring("Inlet", "Temperature", "degrees C", "55.1", 24, upper=(50, 45, 42)),
        Measuring("P12V", "Voltage", "Volts", "7.1", 12.094, upper=(None, 13.2, None)),
        Stating("PS1 Status", 0xC8, "10.1", ("Presence detected",)),
        Stating("PS2 Status", 0xC9, "10.2", ("Presence detected",)),
        Stating("PS Redundancy", 0x77, "21.1", ("Fully Redundant",)),
    )
    array.read_hardware()
    return array


def look_again(server: Simulator, clock: Clock, after: float = SENSORS_PERIOD) -> None:
    """Let some seconds pass, and have the sensors read."""
    clock.now += after
    server.read_hardware()


def controller(server: Simulator) -> dict[str, Any]:
    """Return the sensors' states in the node."""
    [node] = server.get(f"{NODES}?fields=controller")["records"]
    return dict(node["controller"])


def hardware_events(server: Simulator) -> list[tuple[str, str]]:
    """Return the names and texts of events about hardware, oldest first."""
    fields = "fields=message.name,log_message"
    records = server.get(f"{EVENTS}?message.name=monitor.*|sp.*&{fields}")["records"]
    return [(each["message"]["name"], each["log_message"]) for each in records]


def test_a_machine_without_a_controller_has_no_sensors(array: Simulator) -> None:
    array.read_hardware()
    assert array.get(SENSORS)["records"] == []
    assert controller(array).keys() == {"cpu", "memory_size"}
    assert hardware_events(array) == []
    assert not [call for call in array.kernel.commands.calls if call[0] == "ipmitool"]


def test_sensors_are_shown_in_the_words_of_ontap(server: Simulator) -> None:
    records = server.get(f"{SENSORS}?fields=**")["records"]
    [fan, _, inlet, volts, supply, _, _] = [
        {key: value for key, value in record.items() if key not in ("node", "_links")}
        for record in records
    ]
    assert fan == {
        "index": 1,
        "name": "FAN1",
        "type": "fan",
        "threshold_state": "normal",
        "value": 4200,
        "value_units": "RPM",
        "critical_low_threshold": 500,
        "warning_low_threshold": 700,
    }
    assert (inlet["type"], inlet["value"], inlet["value_units"]) == ("thermal", 24, "C")
    assert (volts["value"], volts["value_units"]) == (12094, "mV")
    assert volts["critical_high_threshold"] == 13200
    assert supply == {
        "index": 5,
        "name": "PS1 Status",
        "type": "discrete",
        "discrete_state": "normal",
        "discrete_value": "Presence detected",
    }
    node = records[0]["node"]
    assert server.get(f"{SENSORS}/{node['uuid']}/5")["name"] == "PS1 Status"


def test_a_healthy_node_shows_its_state(server: Simulator) -> None:
    record = controller(server)
    assert record["over_temperature"] == "normal"
    assert record["failed_fan"] == {
        "count": 0,
        "message": {"message": "There are no failed fans."},
    }
    assert record["failed_power_supply"]["count"] == 0
    assert hardware_events(server) == []


def test_a_failed_fan_and_its_recovery_are_events(server: Simulator, clock: Clock) -> None:
    server.kernel.controller.measure("FAN2", 0)
    look_again(server, clock)
    failed = ("monitor.fan.failed", "A fan has failed: FAN2 (up to 500 RPM).")
    assert hardware_events(server) == [failed]
    assert controller(server)["failed_fan"] == {
        "count": 1,
        "message": {"message": "Failed fans: FAN2."},
    }
    server.kernel.controller.measure("FAN2", 120)
    look_again(server, clock)
    assert hardware_events(server) == [failed], "as long as it is the same, it is one event"
    server.kernel.controller.measure("FAN2", 4000)
    look_again(server, clock)
    assert controller(server)["failed_fan"]["count"] == 0
    assert hardware_events(server) == [failed], "it may fail again at once"
    look_again(server, clock, CALM)
    assert [name for name, _ in hardware_events(server)] == [failed[0], f"{failed[0]}.resolved"]


@pytest.mark.parametrize(
    ("sensor", "value", "name", "text"),
    [
        ("FAN1", 600, "monitor.fan.warning", "A fan is not as fast as usual: FAN1"),
        ("Inlet", 43, "monitor.chassisTemperature.warm", "It is too hot: Inlet (from 42 degr"),
        ("Inlet", 46, "monitor.chassisTemperature.warm", "It is too hot: Inlet (from 45 degr"),
        ("P12V", 14, "monitor.chassisPower.degraded", "The power is not as it should be: P12V"),
    ],
)
def test_a_reading_out_of_range_is_an_event(
    server: Simulator, clock: Clock, sensor: str, value: float, name: str, text: str
) -> None:
    server.kernel.controller.measure(sensor, value)
    look_again(server, clock)
    [(event, message)] = hardware_events(server)
    assert event == name
    assert message.startswith(text)


def test_a_hot_node_shows_its_temperature_state(server: Simulator, clock: Clock) -> None:
    server.kernel.controller.measure("Inlet", 46)
    look_again(server, clock)
    assert controller(server)["over_temperature"] == "over"


@pytest.mark.parametrize(
    ("states", "name"),
    [
        (("Presence detected", "Failure detected"), "monitor.chassisPowerSupply.degraded"),
        (("Presence detected", "Power Supply AC lost"), "monitor.chassisPowerSupply.off"),
    ],
)
def test_a_failed_power_supply_is_an_event(
    server: Simulator, clock: Clock, states: tuple[str, ...], name: str
) -> None:
    server.kernel.controller.tell("PS2 Status", *states)
    server.kernel.controller.tell("PS Redundancy", "Redundancy Lost")
    look_again(server, clock)
    assert sorted(event for event, _ in hardware_events(server)) == sorted(
        [name, "monitor.chassisPower.degraded"]
    )
    assert controller(server)["failed_power_supply"] == {
        "count": 1,
        "message": {"message": "Failed power supplies: PS2 Status."},
    }


def test_a_restart_repeats_no_event(server: Simulator, clock: Clock) -> None:
    server.kernel.controller.measure("FAN2", 0)
    look_again(server, clock)
    before = hardware_events(server)
    server.start()
    server.settle()
    assert controller(server)["failed_fan"]["count"] == 1, "before anything is read"
    clock.now += 10 * CALM
    server.reboot()
    server.settle()
    server.read_hardware()
    assert hardware_events(server) == before


def test_a_silent_controller_is_an_event_and_its_readings_stay(
    server: Simulator, clock: Clock
) -> None:
    server.kernel.controller.hangs = True
    for _ in range(SILENCES - 1):
        look_again(server, clock)
    assert hardware_events(server) == [], "it may be starting anew"
    look_again(server, clock)
    [(name, _)] = hardware_events(server)
    assert name == "sp.heartbeat.stopped"
    assert len(server.get(SENSORS)["records"]) == 7
    server.kernel.controller.hangs = False
    look_again(server, clock)
    assert [name for name, _ in hardware_events(server)][-1] == "sp.heartbeat.stopped.resolved"


def test_new_log_entries_are_events(server: Simulator, clock: Clock) -> None:
    log = server.kernel.controller.log
    log.append(Entry(1, "Processor CPU1", "IERR"))
    look_again(server, clock, LOG_PERIOD)
    [(name, text)] = hardware_events(server)
    assert (name, text) == (
        "sp.event.logged",
        "The management controller has logged Processor CPU1: IERR.",
    )
    log.append(Entry(2, "Memory A1", "Correctable ECC"))
    look_again(server, clock, LOG_PERIOD)
    server.start()
    server.read_hardware()
    assert len(hardware_events(server)) == 1
    clock.now += LASTS
    look_again(server, clock)
    assert [name for name, _ in hardware_events(server)][-1] == "sp.event.logged.resolved"


def test_log_entries_before_the_first_reading_are_no_events(array: Simulator, clock: Clock) -> None:
    array.kernel.controller.attach()
    array.kernel.controller.log = [Entry(1, "Processor CPU1", "IERR")]
    array.read_hardware()
    assert hardware_events(array) == []
    array.kernel.controller.log = [Entry(1, "Processor CPU1", "IERR", when="11/27/26,01:00:00 UTC")]
    look_again(array, clock, LOG_PERIOD)
    assert len(hardware_events(array)) == 1, "the log was cleared meanwhile"


def test_log_entries_during_a_downtime_are_events_after_it(server: Simulator, clock: Clock) -> None:
    look_again(server, clock, LOG_PERIOD)
    server.kernel.controller.log.append(Entry(9, "Watchdog2 Watchdog", "Hard reset"))
    server.reboot()
    server.settle()
    server.read_hardware()
    assert [name for name, _ in hardware_events(server)] == ["sp.event.logged"]


def test_a_controller_that_goes_takes_its_sensors_along(server: Simulator, clock: Clock) -> None:
    server.kernel.controller.measure("FAN2", 0)
    look_again(server, clock)
    server.kernel.files.displace("/dev/ipmi0")
    look_again(server, clock)
    assert server.get(SENSORS)["records"] == []
    assert [name for name, _ in hardware_events(server)][-1] == "monitor.fan.failed.resolved"
