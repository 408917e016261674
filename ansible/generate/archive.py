"""The archive of a collection, as ansible-galaxy installs it.

It holds the files, FILES.json with the digest of each, and MANIFEST.json with that of FILES.json.
`ansible-galaxy collection build` packs the same, with the time of the build and in the order of the
file system: the image that the archive is part of would never be built the same again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

FORMAT = 1
UNSAID = ("license_file", "repository", "documentation", "homepage", "issues")
"""What a manifest has beside our metadata."""


def pack(place: Path, metadata: dict[str, Any], target: Path) -> None:
    """Pack the folder `place` into the file `target`. The same files make the same archive."""
    paths = sorted(path for path in place.rglob("*") if path.name != "galaxy.yml")
    contents = {
        str(path.relative_to(place)): None if path.is_dir() else path.read_bytes() for path in paths
    }
    entries = [_entry(name, content) for name, content in {".": None, **contents}.items()]
    files = _json({"files": entries, "format": FORMAT})
    manifest = {
        "collection_info": {**metadata, **dict.fromkeys(UNSAID)},
        "file_manifest_file": _entry("FILES.json", files),
        "format": FORMAT,
    }
    members = {"MANIFEST.json": _json(manifest), "FILES.json": files, **contents}
    with (
        target.open("wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, content in members.items():
            archive.addfile(_member(name, content), io.BytesIO(content or b""))


def _entry(name: str, content: bytes | None) -> dict[str, Any]:
    """Return what FILES.json says of a file, or of a folder, which has no content."""
    folder = content is None
    return {
        "name": name,
        "ftype": "dir" if folder else "file",
        "chksum_type": None if folder else "sha256",
        "chksum_sha256": None if content is None else hashlib.sha256(content).hexdigest(),
        "format": FORMAT,
    }


def _member(name: str, content: bytes | None) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    if content is None:
        member.type, member.mode = tarfile.DIRTYPE, 0o755
    else:
        member.size, member.mode = len(content), 0o644
    return member


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=1).encode()
