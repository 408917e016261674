"""The inputs of Buildroot for the image: the files that decide its configuration and patches.

A check of these on a tree of Buildroot holds for as long as they stay as they are. Comments in
fragments of the kernel's configuration are left out of it; those of other files are not, since
Buildroot's check-package has rules for them.

    python3 -m image.inputs

prints them with their SHA-256, as JSON.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from image.repository import REPOSITORY

_RECIPES = (
    "Config.in",
    "external.desc",
    "external.mk",
    "configs/*",
    "package/*/*",
    "board/common/patches/*/*/*",
)
_FRAGMENTS = "board/*/**/*.fragment"


def recipes(repository: Path) -> list[Path]:
    """Return the files that Buildroot's check-package has rules for, and its glue."""
    files = (file for pattern in _RECIPES for file in repository.glob(pattern))
    return sorted(file for file in files if file.is_file())


def digests(repository: Path) -> dict[str, str]:
    """Return the SHA-256 of the parts that count in each input, by its path in the repository.

    Raises OSError.
    """
    files = {file: file.read_bytes() for file in recipes(repository)}
    for fragment in repository.glob(_FRAGMENTS):
        files[fragment] = _without_comments(fragment.read_text()).encode()
    return {
        str(file.relative_to(repository)): hashlib.sha256(content).hexdigest()
        for file, content in sorted(files.items())
    }


def _without_comments(fragment: str) -> str:
    """Keep `# CONFIG_X is not set`, which is no comment."""
    return "".join(
        f"{line}\n"
        for line in map(str.rstrip, fragment.splitlines())
        if line and (not line.startswith("#") or line.endswith(" is not set"))
    )


if __name__ == "__main__":
    print(json.dumps(digests(REPOSITORY), indent=2))
