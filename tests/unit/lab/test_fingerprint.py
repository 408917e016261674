"""A fingerprint changes exactly when its files do."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import fingerprint


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("content")
    (tmp_path / "link").symlink_to("folder/file")
    return tmp_path


def test_same_content_has_the_same_name(tree: Path) -> None:
    before = fingerprint.of([tree, "text"])
    (tree / "folder" / "file").write_text("content")
    assert fingerprint.of([tree, "text"]) == before


def test_caches_do_not_count(tree: Path) -> None:
    before = fingerprint.of([tree])
    (tree / "folder" / "__pycache__").mkdir()
    (tree / "folder" / "__pycache__" / "file.pyc").write_text("compiled")
    assert fingerprint.of([tree]) == before


def test_each_change_counts(tree: Path) -> None:
    fingerprints = {fingerprint.of([tree])}
    (tree / "folder" / "file").write_text("other")
    fingerprints.add(fingerprint.of([tree]))
    (tree / "folder" / "file").chmod(0o755)
    fingerprints.add(fingerprint.of([tree]))
    (tree / "folder" / "file").rename(tree / "folder" / "renamed")
    fingerprints.add(fingerprint.of([tree]))
    (tree / "link").unlink()
    (tree / "link").symlink_to("folder")
    fingerprints.add(fingerprint.of([tree]))
    assert len(fingerprints) == 5


def test_text_is_not_mistaken_for_its_neighbour() -> None:
    assert fingerprint.of(["ab", "c"]) != fingerprint.of(["a", "bc"])
