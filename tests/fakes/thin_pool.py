"""A thin pool of the fake machine: which data blocks each of its volumes maps.

Rules as in drivers/md/dm-thin.c: a snapshot of a volume maps the same blocks; a write to a block
that others map too gets a block of its own (break_sharing), one to a block that only it maps stays
in place. A pool holds one copy of its metadata's root (dm-thin-metadata.c,
__reserve_metadata_snap); readers of it see the pool as it was then.

Space that is set aside is counted as our patch of dm-thin.c does (settle_reserve, may_allocate).
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, field

from fakes.thin_nodes import nodes

HELD_AT = 9
"""The block where the copy of the root lies."""
_MARGIN = 1024
"""Blocks beside those set aside that only volumes with a reserve get (RESERVE_MARGIN)."""


@dataclass
class FakeReserve:
    """Blocks set aside for a volume: all that it may map, and those that it may copy."""

    limit: int
    copies: int


@dataclass
class ThinPool:
    """The content of a pool's disks: by volume, the data block of each block that it maps."""

    chunk: int
    size: int
    metadata_size: int
    volumes: dict[int, dict[int, int]] = field(default_factory=dict)
    origins: dict[int, int] = field(default_factory=dict)
    """By volume, the one that its content first came from, where that is another."""
    mode: str = "rw"
    needs_check: bool = False
    held: dict[int, bytes] = field(default_factory=dict, repr=False)
    """By number, the blocks of the metadata that are held; empty while none are."""
    reserves: dict[int, FakeReserve] = field(default_factory=dict)
    """By volume; of an active pool, not on its disks."""

    @property
    def used(self) -> int:
        """Bytes that all volumes together occupy."""
        return self.chunk * len(self._mapped())

    @property
    def reserved(self) -> int:
        """Blocks that are set aside and not taken, and the margin."""
        held = sum(self._lacks(thin_id) + r.copies for thin_id, r in self.reserves.items())
        return held + (min(_MARGIN, self.size // self.chunk // 64) if self.reserves else 0)

    def reserve(self, thin_id: int, limit: int, copies: int) -> None:
        """Set space aside for a volume, in blocks; nothing ends that."""
        self.reserves.pop(thin_id, None)
        if limit or copies:
            reserves = self.reserves | {thin_id: FakeReserve(limit, copies)}
            self.reserves = dict(sorted(reserves.items()))

    def occupied(self, thin_id: int) -> int:
        """Return the bytes that a volume maps."""
        return self.chunk * len(self.volumes[thin_id])

    def copy(self, origin: int, thin_id: int) -> None:
        """Make a volume of another."""
        volumes = self.volumes | {thin_id: dict(self.volumes[origin])}
        origins = self.origins | {thin_id: self.origins.get(origin, origin)}
        self.volumes, self.origins = dict(sorted(volumes.items())), dict(sorted(origins.items()))

    def delete(self, thin_id: int) -> None:
        """Delete a volume."""
        del self.volumes[thin_id]
        self.origins.pop(thin_id, None)
        self.reserves.pop(thin_id, None)

    def write(self, thin_id: int, size: int, offset: int = 0) -> None:
        """Simulate a host's write of `size` bytes at `offset`.

        Raises OSError ENOSPC at the first block that it does not get.
        """
        shared = {b for i, each in self.volumes.items() if i != thin_id for b in each.values()}
        mapping, taken = self.volumes[thin_id], self._mapped()
        blocks = self.size // self.chunk
        free = (n for n in range(blocks) if n not in taken)
        reserve, reserved = self.reserves.get(thin_id), self.reserved
        for block in range(offset // self.chunk, -(-(offset + size) // self.chunk)):
            copies = mapping.get(block) in shared
            if block in mapping and not copies:
                continue
            owns = reserve and (reserve.copies if copies else self._lacks(thin_id))
            remaining = blocks - len(taken)
            if not remaining or (self.reserves and not owns and remaining <= reserved):
                raise OSError(errno.ENOSPC, f"thin volume {thin_id} gets no block")
            mapping[block] = next(free)
            taken.add(mapping[block])
            if reserve:
                reserve.copies -= copies and reserve.copies > 0
                reserved = self.reserved

    def discard(self, thin_id: int, offset: int, length: int) -> None:
        """Have a volume map no whole chunk of a range any more."""
        whole = range(-(-offset // self.chunk), (offset + length) // self.chunk)
        mapping = self.volumes[thin_id]
        self.volumes[thin_id] = {n: block for n, block in mapping.items() if n not in whole}

    def hold(self) -> bool:
        """Hold the metadata. Return whether that was not done before."""
        if self.held:
            return False
        self.held = nodes(self.volumes, self.chunk, HELD_AT)
        return True

    def release(self) -> bool:
        """Release the metadata. Return whether any were held."""
        held, self.held = self.held, {}
        return bool(held)

    def _lacks(self, thin_id: int) -> int:
        """Return how many blocks a volume may map and has not mapped yet."""
        reserve, mapped = self.reserves.get(thin_id), len(self.volumes[thin_id])
        return max(0, reserve.limit - mapped) if reserve else 0

    def _mapped(self) -> set[int]:
        return {block for mapping in self.volumes.values() for block in mapping.values()}
