"""Chromium on this machine, in which an administrator uses the array's web interface."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from lab import dependencies, paths
from lab.station import Array

SCRIPT = paths.REPOSITORY / "tests/webui/on_array.mjs"
PATIENCE = 900
"""Seconds for a step; an emulated array beside other work is slow."""


class Browser:
    """Does the steps of `on_array.mjs`, each in a browser of its own."""

    def __init__(self, array: Array, password: str) -> None:
        dependencies.install_missing(dependencies.BROWSER)
        self._environment = {"SANSTONE_URL": array.url, "SANSTONE_PASSWORD": password}

    def do(self, step: str, **options: Any) -> Any:
        """Do a step and return what the page told."""
        done = subprocess.run(
            ["node", SCRIPT, step, json.dumps(options)],
            env=os.environ | self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
