"""A disk with foreign data becomes a spare, or stays as it was, with a reason."""

from __future__ import annotations

import time
from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes.disks import FakeDisk, Foreign
from sanstone.kernel.host import CommandError
from sanstone.reconcile.loop import THOROUGH_PERIOD
from sanstone.reconcile.tasks import disk_reader

DISK = "storage/disks/1.0.1"
FOREIGN = "md member of nas:0"


@pytest.fixture(autouse=True)
def impatient(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request waits for its job for some seconds, which pass at once."""
    monkeypatch.setattr(time, "sleep", clock.sleep)


@pytest.fixture(autouse=True)
def foreign(array: Simulator) -> None:
    """The first disk holds another machine's data."""
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


def test_an_erasure_is_a_job_that_can_be_cancelled(array: Simulator) -> None:
    array.tasks_run = False
    job = erased(array, **{"erase.method": "zeroes"})
    assert (job["state"], job["cancelable"]) == ("running", True)
    assert array.get(DISK)["state"] == "zeroing"
    array.do("PATCH", f"cluster/jobs/{job['uuid']}?action=cancel")
    array.settle()
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "failure"
    assert (array.get(DISK)["state"], array.get(DISK)["container_type"]) == ("present", "foreign")


def test_an_erasure_continues_after_a_boot(array: Simulator) -> None:
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


def test_an_erasure_that_the_disk_refuses_fails_its_job(array: Simulator) -> None:
    refusal = CommandError(["wipefs"], 1, "wipefs: error: /dev/sda: Input/output error")
    array.kernel.fail_when(lambda step: step.startswith("wipefs"), refusal)
    job = erased(array)
    assert job["state"] == "failure"
    assert "Input/output error" in job["error"]["message"]
    array.settle()
    assert (array.get(DISK)["state"], array.get(DISK)["content"]) == ("present", FOREIGN)


class TestSanitize:
    """A disk that sanitizes itself: the job polls its progress until it is done."""

    @pytest.fixture(autouse=True)
    def fake(self, array: Simulator) -> FakeDisk:
        """The disk, which can do so by two methods."""
        disk = array.kernel.storage.disks.present["sda"]
        disk.sanitizes = ("crypto_erase", "overwrite")
        array.read_disks()
        return disk

    def order(self, array: Simulator) -> dict[str, Any]:
        """Order it by the quicker method, and return the job."""
        return erased(array, **{"erase.method": "crypto_erase"})

    def test_it_is_a_spare_afterwards(self, array: Simulator, fake: FakeDisk) -> None:
        assert array.get(DISK)["sanitize"]["methods"] == ["crypto_erase", "overwrite"]
        assert self.order(array)["state"] == "success"
        disk = array.get(DISK)
        assert (disk["container_type"], disk["state"]) == ("spare", "present")
        assert fake.overwritten == "crypto_erase"

    def test_a_foreign_sanitize_operation_is_shown_and_awaited(
        self, array: Simulator, fake: FakeDisk, clock: Clock
    ) -> None:
        fake.sanitizing, fake.looks = "running", 4
        clock.now += disk_reader.HEALTH_PERIOD
        array.reconciler.rescan()
        array.read_disks()
        disk = array.get(DISK)
        assert (disk["state"], disk["sanitize"]["state"]) == ("zeroing", "running")
        assert disk["content"] == "it sanitizes itself"
        array.call("PATCH", DISK, {"erase.content": disk["content"]})
        assert array.get(f"cluster/jobs?description=*{DISK}")["records"] == []
        while fake.sanitizing:
            clock.now += disk_reader.SANITIZED_PERIOD
            array.read_disks()
        clock.now += THOROUGH_PERIOD
        array.read_disks()
        assert array.get(DISK)["state"] == "present"

    def test_after_a_loss_of_power_the_job_goes_on_with_it(
        self, array: Simulator, fake: FakeDisk
    ) -> None:
        array.tasks_run = False
        job = self.order(array)
        fake.sanitizing, fake.sanitized_by = "running", "crypto_erase"
        array.reboot()
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "running"
        array.tasks_run = True
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"
        assert array.get(DISK)["container_type"] == "spare"
        assert "sanitize sda crypto_erase" not in array.kernel.interrupt.log

    def test_a_disk_that_does_not_show_itself_meanwhile_is_waited_for(
        self, array: Simulator
    ) -> None:
        array.tasks_run = False
        job = self.order(array)
        array.kernel.remove_disk("sda")
        array.reboot()
        array.tasks_run = True
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "running"
        array.kernel.add_disk("sda")
        array.reconciler.rescan()
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"

    def test_a_cancelled_job_leaves_the_disk_sanitizing_and_no_spare(
        self, array: Simulator, fake: FakeDisk
    ) -> None:
        array.tasks_run = False
        job = self.order(array)
        fake.sanitizing, fake.looks = "running", 4
        array.do("PATCH", f"cluster/jobs/{job['uuid']}?action=cancel")
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "failure"
        disk = array.get(DISK)
        assert (disk["state"], disk["content"]) == ("zeroing", "it sanitizes itself")

    def test_a_failed_sanitize_operation_leaves_the_disk_broken_until_it_succeeds(
        self, array: Simulator, fake: FakeDisk
    ) -> None:
        fake.fails_to_sanitize = True
        job = self.order(array)
        assert "tells that its sanitization failed" in job["error"]["message"]
        array.read_disks()
        disk = array.get(DISK)
        assert (disk["state"], disk["container_type"]) == ("broken", "broken")
        fake.fails_to_sanitize = False
        array.do("PATCH", DISK, {"erase.content": disk["content"], "erase.method": "overwrite"})
        array.read_disks()
        assert array.get(DISK)["state"] == "present"
        assert fake.overwritten == "overwrite"
