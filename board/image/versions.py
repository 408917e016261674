"""Versions of Python packages: what the tests run with is what the image has.

`api/requirements.txt` pins each package that the product imports; Buildroot's own recipes decide
the versions in the image. Neither reads the other, so they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)")


def differences(requirements: Path, packages: Mapping[str, str]) -> list[str]:
    """Return a line for each pin of `requirements` that the image has not, or has otherwise.

    `packages` are the names and versions of the packages that Buildroot builds. A line of
    `requirements` that is no pin is a difference too. Raises OSError.
    """
    lines = []
    for number, line in enumerate(requirements.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        pin = _PIN.fullmatch(line.strip())
        if pin is None:
            lines.append(f"{requirements}:{number}: no exact version: {line}")
            continue
        there = packages.get(package_name(pin["name"]))
        if there != pin["version"]:
            has = f"has {there}" if there else "has none"
            lines.append(f"{requirements}:{number}: {line.strip()}: the image {has}")
    return lines


def package_name(distribution: str) -> str:
    """Return Buildroot's name of the package for a Python distribution."""
    name = re.sub(r"[_.-]+", "-", distribution).lower()
    return name if name.startswith("python-") else f"python-{name}"


def ordered(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by: the numbers in them."""
    return tuple(int(number) for number in re.findall(r"\d+", version))
