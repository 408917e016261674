"""The changes of releases that a bundle carries."""

from __future__ import annotations

import pytest

import sanstone
from image import changes
from image.repository import REPOSITORY
from sanstone.system import bundles

CHANGELOG = REPOSITORY / "CHANGELOG.md"
TEXT = """# Changes

Words before the first release.

## 2.0 - 2026-12-01

- One thing,
  told on two lines.
- Another, *with emphasis*.

## 1.0 - 2026-11-01

- The first.
"""


def test_releases_come_with_their_changes_each_on_one_line() -> None:
    second, first = changes.releases(TEXT)
    assert (second["version"], second["date"]) == ("2.0", "2026-12-01")
    assert second["changes"] == ["One thing, told on two lines.", "Another, *with emphasis*."]
    assert first["changes"] == ["The first."]


def test_a_line_that_is_no_change_is_named() -> None:
    with pytest.raises(ValueError, match="line 14 is neither"):
        changes.releases(f"{TEXT}Nothing else.\n")


def test_the_changelog_begins_with_the_release_of_the_tree() -> None:
    assert changes.releases(CHANGELOG.read_text())[0]["version"] == sanstone.__version__


def test_an_array_reads_what_a_bundle_carries() -> None:
    releases = changes.releases(CHANGELOG.read_text())[: changes.MOST]
    content = changes.encoded(releases)
    assert len(content) < 32 << 10
    assert bundles.decoded_changes(content) == releases
