"""`set -dry-run on`: commands show their changes, and do nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console import Console


@pytest.fixture
def trying(console: Console) -> Iterator[Console]:
    """A shell in which commands are only tried."""
    console.run("set -dry-run on")
    yield console
    console.run("set -dry-run off")


def test_a_creation_is_only_shown(trying: Console) -> None:
    output = trying.run("volume create svm1 vol9 -size 900t")
    assert "Nothing was changed (dry run)." in output
    assert "create  storage/volumes  vol9" in output
    assert "% more than there is" in output
    assert "vol9" not in [row[1] for row in trying.table("volume show")]


def test_a_deletion_lists_its_consequences_without_a_question(trying: Console) -> None:
    output = trying.run("volume delete svm1 vol1")
    assert "delete  storage/luns  /vol/vol1/lun1" in output
    assert "vol1" in [row[1] for row in trying.table("volume show")]


def test_a_refusal_is_shown_with_the_arrays_reason(trying: Console) -> None:
    output = trying.run("lun create svm1 /vol/vol1/lun1 -size 1g -ostype linux")
    assert "The array would refuse it:" in output
    assert '"/vol/vol1/lun1" already exists.' in output


def test_the_prompt_shows_the_dry_run(trying: Console) -> None:
    assert "(dry run)" in trying.session.prompt
    trying.run("set -dry-run off")
    assert "(dry run)" not in trying.session.prompt
    assert trying.run("volume create svm1 vol9 -size 1g").startswith("[Job ")
