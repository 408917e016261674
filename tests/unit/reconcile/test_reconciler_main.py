"""The events that cause a turn, and the errors that end the process.

The kernel's messages about the array's own devices cause none.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from fakes import FakeKernel
from sanstone.core import places
from sanstone.core.database import store
from sanstone.reconcile import damage, main
from sanstone.reconcile.damage import DamagedDatabase
from sanstone.reconcile.keep_alive import KeepAlive
from sanstone.reconcile.main import Uevents, uevents_of

BLOCK = b"SUBSYSTEM=block"


def uevent(action: bytes, path: bytes, *variables: bytes) -> bytes:
    """Return a message as lib/kobject_uevent.c makes it."""
    return b"\0".join([action + b"@" + path, b"ACTION=" + action, b"DEVPATH=" + path, *variables])


@pytest.mark.parametrize(
    ("message", "news"),
    [
        (uevent(b"add", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents.DISK),
        (uevent(b"remove", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents.DISK),
        (uevent(b"change", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"add", b"/devices/pci0/block/sda/sda1", BLOCK, b"DEVTYPE=partition"), Uevents(0)),
        (uevent(b"add", b"/devices/virtual/block/dm-7", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"change", b"/devices/virtual/block/dm-7", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"change", b"/devices/virtual/block/md127", BLOCK, b"DEVTYPE=disk"), Uevents.OTHER),
        (uevent(b"add", b"/devices/pci0/net/e0c", b"SUBSYSTEM=net"), Uevents.OTHER),
        (uevent(b"add", b"/devices/virtual/net/a0a", b"SUBSYSTEM=net"), Uevents.OTHER),
        (uevent(b"change", b"/devices/pci0/fc_host/host3", b"SUBSYSTEM=fc_host"), Uevents.OTHER),
        (uevent(b"add", b"/devices/virtual/bdi/253:7", b"SUBSYSTEM=bdi"), Uevents(0)),
    ],
)
def test_a_message_concerns_a_turn_or_not(message: bytes, news: Uevents) -> None:
    assert uevents_of(message) == news


class TestDamage:
    """A damaged database is replaced by `sanstone-setup`, and any other error is one."""

    @pytest.fixture
    def kernel(self) -> FakeKernel:
        """A machine that has booted."""
        kernel = FakeKernel()
        kernel.host.files.make_folder(str(places.run_directory()))
        return kernel

    def ended(self, kernel: FakeKernel, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
        """End the reconciler's process by an error."""

        def fail(*_arguments: object) -> None:
            raise error

        monkeypatch.setattr(main, "real_host", lambda: kernel.host)
        monkeypatch.setattr(main, "_start", fail)
        main.main(KeepAlive())

    def test_damage_found_by_a_query_ends_the_process(
        self, kernel: FakeKernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "damaged.db"
        file.write_bytes(b"SQLite format 3\0" + b"damage" * 3000)
        with pytest.raises(DatabaseError) as error, store.engine(file).connect() as connection:
            connection.execute(text("SELECT 1 FROM sqlite_master"))
        with pytest.raises(SystemExit):
            self.ended(kernel, error.value, monkeypatch)
        assert "it is damaged: file is not a database" in damage.reported(kernel.host.files)
        restart = ("systemctl", "restart", "--no-block", damage.SETUP)
        assert restart in kernel.commands.calls

    def test_damage_found_by_the_copying_thread_ends_the_process(
        self, kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(SystemExit):
            self.ended(kernel, DamagedDatabase("row 7 missing from index"), monkeypatch)
        assert "row 7 missing from index" in damage.reported(kernel.host.files)

    def test_a_disk_that_is_full_is_no_damage(
        self, kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cause = sqlite3.OperationalError("database or disk is full")
        cause.sqlite_errorcode = sqlite3.SQLITE_FULL
        with pytest.raises(DatabaseError):
            self.ended(kernel, DatabaseError("INSERT", {}, cause), monkeypatch)
        assert damage.reported(kernel.host.files) == ""
