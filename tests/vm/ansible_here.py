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
LOCALHOST = f"localhost ansible_connection=local ansible_python_interpreter={_PROGRAMS}/python"
"""This machine in an inventory."""


def play(
    folder: Path,
    book: Path,
    inventory: str,
    *options: str,
    environment: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any], str]:
    """Play a book, and return what Ansible tells, also as a text. Fail unless all tasks do well.

    What it keeps, and the inventory, are in `folder`. `environment` adds to the caller's own.
    """
    place = folder / "ansible_collections/sanstone"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "array").exists():
        (place / "array").symlink_to(paths.REPOSITORY / "ansible")
    hosts = folder / "inventory"
    hosts.write_text(inventory)
    libraries = (_PROGRAMS.parent / "lib").glob("python3*/site-packages")
    done = subprocess.run(
        [_PROGRAMS / "ansible-playbook", "-i", hosts, *options, book],
        env={
            **os.environ,
            "ANSIBLE_COLLECTIONS_PATH": ":".join(map(str, [folder, *libraries])),
            "ANSIBLE_HOME": str(folder),
            # What Ansible parses to pack a module it parses once for all of them.
            "ANSIBLE_CALLBACK_PLUGINS": str(paths.REPOSITORY / "tests/clients/callback"),
            "ANSIBLE_CALLBACKS_ENABLED": "imported",
            "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout[done.stdout.find("{") :]), done.stdout
