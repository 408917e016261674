"""Disks from the shell: how they are, where, and their locate lights."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console
from served import served
from simulator import Simulator
from standing_clock import Clock

from fakes import smart
from fakes.disks import Foreign
from sanstone.reconcile.loop import THOROUGH_PERIOD
from sanstone.reconcile.tasks import disk_reader

SHELF = "500605b0000272bf"


@pytest.fixture
def shelved(tmp_path: Path) -> Iterator[tuple[Console, Simulator]]:
    """A shell on an array with disk 1.0.1 in a shelf, and that array."""
    with served(tmp_path) as (simulator, array):
        simulator.kernel.enclosures.attach(SHELF, 4, {2: "sda"})
        simulator.kernel.smart.reports["sda"] = smart.sas(used=94, failing="TOO MANY")
        simulator.read_disks()
        yield Console(array), simulator


def test_a_disk_is_shown_with_its_place_and_its_health(
    shelved: tuple[Console, Simulator],
) -> None:
    console, _ = shelved
    fields = "shelf-uid,bay,health,rated-life-used-percent,location-led,temperature"
    [row] = console.table(f"storage disk show -disk 1.0.1 -fields {fields}")
    assert sorted(row) == sorted(["1.0.1", SHELF, "2", "failing", "94", "off", "29"])
    assert "TOO MANY" in console.run("storage disk show -disk 1.0.1")
    assert len(console.table("storage disk show -health failing -fields disk")) == 1


def test_a_light_is_switched(shelved: tuple[Console, Simulator]) -> None:
    console, simulator = shelved
    console.run("storage disk set-led -disk 1.0.1 -action on")
    assert simulator.kernel.enclosures.is_lit(0, 2)
    assert len(console.table("storage disk show -location-led on -fields disk")) == 1
    console.run("storage disk set-led 1.0.1 -action off")
    assert not simulator.kernel.enclosures.is_lit(0, 2)


def test_a_disk_without_a_light_is_refused(shelved: tuple[Console, Simulator]) -> None:
    console, _ = shelved
    status, text = console.attempt("storage disk set-led -disk 1.0.2 -action on")
    assert (status, text) == (1, "Error: command failed: This disk has no locate light.")


def test_a_shelf_is_shown(shelved: tuple[Console, Simulator]) -> None:
    console, _ = shelved
    text = console.run("storage shelf show")
    assert SHELF in text
    assert "JBOD24" in text


def test_a_disk_is_erased_with_its_content_named(shelved: tuple[Console, Simulator]) -> None:
    console, simulator = shelved
    simulator.kernel.storage.disks.present["sda"].foreign = [Foreign("zfs_member", "filesystem")]
    simulator.reconciler.rescan()
    simulator.settle()
    console.answers = [True, True]
    status, text = console.attempt("storage disk erase -disk 1.0.1 -content nothing")
    assert (status, "zfs_member file system" in text) == (1, True)
    console.run('storage disk erase -disk 1.0.1 -content "zfs_member file system"')
    [row] = console.table("storage disk show -disk 1.0.1 -fields container-type,state")
    assert sorted(row) == sorted(["1.0.1", "spare", "present"])


class TestSanitize:
    """`storage disk sanitize`, as ONTAP's `disk sanitize`."""

    START = 'storage disk sanitize start -disk 1.0.1 -content "" -method block_erase'
    SHOW = "storage disk sanitize show -fields disk,sanitize-state,percent"

    @pytest.fixture(autouse=True)
    def sanitizing(
        self, shelved: tuple[Console, Simulator], clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of all disks the first one can do it."""
        monkeypatch.setattr(time, "sleep", clock.sleep)
        console, simulator = shelved
        console.answers = [True] * 4
        simulator.kernel.storage.disks.present["sda"].sanitizes = ("block_erase", "overwrite")
        clock.now += disk_reader.HEALTH_PERIOD
        simulator.read_disks()

    def test_disks_with_sanitize_methods_are_shown(
        self, shelved: tuple[Console, Simulator]
    ) -> None:
        console, _ = shelved
        assert console.table(self.SHOW) == [["1.0.1", "-", "-"]]
        assert "block_erase, overwrite" in console.run("storage disk sanitize show")

    def test_a_sanitize_operation_is_started(self, shelved: tuple[Console, Simulator]) -> None:
        console, simulator = shelved
        console.run(self.START)
        assert simulator.kernel.storage.disks.present["sda"].overwritten == "block_erase"

    def test_an_unsupported_method_is_refused(self, shelved: tuple[Console, Simulator]) -> None:
        console, _ = shelved
        status, text = console.attempt(self.START.replace("block", "crypto"))
        assert (status, "cannot sanitize itself by crypto_erase" in text) == (1, True)

    def test_the_array_waits_no_more(self, shelved: tuple[Console, Simulator]) -> None:
        console, simulator = shelved
        simulator.tasks_run = False
        body = {"erase.content": "", "erase.method": "block_erase"}
        simulator.call("PATCH", "storage/disks/1.0.1", body)
        console.run("storage disk sanitize abort -disk 1.0.1")
        simulator.settle()
        [row] = console.table("storage disk show -disk 1.0.1 -fields state")
        assert row == ["1.0.1", "present"]
        status, text = console.attempt("storage disk sanitize abort -disk 1.0.1")
        assert (status, "is not being erased" in text) == (1, True)

    def test_a_disk_that_failed_to_sanitize_is_released(
        self, shelved: tuple[Console, Simulator], clock: Clock
    ) -> None:
        console, simulator = shelved
        simulator.kernel.storage.disks.present["sda"].fails_to_sanitize = True
        console.attempt(self.START)
        clock.now += THOROUGH_PERIOD
        simulator.read_disks()
        assert console.table(self.SHOW)[0][1] == "failed"
        console.run("storage disk sanitize release -disk 1.0.1")
        simulator.read_disks()
        clock.now += disk_reader.SANITIZED_PERIOD
        simulator.read_disks()
        assert console.table(self.SHOW)[0][1] == "-"
        status, text = console.attempt("storage disk sanitize release -disk 1.0.1")
        assert (status, "is no spare that has failed" in text) == (1, True)
