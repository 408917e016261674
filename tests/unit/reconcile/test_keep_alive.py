"""The messages to systemd of a reconciler that makes progress, and of one that hangs."""

from __future__ import annotations

import importlib
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from scenarios import HOST_IQN, aggregate, iscsi, lifs, svm, volume
from simulator import Simulator
from standing_clock import Clock

from fakes.files import FakeFiles
from fakes.interrupt import Interrupt
from sanstone.reconcile.keep_alive import KeepAlive
from sanstone.reconcile.starting import importing

UNIT = Path(__file__).parents[3] / "overlay/usr/lib/systemd/system/sanstone-reconciler.service"
WATCHDOG = int(re.findall(r"(?m)^WatchdogSec=(\d+)$", UNIT.read_text())[0])
STEP = 20.0
"""Seconds of a slow step; a turn of these takes several times the watchdog's time."""


class Systemd:
    """Hears messages, each at its time; `killed` says whether it would have lost patience."""

    def __init__(self, clock: Clock, listener: socket.socket) -> None:
        self._clock, self._listener = clock, listener
        self.messages: list[str] = []
        self._heard = clock.now
        self.longest = 0.0

    def listen(self) -> None:
        """Take in the messages by now."""
        while True:
            try:
                message = self._listener.recv(4096).decode()
            except BlockingIOError:
                return
            self.messages.append(message)
            self.longest = max(self.longest, self._clock.now - self._heard)
            self._heard = self._clock.now

    @property
    def killed(self) -> bool:
        """Whether it heard nothing for longer than the watchdog waits."""
        self.listen()
        return max(self.longest, self._clock.now - self._heard) > WATCHDOG


@pytest.fixture
def systemd(clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    """Systemd, which watches the process."""
    path = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", str(path))
    monkeypatch.setenv("WATCHDOG_USEC", str(WATCHDOG * 1_000_000))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as listener:
        listener.bind(str(path))
        yield Systemd(clock, listener)


def slow_first_turn(
    array: Simulator, clock: Clock, systemd: Systemd, monkeypatch: pytest.MonkeyPatch, hang: float
) -> float:
    """Boot an array that serves, whose steps are slow; one takes `hang`. Return the time of all."""
    for prepare in (aggregate, svm, lifs, volume):
        prepare(array)
    keep_alive = KeepAlive()

    def progress() -> None:
        keep_alive.progress()
        systemd.listen()

    array.progress = progress
    step, count = Interrupt.step, 0

    def slow(self: Interrupt, what: str) -> object:
        nonlocal count
        count += 1
        clock.now += hang if count == 5 else STEP
        return step(self, what)

    start = clock.now
    array.reboot()
    monkeypatch.setattr(Interrupt, "step", slow)
    systemd.listen()
    keep_alive.progress()
    array.settle()
    return clock.now - start


def test_a_first_turn_that_takes_long_is_given_the_time(
    array: Simulator, clock: Clock, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    took = slow_first_turn(array, clock, systemd, monkeypatch, STEP)
    assert took > 5 * WATCHDOG
    assert not systemd.killed
    assert set(systemd.messages) == {f"EXTEND_TIMEOUT_USEC={WATCHDOG * 1_000_000}"}


def test_a_step_that_hangs_is_noticed(
    array: Simulator, clock: Clock, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_first_turn(array, clock, systemd, monkeypatch, WATCHDOG + 1.0)
    assert systemd.killed


def test_reading_a_full_target_again_is_progress(
    array: Simulator, clock: Clock, systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    for prepare in (aggregate, svm, lifs, volume, iscsi):
        prepare(array)
    for number in range(10):
        lun = {"svm.name": "svm1", "os_type": "linux", "space.size": 1 << 26}
        array.do("POST", "storage/luns", lun | {"name": f"/vol/vol1/lun{number}"})
        igroup = {"svm.name": "svm1", "lun.name": f"/vol/vol1/lun{number}", "igroup.name": "ig1"}
        if not number:
            linux = {"svm.name": "svm1", "name": "ig1", "os_type": "linux"}
            array.do("POST", "protocols/san/igroups", linux | {"initiators": [HOST_IQN]})
        array.do("POST", "protocols/san/lun-maps", igroup)
    keep_alive, read, reads = KeepAlive(), FakeFiles.read, 0

    def progress() -> None:
        keep_alive.progress()
        systemd.listen()

    def slow(self: FakeFiles, path: str) -> str:
        nonlocal reads
        if path.startswith("/sys/kernel/config/target/"):
            clock.now += 1.0
            reads += 1
        return read(self, path)

    array.progress = progress
    monkeypatch.setattr(FakeFiles, "read", slow)
    systemd.listen()
    keep_alive.progress()
    array.start()
    array.settle()
    assert reads > 2 * WATCHDOG
    assert not systemd.killed


def test_a_ready_reconciler_keeps_the_watchdog_content(clock: Clock, systemd: Systemd) -> None:
    keep_alive = KeepAlive()
    keep_alive.ready()
    keep_alive.ready()
    for _ in range(100):
        clock.now += 0.5
        keep_alive.progress()
        systemd.listen()
    assert not systemd.killed
    assert systemd.messages[0] == "READY=1"
    assert systemd.messages[1:] == ["WATCHDOG=1"] * 50


def test_to_import_slowly_is_progress(
    systemd: Systemd, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine at a tenth of the speed."""

    def work() -> None:
        systemd.listen()
        clock.now += STEP

    names = [f"slow_module_{number}" for number in range(5)]
    for name, following in zip(names, [*names[1:], "abc"], strict=True):
        text = f"import slow_machine\nslow_machine.work()\nimport {following}\n"
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "slow_machine", SimpleNamespace(work=work))
    keep_alive = KeepAlive()
    finders = list(sys.meta_path)
    with importing(keep_alive.progress):
        importlib.import_module(names[0])
    assert not systemd.killed
    assert set(systemd.messages) == {f"EXTEND_TIMEOUT_USEC={WATCHDOG * 1_000_000}"}
    assert sys.meta_path == finders
