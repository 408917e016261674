"""Versions of upstreams, by the network or in files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from image import upstream
from image.upstream import Unreachable, Upstream

TAGS = """00\trefs/tags/v1.0.0
00\trefs/tags/ktls-utils-1.10.0
00\trefs/tags/ktls-utils-1.9.1
00\trefs/tags/ktls-utils-2.0.0-rc1
00\trefs/tags/start
"""


def test_versions_are_read_out_of_tags_without_candidates(tmp_path: Path) -> None:
    (tmp_path / "ktls-utils.tags").write_text(TAGS)
    assert Upstream(tmp_path).releases("ktls-utils", "…") == ["1.0.0", "1.9.1", "1.10.0"]


def test_tags_of_a_repository_are_read(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.test"]
    for words in (
        ["init", "--quiet"],
        ["commit", "--quiet", "--allow-empty", "--message", "Release"],
        ["tag", "--annotate", "--message", "Release", "2026.05.1"],
        ["tag", "2026.08-rc1"],
    ):
        subprocess.run([*git, *words], check=True)
    assert Upstream().releases("buildroot", str(tmp_path)) == ["2026.05.1"]


def test_a_repository_without_versions(tmp_path: Path) -> None:
    (tmp_path / "a.tags").write_text("00\trefs/tags/start\n")
    with pytest.raises(Unreachable, match=r"a: https://a\.test has no tag of a version"):
        Upstream(tmp_path).releases("a", "https://a.test")


def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match=r"git ls-remote .*: exit status 128: fatal: "):
        Upstream().releases("a", str(tmp_path / "nowhere"))


@pytest.mark.parametrize("text", [None, "<html>"])
def test_an_answer_that_cannot_be_read(tmp_path: Path, text: str | None) -> None:
    if text:
        (tmp_path / "releases.json").write_text(text)
    with pytest.raises(Unreachable, match=r"releases\.json"):
        Upstream(tmp_path).kernel_releases()


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return file


def test_npm_ends_with_1_when_something_is_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, monkeypatch, "npm", """echo '{"react": {"latest": "20.0.0"}}'; exit 1""")
    assert Upstream().npm(tmp_path) == {"react": {"latest": "20.0.0"}}


def test_npm_without_outdated_packages_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, monkeypatch, "npm", "exit 0")
    assert Upstream().npm(tmp_path) == {}


def test_npm_without_its_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, "npm", """echo '{"error": {"code": "ENOTFOUND"}}'; exit 1""")
    with pytest.raises(Unreachable, match=r"npm: .*ENOTFOUND"):
        Upstream().npm(tmp_path)


def test_pips_outdated_packages_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = """[{"name": "Flask", "version": "3.1.3", "latest_version": "3.2.0"}]"""
    python = program(
        tmp_path, monkeypatch, "python", f"""test "$4" = --outdated && echo '{answer}'"""
    )
    (package,) = Upstream().python(python)
    assert package["latest_version"] == "3.2.0"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="no-python"):
        Upstream().python(tmp_path / "no-python")


def test_a_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream, "KERNEL_RELEASES", "http://127.0.0.1:1/releases.json")
    with pytest.raises(Unreachable, match=r"http://127\.0\.0\.1:1/releases\.json: "):
        Upstream().kernel_releases()
