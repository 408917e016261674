"""Patches, tried on the sources that Buildroot would apply them to.

Each is tried upon those before it, with the options of Buildroot's `apply-patches.sh`:
no fuzz (`-F0`), so that one that fits by luck is refused here, too.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from image import archives
from image.buildroot import Failed, run
from image.repository import shown

_OPTIONS = ("-F0", "-g0", "-p1", "-t", "-N", "--no-backup-if-mismatch", "--reject-file=-")
_TOUCHED = re.compile(r"^(?:---|\+\+\+) [^/\s]+/(\S+)", re.MULTILINE)


def refused(patches: Iterable[Path], archive: Path) -> list[str]:
    """Return a line for each of `patches`, in their order, that does not apply to `archive`.

    Raises tarfile.TarError and OSError.
    """
    lines = []
    texts = {patch: patch.read_text(errors="replace") for patch in patches}
    touched = {path for text in texts.values() for path in _TOUCHED.findall(text)}
    with tempfile.TemporaryDirectory() as folder:
        archives.unpack(archive, Path(folder), touched.__contains__)
        for patch in texts:
            argv = ["patch", *_OPTIONS, f"--directory={folder}", f"--input={patch.absolute()}"]
            try:
                run([*argv, "--dry-run"])
                run(argv)
            except Failed as failure:
                messages = "; ".join(re.findall(r".*FAILED.*|.*can't find.*", str(failure)))
                lines.append(
                    f"{shown(patch)}: does not apply to {archive.name}: {messages or failure}"
                )
    return lines
