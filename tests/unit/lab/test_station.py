"""A machine that never answered is switched on once more, with a message."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from lab.engine import TCG
from lab.machine import Silent
from lab.station import Host


class Bench:
    """Stands for rack and machine: notes the calls, and boots as `outcomes` say."""

    def __init__(self, *outcomes: str) -> None:
        self.outcomes = list(outcomes)
        self.done: list[str] = []
        self.hardware = SimpleNamespace(name="host")
        self.run = self.attempt = self.stop = self.plug = None

    def power_on(
        self, _machine: Any, _image: Any, _engine: Any, unplugged: tuple[str, ...]
    ) -> None:
        self.done += ["on", *(f"without {port}" for port in unplugged)]

    def power_off_hard(self) -> None:
        self.done.append("off")

    def wait_until_booted(self) -> str:
        if (outcome := self.outcomes.pop(0)) == "silent":
            raise Silent("host did not boot")
        return outcome


def host(bench: Bench) -> Host:
    return Host(cast(Any, bench), cast(Any, bench), cast(Any, None), TCG)


def test_a_machine_that_boots_is_left_alone() -> None:
    bench = Bench("running")
    host(bench).boot()
    assert bench.done == ["on"]


def test_a_silent_one_is_switched_on_again_as_it_was() -> None:
    bench = Bench("silent", "running")
    silent = host(bench)
    silent.start(unplugged=("d2",))
    with pytest.warns(UserWarning, match="host did not boot"):
        silent.wait()
    assert bench.done == ["on", "without d2", "off", "on", "without d2"]


def test_a_machine_that_stays_silent_is_given_up() -> None:
    bench = Bench("silent", "silent")
    with pytest.warns(UserWarning), pytest.raises(Silent):
        host(bench).boot()
