"""Alerts of the machine's sensors.

Names of the events are ONTAP's, where it has such an event.
"""

from __future__ import annotations

from collections.abc import Iterator

from sanstone.core.events import ALERT, ERROR, NOTICE, Condition
from sanstone.kernel.hardware import sensors
from sanstone.kernel.hardware.sensors import (
    DEGRADED,
    FAILED,
    HIGH,
    LOW,
    NO_POWER,
    NORMAL,
    UNREADABLE,
    VERY_HIGH,
    VERY_LOW,
    Sensor,
)
from sanstone.reconcile.stages.alerts import Alert

_WARNINGS = frozenset({LOW, HIGH, DEGRADED})
_SIDES = {LOW: "low", VERY_LOW: "low", HIGH: "high", VERY_HIGH: "high"}


def of_sensor(sensor: Sensor) -> Iterator[tuple[str, Alert]]:
    """Yield the alert of a sensor that is not as it should be, with its key."""
    condition = _condition(sensor)
    if condition:
        yield f"sensor:{sensor.entity}:{sensor.name}", Alert(condition)


def _condition(sensor: Sensor) -> Condition | None:
    """Return the condition of a sensor.

    Its text has no value, which would be another every minute, and an event each time.
    """
    if sensor.state in (NORMAL, UNREADABLE):
        return None
    severity = NOTICE if sensor.state in _WARNINGS else ALERT
    where = f"{sensor.name}{_limit(sensor)}"
    match sensor.kind:
        case sensors.FAN:
            if severity == NOTICE:
                return Condition(
                    NOTICE, "monitor.fan.warning", f"A fan is not as fast as usual: {where}."
                )
            return Condition(ALERT, "monitor.fan.failed", f"A fan has failed: {where}.")
        case sensors.TEMPERATURE if sensor.state in (HIGH, VERY_HIGH):
            return Condition(
                severity, "monitor.chassisTemperature.warm", f"It is too hot: {where}."
            )
        case sensors.TEMPERATURE:
            return Condition(
                severity, "monitor.chassisTemperature.cool", f"It is too cold: {where}."
            )
        case sensors.POWER_SUPPLY if sensor.state == NO_POWER:
            text = f"A power supply has no mains: {where}."
            return Condition(ALERT, "monitor.chassisPowerSupply.off", text)
        case sensors.POWER_SUPPLY if sensor.state == FAILED:
            text = f"A power supply has failed, or is about to: {where}."
            return Condition(ALERT, "monitor.chassisPowerSupply.degraded", text)
        case sensors.POWER_SUPPLY | sensors.POWER_UNIT | sensors.VOLTAGE | sensors.CURRENT:
            severity = ERROR if sensor.state == DEGRADED else severity
            text = f"The power is not as it should be: {where}."
            return Condition(severity, "monitor.chassisPower.degraded", text)
    return None


def _limit(sensor: Sensor) -> str:
    """Return how far a sensor is from normal: the threshold, or its states."""
    if sensor.states:
        return f" ({sensor.states})"
    limits = {
        LOW: sensor.lower_warning,
        VERY_LOW: sensor.lower_critical,
        HIGH: sensor.upper_warning,
        VERY_HIGH: sensor.upper_critical,
    }
    limit = limits.get(sensor.state)
    if limit is None:
        return f" ({_SIDES[sensor.state]})"
    return f" ({'from' if sensor.state in (HIGH, VERY_HIGH) else 'up to'} {limit:g} {sensor.unit})"
