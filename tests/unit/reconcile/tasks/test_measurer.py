"""Measuring the space of snapshots, on the machine."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from machine_state import pools
from scenarios import san
from simulator import Begin, Simulator
from standing_clock import Clock

from fakes import Killed
from sanstone.kernel.host import CommandError, RequestError
from sanstone.kernel.storage.snapshot_blocks import PROGRAM
from sanstone.reconcile.tasks import measurer

VOLUMES, LUNS = "storage/volumes", "storage/luns"
MIB = 1024**2


class Measured:
    """An array with a LUN."""

    def __init__(self, array: Simulator, clock: Clock) -> None:
        self.array, self.clock = array, clock
        [volume] = array.get(VOLUMES)["records"]
        self.volume = f"{VOLUMES}/{volume['uuid']}"

    def run(self) -> bool:
        """Measure if it is due. Return whether anything was counted."""
        calls = self.array.kernel.commands.calls
        before = len(calls)
        self.array.measure()
        return (PROGRAM,) in calls[before:]

    def take(self, name: str) -> None:
        self.array.do("POST", f"{self.volume}/snapshots", {"name": name})

    def delete(self, name: str) -> None:
        [record] = self.array.get(f"{self.volume}/snapshots?name={name}")["records"]
        self.array.do("DELETE", f"{self.volume}/snapshots/{record['uuid']}")

    def write(self, mebibytes: int) -> None:
        """Let a host write to the beginning of the LUN."""
        [lun] = self.array.get(LUNS)["records"]
        [target] = self.array.kernel.mapper.table(f"sanstone-{lun['uuid']}")
        [pool] = pools(self.array.kernel).values()
        pool.write(int(target.arguments.split()[1]), mebibytes * MIB)

    @property
    def used(self) -> Any:
        """MiB of all snapshots as the API shows them, None for absent."""
        record = self.array.get(f"{self.volume}?fields=space.snapshot.used")
        used = record.get("space", {}).get("snapshot", {}).get("used")
        return None if used is None else used // MIB

    @property
    def sizes(self) -> dict[str, Any]:
        """By name, MiB of the snapshots that show how many they hold."""
        records = self.array.get(f"{self.volume}/snapshots?fields=size")["records"]
        return {r["name"]: r["size"] // MIB for r in records if "size" in r}

    @property
    def held(self) -> bool:
        """Whether the pool's metadata are held."""
        [pool] = pools(self.array.kernel).values()
        return bool(pool.held)


@pytest.fixture
def begin() -> Begin:
    return san


@pytest.fixture
def measured(array: Simulator, clock: Clock) -> Measured:
    """An array with a LUN."""
    return Measured(array, clock)


def test_without_snapshots_nothing_is_used_and_nothing_counted(measured: Measured) -> None:
    assert measured.used == 0
    assert not measured.run()
    assert measured.used == 0


def test_an_unmeasured_value_is_absent(measured: Measured) -> None:
    measured.write(9)
    measured.take("s1")
    assert (measured.used, measured.sizes) == (None, {})
    measured.run()
    assert (measured.used, measured.sizes) == (0, {"s1": 0})


def test_overwritten_blocks_are_counted_within_a_minute(measured: Measured) -> None:
    measured.write(9)
    measured.take("s1")
    measured.run()
    measured.write(3)
    assert not measured.run(), "a minute is not over"
    measured.clock.now += measurer.CHANGED
    assert measured.run()
    assert (measured.used, measured.sizes) == (3, {"s1": 3})
    assert not measured.held


def test_the_volumes_own_figures_stay_what_they_are(measured: Measured) -> None:
    path = f"{measured.volume}?fields=space.used,space.available"
    before = measured.array.get(path)["space"]
    measured.write(9)
    measured.take("s1")
    measured.write(9)
    measured.run()
    assert measured.array.get(path)["space"] == before


def test_another_snapshot_is_measured_at_once(measured: Measured) -> None:
    measured.write(9)
    measured.take("s1")
    measured.run()
    measured.write(3)
    measured.take("s2")
    assert (measured.used, measured.sizes) == (0, {"s1": 0}), "as last measured"
    measured.run()
    assert (measured.used, measured.sizes) == (3, {"s1": 3, "s2": 0})


def test_a_newer_one_that_goes_leaves_older_ones_unknown(measured: Measured) -> None:
    measured.write(9)
    for name in ("s1", "s2", "s3"):
        measured.take(name)
        measured.write(2)
    measured.run()
    assert measured.sizes == {"s1": 2, "s2": 2, "s3": 2}
    measured.delete("s1")
    assert (measured.used, measured.sizes) == (4, {"s2": 2, "s3": 2})
    measured.delete("s3")
    assert (measured.used, measured.sizes) == (None, {})
    measured.run()
    assert (measured.used, measured.sizes) == (2, {"s2": 2})


def test_figures_go_with_the_snapshots(measured: Measured) -> None:
    measured.take("s1")
    measured.run()
    measured.delete("s1")
    assert measured.used == 0
    measured.run()
    measured.take("s1")
    assert (measured.used, measured.sizes) == (None, {})


def test_a_deleted_lun_is_held_by_its_snapshot(measured: Measured) -> None:
    measured.write(9)
    measured.take("s1")
    measured.run()
    [lun] = measured.array.get(LUNS)["records"]
    measured.array.do("DELETE", f"{LUNS}/{lun['uuid']}?allow_delete_while_mapped=true")
    assert measured.run()
    assert measured.used == 9


def test_nothing_is_counted_while_nothing_changes(measured: Measured) -> None:
    measured.take("s1")
    assert measured.run()
    for _ in range(9):
        measured.clock.now += measurer.CHANGED
        assert not measured.run()
    measured.clock.now += measurer.UNCHANGED
    assert measured.run()


def test_counting_rests_ten_times_as_long_as_it_took(
    measured: Measured, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured.take("s1")
    commands, clock = measured.array.kernel.commands, measured.clock
    run = commands.run

    def slow(*args: Any, **options: Any) -> str:
        clock.now += 30
        return run(*args, **options)

    monkeypatch.setattr(commands, "run", slow)
    assert measured.run()
    measured.take("s2")
    clock.now += 299
    assert not measured.run()
    clock.now += 1
    assert measured.run()


def test_turns_go_on_while_it_counts(measured: Measured) -> None:
    measured.take("s1")
    commands = measured.array.kernel.commands
    count = commands._handlers[PROGRAM]

    def meanwhile(argv: Any, stdin: str) -> str:
        commands.register(PROGRAM, count)
        measured.take("s2")
        return count(argv, stdin)

    commands.register(PROGRAM, meanwhile)
    assert measured.run()
    assert measured.sizes == {"s1": 0}
    assert measured.run()
    assert measured.sizes == {"s1": 0, "s2": 0}


def test_a_stopped_measurer_holds_no_metadata(measured: Measured) -> None:
    measured.take("s1")

    def stop(_argv: Any, _stdin: str) -> str:
        assert measured.held
        raise SystemExit

    measured.array.kernel.commands.register(PROGRAM, stop)
    with pytest.raises(SystemExit):
        measured.run()
    assert not measured.held


def test_held_metadata_are_released_after_a_kill(measured: Measured) -> None:
    measured.take("s1")
    # Killed between the request and its answer, before anything could be counted.
    measured.array.kernel.kill_after(1, done=True)
    with pytest.raises(Killed):
        measured.run()
    assert measured.held
    measured.array.reboot()
    measured.array.settle()
    assert measured.run()
    assert (measured.held, measured.used) == (False, 0)


def test_stale_held_metadata_are_released_without_snapshots(measured: Measured) -> None:
    [pool] = pools(measured.array.kernel).values()
    pool.hold()
    assert not measured.run()
    assert not measured.held


def test_a_failure_is_logged_and_releases_the_metadata(
    measured: Measured, caplog: pytest.LogCaptureFixture
) -> None:
    measured.take("s1")
    commands = measured.array.kernel.commands

    def refuse(*_: Any) -> str:
        raise CommandError([PROGRAM], 1, "no superblock")

    handler = commands._handlers[PROGRAM]
    commands.register(PROGRAM, refuse)
    with caplog.at_level(logging.WARNING):
        assert measured.run()
    assert "no superblock" in caplog.text
    assert (measured.held, measured.used) == (False, None)
    commands.register(PROGRAM, handler)
    assert not measured.run(), "it is not tried over and over"
    measured.clock.now += measurer.UNCHANGED
    assert measured.run()
    assert measured.used == 0


def test_metadata_that_cannot_be_held_are_no_fault(measured: Measured) -> None:
    measured.take("s1")
    error = RequestError("refused", 5)
    measured.array.kernel.fail_when(lambda step: "reserve_metadata_snap" in step, error)
    assert not measured.run()
    measured.array.kernel.interrupt.clear()
    assert measured.run()
    assert measured.used == 0


def test_a_volume_out_of_time_waits_for_the_others(measured: Measured) -> None:
    array, commands = measured.array, measured.array.kernel.commands
    measured.take("s1")
    array.do("POST", VOLUMES, {"name": "vol2", "size": 64 * MIB, "svm.name": "svm1"})
    [other] = array.get(f"{VOLUMES}?name=vol2")["records"]
    array.do("POST", f"{VOLUMES}/{other['uuid']}/snapshots", {"name": "s1"})
    questions: list[str] = []

    def out_of_time(_argv: Any, stdin: str) -> str:
        questions.append(stdin)
        return "[]"

    commands.register(PROGRAM, out_of_time)
    assert measured.run()
    assert measured.run()
    first, second = (question.partition('"volumes"')[2] for question in questions)
    assert first != second, "the other volume comes first now"
