"""The identity of an image, in os-release, as the array reads it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from image import release
from sanstone import __version__
from sanstone.core.build import Build

MOMENT = 1_767_323_045
"""2026-01-02 03:04:05 UTC."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository of release 1.2.3, with one commit."""
    package = tmp_path / "api" / "sanstone"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "1.2.3"\n')
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def git(tree: Path, *words: str) -> str:
    somebody = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    command = ["git", "-C", str(tree), *somebody, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def fields(text: str) -> dict[str, str]:
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value.strip('"') for name, _, value in lines}


def test_a_release(tree: Path) -> None:
    git(tree, "tag", "v1.2.3")
    facts = fields(release.os_release(tree, MOMENT, unsigned=False))
    assert facts["PRETTY_NAME"] == "Sanstone 1.2.3"
    build = Build.of(facts)
    assert build == Build(git(tree, "rev-parse", "HEAD"), MOMENT, development=False)
    assert str(build) == f"{__version__} (build {build.commit[:12]} of 2026-01-02)"


@pytest.mark.parametrize("reason", ["no tag", "another tag", "a change", "a new file", "no signer"])
def test_everything_else_is_a_development_build(tree: Path, reason: str) -> None:
    if reason != "no tag":
        git(tree, "tag", "v1.2.2" if reason == "another tag" else "v1.2.3")
    if reason == "a change":
        (tree / "api/sanstone/__init__.py").write_text('__version__ = "1.2.3"\n\n')
    if reason == "a new file":
        (tree / "new").touch()
    facts = fields(release.os_release(tree, MOMENT, unsigned=reason == "no signer"))
    commit = git(tree, "rev-parse", "HEAD")
    assert facts["PRETTY_NAME"] == (
        f"Sanstone 1.2.3 (development build {commit[:12]} of 2026-01-02)"
    )
    assert Build.of(facts) == Build(commit, MOMENT, development=True)


def test_an_archive_has_no_commit(tree: Path) -> None:
    (tree / ".git").rename(tree / "git")
    facts = fields(release.os_release(tree, MOMENT, unsigned=False))
    assert facts["PRETTY_NAME"] == "Sanstone 1.2.3 (development build of 2026-01-02)"
    assert "BUILD_ID" not in facts


def test_sources_without_a_version(tmp_path: Path) -> None:
    (tmp_path / "api/sanstone").mkdir(parents=True)
    (tmp_path / "api/sanstone/__init__.py").touch()
    with pytest.raises(ValueError, match="names no version"):
        release.os_release(tmp_path, MOMENT, unsigned=False)


def test_another_system_is_a_development_build() -> None:
    build = Build.of({"ID": "debian", "BUILD_ID": "1", "RELEASE_TYPE": "stable"})
    assert build == Build("", None, development=True)
    assert str(build) == f"{__version__} (development build)"
