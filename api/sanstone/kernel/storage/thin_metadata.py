"""Metadata of a thin pool, read from its disks: the blocks that each volume maps.

The kernel reports only a volume's number of mapped blocks; which of them others map too is in the
metadata alone. They may be read while the pool is in use once it holds a copy of their root
(`held_metadata`): nothing reachable from there changes until the copy is released.

The format is that of drivers/md/dm-thin-metadata.c (struct thin_disk_superblock) and
drivers/md/persistent-data/dm-btree-internal.h (struct node_header), little-endian, in blocks of 4
KiB. The superblock names the root of a tree by thin id. Its values are roots, too: of one tree of
mappings for each volume; a mapping's value is the number of a data block, and below it 24 bits of
time. A node has a header, room for `max_entries` keys, and as many values.

Volumes that were copied from each other share the nodes that neither has changed since. A walk of
several volumes skips nodes walked before: a snapshot costs only its differences.

Traps:

* The kernel's writes bypass the cache of the metadata's device, so reads must bypass it too.
* Checksums are not verified, which takes too long; a node's own number is.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError

BLOCK = 4096
SECTOR = 512
MAGIC = 27022010
_HEADER = struct.Struct("<4xIQIII4x")
"""After the checksum: flags, own number, entries, most entries, bytes of a value."""
_LEAF = 1 << 1
_DEEPEST = 64
"""Most nodes from the root of a tree to a leaf; real ones have five. A forged one may loop."""
_NUMBER_BITS = 32
"""Metadata have some millions of blocks (drivers/md/dm-thin-metadata.h, THIN_METADATA_MAX_SECTORS):
a larger number is invalid."""
_TIME_BITS = 24
_BITS = 15
"""A page of a set has 2^15 bits."""


class MetadataError(HostError):
    """The data is not the metadata of a thin pool."""


class BlockSet:
    """A set of block numbers, a bit for each, in pages of 4 KiB that are allocated on demand.

    A full set takes an eighth of a byte per block; a sparse one, an entry and a page.
    """

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, numbers: Iterable[int]) -> int:
        """Add numbers, and return how many are new."""
        pages, added = self._pages, 0
        for number in numbers:
            page = pages.get(number >> _BITS)
            if page is None:
                page = pages[number >> _BITS] = bytearray(1 << _BITS - 3)
            at, bit = number >> 3 & (1 << _BITS - 3) - 1, 1 << (number & 7)
            if not page[at] & bit:
                page[at] |= bit
                added += 1
        return added


class _Node(NamedTuple):
    leaf: bool
    keys: tuple[int, ...]
    values: tuple[int, ...]


class ThinMetadata:
    """The metadata on the device at `path`, from the superblock in block `root` on.

    All methods raise HostError: FileError if reading fails, MetadataError for invalid content.
    """

    def __init__(self, host: Host, path: str, root: int) -> None:
        self._host, self._path = host, path
        raw = self._read(root)
        (number, magic, self._volumes, sectors) = struct.unpack_from("<8xQ16xQ280xQ8xI", raw)
        if (number, magic) != (root, MAGIC):
            raise MetadataError(f"{path}: block {root} is no superblock of a thin pool")
        self.chunk: int = sectors * SECTOR
        """Bytes of a data block."""

    def new_blocks(self, thin_id: int, walked: BlockSet) -> Iterator[tuple[int, ...]]:
        """Yield the data blocks of a volume, node by node.

        Nodes in `walked` are skipped with all below them; the others are added to it. A volume that
        the pool does not have maps nothing.
        """
        nodes = [root for root in [self._mappings(thin_id)] if root is not None]
        while nodes:
            number = nodes.pop()
            if walked.add((number,)):
                node = self._node(number)
                if node.leaf:
                    yield tuple(value >> _TIME_BITS for value in node.values)
                else:
                    nodes.extend(reversed(node.values))

    def _mappings(self, thin_id: int) -> int | None:
        """Return the root of a volume's mappings."""
        number = self._volumes
        for _ in range(_DEEPEST):
            node = self._node(number)
            if not node.keys or node.keys[0] > thin_id:
                return None
            at = bisect_right(node.keys, thin_id) - 1
            if node.leaf:
                return node.values[at] if node.keys[at] == thin_id else None
            number = node.values[at]
        raise MetadataError(f"{self._path}: the tree of volumes at block {number} has no end")

    def _node(self, number: int) -> _Node:
        raw = self._read(number)
        flags, itself, entries, most, size = _HEADER.unpack_from(raw)
        if itself != number or size != 8 or not entries <= most <= (BLOCK - _HEADER.size) // 16:
            raise MetadataError(f"{self._path}: block {number} is no node of a tree")
        keys = struct.unpack_from(f"<{entries}Q", raw, _HEADER.size)
        values = struct.unpack_from(f"<{entries}Q", raw, _HEADER.size + 8 * most)
        return _Node(bool(flags & _LEAF), keys, values)

    def _read(self, number: int) -> bytes:
        if number >> _NUMBER_BITS:
            raise MetadataError(f"{self._path}: there can be no block {number}")
        return self._host.blocks.read_direct(self._path, number * BLOCK, BLOCK)
