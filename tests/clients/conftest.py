"""An array for NetApp's clients: a process that serves one in memory over TLS.

The clients and the product need different versions of one library, so each has a virtualenv of its
own: tests run in that of the clients, the array in the one that `SANSTONE_PYTHON` names.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
USER, PASSWORD = "admin", "a password"


@dataclass(frozen=True)
class Served:
    """Where the array answers."""

    port: int

    @property
    def host(self) -> str:
        """The address to connect to."""
        return "127.0.0.1"


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An array as it was delivered, with eight empty disks; the tests of a module share it."""
    folder = tmp_path_factory.mktemp("array")
    python = os.environ.get("SANSTONE_PYTHON", str(REPOSITORY / "output/venv/bin/python"))
    path = ":".join(str(REPOSITORY / part) for part in ("api", "tests", "tests/unit"))
    with subprocess.Popen(
        [python, str(Path(__file__).with_name("serve.py")), str(folder)],
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield Served(int(server.stdout.readline()))
        server.stdin.close()
    assert server.returncode == 0
