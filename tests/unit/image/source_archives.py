"""Archives of sources, and packages of Buildroot that have them."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

from image.buildroot import Package


def archive(file: Path, texts: Mapping[str, str]) -> Path:
    """Write an archive of `texts`, by their paths below its one folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:gz") as tar:
        for path, text in texts.items():
            member = tarfile.TarInfo(f"some-folder/{path}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return file


def hash_line(file: Path) -> str:
    """Return the line of a hash file for `file`."""
    return f"sha256  {hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"


def package(
    name: str,
    version: str = "1",
    *,
    folder: Path = Path("/buildroot/package"),
    hash_files: tuple[Path, ...] = (),
    dependencies: frozenset[str] = frozenset(),
) -> Package:
    """Return a package with one archive, `<name>-<version>.tar.gz`."""
    archives = (f"{name}-{version}.tar.gz",)
    return Package(name, version, folder, archives, name, hash_files, (), dependencies)
