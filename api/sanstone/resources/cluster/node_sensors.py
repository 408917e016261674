"""The observed sensors of a machine's fans, power supplies and temperature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sanstone.core.declaration.resource import Field, Reader
from sanstone.core.declaration.types import Choice, Integer, Text
from sanstone.kernel.hardware import sensors
from sanstone.kernel.hardware.sensors import FAILED, NO_POWER, VERY_HIGH, VERY_LOW
from sanstone.model.observations import SENSORS

OVER, NORMAL = "over", "normal"


def _of_kind(reader: Reader, kind: str) -> list[dict[str, Any]]:
    """Return the observations of the sensors of a kind."""
    rows = (row.data for row in reader.observed(SENSORS).values())
    return sorted((data for data in rows if data["kind"] == kind), key=lambda data: data["index"])


def _temperature(_row: Any, reader: Reader) -> str | None:
    states = [data["state"] for data in _of_kind(reader, sensors.TEMPERATURE)]
    if not states:
        return None
    return OVER if VERY_HIGH in states else NORMAL


def _failed_fans(reader: Reader) -> list[str] | None:
    """Return the names of fans that have failed, None where none is watched.

    Each has a sensor, but all may be of one entity.
    """
    fans = _of_kind(reader, sensors.FAN)
    bad = (VERY_LOW, VERY_HIGH, FAILED)
    return [data["name"] for data in fans if data["state"] in bad] if fans else None


def _failed_power_supplies(reader: Reader) -> list[str] | None:
    """Return a sensor's name for each power supply that has failed, None where none is watched.

    Each is an entity, and may have several sensors.
    """
    supplies = _of_kind(reader, sensors.POWER_SUPPLY)
    bad = (FAILED, NO_POWER)
    failed = {data["entity"]: data["name"] for data in supplies if data["state"] in bad}
    return list(failed.values()) if supplies else None


def _count_fields(
    name: str, parts: str, failed: Callable[[Reader], list[str] | None]
) -> tuple[Field, Field]:
    def count(_row: Any, reader: Reader) -> int | None:
        names = failed(reader)
        return None if names is None else len(names)

    def message(_row: Any, reader: Reader) -> str | None:
        names = failed(reader)
        if names is None:
            return None
        return f"Failed {parts}: {', '.join(names)}." if names else f"There are no failed {parts}."

    return (
        Field(
            f"{name}.count",
            Integer(),
            f"Number of {parts} that have failed; absent where no management controller tells.",
            get=count,
        ),
        Field(
            f"{name}.message.message",
            Text(),
            f"Which {parts} have failed, in words; absent like the number.",
            get=message,
        ),
    )


def sensor_fields() -> tuple[Field, ...]:
    """Return the fields of a node about what its sensors say."""
    return (
        Field(
            "controller.over_temperature",
            Choice(OVER, NORMAL),
            "Whether any temperature is critical; absent where no management controller tells.",
            get=_temperature,
        ),
        *_count_fields("controller.failed_fan", "fans", _failed_fans),
        *_count_fields("controller.failed_power_supply", "power supplies", _failed_power_supplies),
    )
