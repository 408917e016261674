"""Reading which blocks the volumes of a pool map."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeKernel
from fakes.thin_nodes import nodes
from fakes.thin_pool import ThinPool
from sanstone.kernel.host import Target
from sanstone.kernel.storage.thin_metadata import BlockSet, MetadataError, ThinMetadata

MAPPINGS = st.dictionaries(
    st.integers(0, 50),
    st.dictionaries(st.integers(0, 2**40), st.integers(0, 2**39), max_size=400),
    max_size=5,
)


def machine_with(blocks: Mapping[int, bytes]) -> FakeKernel:
    """Return a machine with a pool whose held metadata are these blocks."""
    kernel = FakeKernel()
    pool = ThinPool(65536, 1024**3, 1024**2, held=dict(blocks))
    kernel.mapper.activate("pool", "LVM-pool", [Target(0, 8, "linear", "")], pool)
    metadata = [Target(0, 8 * (max(blocks) + 1), "linear", "")]
    kernel.mapper.activate("pool_tmeta", "LVM-meta", metadata)
    return kernel


def opened(blocks: Mapping[int, bytes], root: int = 0) -> ThinMetadata:
    return ThinMetadata(machine_with(blocks).host, "/dev/mapper/pool_tmeta", root)


def mapped(metadata: ThinMetadata, thin_id: int) -> list[int]:
    return [block for node in metadata.new_blocks(thin_id, BlockSet()) for block in node]


def restored() -> dict[int, bytes]:
    """Return the output of thin_restore of thin-provisioning-tools 0.9.0, by block.

    Volume 1 maps 290 blocks from 0 on and ten from 2000 on, volume 7 maps 300 from 0 on.
    """
    text = Path(__file__).with_name("thin_metadata.txt").read_text()
    raw = zlib.decompress(base64.b64decode(text))
    parts = [raw[at : at + 4 + 4096] for at in range(0, len(raw), 4 + 4096)]
    return {int.from_bytes(part[:4], "little"): part[4:] for part in parts}


def test_metadata_of_thin_restore_are_read() -> None:
    metadata = opened(restored())
    assert metadata.chunk == 65536
    assert mapped(metadata, 1) == [*range(290), *range(2000, 2010)]
    assert mapped(metadata, 7) == [*range(300)]
    assert [mapped(metadata, other) for other in (0, 2, 8)] == [[], [], []]


@given(MAPPINGS)
def test_all_that_is_mapped_is_found(volumes: dict[int, dict[int, int]]) -> None:
    metadata = opened(nodes(volumes, 65536, 9), 9)
    for thin_id in range(52):
        mapping = volumes.get(thin_id, {})
        assert mapped(metadata, thin_id) == [mapping[block] for block in sorted(mapping)]


def test_shared_blocks_of_metadata_are_read_once() -> None:
    first = {block: block for block in range(2000)}
    metadata = opened(nodes({1: first, 2: first | {1999: 5000}}, 65536, 9), 9)
    walked = BlockSet()
    assert sum(len(node) for node in metadata.new_blocks(1, walked)) == 2000
    [last] = metadata.new_blocks(2, walked)
    assert len(last) < 200
    assert last[-1] == 5000


@pytest.mark.parametrize("broken", [b"", b"\xff" * 4096])
def test_other_content_is_refused(broken: bytes) -> None:
    good = nodes({1: {0: 0}}, 65536, 9)
    with pytest.raises(MetadataError, match="block 9 is no superblock"):
        opened(good | {9: broken.ljust(4096, b"\0")}, 9)
    for number in good.keys() - {9}:
        metadata = opened(good | {number: broken.ljust(4096, b"\0")}, 9)
        if number != max(good):
            with pytest.raises(MetadataError, match=f"block {number} is no node"):
                mapped(metadata, 1)


@pytest.mark.parametrize(("child", "reason"), [(0, "no end"), (2**63, "no block")])
def test_a_tree_that_leads_nowhere_is_refused(child: int, reason: str) -> None:
    good = nodes({1: {0: 0}, 7: {0: 0}}, 65536, 9)
    root = int.from_bytes(good[9][320:328], "little")
    node = bytearray(4096)
    struct.pack_into("<4xIQIII4xQ", node, 0, 1, root, 1, 252, 8, 0)
    struct.pack_into("<Q", node, 32 + 8 * 252, child or root)
    metadata = opened(good | {root: bytes(node)}, 9)
    with pytest.raises(MetadataError, match=reason):
        mapped(metadata, 1)


@given(st.lists(st.lists(st.integers(0, 2**40))))
def test_a_set_tells_what_is_new(parts: list[list[int]]) -> None:
    blocks, members = BlockSet(), set[int]()
    for part in parts:
        assert blocks.add(part) == len(set(part) - members)
        members |= set(part)
