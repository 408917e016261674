"""What the newest releases changed, for an update bundle.

    python3 -m image.changes CHANGELOG

Printed on one line is what a bundle carries, so that an array can show what an update brings before
it installs one: JSON in base64, since values of RAUC's manifest are texts of GLib's key files,
which take no quotation marks and backslashes as they are.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
from pathlib import Path
from typing import TypedDict

MOST = 8
"""Releases that a bundle tells of. RAUC takes 64 KiB of signature and manifest (`rauc.h`,
MAX_BUNDLE_SIGNATURE_SIZE)."""
_HEADING = re.compile(r"## (\S+) - (\d{4}-\d\d-\d\d)")


class Release(TypedDict):
    """What one release changed; the date is that of the release, as in ISO 8601."""

    version: str
    date: str
    changes: list[str]


def main() -> None:
    """Print the newest releases of the file that the command line names."""
    parser = argparse.ArgumentParser(prog="image.changes", description="Tell what changed.")
    parser.add_argument("changelog", type=Path)
    print(encoded(releases(parser.parse_args().changelog.read_text())[:MOST]))


def encoded(listed: list[Release]) -> str:
    """Return releases as a bundle's manifest carries them."""
    return base64.b64encode(json.dumps(listed).encode()).decode()


def releases(changelog: str) -> list[Release]:
    """Return the releases that a changelog tells of, in its order.

    Raises ValueError where a line is neither heading nor change.
    """
    listed: list[Release] = []
    for number, line in enumerate(changelog.splitlines(), 1):
        if heading := _HEADING.fullmatch(line):
            listed.append(Release(version=heading[1], date=heading[2], changes=[]))
        elif listed and line.startswith("- "):
            listed[-1]["changes"].append(line.removeprefix("- "))
        elif listed and line.startswith("  ") and listed[-1]["changes"]:
            listed[-1]["changes"][-1] += " " + line.strip()
        elif listed and line:
            raise ValueError(f"line {number} is neither a release nor a change: {line}")
    return listed


if __name__ == "__main__":
    main()
