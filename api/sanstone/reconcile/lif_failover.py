"""LIFs leave a port that is dead, and go home when home has had a link for some time.

The stage of the network decides, and the end of the turn writes it: the port where a LIF is now is
in its row. So a reconciler killed in between decides again, and a boot finds LIFs where they were.

A port is dead after `DEAD` seconds without a link, and one to go to after `STEADY` seconds with
one. So a link that flaps moves LIFs away once, and does not get them back before it stays. What was
before the process started is not known: nothing moves in its first `STEADY` seconds, in which all
links come up after a boot.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy.orm import Session

from sanstone.core.database import epoch
from sanstone.kernel.host import Link
from sanstone.model.network import IpInterface
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.failover import destination
from sanstone.rules.network.ports import ports

DEAD, STEADY = 5.0, 30.0


class Move(NamedTuple):
    """A LIF that goes from one port to another."""

    lif: str
    origin: str
    destination: str


class LinkState(NamedTuple):
    """Whether a port has a link, and since when, in seconds of the monotonic clock."""

    is_up: bool
    since: float


@dataclass
class FailoverMemory(StageMemory):
    """The history of ports' links."""

    links: dict[str, LinkState] = field(default_factory=dict)

    def look(self, links: Mapping[str, bool]) -> None:
        """Note which ports have a link now; those that are not there any more have none."""
        now = time.monotonic()
        for name in self.links.keys() | links.keys():
            is_up = links.get(name, False)
            if name not in self.links or self.links[name].is_up != is_up:
                self.links[name] = LinkState(is_up, now)

    def lasting(self, *, is_up: bool, seconds: float) -> set[str]:
        """Return the ports that have had a link, or none, for so long."""
        now = time.monotonic()
        return {
            name
            for name, state in self.links.items()
            if state.is_up == is_up and now - state.since >= seconds
        }


def moves(turn: Turn, links: Sequence[Link], lifs: Sequence[IpInterface]) -> tuple[Move, ...]:
    """Return which LIFs are to go to another port."""
    memory = turn.memory.of(FailoverMemory)
    absent = {name: False for lif in lifs for name in (lif.port, lif.home_port)}
    memory.look(absent | {link.name: link.up and link.carrier for link in links})
    dead = memory.lasting(is_up=False, seconds=DEAD)
    steady = memory.lasting(is_up=True, seconds=STEADY)
    if all(lif.is_home and lif.port not in dead for lif in lifs):
        return ()
    ports_by_name = ports(turn.session)
    destinations = ((lif, destination(lif, lifs, ports_by_name, dead, steady)) for lif in lifs)
    return tuple(Move(lif.uuid, lif.port, port) for lif, port in destinations if port)


def record(session: Session, decided: Sequence[Move]) -> list[str]:
    """Write where LIFs are from now on, unless somebody moved them meanwhile. Return them."""
    moved = []
    for move in decided:
        row = session.get(IpInterface, move.lif)
        if row is not None and row.port == move.origin:
            row.port = move.destination
            row.failed_over = not row.is_home
            moved.append(row.owner)
    if moved:
        epoch.advance(session)
    return moved
