"""A server, which has more than a virtual machine: a management controller, bays for NVMe disks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import paths
from lab.health import Inspector
from lab.rack import Layout
from lab.station import Station

LAYOUT = Layout(disks=1, server=True)


@pytest.fixture(scope="package")
def server_station(inspector: Inspector) -> Iterator[Station]:
    """An array on a server, which serves, in a rack of its own. It is healthy in the end."""
    iso = os.environ.get("SANSTONE_IMAGE")
    station = Station(paths.LAB / "server", LAYOUT, iso=Path(iso) if iso else None)
    station.erase()
    station.array.boot()
    yield station
    complaints = [
        f"{machine.hardware.name}: {complaint}"
        for machine in station.rack.started()
        for complaint in inspector.complaints(machine, "drivers")
    ]
    station.rack.cut_power()
    station.rack.remove_disks()
    assert not complaints, "\n".join(complaints)
