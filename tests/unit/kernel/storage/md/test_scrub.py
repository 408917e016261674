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
    """Return what md tells of the scrub."""
    found = md.scrubbed(kernel.host, DEVICE)
    assert found is not None
    return found


def test_it_runs_to_its_end(used: FakeKernel) -> None:
    assert not scrub(used).is_complete
    md.begin_scrub(used.host, DEVICE)
    used.storage.arrays.check_to(NAME, 500, mismatches=8)
    assert (scrub(used).is_running, scrub(used).sector, scrub(used).mismatches) == (True, 500, 8)
    used.storage.arrays.finish_check(NAME, mismatches=16)
    assert (scrub(used).is_running, scrub(used).is_complete) == (False, True)
    assert scrub(used).mismatches == 16


def test_what_was_interrupted_is_not_complete(used: FakeKernel) -> None:
    md.begin_scrub(used.host, DEVICE)
    used.storage.arrays.check_to(NAME, 500)
    assert md.pause_scrub(used.host, DEVICE)
    assert not md.pause_scrub(used.host, DEVICE)
    assert (scrub(used).is_complete, scrub(used).sector) == (False, 500)
    md.begin_scrub(used.host, DEVICE, scrub(used).sector)
    md.begin_scrub(used.host, DEVICE, scrub(used).sector)
    assert scrub(used).sector == 500


def test_a_disk_that_fails_interrupts_it(used: FakeKernel) -> None:
    md.begin_scrub(used.host, DEVICE)
    used.storage.arrays.check_to(NAME, 500)
    used.storage.fail_disk("sdb")
    assert (scrub(used).is_running, scrub(used).is_complete, scrub(used).sector) == (
        *(False, False),
        500,
    )


def test_it_has_a_rate_of_its_own_which_a_rebuild_has_not(used: FakeKernel) -> None:
    path = f"/sys/block/{NAME}/md/sync_speed_max"
    md.begin_scrub(used.host, DEVICE)
    assert used.host.files.read(path) == "51200 (local)"
    md.pause_scrub(used.host, DEVICE)
    assert used.host.files.read(path) == "200000 (system)"


def test_it_does_not_begin_beside_a_resync(used: FakeKernel) -> None:
    used.storage.arrays.become(NAME, "resync")
    with pytest.raises(FileError):
        md.begin_scrub(used.host, DEVICE)


def test_what_has_no_parity_has_no_scrub(kernel: FakeKernel) -> None:
    striped = md.Array(ARRAY.aggregate, 0, "raid0", ("/dev/sda", "/dev/sdb"))
    md.ensure_created(kernel.host, striped)
    assert md.scrubbed(kernel.host, striped.device) is None
    assert not md.pause_scrub(kernel.host, striped.device)
