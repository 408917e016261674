"""A thin pool of the fake machine: which data blocks each of its volumes maps.

Rules as in drivers/md/dm-thin.c: a volume made of another maps the same blocks; a write to a block
that others map too gets a block of its own (break_sharing), one to a block that only it maps stays
in place. A pool holds one copy of its metadata's root (dm-thin-metadata.c,
__reserve_metadata_snap); what was held is read as it was then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fakes.thin_nodes import nodes

HELD_AT = 9
"""The block where the copy of the root lies."""


@dataclass
class ThinPool:
    """What is on a pool's disks: by volume, the data block of each block that it maps."""

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

    @property
    def used(self) -> int:
        """Bytes that all volumes together occupy."""
        return self.chunk * len(self._mapped())

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

    def write(self, thin_id: int, size: int, offset: int = 0) -> None:
        """Simulate a host's write of `size` bytes at `offset`."""
        shared = {b for i, each in self.volumes.items() if i != thin_id for b in each.values()}
        mapping, taken = self.volumes[thin_id], self._mapped()
        free = (n for n in range(self.size // self.chunk) if n not in taken)
        for block in range(offset // self.chunk, -(-(offset + size) // self.chunk)):
            if block not in mapping or mapping[block] in shared:
                mapping[block] = next(free)
                taken.add(mapping[block])

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

    def _mapped(self) -> set[int]:
        return {block for mapping in self.volumes.values() for block in mapping.values()}
