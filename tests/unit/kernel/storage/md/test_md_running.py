"""The state of a RAID group, as sysfs shows it."""

from __future__ import annotations

import errno
from dataclasses import replace
from typing import Any

import pytest
from raid_group import AGGREGATE, NAME, status

from fakes import FakeKernel
from sanstone.kernel.host import FileError, Files
from sanstone.kernel.storage import md


def test_too_many_failures_make_the_group_failed(machine: FakeKernel) -> None:
    for name in ("sda", "sdb", "sdc"):
        machine.storage.fail_disk(name)
    assert status(machine).state == "failed"


@pytest.mark.parametrize(
    ("activity", "completed", "state", "percent"),
    [
        ("resync", "250 / 1000", "resyncing", 25.0),
        ("recover", "10 / 1000", "rebuilding", 1.0),
        ("check", "delayed", "checking", None),
    ],
)
def test_progress_is_shown(
    machine: FakeKernel, activity: str, completed: str, state: str, percent: float | None
) -> None:
    machine.storage.arrays.running[NAME].completed = completed
    machine.storage.arrays.become(NAME, activity)
    assert (status(machine).state, status(machine).percent) == (state, percent)


def test_a_stopped_array_counts_as_gone_although_its_files_are_there(
    machine: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = machine.host.files
    read = files.read

    def refuse(path: str) -> str:
        if path == f"/sys/block/{NAME}/md/array_state":
            raise FileError("read", path, errno.EBUSY)
        return read(path)

    monkeypatch.setattr(files, "read", refuse)
    assert md.status(machine.host, AGGREGATE, 0) is None


class HalfCreated:
    """Files of a machine on which mdadm has created an array's device, and still works."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def read(self, path: str) -> str:
        """See `host.Files`."""
        if path.endswith(("/md/raid_disks", "/md/level")):
            return ""
        return "clear" if path.endswith("/md/array_state") else self._files.read(path)


def test_a_half_created_array_does_not_run_yet(machine: FakeKernel) -> None:
    host = replace(machine.host, files=HalfCreated(machine.host.files))
    half_created = md.status(host, AGGREGATE, 0)
    assert half_created is not None
    assert (half_created.state, half_created.raid_disks) == ("inactive", 0)
