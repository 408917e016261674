"""How long a machine that was just started is given to find its disks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from sanstone.kernel.host import CommandError
from sanstone.kernel.storage import block, disk_arrival
from sanstone.kernel.storage.disk_arrival import LONGEST, QUIET, QUIET_WITHOUT_DISKS


class Wait:
    """Its seconds so far; `later` is called each time that some have gone by."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._began = clock, clock.now
        self.later: Callable[[float], object] = lambda _now: None

    @property
    def now(self) -> float:
        """The seconds since it began."""
        return self._clock.now - self._began

    def sleep(self, seconds: float) -> None:
        """Take the place of `time.sleep`."""
        self._clock.sleep(seconds)
        self.later(self.now)


@pytest.fixture
def waited(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Wait:
    """How long is waited; the product's limits hold."""
    wait = Wait(clock)
    monkeypatch.setattr(time, "sleep", wait.sleep)
    monkeypatch.setattr(disk_arrival, "QUIET", QUIET)
    monkeypatch.setattr(disk_arrival, "QUIET_WITHOUT_DISKS", QUIET_WITHOUT_DISKS)
    return wait


def test_disks_that_are_all_there_cost_little(waited: Wait) -> None:
    kernel = FakeKernel()
    disk_arrival.wait(kernel.host)
    assert waited.now == 3
    assert ("udevadm", "settle", "--timeout=60") in kernel.commands.calls


def test_the_quiet_begins_once_udev_has_settled(waited: Wait, clock: Clock) -> None:
    kernel = FakeKernel()

    def udevadm(_argv: Sequence[str], _stdin: str) -> str:
        if waited.now < 20:
            clock.now += 20 - waited.now
        return ""

    kernel.commands.register("udevadm", udevadm)
    disk_arrival.wait(kernel.host)
    assert waited.now == 23


def test_disks_that_come_one_after_the_other_are_waited_for(waited: Wait) -> None:
    kernel = FakeKernel(disks=1)
    waited.later = lambda now: (
        kernel.add_disk(f"sd{chr(ord('a') + int(now))}") if now < 20 else None
    )
    disk_arrival.wait(kernel.host)
    assert len(block.disks(kernel.host)) == 21
    assert waited.now == 22


def test_a_machine_without_disks_is_given_more_time(waited: Wait) -> None:
    kernel = FakeKernel(disks=0)
    kernel.remove_disk("nvme0n1")
    disk_arrival.wait(kernel.host)
    assert waited.now == 10


def test_a_disk_that_comes_and_goes_does_not_hold_it_up_for_ever(waited: Wait) -> None:
    kernel = FakeKernel()

    def flap(now: float) -> None:
        if int(now) % 2:
            kernel.remove_disk("sda")
        else:
            kernel.add_disk("sda")

    waited.later = flap
    disk_arrival.wait(kernel.host)
    assert waited.now == LONGEST


def test_a_udev_that_never_settles_is_gone_on_without(waited: Wait) -> None:
    kernel = FakeKernel()

    def udevadm(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Timed out for waiting the udev queue being empty.")

    kernel.commands.register("udevadm", udevadm)
    disk_arrival.wait(kernel.host)
    assert waited.now == 3
