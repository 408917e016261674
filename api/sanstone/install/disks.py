"""Which disks there are for a system, and which are meant by the answers.

A system disk is a whole disk that nothing uses, of at least `layout.SMALLEST_DISK`. One that
belongs to an aggregate is refused until somebody says that it may go; what else lies on a disk is
told and erased. The medium is mounted, so it never comes into question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sanstone.install.answers import RULES, SERIAL
from sanstone.kernel import block, names
from sanstone.kernel.block import Disk
from sanstone.kernel.host import Host
from sanstone.system import layout

GIB = 1 << 30


class WrongDisk(Exception):
    """A disk that is not there, or cannot be taken; the text names it and says why."""


@dataclass(frozen=True)
class Candidate:
    """A disk, the md name of the aggregate's RAID group that it belongs to ('' for none)."""

    disk: Disk
    array: str

    @property
    def path(self) -> str:
        """Return its present path."""
        return self.disk.path

    @property
    def obstacle(self) -> str:
        """Return why it can never be taken, '' when it can."""
        if self.disk.busy:
            return self.disk.busy
        if self.disk.size < layout.SMALLEST_DISK:
            return f"smaller than {layout.SMALLEST_DISK / GIB:.1f} GiB"
        return ""

    def __str__(self) -> str:
        disk = self.disk
        words = [disk.path, f"{disk.size / GIB:.1f} GiB", disk.vendor, disk.model, disk.serial]
        return " ".join(filter(None, words))

    @property
    def holds(self) -> str:
        """Return what is on it, in words."""
        if self.array:
            return f"a disk of an aggregate ({self.array})"
        return self.disk.content or "empty"


def candidates(host: Host) -> list[Candidate]:
    """Return all disks, in the kernel's order. Raises HostError."""
    found = block.disks(host)
    members = [disk.path for disk in found if disk.array_uuid]
    arrays = {
        path: next((name for s in present if (name := _array(s.label))), "")
        for path, present in block.signatures(host, members).items()
    }
    return [Candidate(disk, arrays.get(disk.path, "")) for disk in found]


def _array(label: str) -> str:
    """Return the name of the RAID group of ours that a superblock's label names."""
    name = label.removeprefix(f"{names.HOME_HOST}:")
    return name if names.device_of_array(name) else ""


def choose(
    found: Sequence[Candidate], wanted: Sequence[str], *, erase_aggregates: bool
) -> tuple[Candidate, ...]:
    """Return the disks that the answers mean. Raises WrongDisk, with nothing done."""
    chosen: list[Candidate] = []
    for name in wanted:
        if name in RULES:
            candidate = _by_rule([c for c in found if c not in chosen], name)
        else:
            candidate = _named(found, name)
        if candidate in chosen:
            raise WrongDisk(f"{name}: names {candidate.path} a second time.")
        if candidate.array and not erase_aggregates:
            raise WrongDisk(
                f"{name}: {candidate} is {candidate.holds}. It is not erased unless "
                "erase_aggregates says so. Nothing was changed."
            )
        if candidate.obstacle:
            raise WrongDisk(f"{name}: {candidate} cannot be a system disk: {candidate.obstacle}.")
        chosen.append(candidate)
    return tuple(chosen)


def _by_rule(found: Sequence[Candidate], rule: str) -> Candidate:
    free = [c for c in found if not c.obstacle and not c.array]
    if not free:
        seen = "; ".join(f"{c}: {c.obstacle or c.holds}" for c in found) or "none"
        raise WrongDisk(f"{rule}: no disk can be a system disk. Disks: {seen}.")
    return min(free, key=lambda c: c.disk.size) if rule == "smallest" else free[0]


def _named(found: Sequence[Candidate], name: str) -> Candidate:
    if name.startswith(SERIAL):
        serial = name.removeprefix(SERIAL)
        fitting = [c for c in found if c.disk.serial == serial]
    else:
        path = str(Path(name).resolve())
        fitting = [c for c in found if c.path == path]
    if len(fitting) != 1:
        number = "No disk has" if not fitting else f"{len(fitting)} disks have"
        raise WrongDisk(f"{name}: {number} this name.")
    return fitting[0]
