"""Where things are in this repository, for all checks of the image."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDED = REPOSITORY / "board/image/recorded"
REQUIREMENTS = REPOSITORY / "api/requirements.txt"
OVERLAYS = (REPOSITORY / "overlay", REPOSITORY / "board/common/overlay")
SOURCES = REPOSITORY / "api/sanstone"


def shown(file: Path) -> str:
    """Return the path of `file` to show: from the repository on where it lies there."""
    return str(file.relative_to(REPOSITORY)) if file.is_relative_to(REPOSITORY) else str(file)
