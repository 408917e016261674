"""Reviewed tables: valid objects of every resource, on one array with all of them in it.

`objects` are created in the order of the tables, so that objects exist before others refer to them;
`another` could be created too, and bad requests derive from it; `changes` are valid PATCHes of the
first object, each on its own. `shown_otherwise` names fields that do not come back as they were
sent, with the reason. `below` is the number of the object that a collection is below. Names are
dotted; tests send them nested as well.

A resource that nobody can create has an entry as well, so that nothing is forgotten; `furnish`
fills it (see `furnished_array`).
"""

from __future__ import annotations

from typing import Any

from examples import array, network, nvme, protection, san, security, storage, watching
from examples.array import PRIMARY
from examples.example import GIB, MIB, SRP_PORT, WWPN, Body, Example
from examples.nvme import HOST_NQN, KEY, OTHER_NQN, PSK
from examples.san import HOST_IQN, OTHER_IQN

AREAS = (array, network, storage, protection, san, nvme, security, watching)
EXAMPLES = tuple(example for area in AREAS for example in area.EXAMPLES)
BY_PATH = {example.path: example for example in EXAMPLES}

__all__ = [
    "AREAS",
    "BY_PATH",
    "EXAMPLES",
    "GIB",
    "HOST_IQN",
    "HOST_NQN",
    "KEY",
    "MIB",
    "OTHER_IQN",
    "OTHER_NQN",
    "PRIMARY",
    "PSK",
    "SRP_PORT",
    "WWPN",
    "Body",
    "Example",
    "item_of",
]


def item_of(path: str, name: str) -> dict[str, Any]:
    """Return an entry of the list `name` out of the examples of a resource, {} for none."""
    example = BY_PATH[path]
    bodies = (*example.objects, *example.changes)
    lists = (body[name] for body in bodies if isinstance(body.get(name), list))
    return next((entries[0] for entries in lists), {})
