"""Names for contents: equal inputs, equal name, so that a file of that name is never stale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

SKIPPED = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "build"})


def files(root: Path) -> Iterator[Path]:
    """Yield the files under `root` in a fixed order, without caches; a file yields itself."""
    if not root.is_dir() or root.is_symlink():
        yield root
        return
    for entry in sorted(root.iterdir()):
        if entry.name not in SKIPPED and not entry.name.endswith(".egg-info"):
            yield from files(entry)


def of(parts: Iterable[str | Path]) -> str:
    """Return 16 hex digits for texts and for files: contents, names and executable bits.

    A path that does not exist counts as empty, since some parts of the product come later.
    """
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            digest.update(f"text {len(part)} {part}\n".encode())
            continue
        if not part.exists():
            continue
        for path in files(part):
            name = path.relative_to(part)
            if path.is_symlink():
                digest.update(f"link {name} {path.readlink()}\n".encode())
                continue
            content = path.read_bytes()
            digest.update(f"file {name} {path.stat().st_mode & 0o100:o} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:16]
