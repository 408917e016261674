"""Files are replaced as a whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sanstone.core import durable


def test_a_file_has_its_content_and_mode_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o077)
    try:
        durable.write(path, b"first", 0o640)
        durable.write(path, b"second", 0o644)
    finally:
        os.umask(before)
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_the_content_is_on_the_disk_before_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut at any moment is a stop before one of these calls."""
    path = tmp_path / "file"
    path.write_bytes(b"before")
    synced: list[tuple[str, bytes]] = []

    def fsync(handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        synced.append((name, path.read_bytes()))

    monkeypatch.setattr(os, "fsync", fsync)
    durable.write(path, b"after", 0o600)
    assert synced == [("file.new", b"before"), (tmp_path.name, b"after")]
