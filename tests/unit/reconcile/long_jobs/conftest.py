"""An installed array that carries out orders about software, without a reconciler."""

from __future__ import annotations

from pathlib import Path

import pytest
from software_orders import URL, Orders
from sqlalchemy import Engine
from system_disk import Package, SystemDisk, mark_revision, started_from_disk

from sanstone.system import slot_report


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SystemDisk:
    """The one system disk; the array runs from slot A."""
    disk = started_from_disk(tmp_path, monkeypatch)
    disk.downloads[URL] = Package().content()
    return disk


@pytest.fixture
def orders(disk: SystemDisk, toys: Engine) -> Orders:
    """The array's orders; its database is of the revision `now`."""
    mark_revision(toys)
    slot_report.publish(disk.kernel.host)
    return Orders(disk, toys)
