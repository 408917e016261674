"""An installed array: a fake kernel with system disks, and a state folder with a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from system_disk import SystemDisk

from fakes import FakeKernel
from sanstone.system import slot_report


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SystemDisk:
    """The one system disk, of which slot A runs."""
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    monkeypatch.setattr(slot_report, "RAUC_CONFIGURATION", tmp_path / "system.conf")
    return SystemDisk(FakeKernel())


@pytest.fixture
def mirror(disk: SystemDisk) -> SystemDisk:
    """Two system disks instead."""
    return SystemDisk(disk.kernel, ("vda", "vdb"))


@pytest.fixture
def database(toys: Engine) -> Engine:
    """The array's database; its revision is `now`."""
    with toys.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('now')"))
    return toys
