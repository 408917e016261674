"""Programs: those that the product runs against those in a root filesystem."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import called_programs
from image.repository import SOURCES

SOURCE = """
argv = ["/usr/sbin/mdadm", "--stop"]
host.run(["sfdisk", disk])
others = ["no", "program"]
openssl.run(["verify", "-CAfile", file])
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/module.py").write_text(SOURCE)
    return tmp_path / "sources"


def test_calls_are_found_by_their_form(sources: Path) -> None:
    pairs = [(call.line, call.program) for call in called_programs.calls(sources)]
    assert pairs == [(2, "mdadm"), (3, "sfdisk")]


def test_calls_of_the_product_are_found() -> None:
    """Of one of its folders: all of it takes long to parse."""
    pairs = {call.program for call in called_programs.calls(SOURCES / "kernel/storage")}
    assert {"mdadm", "lsblk", "wipefs"} <= pairs


@pytest.mark.parametrize("folder", ["usr/bin", "usr/sbin"])
def test_present_programs_are_not_reported(tmp_path: Path, sources: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    for name in ("mdadm", "sfdisk"):
        (tmp_path / folder / name).touch()
    assert called_programs.missing(called_programs.calls(sources), tmp_path) == []


@pytest.mark.parametrize("applet", [False, True])
def test_a_program_that_nothing_brings(tmp_path: Path, sources: Path, applet: bool) -> None:
    folder = tmp_path / "usr/bin"
    folder.mkdir(parents=True)
    (folder / "sfdisk").touch()
    if applet:
        (folder / "busybox").touch()
        (folder / "mdadm").symlink_to("busybox")
    lines = called_programs.missing(called_programs.calls(sources), tmp_path)
    assert lines == [f"{sources}/module.py:2: the image has no mdadm"]
