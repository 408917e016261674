"""Groups of limits of the fake machine's device-mapper, as package/dm-sanstone-qos has them.

A group is there while a table names it, live or loaded; the first brings its limits, a message
changes them. While it has a limit, it counts.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sanstone.kernel.host import RequestError, Target

TARGET = "sanstone-qos"
_MOST = 4
_GROUP = re.compile(r"([^:\s]{1,63})(?::([0-9]+):([0-9]+))?")


@dataclass
class _Group:
    operations_limit: int = 0
    size_limit: int = 0
    operations: int = 0
    size: int = 0


class LimitedGroups:
    """The groups of a machine, by name."""

    def __init__(self) -> None:
        self.is_there = True
        """Whether the kernel has the target."""
        self._groups: dict[str, _Group] = {}

    def offers(self, kind: str) -> bool:
        """Return whether the kernel has a kind of target, and it is this one."""
        return self.is_there and kind == TARGET

    def takes(self, arguments: str) -> bool:
        """Return whether the target takes these arguments (qos_ctr)."""
        _, *rest = arguments.split()
        start, groups = rest[:1], [_GROUP.fullmatch(word) for word in rest[1:]]
        names = {group[1] for group in groups if group}
        well = start and start[0].isdigit() and 1 <= len(groups) <= _MOST
        return bool(self.is_there and well and len(names) == len(groups))

    def settle(self, tables: Iterable[Target]) -> None:
        """Have the groups that these tables name, and no other."""
        named: dict[str, _Group] = {}
        for target in tables:
            for name, *limits in _named(target):
                named.setdefault(name, self._groups.get(name) or _Group(*limits))
        self._groups = named

    def message(self, target: Target, device: str, message: str) -> None:
        """Change a group's limits (qos_message). Raises RequestError."""
        match message.split():
            case [verb, name, operations, size] if verb.lower() == "limit":
                if operations.isdigit() and size.isdigit():
                    if name not in {each for each, *_ in _named(target)}:
                        raise RequestError(f"device-mapper message {message}", errno.ENOENT)
                    group = self._groups[name]
                    group.operations_limit, group.size_limit = int(operations), int(size)
                    return
        raise RequestError(f"device-mapper message {message} {device}", errno.EINVAL)

    def count(self, table: Sequence[Target], operations: int, size: int) -> None:
        """Have I/O pass: so many operations of `size` bytes each."""
        for target in table:
            for name, *_ in _named(target):
                group = self._groups[name]
                if group.operations_limit or group.size_limit:
                    group.operations += operations
                    group.size += operations * size

    def shown(self, target: Target) -> Target:
        """Return a table's line as the kernel shows it: with the limits that hold."""
        if target.kind != TARGET:
            return target
        below = target.arguments.split()[:2]
        groups = [(name, self._groups[name]) for name, *_ in _named(target)]
        words = [f"{name}:{group.operations_limit}:{group.size_limit}" for name, group in groups]
        return replace(target, arguments=" ".join((*below, *words)))

    def status(self, target: Target) -> str:
        """Return the target's status; nothing waits here, and the clock stands."""
        groups = [(name, self._groups[name]) for name, *_ in _named(target)]
        words = [
            f"{name} {group.operations_limit} {group.size_limit} {group.operations} {group.size}"
            " 0 0 0"
            for name, group in groups
        ]
        return " ".join(("0", str(len(groups)), *words))


def _named(target: Target) -> list[tuple[str, int, int]]:
    """Return the groups that a line of a table names, with the limits that it brings."""
    if target.kind != TARGET:
        return []
    matches = [_GROUP.fullmatch(word) for word in target.arguments.split()[2:]]
    return [(match[1], int(match[2] or 0), int(match[3] or 0)) for match in matches if match]
