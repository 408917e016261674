"""Metadata of a fake thin pool in the kernel's form on disk.

Form and names as in drivers/md/dm-thin-metadata.c (struct thin_disk_superblock) and
drivers/md/persistent-data/dm-btree-internal.h (struct node_header). Nodes of the same content are
one, like those that a volume shares with its snapshot.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

BLOCK, SECTOR = 4096, 512
_SUPERBLOCK = "<4xIQ16xQII272xQQII"
_MAGIC, _VERSION, _METADATA_SECTORS = 27022010, 2, 8
_NODE = "<4xIQIIII"
_INTERNAL, _LEAF = 1, 2
_MOST = (BLOCK - 32) // 16 // 3 * 3
_FILLED = _MOST // 2
"""Entries of a node after it was split."""


def nodes(volumes: Mapping[int, Mapping[int, int]], chunk: int, at: int) -> dict[int, bytes]:
    """Return by number the blocks of a superblock at block `at` and of the trees that it names."""
    tree_nodes = _Nodes(at + 1)
    roots = {
        thin_id: tree_nodes.tree({block: data << 24 for block, data in sorted(mapping.items())})
        for thin_id, mapping in sorted(volumes.items())
    }
    root, details = tree_nodes.tree(roots), tree_nodes.tree({})
    words = (0, at, _MAGIC, _VERSION, 0, root, details, chunk // SECTOR, _METADATA_SECTORS)
    return tree_nodes.blocks | {at: struct.pack(_SUPERBLOCK, *words).ljust(BLOCK, b"\0")}


class _Nodes:
    """Nodes in blocks from `first` on."""

    def __init__(self, first: int) -> None:
        self.blocks: dict[int, bytes] = {}
        self._first = first
        self._known: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}

    def tree(self, values: Mapping[int, int]) -> int:
        """Make a tree and return the block of its root."""
        entries, kind = list(values.items()), _LEAF
        while True:
            parts = [entries[n : n + _FILLED] for n in range(0, len(entries), _FILLED)] or [[]]
            entries = [(part[0][0] if part else 0, self._node(kind, part)) for part in parts]
            if len(entries) == 1:
                return entries[0][1]
            kind = _INTERNAL

    def _node(self, kind: int, entries: list[tuple[int, int]]) -> int:
        content = (kind, tuple(entries))
        if content not in self._known:
            number = self._known[content] = self._first + len(self._known)
            keys, values = [key for key, _ in entries], [value for _, value in entries]
            room = [*keys, *[0] * (_MOST - len(keys)), *values]
            raw = struct.pack(_NODE, kind, number, len(keys), _MOST, 8, 0)
            self.blocks[number] = (raw + struct.pack(f"<{len(room)}Q", *room)).ljust(BLOCK, b"\0")
        return self._known[content]
