"""Ansible, as `make e2e` installs it, on the machine that tests run on, and our collection."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab import paths

_PROGRAMS = paths.REPOSITORY / "output/clients/bin"
_COLLECTIONS = paths.REPOSITORY / "output/collection"
LOCALHOST = f"localhost ansible_connection=local ansible_python_interpreter={_PROGRAMS}/python"
"""This machine in an inventory."""


def run(
    folder: Path, program: str, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> str:
    """Run a program of Ansible's, and return its output. Fail if it fails.

    Its caches are in `folder`, as are collections that it installs, which come before the one that
    was built here. `environment` adds to the caller's own.
    """
    libraries = (_PROGRAMS.parent / "lib").glob("python3*/site-packages")
    done = subprocess.run(
        [_PROGRAMS / program, *arguments],
        env={
            **os.environ,
            "ANSIBLE_COLLECTIONS_PATH": ":".join(map(str, [folder, _COLLECTIONS, *libraries])),
            "ANSIBLE_HOME": str(folder),
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def play(
    folder: Path,
    book: Path,
    inventory: str,
    *options: str,
    environment: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any], str]:
    """Play a book, and return Ansible's results, also as a text. Fail unless all tasks do well.

    Its caches, and the inventory, are in `folder`. `environment` adds to the caller's own.
    """
    hosts = folder / "inventory"
    hosts.write_text(inventory)
    settings = {
        # Ansible parses imports of modules once for all of them.
        "ANSIBLE_CALLBACK_PLUGINS": str(paths.REPOSITORY / "tests/clients/callback"),
        "ANSIBLE_CALLBACKS_ENABLED": "imported",
        "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
        **(environment or {}),
    }
    output = run(folder, "ansible-playbook", "-i", hosts, *options, book, environment=settings)
    return json.loads(output[output.find("{") :]), output
