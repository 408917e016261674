"""Versions of Python packages: the tests' against the image's."""

from __future__ import annotations

from pathlib import Path

from image import versions


def differences(tmp_path: Path, pins: str, packages: dict[str, str]) -> list[str]:
    file = tmp_path / "requirements.txt"
    file.write_text(pins)
    return [line.removeprefix(f"{file}:") for line in versions.differences(file, packages)]


def test_equal_versions_are_not_mentioned(tmp_path: Path) -> None:
    packages = {"python-flask": "3.1.3", "python-prompt-toolkit": "3.0.52", "systemd": "258.7"}
    assert differences(tmp_path, "# Why.\nFlask==3.1.3\nprompt_toolkit==3.0.52\n", packages) == []


def test_another_version_is_named_with_its_line(tmp_path: Path) -> None:
    packages = {"python-flask": "3.1.3", "python-wcwidth": "0.2.14"}
    assert differences(tmp_path, "Flask==3.1.3\nwcwidth==0.2.13\n", packages) == [
        "2: wcwidth==0.2.13: the image has 0.2.14"
    ]


def test_a_package_that_the_image_lacks_is_named(tmp_path: Path) -> None:
    assert differences(tmp_path, "Flask==3.1.3\n", {}) == ["1: Flask==3.1.3: the image has none"]


def test_a_line_without_an_exact_version_is_named(tmp_path: Path) -> None:
    assert differences(tmp_path, "Flask>=3\n", {}) == ["1: no exact version: Flask>=3"]
