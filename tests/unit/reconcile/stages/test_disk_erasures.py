"""A disk with anything on it becomes a spare, or stays as it was and the reason is told."""

from __future__ import annotations

import time
from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes.disks import Foreign
from sanstone.kernel.host import CommandError

DISK = "storage/disks/1.0.1"
FOREIGN = "md member of nas:0"


@pytest.fixture(autouse=True)
def impatient(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request waits for its job for some seconds, which pass at once."""
    monkeypatch.setattr(time, "sleep", clock.sleep)


@pytest.fixture(autouse=True)
def foreign(array: Simulator) -> None:
    """On the first disk is what another machine left."""
    label = Foreign("linux_raid_member", "raid", "nas:0", "99999999-9999-4999-8999-999999999999")
    array.kernel.storage.disks.present["sda"].foreign = [label]
    array.reconciler.rescan()
    array.settle()
    assert array.get(DISK)["container_type"] == "foreign"


def erased(array: Simulator, **more: Any) -> dict[str, Any]:
    """Ask for the disk to be erased, and return the job."""
    array.call("PATCH", DISK, {"erase.content": FOREIGN} | more)
    [job] = array.get(f"cluster/jobs?description=*{DISK}&fields=*")["records"]
    return dict(job)


def test_it_is_a_spare_afterwards(array: Simulator) -> None:
    assert erased(array)["state"] == "success"
    disk = array.get(DISK)
    assert (disk["container_type"], disk["state"], disk["content"]) == ("spare", "present", "")
    assert array.kernel.storage.disks.present["sda"].overwritten == "discard"


def test_it_lasts_as_a_job_that_can_be_cancelled(array: Simulator) -> None:
    array.tasks_run = False
    job = erased(array, **{"erase.method": "zeroes"})
    assert (job["state"], job["cancelable"]) == ("running", True)
    assert array.get(DISK)["state"] == "zeroing"
    array.do("PATCH", f"cluster/jobs/{job['uuid']}?action=cancel")
    array.settle()
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "failure"
    assert (array.get(DISK)["state"], array.get(DISK)["container_type"]) == ("present", "foreign")


def test_it_goes_on_after_a_boot(array: Simulator) -> None:
    array.tasks_run = False
    job = erased(array)
    array.reboot()
    array.tasks_run = True
    array.settle()
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"
    assert array.get(DISK)["container_type"] == "spare"


def test_other_content_than_was_shown_is_left(array: Simulator) -> None:
    array.tasks_run = False
    job = erased(array)
    array.kernel.storage.disks.present["sda"].foreign = [Foreign("xfs", "filesystem")]
    array.tasks_run = True
    array.settle()
    job = array.get(f"cluster/jobs/{job['uuid']}")
    assert job["state"] == "failure"
    assert "holds something else by now" in job["error"]["message"]
    assert array.kernel.storage.disks.present["sda"].foreign == [Foreign("xfs", "filesystem")]


def test_what_the_disk_refuses_is_told_and_not_tried_for_ever(array: Simulator) -> None:
    refusal = CommandError(["wipefs"], 1, "wipefs: error: /dev/sda: Input/output error")
    array.kernel.fail_when(lambda step: step.startswith("wipefs"), refusal)
    job = erased(array)
    assert job["state"] == "failure"
    assert "Input/output error" in job["error"]["message"]
    array.settle()
    assert (array.get(DISK)["state"], array.get(DISK)["content"]) == ("present", FOREIGN)
