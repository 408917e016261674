"""Rules of udev(7): none of the image begins storage by itself.

The reconciler assembles RAID groups and activates volume groups, those of the array alone. Packages
bring rules that do it for whatever disk is found; the overlay masks them by name, and Debian and
Buildroot name some differently.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDERS = ("etc/udev/rules.d", "usr/lib/udev/rules.d")
"""The first hides files of the same names in the second."""
_BEGINS = re.compile(r"vgchange\b.*-a ?ay|mdadm\b.*(-I\b|--incremental)|iscsi_fw_login")


def unmasked(target: Path) -> list[str]:
    """Return a line for each rule in the root `target` that begins storage. Raises OSError."""
    return [
        f"{file.name}: begins storage by itself: {match[0]}"
        for file in rules(target)
        for line in file.read_text().splitlines()
        if not line.lstrip().startswith("#") and (match := _BEGINS.search(line))
    ]


def rules(target: Path) -> list[Path]:
    """Return the files of rules that count, in their order; masked ones do not. Raises OSError."""
    by_name: dict[str, Path] = {}
    for folder in FOLDERS:
        for file in (target / folder).glob("*.rules"):
            by_name.setdefault(file.name, file)
    return [file for _, file in sorted(by_name.items()) if not _is_mask(file)]


def _is_mask(file: Path) -> bool:
    return file.is_symlink() and str(file.readlink()) == "/dev/null"
