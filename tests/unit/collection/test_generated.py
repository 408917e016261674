"""The collection's modules are what the API declares, and every resource has been thought of."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from sanstone.resources.declared import RESOURCES

GENERATE = Path(__file__).parents[3] / "ansible" / "generate"


def test_modules_are_as_they_would_be_written() -> None:
    command = [sys.executable, str(GENERATE), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_resource_that_can_be_changed_has_a_module_or_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(GENERATE))
    names = importlib.import_module("names")
    changeable = {resource.path for resource in RESOURCES if resource.methods != {"GET"}}
    assert changeable == names.NAMES.keys() | names.LEFT_OUT.keys()
    assert not names.NAMES.keys() & names.LEFT_OUT.keys()
