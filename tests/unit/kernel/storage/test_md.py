"""RAID groups: made once, started by UUID, never made anew over data."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from fakes import FakeKernel, Killed
from fakes.disks import Foreign
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError, FileError, Files
from sanstone.kernel.storage import md
from sanstone.kernel.storage.block import ContentError
from sanstone.kernel.storage.md import Array, ArrayError, ArrayStatus

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
DISKS = ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd")
ARRAY = Array(AGGREGATE, 0, "raid_dp", DISKS)
NAME = ARRAY.device.removeprefix("/dev/")


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with eight empty disks."""
    return FakeKernel()


@pytest.fixture
def used(kernel: FakeKernel) -> FakeKernel:
    """A machine with a RAID 6 of four disks to which something was written."""
    md.ensure_created(kernel.host, ARRAY)
    kernel.storage.arrays.written(NAME)
    return kernel


def status(kernel: FakeKernel) -> ArrayStatus:
    """Return the state of the RAID group, which must be assembled."""
    found = md.status(kernel.host, AGGREGATE, 0)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("raid_type", "disks", "level", "disks_of_data"),
    [
        ("raid_dp", 6, "raid6", 4),
        ("raid4", 3, "raid4", 2),
        ("raid5", 4, "raid5", 3),
        ("raid10", 4, "raid10", 2),
        ("raid1", 2, "raid1", 1),
        ("raid0", 2, "raid0", 2),
        ("raid0", 1, "raid0", 1),
    ],
)
def test_every_raid_type_is_made_and_starts_again(
    kernel: FakeKernel, raid_type: str, disks: int, level: str, disks_of_data: int
) -> None:
    paths = tuple(f"/dev/sd{letter}" for letter in "abcdefgh"[:disks])
    array = replace(ARRAY, raid_type=raid_type, disks=paths)
    assert md.ensure_created(kernel.host, array) is Ensured.CREATED
    assert md.ensure_created(kernel.host, array) is Ensured.UNCHANGED
    found = status(kernel)
    assert (found.level, found.state, found.missing_disks) == (level, "clean", 0)
    assert found.full_stripe == disks_of_data * 64 * 1024
    kernel.reboot()
    assert md.status(kernel.host, AGGREGATE, 0) is None
    assert md.ensure_running(kernel.host, array) is Ensured.CHANGED
    assert md.ensure_running(kernel.host, array) is Ensured.UNCHANGED
    assert status(kernel) == found


def test_too_few_disks_are_refused_before_anything_is_touched(kernel: FakeKernel) -> None:
    with pytest.raises(ArrayError, match="takes at least 4 disks, not 3"):
        md.ensure_created(kernel.host, replace(ARRAY, disks=DISKS[:3]))
    assert not kernel.interrupt.log


def test_a_disk_with_data_is_refused_and_nothing_is_written(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sdc"].foreign.append(Foreign("xfs", "filesystem"))
    with pytest.raises(ContentError, match="/dev/sdc"):
        md.ensure_created(kernel.host, ARRAY)
    assert not kernel.interrupt.log


def test_a_member_of_another_array_of_ours_is_refused(used: FakeKernel) -> None:
    other = Array(AGGREGATE, 1, "raid1", ("/dev/sda", "/dev/sde"))
    with pytest.raises(ContentError, match="md member of sanstone"):
        md.ensure_created(used.host, other)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("reboot", [False, True], ids=["restarted", "rebooted"])
def test_a_creation_that_was_cut_short_is_finished(
    kernel: FakeKernel, done: bool, reboot: bool
) -> None:
    for step in (1, 2):
        kernel = FakeKernel()
        kernel.kill_after(step, done=done)
        with pytest.raises(Killed):
            md.ensure_created(kernel.host, ARRAY)
        if reboot:
            kernel.reboot()
        md.ensure_created(kernel.host, ARRAY)
        assert status(kernel).state == "clean"


def test_an_array_that_held_data_is_never_made_anew(used: FakeKernel) -> None:
    used.reboot()
    for name in ("sda", "sdb", "sdc"):
        used.storage.disks.present[name].superblock = None
    with pytest.raises(ArrayError, match="need all 4"):
        md.ensure_created(used.host, ARRAY)
    assert used.storage.disks.present["sdd"].superblock is not None


def test_zeroes_are_written_only_where_all_disks_do_so_by_themselves(kernel: FakeKernel) -> None:
    md.ensure_created(kernel.host, ARRAY)
    assert "--write-zeroes" in kernel.commands.calls[-1]
    kernel.files.write("/sys/block/sde/queue/rotational", "1")
    mirror = Array(AGGREGATE, 1, "raid1", ("/dev/sde", "/dev/sdf"))
    md.ensure_created(kernel.host, mirror)
    assert "--write-zeroes" not in kernel.commands.calls[-1]


def test_a_late_disk_does_not_degrade_the_array(used: FakeKernel) -> None:
    used.reboot()
    used.remove_disk("sdb")
    with pytest.raises(ArrayError, match="/dev/sdb"):
        md.ensure_running(used.host, ARRAY)
    assert md.status(used.host, AGGREGATE, 0) is None
    used.add_disk("sdb")
    md.ensure_running(used.host, ARRAY)
    assert status(used).missing_disks == 0


def test_an_array_starts_degraded_when_told(used: FakeKernel) -> None:
    used.reboot()
    used.remove_disk("sdb")
    assert md.ensure_running(used.host, ARRAY, degraded=True) is Ensured.CHANGED
    assert (status(used).state, status(used).missing_disks) == ("degraded", 1)


def test_a_disk_known_to_have_failed_does_not_hold_up_the_next_start(used: FakeKernel) -> None:
    used.remove_disk("sdb")
    used.storage.arrays.written(NAME)
    used.reboot()
    md.ensure_running(used.host, ARRAY)
    assert status(used).missing_disks == 1


def test_too_many_missing_disks_are_refused_even_when_told(used: FakeKernel) -> None:
    used.reboot()
    for name in ("sda", "sdb", "sdc"):
        used.remove_disk(name)
    with pytest.raises(ArrayError, match="/dev/sda, /dev/sdb, /dev/sdc"):
        md.ensure_running(used.host, ARRAY, degraded=True)


def test_no_disk_at_all_is_said_so(kernel: FakeKernel) -> None:
    with pytest.raises(ArrayError, match="none of its disks is there"):
        md.ensure_running(kernel.host, ARRAY)


def test_disks_are_found_under_other_names(used: FakeKernel) -> None:
    used.storage.disks.swap_names("sda", "sdh")
    used.reboot()
    md.ensure_running(used.host, replace(ARRAY, disks=("/dev/sdh", *DISKS[1:])))
    assert status(used).missing_disks == 0


def test_an_automatic_assembly_under_another_name_is_replaced(used: FakeKernel) -> None:
    used.reboot()
    used.storage.arrays.assemble_as("md127", ARRAY.uuid)
    md.ensure_running(used.host, ARRAY)
    assert list(used.storage.arrays.running) == [NAME]


def test_a_half_assembled_array_is_stopped_first(used: FakeKernel) -> None:
    used.reboot()
    used.storage.arrays.assemble_as("md127", ARRAY.uuid)
    used.storage.arrays.stall("md127")
    md.ensure_running(used.host, ARRAY)
    assert list(used.storage.arrays.running) == [NAME]


def test_a_failed_disk_is_replaced(used: FakeKernel) -> None:
    used.storage.fail_disk("sdb")
    assert status(used).state == "degraded"
    wanted = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert md.ensure_members(used.host, wanted) is Ensured.UNCHANGED
    found = status(used)
    assert {(m.device, m.slot) for m in found.members} == {
        ("sda", 0),
        ("sde", 1),
        ("sdc", 2),
        ("sdd", 3),
    }
    assert found.state == "clean"


def test_a_working_disk_is_replaced_without_losing_redundancy(used: FakeKernel) -> None:
    wanted = replace(ARRAY, disks=("/dev/sde", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert status(used).missing_disks == 0
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert md.ensure_members(used.host, wanted) is Ensured.UNCHANGED
    assert sorted(m.device for m in status(used).members) == ["sdb", "sdc", "sdd", "sde"]


def test_a_working_disk_is_replaced_once_the_array_is_in_sync(used: FakeKernel) -> None:
    wanted = replace(ARRAY, disks=("/dev/sde", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
    used.storage.arrays.become(NAME, "resync")
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert md.ensure_members(used.host, wanted) is Ensured.UNCHANGED
    assert "sda" in {m.device for m in status(used).members if m.state == "in_sync"}
    used.storage.arrays.become(NAME, "idle")
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert md.ensure_members(used.host, wanted) is Ensured.CHANGED
    assert sorted(m.device for m in status(used).members) == ["sdb", "sdc", "sdd", "sde"]


def test_a_disk_that_returns_is_taken_back(used: FakeKernel) -> None:
    used.remove_disk("sdb")
    name = used.add_disk("sdb")
    assert name != "sdb"
    wanted = replace(ARRAY, disks=("/dev/sda", f"/dev/{name}", "/dev/sdc", "/dev/sdd"))
    md.ensure_members(used.host, wanted)
    assert status(used).missing_disks == 0
    assert any("--re-add" in call for call in used.commands.calls)


class TestPulled:
    """A disk that was pulled is replaced by a rebuild, whether or not md has noticed."""

    WANTED = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))

    @staticmethod
    def pull(kernel: FakeKernel, *names: str, busy: bool) -> None:
        for name in names:
            kernel.remove_disk(name)
        if busy:
            kernel.storage.arrays.written(NAME)

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_it_is_missing_at_once(self, used: FakeKernel, busy: bool) -> None:
        self.pull(used, "sdb", busy=busy)
        assert (status(used).state, status(used).missing_disks) == ("degraded", 1)

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_the_group_is_rebuilt_onto_another_disk(self, used: FakeKernel, busy: bool) -> None:
        self.pull(used, "sdb", busy=busy)
        used.storage.arrays.rebuilds_slowly = True
        assert md.ensure_members(used.host, self.WANTED) is Ensured.CHANGED
        assert (status(used).state, status(used).percent) == ("rebuilding", 10.0)
        used.storage.arrays.finish_rebuild(NAME)
        md.ensure_members(used.host, self.WANTED)
        assert md.ensure_members(used.host, self.WANTED) is Ensured.UNCHANGED
        assert sorted(m.device for m in status(used).members) == ["sda", "sdc", "sdd", "sde"]
        assert status(used).state == "clean"

    def test_md_is_told_of_it_so_that_the_next_start_does_not_wait(self, used: FakeKernel) -> None:
        self.pull(used, "sdb", busy=False)
        left = replace(ARRAY, disks=("/dev/sda", "/dev/sdc", "/dev/sdd"))
        assert md.ensure_members(used.host, left) is Ensured.CHANGED
        assert md.ensure_members(used.host, left) is Ensured.UNCHANGED
        used.reboot()
        assert md.ensure_running(used.host, ARRAY) is Ensured.CHANGED

    def test_it_may_be_pulled_while_it_is_to_be_copied(
        self, used: FakeKernel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = used.host.commands.run

        def pull_first(argv: Sequence[str], **options: Any) -> str:
            if "--replace" in argv:
                used.remove_disk("sdb")
            return run(argv, **options)

        monkeypatch.setattr(used.host.commands, "run", pull_first)
        assert md.ensure_members(used.host, self.WANTED) is Ensured.CHANGED
        assert {m.device for m in status(used).members if m.state == "in_sync"} == {
            *("sda", "sdc", "sdd", "sde")
        }

    def test_nothing_is_left_of_a_replacement_that_md_refuses(self, used: FakeKernel) -> None:
        refusal = CommandError(["mdadm"], 1, "mdadm: no")
        used.fail_when(lambda step: "--replace" in step, refusal)
        with pytest.raises(CommandError):
            md.ensure_members(used.host, self.WANTED)
        assert {m.device for m in status(used).members} == {"sda", "sdb", "sdc", "sdd"}
        assert md.ensure_erased(used.host, ARRAY.uuid, ["/dev/sde"]) is Ensured.CHANGED

    @pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
    def test_a_shelf_that_lost_its_power_costs_no_superblock(
        self, used: FakeKernel, busy: bool
    ) -> None:
        shelf = ("sdb", "sdc", "sdd")
        self.pull(used, *shelf, busy=busy)
        assert status(used).state == "failed"
        steps = len(used.interrupt.log)
        assert md.ensure_members(used.host, replace(ARRAY, disks=DISKS[:1])) is Ensured.UNCHANGED
        back = tuple(f"/dev/{used.add_disk(name)}" for name in shelf)
        with pytest.raises(ArrayError, match="has lost more disks than it survives"):
            md.ensure_members(used.host, replace(ARRAY, disks=("/dev/sda", *back)))
        assert used.interrupt.log[steps:] == []
        if not busy:
            used.reboot()
            md.ensure_running(used.host, replace(ARRAY, disks=("/dev/sda", *back)))
            assert status(used).state == "clean"


def test_a_failed_disk_that_is_still_wanted_is_left_alone(used: FakeKernel) -> None:
    used.storage.fail_disk("sdb")
    assert md.ensure_members(used.host, ARRAY) is Ensured.UNCHANGED
    assert {m.device: m.state for m in status(used).members}["sdb"] == "faulty"


def test_a_replacement_with_data_on_it_is_refused(used: FakeKernel) -> None:
    used.storage.disks.present["sde"].foreign.append(Foreign("xfs", "filesystem"))
    used.storage.fail_disk("sdb")
    wanted = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    with pytest.raises(ContentError, match="/dev/sde"):
        md.ensure_members(used.host, wanted)


class TestSectors:
    """All disks of an array have logical sectors of one size, or its data changes its shape."""

    @staticmethod
    def enlarge(kernel: FakeKernel, name: str) -> None:
        """Put a disk with sectors of 4096 bytes in the place of an empty one."""
        kernel.storage.disks.present[name].logical_block_size = 4096
        kernel.storage.disks.plug(kernel.storage.disks.pull(name))

    def test_an_array_of_disks_of_both_is_not_made(self, kernel: FakeKernel) -> None:
        self.enlarge(kernel, "sdc")
        with pytest.raises(ArrayError, match="/dev/sdc has sectors of 4096 bytes, not of 512"):
            md.ensure_created(kernel.host, ARRAY)
        assert not kernel.interrupt.log

    def test_an_array_has_those_of_its_disks(self, kernel: FakeKernel) -> None:
        for name in ("sda", "sdb", "sdc", "sdd"):
            self.enlarge(kernel, name)
        md.ensure_created(kernel.host, ARRAY)
        assert status(kernel).sector_size == 4096

    @pytest.mark.parametrize("raid_type", ["raid_dp", "raid10"])
    def test_a_replacement_with_others_is_refused_and_nothing_is_written(
        self, kernel: FakeKernel, raid_type: str
    ) -> None:
        array = replace(ARRAY, raid_type=raid_type)
        md.ensure_created(kernel.host, array)
        self.enlarge(kernel, "sde")
        kernel.storage.fail_disk("sdb")
        steps = len(kernel.interrupt.log)
        wanted = replace(array, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
        with pytest.raises(ArrayError, match="/dev/sde has sectors of 4096 bytes, not of 512"):
            md.ensure_members(kernel.host, wanted)
        assert kernel.storage.disks.present["sde"].superblock is None
        assert all("--add" not in step for step in kernel.interrupt.log[steps:])


def test_a_disk_that_left_can_be_freed(used: FakeKernel) -> None:
    used.storage.fail_disk("sdb")
    wanted = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    md.ensure_members(used.host, wanted)
    assert md.ensure_erased(used.host, ARRAY.uuid, ["/dev/sdb"]) is Ensured.CHANGED
    assert md.ensure_erased(used.host, ARRAY.uuid, ["/dev/sdb"]) is Ensured.UNCHANGED
    assert not used.storage.disks.present["sdb"].signatures()


def test_too_many_failures_are_told(used: FakeKernel) -> None:
    for name in ("sda", "sdb", "sdc"):
        used.storage.fail_disk(name)
    assert status(used).state == "failed"


@pytest.mark.parametrize(
    ("activity", "completed", "state", "percent"),
    [
        ("resync", "250 / 1000", "resyncing", 25.0),
        ("recover", "10 / 1000", "rebuilding", 1.0),
        ("check", "delayed", "checking", None),
    ],
)
def test_progress_is_told(
    used: FakeKernel, activity: str, completed: str, state: str, percent: float | None
) -> None:
    used.files.write(f"/sys/block/{NAME}/md/sync_action", activity)
    used.files.write(f"/sys/block/{NAME}/md/sync_completed", completed)
    assert (status(used).state, status(used).percent) == (state, percent)


def test_removal_frees_the_disks(used: FakeKernel) -> None:
    assert md.ensure_removed(used.host, ARRAY) is Ensured.CHANGED
    assert md.ensure_removed(used.host, ARRAY) is Ensured.UNCHANGED
    assert all(not used.storage.disks.present[d[5:]].signatures() for d in DISKS)


def test_what_was_just_stopped_counts_as_gone_although_its_files_are_there(
    used: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = used.host.files
    read = files.read

    def refuse(path: str) -> str:
        if path == f"/sys/block/{NAME}/md/array_state":
            raise FileError("read", path, errno.EBUSY)
        return read(path)

    monkeypatch.setattr(files, "read", refuse)
    assert md.status(used.host, AGGREGATE, 0) is None


def test_a_removal_that_was_cut_short_is_finished(used: FakeKernel) -> None:
    for step in range(1, 6):
        kernel = FakeKernel()
        md.ensure_created(kernel.host, ARRAY)
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            md.ensure_removed(kernel.host, ARRAY)
        md.ensure_removed(kernel.host, ARRAY)
        assert all(not kernel.storage.disks.present[d[5:]].signatures() for d in DISKS)


def test_an_array_is_found_from_its_disks_alone(used: FakeKernel) -> None:
    used.reboot()
    assert md.ensure_running_by_uuid(used.host, ARRAY.uuid, DISKS[1:]) == ARRAY.device
    assert status(used).state == "degraded"
    assert md.ensure_running_by_uuid(used.host, ARRAY.uuid, DISKS[1:]) == ARRAY.device


def test_an_array_is_read_without_a_trace(used: FakeKernel) -> None:
    used.reboot()
    present = used.storage.disks.present
    before = {name: str(disk.superblock) for name, disk in present.items()}
    with md.readable(used.host, ARRAY.uuid, DISKS[1:]) as device:
        assert device == ARRAY.device
        assert used.host.files.read(f"/sys/block/{device[5:]}/md/array_state") == "readonly"
    assert not used.storage.arrays.running
    assert {name: str(disk.superblock) for name, disk in present.items()} == before
    md.ensure_running(used.host, ARRAY)
    assert status(used).state == "clean"


def test_an_array_that_runs_is_read_as_it_is(used: FakeKernel) -> None:
    with md.readable(used.host, ARRAY.uuid, DISKS[1:]):
        assert status(used).state == "clean"
    assert status(used).state == "clean"


def test_an_array_whose_reader_was_killed_is_started_to_be_written_to(used: FakeKernel) -> None:
    used.reboot()
    used.kill_after(2)
    with pytest.raises(Killed), md.readable(used.host, ARRAY.uuid, DISKS):
        pass
    used.interrupt.clear()
    assert status(used).state == "inactive"
    assert md.ensure_running(used.host, ARRAY) is Ensured.CHANGED
    assert status(used).state == "clean"


def test_a_foreign_array_is_not_started(kernel: FakeKernel) -> None:
    foreign = Foreign("linux_raid_member", "raid", "nas:0", "99999999-9999-4999-8999-999999999999")
    kernel.storage.disks.present["sda"].foreign.append(foreign)
    assert md.ensure_running_by_uuid(kernel.host, foreign.uuid, ["/dev/sda"]) == ""
    assert not kernel.interrupt.log


class HalfMade:
    """Files of a machine on which mdadm has made an array's device, and is not done."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def read(self, path: str) -> str:
        """See `host.Files`."""
        if path.endswith(("/md/raid_disks", "/md/level")):
            return ""
        return "clear" if path.endswith("/md/array_state") else self._files.read(path)


def test_an_array_that_is_half_made_does_not_run_yet(used: FakeKernel) -> None:
    host = replace(used.host, files=HalfMade(used.host.files))
    half_made = md.status(host, AGGREGATE, 0)
    assert half_made is not None
    assert (half_made.state, half_made.raid_disks) == ("inactive", 0)
