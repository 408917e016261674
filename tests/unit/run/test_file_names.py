"""Names of the files of tests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lab import paths

TESTS = paths.REPOSITORY / "tests"


def module(file: Path) -> str:
    """Return the name that pytest imports a file by: with its packages, without other folders."""
    words, folder = [file.stem], file.parent
    while (folder / "__init__.py").exists():
        words.insert(0, folder.name)
        folder = folder.parent
    return ".".join(words)


@pytest.mark.parametrize("suite", ["unit", "contract", "clients", "vm"])
def test_no_two_of_a_suite_are_imported_by_one_name(suite: str) -> None:
    """pytest would read the first alone, and nothing of the suite would run."""
    names = Counter(module(file) for file in (TESTS / suite).rglob("test_*.py"))
    assert names
    assert {name for name, count in names.items() if count > 1} == set()
