"""A sink that sends a node's reports to its partner, which has the database.

A report is a row of text, and nothing else of a node gets to the partner. It may be lost on the
way, or delivered twice, as where the answer to it was lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import inspect

from sanstone.core.errors import Cause
from sanstone.core.events import Condition
from sanstone.core.long_jobs import LongJob
from sanstone.model.aggregates import Disk
from sanstone.reconcile.faults import Fault
from sanstone.reconcile.lif_failover import Move
from sanstone.reconcile.sink import Before, Report, Sink


class PeerSink:
    """Sends reports to the sink of a node's partner."""

    def __init__(self, partner: Sink, deliveries: Callable[[int], int] = lambda _number: 1) -> None:
        self._partner, self._deliveries = partner, deliveries
        self.sent: list[str] = []
        """All rows so far. How often a row is delivered, `deliveries` says by its number."""

    def take(self, report: Report) -> set[str] | None:
        """Send a report, and return the answer to the first delivery; None where there is none."""
        self.sent.append(_packed(report))
        count = self._deliveries(len(self.sent))
        answers = [self._partner.take(_unpacked(self.sent[-1])) for _ in range(count)]
        return answers[0] if answers else None


def _packed(report: Report) -> str:
    plain = {field.name: getattr(report, field.name) for field in fields(report)}
    plain["objects"] = [[*of, data] for of, data in report.objects.items()]
    plain["before"] = vars(report.before)
    for name in ("ordered", "followed", "new_disks"):
        plain[name] = [_values(row) for row in plain[name]]
    return json.dumps(plain, default=list)


def _values(row: Any) -> dict[str, Any]:
    """Return the values of a row that are set; the others get their defaults where it is added."""
    names = [attribute.key for attribute in inspect(row).mapper.column_attrs]
    return {name: value for name in names if (value := getattr(row, name)) is not None}


def _unpacked(row: str) -> Report:
    plain = json.loads(row)
    unpack: Mapping[str, Callable[[Any], Any]] = {
        "objects": lambda rows: {(kind, key): data for kind, key, data in rows},
        "faults": lambda by: {owner: _fault(*fault) for owner, fault in by.items()},
        "conditions": lambda by: {key: Condition(*each) for key, each in by.items()},
        "before": lambda values: Before(**values),
        "ordered": lambda rows: [LongJob(**values) for values in rows],
        "followed": lambda rows: [LongJob(**values) for values in rows],
        "new_disks": lambda rows: [Disk(**values) for values in rows],
        "moves": lambda moves: [Move(*move) for move in moves],
        "failed_software": lambda by: {uuid: _cause(*cause) for uuid, cause in by.items()},
    }
    return Report(**{n: unpack[n](value) if n in unpack else value for n, value in plain.items()})


def _fault(cause: Any, blocked: bool) -> Fault:
    return Fault(_cause(*cause), blocked)


def _cause(code: str, message: str, arguments: list[str]) -> Cause:
    return Cause(code, message, tuple(arguments))
