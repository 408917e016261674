"""Disks from the shell: how they are, where, and their locate lights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console
from served import served
from simulator import Simulator

from fakes import smart
from fakes.disks import Foreign

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


def test_a_disk_is_erased_by_who_tells_what_is_on_it(shelved: tuple[Console, Simulator]) -> None:
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
