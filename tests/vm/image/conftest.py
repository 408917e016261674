"""What `make image` made: the ISO that IMAGE= names, and the bundle that UPDATE= names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from provisioned import admin, disk, iscsi, lun

from lab.server import Server
from lab.station import Station

__all__ = ["admin", "disk", "iscsi", "lun"]
Rent = Callable[..., Server]


@pytest.fixture(scope="session")
def iso() -> Path:
    """The medium."""
    return Path(os.environ["SANSTONE_IMAGE"])


@pytest.fixture(scope="session")
def update() -> Path:
    """A bundle of another release, signed with the key whose certificate the image has."""
    given = os.environ.get("SANSTONE_UPDATE")
    if not given:
        pytest.skip("no bundle of another release was given: UPDATE=")
    return Path(given)


@pytest.fixture
def rent(iso: Path, tmp_path: Path, station: Station) -> Iterator[Rent]:
    """Get a server with empty disks and the medium in its drive; it is off at the end."""
    # Two machines are enough for two processors.
    station.rack.cut_power()
    servers: list[Server] = []

    def begin(disks: int = 1, *, uefi: bool = False) -> Server:
        servers.append(Server(tmp_path / f"server{len(servers)}", iso, disks, station.engine, uefi))
        return servers[-1]

    yield begin
    for server in servers:
        server.machine.power_off_hard()
