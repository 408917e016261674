"""Which rack runs what."""

from __future__ import annotations

from lab import paths, suites


def ignored(share: list[str]) -> set[str]:
    """Return the folders that a rack leaves to the other."""
    return {word.removeprefix("--ignore=") for word in share if word.startswith("--ignore=")}


def test_each_folder_of_tests_is_one_racks() -> None:
    one, other = suites.shares(["pytest", "tests/vm/", "-k", ""])
    folders = {
        f"tests/vm/{path.parent.name}" for path in (paths.REPOSITORY / "tests/vm").glob("*/test_*")
    }
    assert ignored(one) | ignored(other) == folders
    assert ignored(one) & ignored(other) == set()
    assert ignored(one) and ignored(other)
    assert "--rack" not in one, "they are of different names"
    assert "--rack" in other


def test_a_part_runs_on_one_rack() -> None:
    [share] = suites.shares(["pytest", "tests/vm/iscsi", "-k", ""])
    assert share[:2] == ["pytest", "tests/vm/iscsi"]
    assert "--user-mode" in share
