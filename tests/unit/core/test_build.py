"""Which build runs: by the os-release of its system."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from sanstone import __version__
from sanstone.core import build
from sanstone.core.build import Build

COMMIT = "5a" * 20
OF_A_RELEASE = {
    "ID": "sanstone",
    "BUILD_ID": COMMIT,
    "RELEASE_TYPE": "stable",
    "SANSTONE_BUILD_TIME": "1790000000",
}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    build.running.cache_clear()
    yield
    build.running.cache_clear()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, f"{__version__} (build {COMMIT[:12]} of 2026-09-21)"),
        (
            {"RELEASE_TYPE": "development"},
            f"{__version__} (development build {COMMIT[:12]} of 2026-09-21)",
        ),
        ({"BUILD_ID": "", "SANSTONE_BUILD_TIME": ""}, __version__),
        ({"SANSTONE_BUILD_TIME": ""}, f"{__version__} (build {COMMIT[:12]})"),
        ({"ID": "debian"}, f"{__version__} (development build)"),
    ],
)
def test_builds_in_words(changes: dict[str, str], words: str) -> None:
    assert str(Build.of(OF_A_RELEASE | changes)) == words


def test_the_build_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: OF_A_RELEASE)
    assert build.running() == Build(COMMIT, 1_790_000_000, development=False)


def test_a_system_without_a_build_is_a_development_build(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing() -> dict[str, str]:
        raise FileNotFoundError

    monkeypatch.setattr(platform, "freedesktop_os_release", nothing)
    assert build.running() == Build("", None, development=True)
