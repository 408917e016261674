"""Limits of operations and bytes per second, of one device and of groups of devices.

The target is the product's own (package/dm-sanstone-qos), since no other of Linux holds I/O back by
its rate. All devices that name a group share its limits, wherever they are; the first that names it
brings them. A message changes them at once, without a new table: I/O is not suspended for it. So
the live table counts as the desired one when it has the same groups, and `tune` does the rest.

A device without limits has no such layer. On a kernel that lacks the target it is left out:
requests for a limit are refused before (`is_possible`), and a host is served rather than cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError, Target
from sanstone.kernel.storage.mapped import SECTOR, Place
from sanstone.kernel.storage.stack.layer import Below, Layer

TARGET = "sanstone-qos"
MOST_GROUPS = 4
"""Groups of one device (package/dm-sanstone-qos, QOS_MAX_GROUPS)."""


@dataclass(frozen=True)
class Group:
    """A limit that devices share: `operations` and `size` (bytes) per second at most, 0 for none.

    The name has at most 63 characters, no blank and no colon. It is the system's: no two groups
    have the same.
    """

    name: str
    operations: int = 0
    size: int = 0


@dataclass(frozen=True)
class Counted:
    """A group's counters of I/O, and a device's time of waiting in it, since the layer came.

    `clock` is the kernel's, in nanoseconds, at the time of reading. `operations` and `size` (bytes)
    are those of all devices of the group, the others of the one device: how many wait now, how many
    have waited, and for how many nanoseconds in all.
    """

    group: Group
    clock: int
    operations: int
    size: int
    waiting: int
    waited: int
    waited_ns: int


def is_possible(host: Host) -> bool:
    """Return whether this kernel can limit anything."""
    return host.mapper.has_target(TARGET)


@dataclass(frozen=True)
class QualityOfService(Layer):
    """Limits of the `groups` that a device belongs to; its I/O passes them in this order."""

    name: ClassVar[str] = names.LIMITS
    groups: tuple[Group, ...]

    def needed(self, host: Host) -> bool:
        """Return whether the kernel has the target."""
        return is_possible(host)

    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table of a device in the groups, with the limits of those that are new."""
        groups = " ".join(f"{g.name}:{g.operations}:{g.size}" for g in self.groups)
        return [Target(0, size // SECTOR, TARGET, f"{below.number} 0 {groups}")]

    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a table limits."""
        return all(target.kind == TARGET for target in live)

    def accepts(self, live: Sequence[Target], new: Sequence[Target]) -> bool:
        """Return whether a live table has the same groups, whatever their limits are."""
        return [_without_limits(t) for t in live] == [_without_limits(t) for t in new]

    def tune(self, host: Host, place: Place) -> Ensured:
        """Change the limits of groups that have others. Raises HostError."""
        done = Ensured.UNCHANGED
        [target] = host.mapper.table(place.name)
        live = {group.name: group for group in map(_group, target.arguments.split()[2:])}
        for group in self.groups:
            if live.get(group.name) != group:
                message = f"limit {group.name} {group.operations} {group.size}"
                host.mapper.message(place.name, message)
                done = Ensured.CHANGED
        return done

    def report(self, host: Host, place: Place) -> dict[str, object]:
        """Return the counters of each group, by its name. Raises HostError."""
        return {counted.group.name: counted for counted in self.counted(host, place)}

    @staticmethod
    def counted(host: Host, place: Place) -> list[Counted]:
        """Return the counters of each group of the device at a place. Raises HostError."""
        counts = []
        for status in host.mapper.status(place.name):
            clock, count, *words = status.arguments.split()
            if len(words) != 8 * int(count):
                raise HostError(f"{place.name}: unexpected status {status.arguments!r}")
            for at in range(0, len(words), 8):
                name, *figures = words[at : at + 8]
                operations, size, *rest = map(int, figures)
                counts.append(Counted(Group(name, operations, size), int(clock), *rest))
        return counts


def _group(word: str) -> Group:
    """Return a group as a table tells it."""
    name, operations, size = word.split(":")
    return Group(name, int(operations), int(size))


def _without_limits(target: Target) -> tuple[int, int, str, list[str]]:
    below, start, *groups = target.arguments.split()
    members = [below, start, *(group.partition(":")[0] for group in groups)]
    return target.start, target.length, target.kind, members
