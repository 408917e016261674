"""A file that root writes for other programs is there whole or not at all, and at its own path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sanstone.kernel.host import FileError, ForeignFolder
from sanstone.kernel.real.files import RealFiles


def test_a_file_has_its_content_and_mode_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o077)
    try:
        RealFiles().store(str(path), b"first", 0o640)
        RealFiles().store(str(path), b"second", 0o644)
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
    RealFiles().store(str(path), b"after", 0o600)
    assert synced == [("file.new", b"before"), (tmp_path.name, b"after")]


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """A link in the place of the file, and one in the place of the temporary file before it."""
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("file", "file.new"):
        (folder / name).symlink_to(victim)
    RealFiles().store(str(folder / "file"), b"content", 0o600)
    assert victim.read_text() == "untouched"
    assert not (folder / "file").is_symlink()
    assert [path.name for path in folder.iterdir()] == ["file"]


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "folder").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError, match="Not a directory"):
        RealFiles().store(str(tmp_path / "folder/file"), b"content", 0o600)
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_in_which_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(ForeignFolder, match="others than root"):
        RealFiles().store(str(folder / "file"), b"content", 0o600)
    assert not list(folder.iterdir())
