"""The files of `make image`: the ISO that IMAGE= names, and the bundle that UPDATE= names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from provisioned import admin, disk, iscsi, lun
from written import write

from lab.initiator import Iscsi
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
    """A bundle of another release, with a signature that the image's certificate verifies."""
    path = os.environ.get("SANSTONE_UPDATE")
    if not path:
        pytest.skip("no bundle of another release was given: UPDATE=")
    return Path(path)


@pytest.fixture
def rent(iso: Path, tmp_path: Path, station: Station) -> Iterator[Rent]:
    """Get a server with the medium in its drive; see Server. It is off at the end."""
    # Two machines are enough for two processors.
    station.rack.cut_power()
    servers: list[Server] = []

    def begin(**disks: Any) -> Server:
        directory = tmp_path / f"server{len(servers)}"
        servers.append(Server(directory, iso, station.engine, **disks))
        return servers[-1]

    yield begin
    for server in servers:
        server.machine.power_off_hard()


@pytest.fixture
def unharmed(iscsi: Iscsi, disk: str) -> Callable[[], bool]:
    """Something that a host wrote, and the question whether it reads it again."""
    return write(iscsi.host, disk)
