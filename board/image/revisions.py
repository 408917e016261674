"""Which revisions of the database this release knows.

    python3 -m image.revisions FOLDER

FOLDER holds Alembic's migrations. Printed on one line are their revisions, oldest first: an update
bundle carries them, so that a running array can tell, before it writes anything, whether the new
system can take its configuration over. The files are read, not run, since the Python of the machine
that builds has no Alembic.
"""

from __future__ import annotations

import argparse
import ast
from pathlib import Path


def main() -> None:
    """Print the revisions in the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="image.revisions", description="List revisions.")
    parser.add_argument("folder", type=Path)
    print(" ".join(in_order(parser.parse_args().folder)))


def in_order(folder: Path) -> list[str]:
    """Return the revisions of the migrations in `folder`, oldest first.

    Raises ValueError when they are not one line from the first to the last, and OSError.
    """
    following: dict[str | None, str] = {}
    files = [file for file in sorted(folder.glob("*.py")) if file.name != "__init__.py"]
    for file in files:
        identifiers = _assignments(file)
        if identifiers.keys() != {"revision", "down_revision"}:
            raise ValueError(f"{file} names no revision, or none that it follows")
        following[identifiers["down_revision"]] = str(identifiers["revision"])
    revisions: list[str] = []
    last: str | None = None
    while last in following:
        last = following.pop(last)
        revisions.append(last)
    if len(revisions) != len(files):
        raise ValueError(f"{folder}: {len(revisions)} of {len(files)} migrations are in line")
    return revisions


def _assignments(file: Path) -> dict[str, str | None]:
    """Return what a migration says of its place."""
    values: dict[str, str | None] = {}
    for node in ast.parse(file.read_text()).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            continue
        value = node.value.value
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id in ("revision", "down_revision"):
                values[target.id] = None if value is None else str(value)
    return values


if __name__ == "__main__":
    main()
