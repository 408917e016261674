"""`time-servers`: chrony is told the servers that DHCP named."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from image.__main__ import REPOSITORY

SCRIPT = REPOSITORY / "board/common/overlay/usr/lib/sanstone/time-servers"


@pytest.fixture
def leases(tmp_path: Path) -> Path:
    folder = tmp_path / "leases"
    folder.mkdir()
    return folder


def sources(leases: Path) -> str:
    file = leases.parent / "dhcp.sources"
    subprocess.run(["sh", SCRIPT, leases, file], check=True)
    return file.read_text()


def test_each_server_of_a_lease_is_a_source(leases: Path) -> None:
    (leases / "2").write_text("ADDRESS=192.0.2.7\nNTP=192.0.2.1 192.0.2.2\nDNS=192.0.2.3\n")
    assert sources(leases) == "server 192.0.2.1 iburst\nserver 192.0.2.2 iburst\n"


def test_one_that_two_leases_name_is_one_source(leases: Path) -> None:
    (leases / "2").write_text("NTP=192.0.2.1\n")
    (leases / "3").write_text("NTP=192.0.2.1\n")
    assert sources(leases) == "server 192.0.2.1 iburst\n"


def test_a_server_that_is_named_no_longer_is_forgotten(leases: Path) -> None:
    (leases / "2").write_text("NTP=192.0.2.1\n")
    sources(leases)
    (leases / "2").write_text("ADDRESS=192.0.2.7\n")
    assert sources(leases) == ""


def test_without_a_lease_there_are_no_sources(leases: Path) -> None:
    assert sources(leases) == ""
