"""Archives of sources: their checksums and their contents."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from source_archives import archive, hash_line, package

from image import archives


def test_an_archive_that_no_hash_file_names(tmp_path: Path) -> None:
    hashes = tmp_path / "a.hash"
    hashes.write_text("# Why\nsha256  00  a-0.9.tar.gz\nsha256  00  COPYING\n")
    assert archives.unhashed(package("a", "1", hash_files=(hashes,))) == [
        f"a 1: no hash of a-1.tar.gz in {hashes}"
    ]
    assert archives.unhashed(package("a", "0.9", hash_files=(hashes,))) == []


def test_a_package_without_any_hash_file() -> None:
    assert archives.unhashed(package("a")) == ["a 1: no hash of a-1.tar.gz in any file"]


def test_an_archive_is_found_where_buildroot_downloads_it_to(tmp_path: Path) -> None:
    assert archives.find(package("a"), tmp_path) is None
    there = archive(tmp_path / "a/a-1.tar.gz", {})
    assert archives.find(package("a"), tmp_path) == there


def test_an_archive_with_another_hash_is_refused(tmp_path: Path) -> None:
    there = archive(tmp_path / "a-1.tar.gz", {"file": "text"})
    hashes = tmp_path / "a.hash"
    hashes.write_text(hash_line(there))
    assert archives.differing(package("a", hash_files=(hashes,)), there) == []
    hashes.write_text(hash_line(there).replace("sha256  ", "sha256  0"))
    (line,) = archives.differing(package("a", hash_files=(hashes,)), there)
    assert line == f"{there}: sha256 is not that of {hashes}"


def test_texts_are_read_below_the_archives_folder(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.tar.gz", {"src/a.c": "int a;", "README": "…"})
    assert archives.read(file, lambda path: path.endswith(".c")) == {"src/a.c": "int a;"}


def test_selected_files_are_extracted(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.tar.gz", {"src/a.c": "int a;", "README": "…"})
    archives.unpack(file, tmp_path / "out", lambda path: path.endswith(".c"))
    paths = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert paths == [tmp_path / "out/src/a.c"]


def test_a_path_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("a/../../b"), io.BytesIO())
    with pytest.raises(tarfile.TarError, match=r"leads out of its folder: a/\.\./\.\./b"):
        archives.unpack(tmp_path / "a.tar", tmp_path / "out", lambda _path: True)
    assert not (tmp_path.parent / "b").exists()
