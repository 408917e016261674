"""An installed array: a fake kernel with system disks, and a state folder with a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine
from system_disk import SystemDisk, mark_revision, started_from_disk


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SystemDisk:
    """The one system disk; the array runs from slot A."""
    return started_from_disk(tmp_path, monkeypatch)


@pytest.fixture
def mirror(disk: SystemDisk) -> SystemDisk:
    """Two system disks instead."""
    return SystemDisk(disk.kernel, ("vda", "vdb"))


@pytest.fixture
def database(toys: Engine) -> Engine:
    """The array's database; its revision is `now`."""
    mark_revision(toys)
    return toys
