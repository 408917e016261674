"""Where update packages lie: one file for each release, named after it.

One that is being fetched lies beside them as `<uuid>.part`, and gets the name by which it exists
when it was looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sanstone.core.places import state_directory
from sanstone.system import bundles

SUFFIX = ".raucb"


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
    """Return the release whose package a file is."""
    return file.name.removesuffix(SUFFIX)
