"""`cluster/sensors`: what the machine's management controller (BMC) measures, as observed.

A machine without a BMC, such as a virtual one, has no sensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Choice, Integer, Text
from sanstone.core.observed import Observed, Seen
from sanstone.kernel.hardware import sensors
from sanstone.model.observations import SENSORS
from sanstone.rules.cluster.node import node_fields

TYPES = {
    sensors.FAN: "fan",
    sensors.TEMPERATURE: "thermal",
    sensors.VOLTAGE: "voltage",
    sensors.CURRENT: "current",
}
"""ONTAP's words. A sensor of another kind is `discrete`, or `unknown` where it measures."""
DISCRETE, UNKNOWN = "discrete", "unknown"
THRESHOLD_STATES = {
    sensors.NORMAL: "normal",
    sensors.LOW: "warn_low",
    sensors.HIGH: "warn_high",
    sensors.VERY_LOW: "crit_low",
    sensors.VERY_HIGH: "crit_high",
    sensors.UNREADABLE: "not_available",
}
DISCRETE_STATES = {
    sensors.NORMAL: "normal",
    sensors.DEGRADED: "bad",
    sensors.FAILED: "failed",
    sensors.NO_POWER: "fault",
    sensors.UNREADABLE: "not_available",
}
_UNITS = {"Volts": ("mV", 1000), "Amps": ("mA", 1000), "degrees C": ("C", 1)}
"""By ipmitool's word for a unit: ONTAP's, and how many of it make one."""


@dataclass(frozen=True)
class ShownSensor:
    """A sensor in ONTAP's words; None for a field that it lacks."""

    index: int
    name: str
    type: str
    threshold_state: str | None
    discrete_state: str | None
    discrete_value: str | None
    value: int | None
    value_units: str | None
    critical_low_threshold: int | None
    warning_low_threshold: int | None
    warning_high_threshold: int | None
    critical_high_threshold: int | None


def _shown(row: Seen) -> ShownSensor:
    data = row.data
    unit, factor = _UNITS.get(data["unit"], (data["unit"], 1))
    measures = bool(data["unit"]) or data["kind"] == sensors.TEMPERATURE
    state = data["state"]
    return ShownSensor(
        index=data["index"],
        name=data["name"],
        type=TYPES.get(data["kind"], UNKNOWN) if measures else DISCRETE,
        threshold_state=THRESHOLD_STATES.get(state) if measures else None,
        discrete_state=None if measures else DISCRETE_STATES.get(state),
        discrete_value=data["states"] or None,
        value=_scaled(data, "value", factor),
        value_units=unit or None,
        critical_low_threshold=_scaled(data, "lower_critical", factor),
        warning_low_threshold=_scaled(data, "lower_warning", factor),
        warning_high_threshold=_scaled(data, "upper_warning", factor),
        critical_high_threshold=_scaled(data, "upper_critical", factor),
    )


def _scaled(data: Mapping[str, Any], name: str, factor: int) -> int | None:
    value = data[name]
    return None if value is None else round(value * factor)


class SensorResource(Resource[ShownSensor]):
    """Sensors of the machine."""

    path = SENSORS
    doc = (
        "Sensors of the machine, as its management controller (BMC) measures them every minute; "
        "none where there is no such controller."
    )
    model = Observed
    keys = ("node.uuid", "index")
    order = ("index",)
    methods = frozenset({"GET"})
    fields = (
        *node_fields(),
        Field("index", Integer(), "Number of the sensor, in the controller's order."),
        Field("name", Text(64), "Name of the sensor.", always=True),
        Field("type", Choice(*TYPES.values(), DISCRETE, UNKNOWN), "Measured quantity."),
        Field(
            "threshold_state",
            Choice(*THRESHOLD_STATES.values()),
            "Where its value is between its thresholds; absent for one without thresholds.",
        ),
        Field("value", Integer(), "Measured value."),
        Field(
            "value_units",
            Text(32),
            "Unit of the value and the thresholds: C (degrees Celsius), RPM, mV, mA or another.",
        ),
        Field("critical_low_threshold", Integer(), "Critical up to this value."),
        Field("warning_low_threshold", Integer(), "Too low up to this value."),
        Field("warning_high_threshold", Integer(), "Too high from this value on."),
        Field("critical_high_threshold", Integer(), "Critical from this value on."),
        Field(
            "discrete_state",
            Choice(*DISCRETE_STATES.values()),
            "Whether its state is good; absent for one with thresholds.",
        ),
        Field("discrete_value", Text(255), "Its state, in the controller's words."),
    )

    def rows(self, reader: Reader) -> Sequence[ShownSensor]:
        """Return the observations of the sensors."""
        return [_shown(row) for row in reader.observed(SENSORS).values()]
