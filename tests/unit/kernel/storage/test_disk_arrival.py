"""How long a machine that was just started is given to find its disks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from fakes import FakeKernel
from sanstone.kernel.host import CommandError
from sanstone.kernel.storage import block, disk_arrival
from sanstone.kernel.storage.disk_arrival import LONGEST, QUIET, QUIET_WITHOUT_DISKS


class Clock:
    """The time since the start; `later` is called each time that some of it has gone by."""

    def __init__(self) -> None:
        self.now = 0.0
        self.later: Callable[[float], None] = lambda _now: None

    def monotonic(self) -> float:
        """See `time.monotonic`."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """See `time.sleep`."""
        self.now += seconds
        self.later(self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that goes as fast as it is asked; the waits are the product's."""
    clock = Clock()
    monkeypatch.setattr(disk_arrival, "time", clock)
    monkeypatch.setattr(disk_arrival, "QUIET", QUIET)
    monkeypatch.setattr(disk_arrival, "QUIET_WITHOUT_DISKS", QUIET_WITHOUT_DISKS)
    return clock


def test_disks_that_are_all_there_cost_little(clock: Clock) -> None:
    kernel = FakeKernel()
    disk_arrival.wait(kernel.host)
    assert clock.now == 3
    assert ("udevadm", "settle", "--timeout=60") in kernel.commands.calls


def test_the_quiet_begins_once_udev_has_settled(clock: Clock) -> None:
    kernel = FakeKernel()

    def udevadm(_argv: Sequence[str], _stdin: str) -> str:
        clock.now = max(clock.now, 20)
        return ""

    kernel.commands.register("udevadm", udevadm)
    disk_arrival.wait(kernel.host)
    assert clock.now == 23


def test_disks_that_come_one_after_the_other_are_waited_for(clock: Clock) -> None:
    kernel = FakeKernel(disks=1)
    clock.later = lambda now: kernel.add_disk(f"sd{chr(ord('a') + int(now))}") if now < 20 else None
    disk_arrival.wait(kernel.host)
    assert len(block.disks(kernel.host)) == 21
    assert clock.now == 22


def test_a_machine_without_disks_is_given_more_time(clock: Clock) -> None:
    kernel = FakeKernel(disks=0)
    kernel.remove_disk("nvme0n1")
    disk_arrival.wait(kernel.host)
    assert clock.now == 10


def test_a_disk_that_comes_and_goes_does_not_hold_it_up_for_ever(clock: Clock) -> None:
    kernel = FakeKernel()

    def flap(now: float) -> None:
        if int(now) % 2:
            kernel.remove_disk("sda")
        else:
            kernel.add_disk("sda")

    clock.later = flap
    disk_arrival.wait(kernel.host)
    assert clock.now == LONGEST


def test_a_udev_that_never_settles_is_gone_on_without(clock: Clock) -> None:
    kernel = FakeKernel()

    def udevadm(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Timed out for waiting the udev queue being empty.")

    kernel.commands.register("udevadm", udevadm)
    disk_arrival.wait(kernel.host)
    assert clock.now == 3
