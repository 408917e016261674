"""Answers to requests that are only tried (`dry_run=true`): what they would do, and nothing else.

The request runs as far as its transaction, which is rolled back: no job is queued and the machine
is not touched. What the machine itself may refuse later shows in the job of the request proper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from flask import Response

from sanstone.core.database.rehearsal import CREATE, DELETE, MODIFY, Effect, Rehearsal
from sanstone.http import caller
from sanstone.http.answers import answer
from sanstone.http.call import Call
from sanstone.resources.declared import RESOURCES
from sanstone.resources.network.way_to_caller import way
from sanstone.rules import impact
from sanstone.rules.impact import Capacity
from sanstone.security import confinement

Capacities = dict[str, tuple[str, Capacity]]


def tell(call: Call, rehearsal: Rehearsal, count: int) -> Response:
    """Answer with what a rehearsal found: refusals, changes, hosts, own connection, capacity.

    `count` is the number of objects that the request addresses. Accounts of an SVM see no
    aggregates, which are not theirs.
    """
    effects = rehearsal.effects()
    changes_capacity = any(effect.model in impact.CAPACITY for effect in effects)
    after = impact.capacities(rehearsal.session) if changes_capacity else {}
    ends = caller.reached_address(), caller.client_address()
    way_after = way(rehearsal.session, *ends)
    with call.reading() as session:
        before = impact.capacities(session) if changes_capacity else {}
        hosts = impact.connected_hosts(session, _existing(effects, rehearsal.touched))
        own_connection = way(session, *ends) != way_after
        confined = bool(confinement.confined(session))
    return answer(
        {
            "num_records": count,
            "refusals": [error.body()["error"] for error in rehearsal.refusals],
            "changes": list(_changes(effects)),
            "hosts": [host._asdict() for host in hosts],
            "own_connection": own_connection,
            "aggregates": [] if confined else list(_aggregates(before, after)),
        }
    )


def describe() -> dict[str, Any]:
    """Return the schema of such an answer, for the OpenAPI description."""
    text, number = {"type": "string"}, {"type": "integer"}
    figures = {
        "type": "object",
        "properties": {
            "size": number | {"description": "Usable bytes; of a new aggregate reckoned."},
            "provisioned": number | {"description": "Bytes that its volumes were promised."},
            "overcommitment_percent": number | {"description": "How much more than there is."},
        },
    }
    entries = {
        "refusals": ("Why it would be refused.", {"message": text, "code": text, "target": text}),
        "changes": (
            "Objects that come, change or go with it.",
            {
                "action": text | {"enum": [CREATE, MODIFY, DELETE]},
                "path": text | {"description": "The resource."},
                "uuid": text,
                "name": text,
            },
        ),
        "hosts": (
            "Hosts connected now to what changes or goes.",
            {"protocol": text | {"enum": ["fcp", "iscsi", "nvme", "srp"]}, "name": text},
        ),
        "aggregates": (
            "Aggregates whose capacity changes.",
            {"uuid": text, "name": text, "before": figures, "after": figures},
        ),
    }
    lists = {
        name: {
            "type": "array",
            "description": doc,
            "items": {"type": "object", "properties": properties},
        }
        for name, (doc, properties) in entries.items()
    }
    own = {
        "type": "boolean",
        "description": "Whether it changes the way that this very answer takes to the caller.",
    }
    return {
        "type": "object",
        "required": ["refusals", "changes", "hosts", "own_connection", "aggregates"],
        "properties": {"num_records": number, "own_connection": own} | lists,
    }


def _existing(effects: Iterable[Effect], touched: set[str]) -> set[str]:
    """Return the owners that hosts may use: all but those that the request adds."""
    return touched - {effect.owner for effect in effects if effect.action == CREATE}


def _changes(effects: Iterable[Effect]) -> Iterator[dict[str, Any]]:
    """Yield the effect on each resource, also where only a part changes."""
    paths = {
        resource.model: resource.path
        for resource in reversed(RESOURCES)
        if hasattr(resource, "model") and resource.methods != {"GET"}
    }
    shown_owners = {effect.owner for effect in effects if effect.whole}
    for effect in effects:
        path = paths.get(effect.model) or (effect.whole and effect.owner.partition(":")[0])
        if path:
            shown = {"action": effect.action, "path": path}
            yield shown | {n: v for n, v in (("uuid", effect.uuid), ("name", effect.name)) if v}
        elif effect.owner and effect.owner not in shown_owners:
            shown_owners.add(effect.owner)
            kind, _, key = effect.owner.partition(":")
            yield {"action": MODIFY, "path": kind, "uuid": key}


def _aggregates(before: Capacities, after: Capacities) -> Iterator[dict[str, Any]]:
    """Yield the aggregates with a changed capacity."""
    for uuid in sorted(before.keys() | after.keys()):
        name = (after.get(uuid) or before[uuid])[0]
        ends = {"before": before.get(uuid), "after": after.get(uuid)}
        if ends["before"] != ends["after"]:
            figures = {end: _figures(entry[1]) for end, entry in ends.items() if entry}
            yield {"uuid": uuid, "name": name} | figures


def _figures(capacity: Capacity) -> dict[str, int]:
    return capacity._asdict() | {"overcommitment_percent": capacity.overcommitment_percent}
