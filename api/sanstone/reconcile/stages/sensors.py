"""The machine's sensors and the log of its management controller (BMC): taken in, and reported.

They are read beside the turns (`tasks.sensor_reader`). A BMC keeps its log over years and reboots:
entries from before the array's first look are old, later ones are reported once.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from sanstone.core.events import ERROR, Condition
from sanstone.kernel.hardware.sensors import Sensor
from sanstone.kernel.hardware.system_event_log import LogEntry
from sanstone.model.nodes import Node
from sanstone.model.observations import CONTROLLER_LOG, SENSORS
from sanstone.reconcile.results import SensorsSeen
from sanstone.reconcile.stages import alerts, sensor_alerts
from sanstone.reconcile.stages.alerts import Alert
from sanstone.reconcile.tasks.sensor_reader import ControllerMemory
from sanstone.reconcile.turn import Turn

CALM = 300.0
"""Seconds for which a sensor must be normal until that is reported: one at the edge of a threshold
is reported once."""
LASTS = 86_400.0
"""Seconds for which the alert of an entry in the BMC's log lasts."""
SILENCES = 3
"""Questions without an answer after which a BMC is reported as silent: it may be starting anew."""


def observe(turn: Turn) -> SensorsSeen:
    """Take in the readings since the last look, and report them."""
    memory = turn.memory.of(ControllerMemory)
    readings = memory.readings
    if readings is memory.taken_in and not turn.thorough:
        return SensorsSeen(turn.outcomes)
    turn.judge()
    owner, observation = (
        f"{Node.kind}:{turn.node_uuid}",
        turn.seen.of(CONTROLLER_LOG, turn.node_uuid),
    )
    if readings is not None and readings is not memory.taken_in:
        if not readings.present:
            observation.clear()
            turn.seen[SENSORS] = {}
        if readings.sensors is not None:
            _take_in_sensors(turn, observation, readings.sensors)
        if readings.entries is not None:
            _take_in_log(observation, readings.entries)
        observation["silent"] = alerts.lasting(
            observation.get("silent", {}), _silent(readings.silences)
        )
        memory.taken_in = readings
    for part in ("sensors", "entries", "silent"):
        turn.conditions.update(alerts.conditions(observation.get(part, {}), owner))
    return SensorsSeen(turn.outcomes)


def _take_in_sensors(turn: Turn, observation: dict[str, Any], measured: tuple[Sensor, ...]) -> None:
    turn.seen[SENSORS] = {
        f"{turn.node_uuid}/{index}": {"index": index, **asdict(sensor)}
        for index, sensor in enumerate(measured, 1)
    }
    bad = dict(pair for sensor in measured for pair in sensor_alerts.of_sensor(sensor))
    kept = observation.get("sensors", {})
    observation["sensors"] = alerts.happened(kept, bad, time.time(), CALM)


def _take_in_log(observation: dict[str, Any], entries: tuple[LogEntry, ...]) -> None:
    """Take in the entries after the last one that was; all of them after the log was cleared."""
    identities = [entry.identity for entry in entries]
    last = observation.get("last_entry")
    observation["last_entry"] = identities[-1] if identities else ""
    if last is None:
        new: tuple[LogEntry, ...] = ()
    elif last in identities:
        new = entries[identities.index(last) + 1 :]
    else:
        new = entries
    new_alerts = {f"entry:{each.text}": Alert(_logged(each)) for each in new if each.grave}
    kept = observation.get("entries", {})
    observation["entries"] = alerts.happened(kept, new_alerts, time.time(), LASTS)


def _logged(entry: LogEntry) -> Condition:
    text = f"The management controller has logged {entry.text}."
    return Condition(ERROR, "sp.event.logged", text)


def _silent(silences: int) -> dict[str, Alert]:
    """Return the alert of a BMC that does not answer, by its key."""
    if silences < SILENCES:
        return {}
    text = (
        "The management controller (BMC) does not answer: fans and power supplies are not watched."
    )
    return {"controller": Alert(Condition(ERROR, "sp.heartbeat.stopped", text))}
