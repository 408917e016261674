"""The floor of updates: a package older than what has served on this array is not installed.

An older release has the faults that a newer one mends, and its package stays signed for ever: a
user with an account of the array, or with its API, could bring them back. So the floor is the
newest release in a slot that runs or has served. The way back to the release in the other slot
needs no package, and is not concerned.

Who stands at the console may have one older release accepted, by the rescue entry of a medium
(`install.rescue`). That is a file in the array's state, in which root alone can write; it counts
for one installation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sanstone.core import places
from sanstone.kernel.host import Files
from sanstone.system.bundles import BundleRefused

ACCEPTED = "older-release"
"""The file in the state's folder; it holds the name of the release."""
_PARTS = re.compile(r"\d+|[A-Za-z]+")
Parts = tuple[tuple[int, int, str], ...]
Rank = tuple[Parts, bool, Parts]


def rank(version: str) -> Rank:
    """Return the key to compare releases by: numbers as numbers, 1.4.0-rc1 before 1.4.0.

    As in Semantic Versioning 2.0.0 (9 to 11), also for names that are less strict.
    """
    release, _, _build = version.partition("+")
    final, *before = re.split(r"[-~]", release, maxsplit=1)
    return _parts(final), not before, _parts("".join(before))


def _parts(text: str) -> Parts:
    """Return the parts of a name: words come after numbers, and 2.0 is 2."""
    parts: list[tuple[int, int, str]] = [
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in _PARTS.findall(text)
    ]
    while parts and parts[-1] == (0, 0, ""):
        parts.pop()
    return tuple(parts)


def of(slots: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the release below which none is installed, of slots as `slot_report` tells them."""
    served = [
        str(slot["version"])
        for slot in slots.values()
        if slot["version"] and (slot["is_current"] or slot["good"])
    ]
    return max(served, key=rank, default="")


def check(version: str, slots: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise BundleRefused for a release below the floor that nobody at the console accepted."""
    floor = of(slots)
    if not floor or rank(version) >= rank(floor) or accepted() == version:
        return
    raise BundleRefused(
        "Release {} is older than {}, which has served here. At the console the rescue entry of a "
        "medium can have it accepted.",
        version,
        floor,
    )


def accepted() -> str:
    """Return the older release that was accepted at the console, '' for none."""
    file = _file()
    return file.read_text().strip() if file.exists() else ""


def accept(files: Files, state: Path, version: str) -> None:
    """Have an older release accepted, in the state's folder of an installed system.

    Raises FileError.
    """
    files.store(str(state / ACCEPTED), f"{version}\n".encode(), 0o644)


def forget(files: Files) -> None:
    """Accept no older release any more. Raises FileError."""
    if _file().exists():
        files.unlink(str(_file()))


def _file() -> Path:
    return places.state_directory() / ACCEPTED
