# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""A host on which modules run: its programs do nothing, and say what a test wants."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.testing import patch_module_args

ANSWER = """#!/bin/sh
# `commands` has a line for each call; a file with its name and arguments holds what it says.
echo "$(basename "$0") $*" >> "{folder}/commands"
said="{folder}/$(basename "$0") $*"
[ ! -e "$said" ] || cat "$said"
"""

Run = Callable[..., Mapping[str, Any]]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the host's programs."""
    for name in ("iscsiadm", "lsblk", "multipath", "udevadm"):
        (tmp_path / name).write_text(ANSWER.format(folder=tmp_path))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Run a module with options; the result has `failed` where it failed."""

    def run(module: Any, **options: Any) -> Mapping[str, Any]:
        said = io.StringIO()
        quiet = contextlib.redirect_stdout(said), contextlib.suppress(SystemExit)
        with patch_module_args(options), quiet[0], quiet[1]:
            module.main()
        result: Mapping[str, Any] = json.loads(said.getvalue())
        return result

    return run
