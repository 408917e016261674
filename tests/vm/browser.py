"""Chromium on this machine, in which an administrator uses the array's web interface."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from typing import Any

import pytest

from lab import dependencies, paths
from lab.station import Array, Station

__all__ = ["Browser", "browser"]

SCRIPT = paths.REPOSITORY / "tests/webui/on_array.mjs"
PATIENCE = 900
"""Seconds for a step; an emulated array beside other work is slow."""


class Browser:
    """Does the steps of `on_array.mjs`, each in a browser of its own."""

    def __init__(self, array: Array, password: str) -> None:
        dependencies.install_missing(dependencies.BROWSER)
        self._environment = {"SANSTONE_URL": array.url, "SANSTONE_PASSWORD": password}

    def do(
        self, step: str, *, once_shown: Callable[[], object] | None = None, **options: Any
    ) -> Any:
        """Do a step and return the texts of the page.

        A step that waits for a change of the array prints a line once the page shows the array as
        it was: `once_shown` is called then.
        """
        with (
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                ["node", SCRIPT, step, json.dumps(options)],
                env=os.environ | self._environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as node,
        ):
            assert node.stdout
            if once_shown and node.stdout.readline():
                once_shown()
            output, _ = node.communicate(timeout=PATIENCE)
            errors.seek(0)
            assert node.returncode == 0, errors.read()
        return json.loads(output)


@pytest.fixture
def browser(array: Array, station: Station) -> Browser:
    """A browser for the array's administrator."""
    return Browser(array, station.rack.password)
