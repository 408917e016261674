"""The tests of each rack."""

from __future__ import annotations

from lab import paths, suites


def ignored(share: list[str]) -> set[str]:
    """Return the folders that a rack leaves to others."""
    return {word.removeprefix("--ignore=") for word in share if word.startswith("--ignore=")}


def test_each_folder_of_tests_is_one_racks() -> None:
    shares = suites.shares(["pytest", "tests/vm/", "-k", ""])
    folders = {
        f"tests/vm/{path.parent.name}" for path in (paths.REPOSITORY / "tests/vm").glob("*/test_*")
    }
    own = [folders - ignored(share) for share in shares]
    assert sorted(folder for each in own for folder in each) == sorted(folders)
    assert all(own)


def test_the_servers_tests_are_a_part_of_their_own() -> None:
    emulated, server = suites.in_qemu(["pytest", "tests/vm/", "-k", ""])
    assert ignored(emulated) == {"tests/vm/drivers/"}
    assert "tests/vm/drivers/" in server
    assert "tests/vm/" not in server
    [only] = suites.in_qemu(["pytest", "tests/vm/boot", "-k", ""])
    assert not ignored(only)


def test_racks_have_names_of_their_own() -> None:
    first, *others = suites.shares(["pytest", "tests/vm/", "-k", ""])
    assert "--rack" not in first
    assert len({share[share.index("--rack") + 1] for share in others}) == len(others) == 2


def test_all_machines_end_with_make() -> None:
    makefile = (paths.REPOSITORY / "Makefile").read_text()
    for module in ("lab.suites", "conformance", "bench"):
        assert f"@$(RUN_TIED) {module}" in makefile
        assert f"$(RUN_IN_VENV) {module}" not in makefile


def test_a_part_runs_on_one_rack() -> None:
    [share] = suites.shares(["pytest", "tests/vm/iscsi", "-k", ""])
    assert share[:2] == ["pytest", "tests/vm/iscsi"]
    assert "--user-mode" in share
