"""Python packages of ours: their build backends."""

from __future__ import annotations

from pathlib import Path

from source_archives import archive, package

from image import python_builds

TARGETCLI = package("targetcli", dependencies=frozenset({"host-python3", "host-python-setuptools"}))


def unsatisfied(tmp_path: Path, text: str) -> list[str]:
    file = archive(tmp_path / "a.tar.gz", {"pyproject.toml": text} if text else {})
    return python_builds.unsatisfied(TARGETCLI, file)


def test_a_builder_that_the_package_depends_on(tmp_path: Path) -> None:
    assert unsatisfied(tmp_path, '[build-system]\nrequires = ["setuptools>=61"]\n') == []


def test_a_builder_that_the_package_lacks(tmp_path: Path) -> None:
    assert unsatisfied(tmp_path, '[build-system]\nrequires = ["hatchling"]\n') == [
        "targetcli: is built by hatchling, and depends on no host-python-hatchling"
    ]


def test_a_package_that_names_none(tmp_path: Path) -> None:
    assert unsatisfied(tmp_path, "") == []
