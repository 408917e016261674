"""What an image says of itself: os-release(5).

    python3 -m image.release REPOSITORY [--unsigned]

REPOSITORY is the tree that the image is built of, SOURCE_DATE_EPOCH of the environment its time.
It prints the file; `sanstone.core.build` reads that. RELEASE_TYPE is `stable` for a build of the
commit with the tag v<version>, with nothing changed and with a signer's key; everything else is a
development build: `--unsigned` says that its bundles have the key that each builder generates.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path


def main() -> None:
    """Print the file for the tree that the command line names."""
    parser = argparse.ArgumentParser(prog="image.release", description="Print an os-release.")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--unsigned", action="store_true")
    chosen = parser.parse_args()
    moment = int(os.environ["SOURCE_DATE_EPOCH"])
    print(os_release(chosen.repository, moment, unsigned=chosen.unsigned), end="")


def os_release(repository: Path, moment: int, *, unsigned: bool) -> str:
    """Return the file. `moment` is in seconds since 1970.

    A tree without Git, as of an archive, has no commit to name. Raises OSError,
    subprocess.CalledProcessError.
    """
    version = version_of(repository)
    commit = _git(repository, "rev-parse", "HEAD")
    tagged = _git(repository, "tag", "--points-at", "HEAD").split()
    changed = _git(repository, "status", "--porcelain")
    stable = bool(commit) and f"v{version}" in tagged and not changed and not unsigned
    day = f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"
    named = " ".join(["build", *([commit[:12]] if commit else []), "of", day])
    fields = {
        "ID": "sanstone",
        "NAME": "Sanstone",
        "PRETTY_NAME": f"Sanstone {version}" + ("" if stable else f" (development {named})"),
        "VERSION_ID": version,
        "BUILD_ID": commit,
        "RELEASE_TYPE": "stable" if stable else "development",
        "SANSTONE_BUILD_TIME": str(moment),
    }
    return "".join(f'{name}="{value}"\n' for name, value in fields.items() if value)


def version_of(repository: Path) -> str:
    """Return the release that the sources are of. Raises OSError, ValueError without one."""
    source = repository / "api/sanstone/__init__.py"
    match = re.search(r'^__version__ = "(.+)"$', source.read_text(), flags=re.MULTILINE)
    if not match:
        raise ValueError(f"{source} names no version")
    return match[1]


def _git(repository: Path, *words: str) -> str:
    """Return what Git prints, and nothing where there is no Git or no repository of its own."""
    if not (repository / ".git").exists():
        return ""
    command = ["git", "-C", str(repository), *words]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
