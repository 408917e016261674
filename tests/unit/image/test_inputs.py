"""The inputs of the image: the files that count, and their contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import inputs
from image.repository import REPOSITORY

FRAGMENT = "board/common/kernel/a.fragment"
FILES = {
    "Config.in": "source a\n",
    "configs/a_defconfig": "BR2_A=y\n",
    "package/a/a.mk": "A_VERSION = 1\n",
    "package/a/a.hash": "sha256  00  a\n",
    "board/common/patches/common/linux/0001-a.patch": "--- a\n",
    FRAGMENT: "# Why\nCONFIG_A=y\n\n# CONFIG_B is not set\n",
    "api/requirements.txt": "Flask==3.1.3\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_each_file_that_decides_is_one(tree: Path) -> None:
    assert inputs.digests(tree).keys() == FILES.keys() - {"api/requirements.txt"}


def test_inputs_of_this_repository() -> None:
    paths = inputs.digests(REPOSITORY).keys()
    assert "package/ktls-utils/ktls-utils.mk" in paths
    assert "board/x86_64/linux.fragment" in paths
    assert "board/common/patches/6.12/linux/linux.hash" in paths


@pytest.mark.parametrize("path", sorted(FILES.keys() - {"api/requirements.txt"}))
def test_a_change_is_seen(tree: Path, path: str) -> None:
    before = inputs.digests(tree)
    (tree / path).write_text(FILES[path] + "CONFIG_C=y\n")
    after = inputs.digests(tree)
    assert {name for name in before if before[name] != after[name]} == {path}


def test_a_comment_in_a_fragment_is_none(tree: Path) -> None:
    before = inputs.digests(tree)
    (tree / FRAGMENT).write_text("# Another reason\nCONFIG_A=y\n# CONFIG_B is not set\n")
    assert inputs.digests(tree) == before
    (tree / FRAGMENT).write_text("CONFIG_A=y\n")
    assert inputs.digests(tree) != before
