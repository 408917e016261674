"""The hash tree behind the system, against trees of veritysetup."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from image import verity

# veritysetup 2.6.1, `format --no-superblock --salt=-`, of files of zeros.
ROOT_HASHES = {
    2: "90b10db56173e2e7c847f6ff3ed85a3aebb140bc0064ec9a156ae5b2e71db988",
    128: "b24a5dfc7087b09c7378bb9100b5ea913f283da2c8ca05297f39457cbdd651d4",
    129: "3e5d285ca1f11edfca6327028471f08b75634ff3361264b88d79ee2e95cacb84",
    16385: "b2a15c3af78d8202a3ad4464f14f1a09a52c3cfcfd9b5ba3a2febf5647978f7f",
}


def zeros(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size)
    return path


@pytest.mark.parametrize(("blocks", "root_hash"), ROOT_HASHES.items())
def test_the_root_hash_is_that_of_veritysetup(tmp_path: Path, blocks: int, root_hash: str) -> None:
    system = zeros(tmp_path / "system", blocks * verity.BLOCK)
    assert verity.seal(system) == (root_hash, blocks * verity.BLOCK)


def test_the_tree_lies_behind_the_padded_system_topmost_level_first(tmp_path: Path) -> None:
    system = zeros(tmp_path / "system", 200 * verity.BLOCK - 100)
    root_hash, offset = verity.seal(system)
    assert offset == 200 * verity.BLOCK
    tree = system.read_bytes()[offset:]
    # 200 hashes take two blocks, and those two hashes one.
    assert len(tree) == 3 * verity.BLOCK
    top, first = tree[: verity.BLOCK], tree[verity.BLOCK : 2 * verity.BLOCK]
    assert hashlib.sha256(top).hexdigest() == root_hash
    assert hashlib.sha256(first).digest() == top[:32]


def test_a_changed_byte_changes_the_root_hash(tmp_path: Path) -> None:
    one = zeros(tmp_path / "one", 3 * verity.BLOCK)
    other = zeros(tmp_path / "other", 3 * verity.BLOCK)
    with other.open("r+b") as file:
        file.seek(2 * verity.BLOCK + 17)
        file.write(b"\x01")
    assert verity.seal(one)[0] != verity.seal(other)[0]


def test_a_file_too_small_for_a_tree_is_refused_and_left_alone(tmp_path: Path) -> None:
    system = zeros(tmp_path / "system", verity.BLOCK)
    with pytest.raises(ValueError, match="has 4096 bytes"):
        verity.seal(system)
    assert system.stat().st_size == verity.BLOCK
