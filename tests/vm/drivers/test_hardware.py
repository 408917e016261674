"""A server's hardware reports reach the array: sensors, its controller's log, errors.

The server is QEMU's: the test sets the values of its management controller, which judges nothing,
so that a fan that fails is for unit tests. Errors of PCIe and machine checks are injected.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from lab import controller
from lab.api import Api
from lab.patience import eventually
from lab.qemu import BAYS
from lab.station import Array, Station
from sanstone.kernel.hardware import error_records
from sanstone.reconcile.stages.hardware_alerts import REPEATED

pytestmark = pytest.mark.qemu

SENSORS, EVENTS, NODES = "cluster/sensors", "support/ems/events", "cluster/nodes"
PROCESSOR, IERR = 0x07, 0x00
"""The type of sensor, and the event, of a processor that gave up (IPMI 2.0, table 42-3)."""
TIMED_OUT = 0x4000
"""An error of PCIe that is neither corrected nor fatal (AER's uncorrectable error status). QEMU 7.2
passes on none that is corrected."""
CORRECTED_BUS_ERROR = 0x9C00000000000E0B
"""The status of a bank: valid, enabled, with address and more, corrected; an error of a bus."""
HOUR = 3_600_000_000
"""In microseconds."""


@pytest.fixture(scope="module")
def server(server_station: Station) -> Array:
    """The array on the server."""
    return server_station.array


@pytest.fixture
def api(server: Array) -> Api:
    """The server's REST API."""
    return server.api


def measure(server: Array, sensor: int, reading: int) -> None:
    """Let a sensor measure something: Set Sensor Reading And Event Status (35.17)."""
    server.run(f"ipmitool raw 0x04 0x30 {sensor:#x} 0x01 {reading:#x}")


def look_again(server: Array) -> None:
    """Have everything read at once, as after a start."""
    server.run("systemctl restart sanstone-reconciler")


def sensors(api: Api) -> dict[str, dict[str, Any]]:
    records = api.get(SENSORS, fields="**")["records"]
    return {record["name"]: record for record in records}


def tell_monitor(server: Array, line: str) -> str:
    """Type a line into QEMU's monitor, and return its answer."""
    return str(server.machine.monitor("human-monitor-command", **{"command-line": line}))


def machine_checks(server: Array) -> int:
    """Return how many rasdaemon has recorded."""
    query = "'SELECT count(*) FROM mce_record'"
    wait = "-cmd '.timeout 60000'"
    return int(server.run(f"sqlite3 -readonly {wait} {error_records.DATABASE} {query}"))


def has_more(server: Array, than: int) -> bool:
    return machine_checks(server) > than


def messages(api: Api, name: str) -> list[str]:
    query = {"message.name": name, "fields": "log_message"}
    return [record["log_message"] for record in api.get(EVENTS, **query)["records"]]


def test_sensors_are_shown(server: Array, api: Api) -> None:
    measure(server, controller.FAN, 42)
    measure(server, controller.INLET, 24)
    look_again(server)
    eventually(lambda: sensors(api).get("FAN1", {}).get("value") == 4200)
    shown = sensors(api)
    fan, inlet, supply = (shown[name] for name in ("FAN1", "Inlet", "PS1 Status"))
    assert (fan["type"], fan["value_units"], fan["threshold_state"]) == ("fan", "RPM", "normal")
    assert (fan["critical_low_threshold"], fan["warning_low_threshold"]) == (500, 700)
    assert (inlet["type"], inlet["value"], inlet["value_units"]) == ("thermal", 24, "C")
    assert (inlet["warning_high_threshold"], inlet["critical_high_threshold"]) == (42, 45)
    assert (supply["type"], supply["discrete_state"]) == ("discrete", "normal")
    [node] = api.get(NODES, fields="controller")["records"]
    assert node["controller"]["over_temperature"] == "normal"
    assert node["controller"]["failed_fan"]["count"] == 0
    assert node["controller"]["failed_power_supply"]["count"] == 0


def test_the_controllers_watchdog_is_taken_where_the_chipset_has_none(server: Array) -> None:
    eventually(lambda: server.attempt("test -c /dev/watchdog").status == 0)
    manager = "org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager"
    server.run(f"busctl set-property {manager} RuntimeWatchdogUSec t {HOUR}")
    assert "Using hardware watchdog 'IPMI'" in server.run("journalctl --boot --identifier systemd")


def test_an_entry_of_the_controllers_log_raises_an_event(server: Array, api: Api) -> None:
    assert not messages(api, "sp.event.logged")
    # Platform Event (29.3), of the system's software, asserted.
    server.run(f"ipmitool raw 0x04 0x02 0x41 0x04 {PROCESSOR:#x} 0x10 0x6f {IERR:#x} 0xff 0xff")
    look_again(server)
    eventually(lambda: bool(messages(api, "sp.event.logged")))
    [text] = messages(api, "sp.event.logged")
    assert "Processor" in text
    assert "IERR" in text


def test_rasdaemon_listens(server: Array) -> None:
    assert server.run("systemctl is-active rasdaemon").strip() == "active"


def test_an_error_of_pcie_raises_an_event(server: Array, api: Api) -> None:
    assert "OK" in tell_monitor(server, f"pcie_aer_inject_error {BAYS[0]} {TIMED_OUT:#x}")
    eventually(lambda: bool(messages(api, "pcie.error.uncorrected")))
    [text] = messages(api, "pcie.error.uncorrected")
    assert "Completion Timeout" in text


def test_repeated_machine_checks_raise_an_event(server: Array, api: Api) -> None:
    server.run("echo 1 > /sys/devices/system/machinecheck/machinecheck0/check_interval")
    while (before := machine_checks(server)) < REPEATED:
        tell_monitor(server, f"mce 0 4 {CORRECTED_BUS_ERROR:#x} 0 0x1000 0x86")
        eventually(partial(has_more, server, before))
    eventually(lambda: bool(messages(api, "processor.error.corrected")))
    [text] = messages(api, "processor.error.corrected")
    assert text.startswith("Processor 0, bank 4")
