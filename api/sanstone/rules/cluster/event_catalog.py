"""The kinds of events: what each means, and what an administrator does about it.

A pattern with `*` fits the events of a family. `test_event_catalog` holds that each kind that the
array raises is here.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import RESOLVED
from sanstone.rules.cluster.event_kinds import access, machine, network, storage, system
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

CATALOG: Sequence[EventKind] = (
    *storage.KINDS,
    *machine.KINDS,
    *network.KINDS,
    *access.KINDS,
    *system.KINDS,
)


def kind_of(name: str) -> EventKind | None:
    """Return the kind of an event, None for one that the catalog lacks."""
    plain = name.removesuffix(RESOLVED)
    return next((kind for kind in CATALOG if kind.fits(plain)), None)
