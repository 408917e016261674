"""Disks of a RAID group that runs are replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from raid_group import ARRAY, DISKS, NAME, status

from fakes import FakeKernel
from fakes.disks import Foreign
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError
from sanstone.kernel.storage import md
from sanstone.kernel.storage.block import ContentError
from sanstone.kernel.storage.md import ArrayError


def test_a_failed_disk_is_replaced(machine: FakeKernel) -> None:
    machine.storage.fail_disk("sdb")
    assert status(machine).state == "degraded"
    desired = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert md.ensure_members(machine.host, desired) is Ensured.UNCHANGED
    group = status(machine)
    assert {(m.device, m.slot) for m in group.members} == {
        ("sda", 0),
        ("sde", 1),
        ("sdc", 2),
        ("sdd", 3),
    }
    assert group.state == "clean"


def test_a_working_disk_is_replaced_without_losing_redundancy(machine: FakeKernel) -> None:
    desired = replace(ARRAY, disks=("/dev/sde", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert status(machine).missing_disks == 0
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert md.ensure_members(machine.host, desired) is Ensured.UNCHANGED
    assert sorted(m.device for m in status(machine).members) == ["sdb", "sdc", "sdd", "sde"]


def test_a_working_disk_is_replaced_once_the_array_is_in_sync(machine: FakeKernel) -> None:
    desired = replace(ARRAY, disks=("/dev/sde", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
    machine.storage.arrays.become(NAME, "resync")
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert md.ensure_members(machine.host, desired) is Ensured.UNCHANGED
    assert "sda" in {m.device for m in status(machine).members if m.state == "in_sync"}
    machine.storage.arrays.become(NAME, "idle")
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert md.ensure_members(machine.host, desired) is Ensured.CHANGED
    assert sorted(m.device for m in status(machine).members) == ["sdb", "sdc", "sdd", "sde"]


def test_a_disk_that_returns_is_taken_back(machine: FakeKernel) -> None:
    machine.remove_disk("sdb")
    name = machine.add_disk("sdb")
    assert name != "sdb"
    desired = replace(ARRAY, disks=("/dev/sda", f"/dev/{name}", "/dev/sdc", "/dev/sdd"))
    md.ensure_members(machine.host, desired)
    assert status(machine).missing_disks == 0
    assert any("--re-add" in call for call in machine.commands.calls)


class TestPulled:
    """A disk that was pulled is replaced by a rebuild, whether or not md has noticed."""

    DESIRED = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))

    @staticmethod
    def pull(kernel: FakeKernel, *names: str, busy: bool) -> None:
        for name in names:
            kernel.remove_disk(name)
        if busy:
            kernel.storage.arrays.written(NAME)

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_a_pulled_disk_is_missing_at_once(self, machine: FakeKernel, busy: bool) -> None:
        self.pull(machine, "sdb", busy=busy)
        assert (status(machine).state, status(machine).missing_disks) == ("degraded", 1)

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_the_group_is_rebuilt_onto_another_disk(self, machine: FakeKernel, busy: bool) -> None:
        self.pull(machine, "sdb", busy=busy)
        machine.storage.arrays.rebuilds_slowly = True
        assert md.ensure_members(machine.host, self.DESIRED) is Ensured.CHANGED
        assert (status(machine).state, status(machine).percent) == ("rebuilding", 10.0)
        machine.storage.arrays.finish_rebuild(NAME)
        md.ensure_members(machine.host, self.DESIRED)
        assert md.ensure_members(machine.host, self.DESIRED) is Ensured.UNCHANGED
        assert sorted(m.device for m in status(machine).members) == ["sda", "sdc", "sdd", "sde"]
        assert status(machine).state == "clean"

    def test_a_pulled_disk_is_removed_from_md_so_that_the_next_start_does_not_wait(
        self, machine: FakeKernel
    ) -> None:
        self.pull(machine, "sdb", busy=False)
        remaining = replace(ARRAY, disks=("/dev/sda", "/dev/sdc", "/dev/sdd"))
        assert md.ensure_members(machine.host, remaining) is Ensured.CHANGED
        assert md.ensure_members(machine.host, remaining) is Ensured.UNCHANGED
        machine.reboot()
        assert md.ensure_running(machine.host, ARRAY) is Ensured.CHANGED

    def test_a_disk_may_be_pulled_while_it_is_to_be_copied(
        self, machine: FakeKernel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = machine.host.commands.run

        def pull_first(argv: Sequence[str], **options: Any) -> str:
            if "--replace" in argv:
                machine.remove_disk("sdb")
            return run(argv, **options)

        monkeypatch.setattr(machine.host.commands, "run", pull_first)
        assert md.ensure_members(machine.host, self.DESIRED) is Ensured.CHANGED
        assert {m.device for m in status(machine).members if m.state == "in_sync"} == {
            *("sda", "sdc", "sdd", "sde")
        }

    def test_nothing_is_left_of_a_replacement_that_md_refuses(self, machine: FakeKernel) -> None:
        refusal = CommandError(["mdadm"], 1, "mdadm: no")
        machine.fail_when(lambda step: "--replace" in step, refusal)
        with pytest.raises(CommandError):
            md.ensure_members(machine.host, self.DESIRED)
        assert {m.device for m in status(machine).members} == {"sda", "sdb", "sdc", "sdd"}
        assert md.ensure_erased(machine.host, ARRAY.uuid, ["/dev/sde"]) is Ensured.CHANGED

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_a_shelf_that_lost_its_power_costs_no_superblock(
        self, machine: FakeKernel, busy: bool
    ) -> None:
        shelf = ("sdb", "sdc", "sdd")
        self.pull(machine, *shelf, busy=busy)
        assert status(machine).state == "failed"
        steps = len(machine.interrupt.log)
        assert md.ensure_members(machine.host, replace(ARRAY, disks=DISKS[:1])) is Ensured.UNCHANGED
        back = tuple(f"/dev/{machine.add_disk(name)}" for name in shelf)
        with pytest.raises(ArrayError, match="has lost more disks than it survives"):
            md.ensure_members(machine.host, replace(ARRAY, disks=("/dev/sda", *back)))
        assert machine.interrupt.log[steps:] == []
        if not busy:
            machine.reboot()
            md.ensure_running(machine.host, replace(ARRAY, disks=("/dev/sda", *back)))
            assert status(machine).state == "clean"


def test_a_failed_disk_that_stays_a_member_is_left_alone(machine: FakeKernel) -> None:
    machine.storage.fail_disk("sdb")
    assert md.ensure_members(machine.host, ARRAY) is Ensured.UNCHANGED
    assert {m.device: m.state for m in status(machine).members}["sdb"] == "faulty"


def test_a_replacement_with_data_on_it_is_refused(machine: FakeKernel) -> None:
    machine.storage.disks.present["sde"].foreign.append(Foreign("xfs", "filesystem"))
    machine.storage.fail_disk("sdb")
    desired = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    with pytest.raises(ContentError, match="/dev/sde"):
        md.ensure_members(machine.host, desired)
