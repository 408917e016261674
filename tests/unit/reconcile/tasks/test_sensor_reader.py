"""Sensors and event log of a management controller, if there is one, are read when due."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from fakes.ipmi import Entry, Measuring
from sanstone.reconcile.tasks.sensor_reader import (
    LOG_PERIOD,
    SENSORS_PERIOD,
    ControllerMemory,
    ControllerReadings,
    SensorReader,
)

FAN = Measuring("FAN1", "Fan", "RPM", "29.1", 4200)


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine without a management controller."""
    return FakeKernel()


def commands_run(kernel: FakeKernel) -> list[str]:
    """Return the commands to the controller so far."""
    words = (set(call) & {"sdr", "sel"} for call in kernel.commands.calls if call[0] == "ipmitool")
    return [word for each in words for word in each]


def test_a_machine_without_a_controller_gets_no_commands(kernel: FakeKernel) -> None:
    memory = ControllerMemory()
    SensorReader(kernel.host, memory).read()
    assert memory.readings == ControllerReadings(present=False)
    assert commands_run(kernel) == []


def test_sensors_and_log_are_read_at_their_times(kernel: FakeKernel, clock: Clock) -> None:
    memory = ControllerMemory()
    reader = SensorReader(kernel.host, memory)
    kernel.controller.attach(FAN)
    kernel.controller.log = [Entry(1, "Processor CPU1", "IERR")]
    reader.read()
    assert memory.readings is not None
    assert memory.readings.sensors is not None
    assert memory.readings.entries is not None
    assert [sensor.name for sensor in memory.readings.sensors] == ["FAN1"]
    assert [entry.text for entry in memory.readings.entries] == ["Processor CPU1: IERR"]
    reader.read()
    assert commands_run(kernel) == ["sdr", "sel"]
    clock.now += SENSORS_PERIOD
    reader.read()
    assert commands_run(kernel) == ["sdr", "sel", "sdr"]
    clock.now += LOG_PERIOD - SENSORS_PERIOD
    reader.read()
    assert commands_run(kernel) == ["sdr", "sel", "sdr", "sdr", "sel"]


def test_a_silent_controller_keeps_its_last_readings(kernel: FakeKernel, clock: Clock) -> None:
    memory = ControllerMemory()
    reader = SensorReader(kernel.host, memory)
    kernel.controller.attach(FAN)
    reader.read()
    before = memory.readings
    assert before is not None
    kernel.controller.hangs = True
    for silences in (1, 2):
        clock.now += LOG_PERIOD
        reader.read()
        assert memory.readings == before._replace(silences=silences)
    assert commands_run(kernel) == ["sdr", "sel", "sdr", "sdr"]
    kernel.controller.hangs = False
    clock.now += LOG_PERIOD
    reader.read()
    assert memory.readings == before


def test_a_controller_that_appears_late_is_read(kernel: FakeKernel) -> None:
    memory = ControllerMemory()
    reader = SensorReader(kernel.host, memory)
    reader.read()
    kernel.controller.attach(FAN)
    reader.read()
    assert memory.readings is not None
    assert memory.readings.present
    assert memory.readings.sensors is not None
