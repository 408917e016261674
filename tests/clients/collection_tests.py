"""`ansible-test`, by which a collection's maintainers check and test it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import ansible
from collection import SOURCE
from conftest import REPOSITORY

BINARIES = Path(sys.executable).parent
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def copied(folder: Path) -> Path:
    """Copy the collection below `folder`, where `ansible-test` takes it for one, and return that.

    Results and settings of tests are in the copy alone.
    """
    place = folder / "ansible_collections" / "sanstone" / "array"
    left_out = shutil.ignore_patterns("__pycache__", ".*_cache", "output")
    shutil.copytree(SOURCE, place, ignore=left_out)
    return place


def with_client(folder: Path) -> Path:
    """Create a virtualenv with the array's client beside the packages of this one; return its
    Python."""
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    there = Path(ansible.__file__).parents[1], REPOSITORY / "api"
    (packages / "clients.pth").write_text("".join(f"{path}\n" for path in there))
    return folder / "bin" / "python"


def run(place: Path, home: Path, *arguments: str, python: Path | None = None) -> str:
    """Run it in a copy of the collection, by a Python that may be another, and return its output.

    Fail if it fails. It keeps its caches in `home`.
    """
    program = [str(python or sys.executable), str(BINARIES / "ansible-test")]
    places = f"{Path(program[0]).parent}:{BINARIES}:{os.environ['PATH']}"
    environment = os.environ | {"HOME": str(home), "PATH": places}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [*program, *arguments, "--color", "no", "--python", VERSION],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
