"""Python packages of ours: the programs that they are built by are among their dependencies."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from image import archives, versions
from image.buildroot import Package

_NAME = re.compile(r"[\w.-]+")


def unsatisfied(package: Package, archive: Path) -> list[str]:
    """Return a line for each requirement of `build-system` (PEP 518) that has no host package.

    Raises tomllib.TOMLDecodeError, tarfile.TarError and OSError.
    """
    texts = archives.read(archive, lambda path: path == "pyproject.toml")
    requirements = tomllib.loads(texts.get("pyproject.toml", ""))
    lines = []
    for requirement in requirements.get("build-system", {}).get("requires", []):
        name = _NAME.match(requirement)
        host = f"host-{versions.package_name(name[0])}" if name else requirement
        if host not in package.dependencies:
            lines.append(f"{package.name}: is built by {requirement}, and depends on no {host}")
    return lines
