"""A new disk in the place of a dead one of two system disks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from machine import BOOT, EFI, GIB, SYSTEM, Machine, answers
from standing_clock import Clock

from fakes import Killed
from fakes.disks import Superblock
from fakes.files import Text
from sanstone.install import disks, installer, mirror
from sanstone.install.disks import Candidate, WrongDisk
from sanstone.install.installer import CannotInstall, Medium
from sanstone.install.mirror import NoMirror, Remaining
from sanstone.install.targets import partition_path
from sanstone.kernel.host import HostError
from sanstone.system import boot_order, grub_environment, layout

LATER = {"ORDER": "b a", "a_OK": "1", "a_TRY": "0", "b_OK": "1", "b_TRY": "0"}
OURS = "sanstone:sanstone-1a2b3c4d-0"

pytestmark = pytest.mark.usefixtures("light")


def install(machine: Machine, content: Medium, *system_disks: str) -> None:
    choices = answers(*system_disks)
    installer.install(machine.host, content, choices, lambda *_: None, machine.folder / "work")
    machine.power_cycle()


def bereave(machine: Machine, content: Medium) -> Machine:
    """Install on sda and sdb, update, and take sdb away."""
    install(machine, content, "/dev/sda", "/dev/sdb")
    for path in ("/dev/sda2", "/dev/sdb2"):
        grub_environment.write(
            machine.kernel.host.files, machine.file_system(path) / "grub/grubenv", LATER
        )
    machine.kernel.storage.disks.pull("sdb")
    return machine


@pytest.fixture
def bereft(machine: Machine, content: Medium) -> Machine:
    """A machine with one of two system disks, sda; sdc and sdd are empty."""
    return bereave(machine, content)


def look(machine: Machine) -> Remaining:
    return mirror.look(machine.host, machine.folder / "work")


def candidate(machine: Machine, path: str = "/dev/sdc") -> Candidate:
    [match] = [c for c in disks.candidates(machine.host) if c.path == path]
    return match


def complete(machine: Machine, new: str = "/dev/sdc") -> None:
    remaining, chosen = look(machine), candidate(machine, new)
    mirror.complete(machine.host, remaining, chosen, lambda *_: None, machine.folder / "work")


def finish(machine: Machine, medium_folder: Path) -> None:
    remaining, work = look(machine), machine.folder / "work"
    mirror.finish(machine.host, remaining, medium_folder, lambda *_: None, work)


def assert_alike(machine: Machine, one: str, other: str) -> None:
    for partition in layout.PARTITIONS:
        first, second = (partition_path(disk, partition) for disk in (one, other))
        assert machine.partitions[second] == partition.name
        if partition.mirrored:
            assert machine.contents.get(second, b"") == machine.contents.get(first, b"")
    assert machine.contents[partition_path(other, layout.SYSTEM["a"])].startswith(SYSTEM)


def test_the_new_disk_has_what_the_other_has(bereft: Machine) -> None:
    complete(bereft)
    assert bereft.clean
    assert_alike(bereft, "/dev/sda", "/dev/sdc")
    result = look(bereft)
    assert (result.disks, result.unfinished) == (("/dev/sda", "/dev/sdc"), ())


def test_the_new_disk_boots_like_the_other(bereft: Machine) -> None:
    complete(bereft)
    esp = bereft.file_system("/dev/sdc2")
    assert (esp / "EFI/BOOT/BOOTX64.EFI").read_bytes() == EFI
    assert (esp / "grub/grub.cfg").read_text() == "# menu\n"
    assert grub_environment.read(esp / "grub/grubenv") == LATER
    for part, length in (("", layout.BOOT_CODE), ("1", 30720)):
        old, new = (bytes(bereft.contents[f"/dev/{disk}{part}"]) for disk in ("sda", "sdc"))
        assert new[:length] == old[:length] != bytes(length)


def test_unsuitable_disks_are_refused(bereft: Machine) -> None:
    present = bereft.kernel.storage.disks.present
    present["sdc"].superblock = Superblock("1a2b3c4d-0000-5000-8000-000000000000", OURS, "0", 1, 0)
    remaining = look(bereft)
    present["sdd"].size = remaining.size - 1

    def obstacles() -> dict[str, str]:
        candidates = disks.candidates(bereft.host)
        return {
            c.path: mirror.obstacle(c, remaining)
            for c in candidates
            if c.path not in remaining.disks
        }

    assert "a disk of an aggregate" in obstacles()["/dev/sdc"]
    assert obstacles()["/dev/sdd"]
    present["sdd"].size = 8 * GIB
    assert obstacles()["/dev/sdd"] == ""
    bereft.kernel.files.place("/sys/firmware/efi", Text(""))
    present["sdd"].logical_block_size = 4096
    assert obstacles()["/dev/sdd"] == "has sectors of 4096 bytes, the other 512"


@pytest.mark.parametrize("system_disks", [(), ("/dev/sda",)])
def test_without_mirrored_disks(
    machine: Machine, content: Medium, system_disks: tuple[str, ...]
) -> None:
    if system_disks:
        install(machine, content, *system_disks)
    with pytest.raises(NoMirror, match="none"):
        look(machine)
    assert machine.clean


def test_two_systems_are_not_guessed_at(machine: Machine, content: Medium) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    install(machine, content, "/dev/sdc", "/dev/sdd")
    with pytest.raises(NoMirror, match="/dev/sda7, /dev/sdb7, /dev/sdc7, /dev/sdd7"):
        look(machine)


def test_a_new_disk_has_room_for_what_lies_at_the_ends(bereft: Machine) -> None:
    """The state begins at 7 MiB here, and 6 GiB of it are mirrored."""
    present, end = bereft.kernel.storage.disks.present, 6 * GIB + 7 * layout.MIB

    def fits(size: int) -> bool:
        present["sdd"].size = size
        return not mirror.obstacle(candidate(bereft, "/dev/sdd"), look(bereft))

    assert not fits(end + layout.MIB)
    assert fits(end + 2 * layout.MIB)
    present["sda"].size = end + layout.MIB
    assert fits(end + layout.MIB)
    assert not fits(end + layout.MIB - 512)


def test_a_disk_that_is_behind_is_not_the_measure(machine: Machine, content: Medium) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    machine.stale.add("/dev/sda")
    assert look(machine).disks == ("/dev/sdb",)


def test_a_disk_that_lacks_a_slot_is_not_whole(machine: Machine, content: Medium) -> None:
    """md drops one member after an error of one write."""
    install(machine, content, "/dev/sda", "/dev/sdb")
    machine.stale.add("/dev/sdb6")
    assert look(machine).disks == ("/dev/sda",)
    machine.stale.add("/dev/sda7")
    with pytest.raises(NoMirror, match="sanstone-system-b on /dev/sdb; sanstone-state on /dev/sda"):
        look(machine)
    assert machine.clean


def test_a_dead_disk_that_is_still_there(machine: Machine, content: Medium) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    machine.kernel.storage.disks.present["sdb"].broken = True
    assert look(machine).disks == ("/dev/sda",)
    complete(machine)
    assert_alike(machine, "/dev/sda", "/dev/sdc")


def test_disks_that_changed_since_they_were_shown_are_not_erased(bereft: Machine) -> None:
    remaining, chosen = look(bereft), candidate(bereft)
    present = bereft.kernel.storage.disks.present
    present["sdc"].serial, before = "ANOTHER", dict(bereft.contents)
    with pytest.raises(WrongDisk, match="no longer at /dev/sdc"):
        mirror.complete(bereft.host, remaining, chosen, lambda *_: None, bereft.folder / "work")
    bereft.kernel.storage.disks.pull("sda")
    with pytest.raises(NoMirror):
        mirror.complete(bereft.host, remaining, chosen, lambda *_: None, bereft.folder / "work")
    assert bereft.contents == before
    assert bereft.clean


@pytest.mark.parametrize(
    ("updated", "order"),
    [(True, boot_order.UNKNOWN), (False, boot_order.FIRST)],
    ids=["updated", "never updated"],
)
def test_the_medium_has_a_loader_where_no_disk_has(
    bereft: Machine, medium_folder: Path, updated: bool, order: dict[str, str]
) -> None:
    """The new disk lacked its last step when the other one died, too."""
    if updated:
        bereft.contents["/dev/sda4"] = bytearray(BOOT)
    complete(bereft)
    bereft.contents["/dev/sdc"][: layout.BOOT_CODE] = bytes(layout.BOOT_CODE)
    bereft.kernel.storage.disks.pull("sda")
    bereft.power_cycle()
    assert look(bereft).unfinished == ("/dev/sdc",)
    finish(bereft, medium_folder)
    assert look(bereft).unfinished == ()
    esp = bereft.file_system("/dev/sdc2")
    assert (esp / "EFI/BOOT/BOOTX64.EFI").read_bytes() == EFI
    assert grub_environment.read(esp / "grub/grubenv") == order


def test_uefis_boot_file_is_written_last(bereft: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[str] = []
    store = bereft.kernel.files.store

    def record(path: str, content: bytes, mode: int, group: int = -1) -> None:
        files.append(Path(path).name)
        store(path, content, mode, group)

    monkeypatch.setattr(bereft.kernel.files, "store", record)
    complete(bereft)
    assert files == ["grubenv", "grub.cfg", "BOOTX64.EFI"]


def test_a_system_that_runs_is_let_alone(bereft: Machine) -> None:
    remaining, chosen = look(bereft), candidate(bereft)
    bereft.kernel.files.place("/proc/cmdline", Text("quiet sanstone.slot=a"))
    before = dict(bereft.contents)
    with pytest.raises(CannotInstall, match="Boot the medium"):
        mirror.complete(bereft.host, remaining, chosen, lambda *_: None, bereft.folder / "work")
    assert bereft.contents == before


def test_a_failing_disk_is_an_error_and_boots_nothing(
    bereft: Machine, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", clock.sleep)
    bereft.failing.add("/dev/sdc")
    with pytest.raises(HostError, match="sanstone-boot-a is not copied to /dev/sdc3"):
        complete(bereft)
    assert bereft.clean
    assert not layout.is_bootable(bereft.host, "/dev/sdc")
    complete(bereft, "/dev/sdd")
    assert layout.is_bootable(bereft.host, "/dev/sdd")


@pytest.mark.parametrize("copied", [True, False], ids=["state copied", "state not copied"])
def test_killed_anywhere_it_is_done_again(
    tmp_path: Path, content: Medium, medium_folder: Path, copied: bool
) -> None:
    """The kernel may have copied the state by the time of the next try, or not."""
    steps = 0
    while True:
        steps += 1
        machine = bereave(Machine(tmp_path / str(steps)), content)
        machine.kernel.kill_after(steps, done=bool(steps % 2))
        try:
            complete(machine)
            break
        except Killed:
            machine.power_cycle()
        if not copied:
            machine.stale.add("/dev/sdc")
        remaining = look(machine)
        if remaining.unfinished:
            finish(machine, medium_folder)
        elif len(remaining.disks) == 1:
            complete(machine)
        assert machine.clean
        assert_alike(machine, "/dev/sda", "/dev/sdc")
        assert layout.is_bootable(machine.host, "/dev/sdc")
    assert steps > 20
