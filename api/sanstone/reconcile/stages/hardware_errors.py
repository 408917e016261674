"""Errors of the hardware and the kernel: taken in, and reported.

They are read beside the turns (`tasks.error_reader`). The state is kept with the node's
observations: how far the kernel's log was read, which alerts last, and how fast each PCIe link was
at best, so that a boot that leaves one slower is reported, too.
"""

from __future__ import annotations

import time
from typing import Any

from sanstone.kernel.hardware.kernel_complaints import Complaint
from sanstone.kernel.hardware.pcie_links import Link
from sanstone.model.nodes import Node
from sanstone.model.observations import HARDWARE_ERRORS
from sanstone.reconcile.results import HardwareErrorsSeen
from sanstone.reconcile.stages import alerts, hardware_alerts
from sanstone.reconcile.stages.alerts import Alert
from sanstone.reconcile.tasks.error_reader import ErrorsMemory
from sanstone.reconcile.turn import Turn

LASTS = 86_400.0
"""Seconds for which the alert of a complaint lasts after the last one."""


def observe(turn: Turn) -> HardwareErrorsSeen:
    """Take in the readings since the last look, and report them."""
    memory = turn.memory.of(ErrorsMemory)
    is_new = memory.readings is not memory.taken_in or bool(memory.complaints)
    if not (is_new or turn.thorough):
        return HardwareErrorsSeen(turn.outcomes)
    turn.judge()
    owner, observation = (
        f"{Node.kind}:{turn.node_uuid}",
        turn.seen.of(HARDWARE_ERRORS, turn.node_uuid),
    )
    with turn.attempt(owner, subject="the kernel's log"):
        complained = map(hardware_alerts.of_complaint, _not_taken_in(turn, observation))
        kept = observation.get("complaints", {})
        observation["complaints"] = alerts.happened(kept, dict(complained), time.time(), LASTS)
    readings = memory.readings
    if readings and readings.records is not None:
        alerts_of_records = dict(hardware_alerts.of_errors(readings.records))
        observation["errors"] = alerts.lasting(observation.get("errors", {}), alerts_of_records)
    if readings and readings.links is not None:
        slower = _slower(observation, readings.links)
        observation["slower"] = alerts.lasting(observation.get("slower", {}), slower)
    memory.taken_in = readings
    for part in ("complaints", "errors", "slower"):
        turn.conditions.update(alerts.conditions(observation.get(part, {}), owner))
    return HardwareErrorsSeen(turn.outcomes)


def _not_taken_in(turn: Turn, observation: dict[str, Any]) -> list[Complaint]:
    """Return the complaints that no process before has taken in. Raises FileError."""
    waiting = turn.memory.of(ErrorsMemory).complaints
    if not waiting:
        return []
    boot = turn.host.log.boot()
    complaints = [waiting.popleft() for _ in range(len(waiting))]
    taken_in = observation.get("sequence", -1) if observation.get("boot") == boot else -1
    observation |= {"boot": boot, "sequence": max(taken_in, complaints[-1].sequence)}
    return [complaint for complaint in complaints if complaint.sequence > taken_in]


def _slower(observation: dict[str, Any], links: tuple[Link, ...]) -> dict[str, Alert]:
    """Return the alerts of links that are slower or narrower than they were, by their keys.

    A device that was taken out is remembered: it may come back on a worse link.
    """
    best, slower = dict(observation.get("links", {})), {}
    for link in links:
        before = best.get(link.address)
        if before is None or before["device"] != link.device:
            before = {"device": link.device, "speed": link.speed, "width": link.width}
        speed, width = max(before["speed"], link.speed), max(before["width"], link.width)
        best[link.address] = before | {"speed": speed, "width": width}
        if alert := hardware_alerts.of_link(link, speed, width):
            slower[f"link:{link.address}"] = alert
    observation["links"] = best
    return slower
