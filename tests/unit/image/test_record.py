"""The record of the checks that were run on a tree of Buildroot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from image import record

PIN = record.Pin("2026.05.1", "cb85")
RECORD = record.Record(
    pin=PIN,
    inputs={"Config.in": "00", "package/a/a.mk": "11"},
    buildroot={"BR2_A": "y", "BR2_B": "n", "BR2_C": '"two words"'},
    kernel={"CONFIG_A": "m"},
    packages={"linux": "6.12.91", "mdadm": "4.6"},
    tried=record.Tried("linux 6.12.91", {"a.patch": "mdadm 4.6"}, {}),
)


def test_a_record_is_read_as_written(tmp_path: Path) -> None:
    RECORD.write(tmp_path / "recorded")
    again = record.read(tmp_path / "recorded")
    assert again == replace(RECORD, buildroot={"BR2_A": "y", "BR2_C": '"two words"'})
    assert "# BR2_B is not set\n" in (tmp_path / "recorded/buildroot.config").read_text()


def test_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        record.read(tmp_path)


def test_the_inputs_that_it_is_of() -> None:
    assert RECORD.outdated(PIN, dict(RECORD.inputs)) == []


def test_each_changed_input_is_reported() -> None:
    now = record.Pin("2026.05.2", "cb85")
    assert RECORD.outdated(now, {"Config.in": "01", "package/b/b.mk": "22"}) == [
        "Makefile: BUILDROOT_VERSION is 2026.05.2, in the record it is 2026.05.1",
        "Config.in: has changed since the record was made",
        "package/a/a.mk: is in the record, and was removed since",
        "package/b/b.mk: is not in the record",
    ]


def test_sources_that_are_not_the_pinned_are_reported() -> None:
    assert RECORD.elsewhere() == []
    tried = record.Tried("linux 6.12.118", {"a.patch": "mdadm 4.6"}, {"tlshd": {"gnutls 3": "9"}})
    other = replace(RECORD, tried=tried)
    assert other.elsewhere() == [
        "linux: tried with 6.12.118, not with 6.12.91, which is built",
    ]
