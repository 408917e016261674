"""Sensors are read as ipmitool prints them, and judged by the management controller's limits."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.ipmi import Measuring, Stating
from sanstone.kernel.hardware import sensors
from sanstone.kernel.hardware.sensors import Sensor
from sanstone.kernel.host import CommandError, CommandTimeout

FAN = Measuring("FAN1", "Fan", "RPM", "29.1", 4200, lower=(300, 500, 700))
INLET = Measuring("Inlet Temp", "Temperature", "degrees C", "55.1", 24, upper=(50, 45, 42))
CORE = Measuring("Vcore", "Voltage", "Volts", "3.1", 0.912, upper=(None, 1.35, None))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a management controller."""
    kernel = FakeKernel()
    kernel.controller.attach()
    return kernel


def test_a_virtual_machine_has_no_controller() -> None:
    kernel = FakeKernel()
    assert not sensors.has_controller(kernel.host)
    with pytest.raises(CommandError, match="Could not open device"):
        sensors.read(kernel.host)


def test_sensors_with_thresholds(kernel: FakeKernel) -> None:
    kernel.controller.attach(FAN, INLET, CORE)
    assert sensors.has_controller(kernel.host)
    assert sensors.read(kernel.host) == [
        Sensor(
            "FAN1",
            sensors.FAN,
            "29.1",
            sensors.NORMAL,
            4200,
            "RPM",
            lower_critical=500,
            lower_warning=700,
        ),
        Sensor(
            "Inlet Temp",
            sensors.TEMPERATURE,
            "55.1",
            sensors.NORMAL,
            24,
            "degrees C",
            upper_critical=45,
            upper_warning=42,
        ),
        Sensor(
            "Vcore", sensors.VOLTAGE, "3.1", sensors.NORMAL, 0.912, "Volts", upper_critical=1.35
        ),
    ]


@pytest.mark.parametrize(
    ("value", "state"),
    [
        (4200, sensors.NORMAL),
        (700, sensors.LOW),
        (500, sensors.VERY_LOW),
        (0, sensors.VERY_LOW),
        (None, sensors.UNREADABLE),
    ],
)
def test_a_fan_is_as_its_thresholds_say(
    kernel: FakeKernel, value: float | None, state: str
) -> None:
    kernel.controller.attach(Measuring("FAN1", "Fan", "RPM", "29.1", value, lower=(300, 500, 700)))
    [fan] = sensors.read(kernel.host)
    assert (fan.state, fan.value) == (state, value)


@pytest.mark.parametrize(
    ("value", "state"),
    [(42, sensors.HIGH), (45, sensors.VERY_HIGH), (60, sensors.VERY_HIGH)],
)
def test_a_temperature_is_too_high_on_its_upper_side(
    kernel: FakeKernel, value: float, state: str
) -> None:
    inlet = Measuring("Inlet", "Temperature", "degrees C", "55.1", value, upper=(50, 45, 42))
    kernel.controller.attach(inlet)
    [sensor] = sensors.read(kernel.host)
    assert sensor.state == state


@pytest.mark.parametrize(
    ("states", "state"),
    [
        (("Presence detected",), sensors.NORMAL),
        ((), sensors.NORMAL),
        (("Presence detected", "Failure detected"), sensors.FAILED),
        (("Presence detected", "Predictive failure"), sensors.FAILED),
        (("Presence detected", "Failure detected", "Power Supply AC lost"), sensors.NO_POWER),
        (("Presence detected", "AC out-of-range, but present"), sensors.NO_POWER),
        (("Presence detected", "Config Error"), sensors.FAILED),
        (None, sensors.UNREADABLE),
    ],
)
def test_a_power_supply_is_as_it_says(
    kernel: FakeKernel, states: tuple[str, ...] | None, state: str
) -> None:
    kernel.controller.attach(Stating("PS1 Status", 0xC8, "10.1", states))
    [supply] = sensors.read(kernel.host)
    assert (supply.name, supply.kind, supply.state) == ("PS1 Status", sensors.POWER_SUPPLY, state)
    assert supply.states == ", ".join(states or ())


@pytest.mark.parametrize(
    ("reading", "state"),
    [
        ("Fully Redundant", sensors.NORMAL),
        ("Non-Redundant: Sufficient from Redundant", sensors.NORMAL),
        ("Redundancy Lost", sensors.DEGRADED),
        ("Non-Redundant: Insufficient Resources", sensors.DEGRADED),
    ],
)
def test_redundancy_of_power(kernel: FakeKernel, reading: str, state: str) -> None:
    kernel.controller.attach(Stating("PS Redundancy", 0x77, "21.1", (reading,)))
    [unit] = sensors.read(kernel.host)
    assert (unit.kind, unit.state) == (sensors.POWER_UNIT, state)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Sensor ID              : SEL (0x72)",
        "a,b,c",
        "FAN1,,,ns",
        "one, two,1,RPM,ok,29.1,Fan Device,Fan,,,,,,,,,,0.000,255.000",
        "BMC FRU,00h,ns,7.1",
    ],
)
def test_lines_that_are_no_sensors_are_left_out(line: str) -> None:
    assert sensors.parse(f"{line}\n{FAN.line()}\n") == sensors.parse(FAN.line())


def test_a_sensor_with_thresholds_that_measures_nothing_has_states() -> None:
    [sensor] = sensors.parse("Fan,2Ah,ok,29.1,State Asserted,29.1,Fan Device,Fan,,,,,,,,,,")
    assert (sensor.name, sensor.kind, sensor.states) == ("Fan", sensors.FAN, "State Asserted")


def test_a_threshold_that_is_no_number_is_none() -> None:
    line = "Odd,0x12,,ok,7.1,System Board,Other,,,,,0x20,nan,,,,0x00,0xFF"
    [sensor] = sensors.parse(line)
    assert (sensor.value, sensor.upper_critical, sensor.upper_warning) == (None, None, None)


def test_a_controller_that_hangs_is_given_up(kernel: FakeKernel) -> None:
    kernel.controller.hangs = True
    with pytest.raises(CommandTimeout):
        sensors.read(kernel.host)
