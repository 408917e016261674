"""Support bundles from the shell."""

from __future__ import annotations

from pathlib import Path

from console import Console
from served import served


def test_a_bundle_is_created_shown_and_deleted(tmp_path: Path) -> None:
    with served(tmp_path) as (_, array):
        console = Console(array)
        console.run("set -confirmations off")
        console.run("system support-bundle create -name case-4711")
        output = console.run("system support-bundle show")
        assert "case-4711" in output
        assert "available" in output
        console.run("system support-bundle delete -name case-4711")
        assert "no entries" in console.run("system support-bundle show")
