"""Patches, tried on archives."""

from __future__ import annotations

from pathlib import Path

from source_archives import archive

from image import patches

LINES = "one\ntwo\nthree\n"


def patch(folder: Path, name: str, old: str, new: str) -> Path:
    """Write a patch that replaces one line of three."""
    lines = LINES.replace(old, f"-{old}\n+{new}").splitlines()
    body = "\n".join(line if line[0] in "+-" else f" {line}" for line in lines)
    file = folder / name
    file.write_text(f"A reason.\n---\n--- a/src/file\n+++ b/src/file\n@@ -1,3 +1,3 @@\n{body}\n")
    return file


def test_patches_that_apply_are_not_reported(tmp_path: Path) -> None:
    first = patch(tmp_path, "1.patch", "two", "zwei")
    sources = archive(tmp_path / "a.tar.gz", {"src/file": LINES, "other": ""})
    assert patches.refused([first], sources) == []


def test_a_patch_is_tried_after_those_before_it(tmp_path: Path) -> None:
    first = patch(tmp_path, "1.patch", "two", "zwei")
    second = tmp_path / "2.patch"
    second.write_text(first.read_text().replace("-two", "-zwei").replace("+zwei", "+dos"))
    sources = archive(tmp_path / "a.tar.gz", {"src/file": LINES})
    assert patches.refused([first, second], sources) == []
    (line,) = patches.refused([second], sources)
    assert line.startswith(f"{second}: does not apply to a.tar.gz: Hunk #1 FAILED at 1")


def test_each_patch_that_does_not_apply_is_reported(tmp_path: Path) -> None:
    both = [patch(tmp_path, f"{old}.patch", old, "") for old in ("one", "three")]
    sources = archive(tmp_path / "a.tar.gz", {"src/file": "another\n" + LINES[4:]})
    assert len(patches.refused(both, sources)) == 2


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    first = patch(tmp_path, "1.patch", "two", "zwei")
    (line,) = patches.refused([first], archive(tmp_path / "a.tar.gz", {"other": ""}))
    assert "can't find file to patch" in line
