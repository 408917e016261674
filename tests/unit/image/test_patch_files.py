"""Patches: each names its author, its purpose and its state upstream."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
PATCHES = REPOSITORY / "board/common/patches"
LAB = REPOSITORY / "tests/lab/uml.d"
ALL = sorted([*PATCHES.rglob("*.patch"), *LAB.glob("*.patch")])
LINES = sorted(path.name for path in PATCHES.iterdir() if path.name != "common")
HEADER = re.compile(
    r"From: \S.*\n"
    r"Subject: \[PATCH\] (?P<subject>\S.*)\n"
    r"\n(?P<why>(?:.*\n)+?)"
    r"\nUpstream: \S.*\nSigned-off-by: \S.*\n"
    r"---\n--- a/"
)


@pytest.mark.parametrize("patch", ALL, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_a_patch_has_its_header(patch: Path) -> None:
    header = HEADER.match(patch.read_text())
    assert header
    assert header["why"].strip()


@pytest.mark.parametrize("line", LINES)
def test_patches_of_a_line_follow_those_of_all_lines(line: str) -> None:
    """Buildroot applies one folder after the other, and refuses a name that it has met."""
    folders = (PATCHES / "common/linux", PATCHES / line / "linux")
    names = [patch.name for folder in folders for patch in sorted(folder.glob("*.patch"))]
    numbers = [int(name.partition("-")[0]) for name in names]
    assert numbers == list(range(1, len(numbers) + 1))


def test_no_patch_is_there_for_each_line() -> None:
    """A patch that applies to all lines unchanged is there once."""
    texts = [
        patch.read_text().partition("\n---\n")[2]
        for line in LINES
        for patch in (PATCHES / line / "linux").glob("*.patch")
    ]
    assert len(texts) == len(set(texts))
