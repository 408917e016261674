"""A machine that boots: how long it is waited for."""

from __future__ import annotations

from pathlib import Path

import pytest
from standing_clock import Clock

from lab.agent import GuestTimeout, Result
from lab.machine import Machine, Silent
from lab.process import Background
from lab.qemu import Hardware


@pytest.mark.parametrize(("seconds_of_work", "boots"), [(590, True), (610, False)])
def test_seconds_without_a_processor_do_not_count(
    seconds_of_work: float,
    boots: bool,
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It gets one for a fourth of the time."""
    array = Machine(tmp_path, Hardware("array", 1, 512))
    array.console.touch()
    begin = clock.now

    def look(argv: list[str], timeout: float, grace: float) -> Result:
        clock.now += timeout
        if clock.now - begin < 4 * seconds_of_work:
            raise GuestTimeout(argv)
        return Result(0, b"running\n", b"")

    monkeypatch.setattr(array._agent, "execute", look)
    monkeypatch.setattr(Background, "starved", property(lambda _: (clock.now - begin) * 3 / 4))
    if boots:
        assert array.wait_until_booted() == "running"
    else:
        with pytest.raises(Silent):
            array.wait_until_booted()


@pytest.mark.parametrize(
    ("why", "boots"),
    [("VFS: Unable to mount root fs", False), ("IO-APIC + timer doesn't work!", True)],
)
def test_a_panic_ends_the_wait_where_no_new_start_helps(
    why: str, boots: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = Machine(tmp_path, Hardware("array", 1, 512))
    array.console.write_text(f"[    0.009000] Kernel panic - not syncing: {why}\n")
    running = Result(0, b"running\n", b"")
    monkeypatch.setattr(array._agent, "execute", lambda *_arguments, **_options: running)
    if boots:
        assert array.wait_until_booted() == "running"
    else:
        with pytest.raises(Silent):
            array.wait_until_booted()
