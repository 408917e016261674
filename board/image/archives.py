"""Archives of sources in Buildroot's download folder: found, compared with their hashes, and read.

Only wanted files are taken out of one: a kernel has 80,000 files. The first folder of each path,
which archives name as they like, is left out.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

from image.buildroot import Package
from image.repository import shown


def unhashed(package: Package) -> list[str]:
    """Return a line for each archive that no hash file of `package` names. Raises OSError."""
    named = {name for file in package.hash_files for _, _, name in _hashes(file)}
    files = " or ".join(shown(file) for file in package.hash_files)
    return [
        f"{package.name} {package.version}: no hash of {archive} in {files or 'any file'}"
        for archive in package.archives
        if archive not in named
    ]


def find(package: Package, downloads: Path) -> Path | None:
    """Return the archive of `package` in the download folder, or None where it is not there."""
    if not package.archives:
        return None
    file = downloads / package.download_folder / package.archives[0]
    return file if file.is_file() else None


def differing(package: Package, archive: Path) -> list[str]:
    """Return a line for each hash of `archive` that it has not. Raises OSError."""
    lines = []
    for file in package.hash_files:
        for algorithm, digest, name in _hashes(file):
            if name == archive.name and digest != _digest(archive, algorithm):
                lines.append(f"{archive}: {algorithm} is not that of {shown(file)}")
    return lines


def unpack(archive: Path, folder: Path, wanted: Callable[[str], bool]) -> None:
    """Write the files with `wanted` paths below `folder`, without any link among them.

    Raises tarfile.TarError and OSError.
    """
    with tarfile.open(archive) as tar:
        for member, path in _files(tar):
            content = tar.extractfile(member) if wanted(path) else None
            if content is None:
                continue
            file = folder / path
            if ".." in file.parts:
                raise tarfile.TarError(f"{archive}: leads out of its folder: {member.name}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.read())
            file.chmod(member.mode & 0o755 | 0o600)


def read(archive: Path, wanted: Callable[[str], bool]) -> dict[str, str]:
    """Return the texts of the files with `wanted` paths.

    Bytes that are no UTF-8 in them are replaced: sources are older than that. Raises
    tarfile.TarError and OSError.
    """
    texts = {}
    with tarfile.open(archive) as tar:
        for member, path in _files(tar):
            content = tar.extractfile(member) if wanted(path) else None
            if content is not None:
                texts[path] = content.read().decode(errors="replace")
    return texts


def _files(tar: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, str]]:
    for member in tar:
        if member.isfile():
            yield member, member.name.removeprefix("./").partition("/")[2]


def _hashes(file: Path) -> Iterator[tuple[str, str, str]]:
    """Read a hash file of Buildroot's: algorithm, digest and name on each line."""
    for line in file.read_text().splitlines():
        words = line.split()
        if len(words) == 3 and not line.startswith("#"):
            yield words[0], words[1], words[2]


def _digest(file: Path, algorithm: str) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, algorithm).hexdigest()
