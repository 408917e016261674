"""Where update packages lie: one file for each release, named after it.

Beside it lies what the package says of the changes of the newest releases, as JSON.

One that is being fetched lies beside them as `<uuid>.part`, and gets the name by which it exists
when it was looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sanstone.core.places import state_directory
from sanstone.system import bundles
from sanstone.system.bundles import ReleaseChanges

SUFFIX, CHANGES_SUFFIX = ".raucb", ".changes"


def folder() -> Path:
    """Return the folder of the packages."""
    return state_directory() / "packages"


def file(version: str) -> Path:
    """Return the file of a release's package. Raises BundleRefused for what names no release."""
    bundles.require_release(version)
    return folder() / f"{version}{SUFFIX}"


def stored() -> Iterable[Path]:
    """Return the files of all packages."""
    return folder().glob(f"*{SUFFIX}")


def version(file: Path) -> str:
    """Return the release of a package's file."""
    return file.name.removesuffix(SUFFIX)


def changes_file(version: str) -> Path:
    """Return the file of a release's changes. Raises BundleRefused for what names no release."""
    return file(version).with_suffix(CHANGES_SUFFIX)


def changes(version: str) -> list[ReleaseChanges]:
    """Return the changes listed in a release's package; none where it lists none.

    Raises BundleRefused, OSError, ValueError.
    """
    kept = changes_file(version)
    return json.loads(kept.read_text()) if kept.exists() else []
