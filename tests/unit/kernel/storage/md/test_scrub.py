"""A scrub goes on where it was, at a rate of its own, and nothing is repaired."""

from __future__ import annotations

import pytest
from raid_group import ARRAY, NAME

from fakes import FakeKernel
from sanstone.kernel.host import FileError
from sanstone.kernel.storage import md
from sanstone.kernel.storage.md import Scrub

DEVICE = ARRAY.device


def scrub(kernel: FakeKernel) -> Scrub:
    """Return the state of the scrub."""
    last = md.scrubbed(kernel.host, DEVICE)
    assert last is not None
    return last


def test_a_scrub_runs_to_its_end(machine: FakeKernel) -> None:
    assert not scrub(machine).is_complete
    md.begin_scrub(machine.host, DEVICE)
    machine.storage.arrays.check_to(NAME, 500, mismatches=8)
    assert (scrub(machine).is_running, scrub(machine).sector, scrub(machine).mismatches) == (
        True,
        500,
        8,
    )
    machine.storage.arrays.finish_check(NAME, mismatches=16)
    assert (scrub(machine).is_running, scrub(machine).is_complete) == (False, True)
    assert scrub(machine).mismatches == 16


def test_an_interrupted_scrub_is_not_complete(machine: FakeKernel) -> None:
    md.begin_scrub(machine.host, DEVICE)
    machine.storage.arrays.check_to(NAME, 500)
    assert md.pause_scrub(machine.host, DEVICE)
    assert not md.pause_scrub(machine.host, DEVICE)
    assert (scrub(machine).is_complete, scrub(machine).sector) == (False, 500)
    md.begin_scrub(machine.host, DEVICE, scrub(machine).sector)
    md.begin_scrub(machine.host, DEVICE, scrub(machine).sector)
    assert scrub(machine).sector == 500


def test_a_disk_that_fails_interrupts_it(machine: FakeKernel) -> None:
    md.begin_scrub(machine.host, DEVICE)
    machine.storage.arrays.check_to(NAME, 500)
    machine.storage.fail_disk("sdb")
    assert (scrub(machine).is_running, scrub(machine).is_complete, scrub(machine).sector) == (
        *(False, False),
        500,
    )


def test_a_scrub_has_a_rate_of_its_own_unlike_a_rebuild(machine: FakeKernel) -> None:
    path = f"/sys/block/{NAME}/md/sync_speed_max"
    md.begin_scrub(machine.host, DEVICE)
    assert machine.host.files.read(path) == "51200 (local)"
    md.pause_scrub(machine.host, DEVICE)
    assert machine.host.files.read(path) == "200000 (system)"


def test_a_scrub_does_not_begin_beside_a_resync(machine: FakeKernel) -> None:
    machine.storage.arrays.become(NAME, "resync")
    with pytest.raises(FileError):
        md.begin_scrub(machine.host, DEVICE)


def test_a_group_without_parity_has_no_scrub(kernel: FakeKernel) -> None:
    striped = md.Array(ARRAY.aggregate, 0, "raid0", ("/dev/sda", "/dev/sdb"))
    md.ensure_created(kernel.host, striped)
    assert md.scrubbed(kernel.host, striped.device) is None
    assert not md.pause_scrub(kernel.host, striped.device)
