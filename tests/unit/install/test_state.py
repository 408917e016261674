"""The state of an installation that restores the configuration on aggregates, or refuses to."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import pytest
from installation import install, rows
from lost_array import OTHER_SERIAL, lost_array
from machine import HASH, Machine, answers

from sanstone import migrate, setup
from sanstone.install import disks
from sanstone.install.installer import Medium
from sanstone.reconcile import restore


@pytest.fixture
def new_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Machine]:
    """A machine whose data disks, sda to sdf, carry an array whose system disk was lost.

    With a parameter there is a disk of another array besides.
    """
    for name in ("USER", "GROUP"):
        monkeypatch.setattr(setup, name, pwd.getpwuid(os.getuid()).pw_name)
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "old"))
    with lost_array(tmp_path / "old", borrowed_disk=hasattr(request, "param")) as array:
        yield Machine(tmp_path / "new", array.kernel)


def test_a_configuration_comes_back_with_the_password_given(
    new_machine: Machine, content: Medium
) -> None:
    note, _ = install(new_machine, content, answers("serial:SERIAL-sdh"))
    assert "taken back from the aggregates" in note
    assert rows(new_machine, "/dev/sdh7", "SELECT name FROM cluster") == [("array",)]
    assert rows(new_machine, "/dev/sdh7", "SELECT name FROM svm") == [("svm1",)]
    assert rows(new_machine, "/dev/sdh7", "SELECT name, password FROM account") == [("admin", HASH)]


def running(machine: Machine) -> set[str]:
    """The arrays that run, and device-mapper's devices."""
    storage = machine.kernel.storage
    return set(storage.arrays.running) | {d.name for d in machine.kernel.mapper.devices()}


def events(machine: Machine) -> dict[str, int]:
    """How often each disk's superblock was written."""
    present = machine.kernel.storage.disks.present
    return {name: disk.superblock.events for name, disk in present.items() if disk.superblock}


def test_aggregates_of_a_restored_configuration_are_untouched(
    new_machine: Machine, content: Medium
) -> None:
    before = events(new_machine)
    install(new_machine, content, answers("serial:SERIAL-sdh"))
    assert running(new_machine) == set()
    assert events(new_machine) == before


@pytest.mark.parametrize("new_machine", ["with a borrowed disk"], indirect=True)
def test_a_refused_installation_changes_no_aggregate(new_machine: Machine, content: Medium) -> None:
    """Nor that of the disk that was to be erased: it is no staler than the others."""
    before = events(new_machine)
    with pytest.raises(setup.SetupRefused, match="Nothing was changed"):
        install(new_machine, content, answers("/dev/sda", erase_aggregates=True))
    assert running(new_machine) == set()
    assert events(new_machine) == before
    sda = next(each for each in disks.candidates(new_machine.host) if each.path == "/dev/sda")
    assert not sda.obstacle


def test_a_newer_configuration_leaves_no_aggregate_running(
    new_machine: Machine, content: Medium, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "revisions", lambda: ("older",))
    with pytest.raises(setup.SetupRefused, match="newer release"):
        install(new_machine, content, answers("/dev/sdh"))
    assert running(new_machine) == set()


def test_aggregates_that_are_in_use_stay_so(new_machine: Machine, content: Medium) -> None:
    """As on an array that was started from the medium."""
    restore.newest_copy(new_machine.host)
    before, in_use = events(new_machine), running(new_machine)
    note, _ = install(new_machine, content, answers("serial:SERIAL-sdh"))
    assert "taken back from the aggregates" in note
    assert running(new_machine) == in_use != set()
    assert events(new_machine) == before


def test_the_configuration_comes_back_from_the_remaining_disks(
    new_machine: Machine, content: Medium
) -> None:
    note, _ = install(new_machine, content, answers("/dev/sda", erase_aggregates=True))
    assert "taken back from the aggregates" in note
    assert rows(new_machine, "/dev/sda7", "SELECT name FROM svm") == [("svm1",)]


def test_nothing_is_erased_while_the_configuration_cannot_come_back(
    new_machine: Machine, content: Medium
) -> None:
    """The system disk may hold the only configuration that there is."""
    for disk in ("sda", "sdb", "sdc"):
        new_machine.kernel.remove_disk(disk)
    before = new_machine.kernel.dump()
    with pytest.raises(setup.SetupRefused, match=r"no copy.*Nothing was changed.*Or install with"):
        install(new_machine, content, answers("/dev/sdh"))
    assert new_machine.kernel.dump() == before
    assert not new_machine.partitions
    install(new_machine, content, answers("/dev/sdh", configuration="new"))
    assert rows(new_machine, "/dev/sdh7", "SELECT name FROM cluster") == [("san1",)]


@pytest.mark.parametrize("new_machine", ["with a borrowed disk"], indirect=True)
def test_nothing_is_erased_while_it_is_open_which_array_comes_back(
    new_machine: Machine, content: Medium
) -> None:
    with pytest.raises(setup.SetupRefused, match=rf"{OTHER_SERIAL}.*Remove.*Or install with"):
        install(new_machine, content, answers("/dev/sdh"))
    assert not new_machine.partitions
    note, _ = install(new_machine, content, answers("/dev/sdh", configuration="new"))
    assert note == ""


def test_nothing_is_erased_for_a_configuration_of_a_newer_release(
    new_machine: Machine, content: Medium, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "revisions", lambda: ("older",))
    with pytest.raises(setup.SetupRefused, match=r'"array" .*newer release.*Nothing was changed'):
        install(new_machine, content, answers("/dev/sdh"))
    assert not new_machine.partitions
