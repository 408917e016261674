"""The fake machine's storage is as strict as mdadm, LVM, wipefs and device-mapper are."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from fakes import FakeKernel
from sanstone.kernel import names
from sanstone.kernel.host import CommandError, RequestError, Target
from sanstone.kernel.storage import lvm, md, thin

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(ARRAY.device, 131072),))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with eight empty disks."""
    return FakeKernel()


@pytest.fixture
def active(kernel: FakeKernel) -> FakeKernel:
    """A machine with an active pool."""
    md.ensure_created(kernel.host, ARRAY)
    lvm.ensure_created(kernel.host, GROUP)
    return kernel


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("mdadm --frob /dev/sda", 2, "unrecognized option"),
        ("mdadm --stop --frob /dev/md_x", 2, "unrecognized option"),
        ("mdadm --stop /dev/md_x", 1, "error opening"),
        ("mdadm --zero-superblock /dev/sda", 1, "Unrecognised md component"),
        ("mdadm --examine --export /dev/sda", 1, "No md superblock"),
        ("mdadm --manage /dev/md_x --add /dev/sda", 1, "error opening"),
        ("lvm vgchange --devices /dev/md_x --activate y vg", 5, "not found"),
        ("lvm vgcreate --devices /dev/sdz --frob y vg", 3, "unrecognized option"),
        ("lvm vgcreate --devices /dev/sdz vg /dev/sdz", 5, "No device found"),
        ("wipefs --no-act --json --output DEVICE /dev/sdz", 1, "No such file"),
        ("wipefs --no-act --frob /dev/sda", 1, "unrecognized option"),
        ("lsblk --frob", 1, "unrecognized option"),
        ("lsblk --nodeps --json /dev/sdz", 64, "not a block device"),
    ],
)
def test_refusals_of_the_program_are_errors(
    kernel: FakeKernel, command: str, status: int, message: str
) -> None:
    with pytest.raises(CommandError, match=message) as error:
        kernel.host.commands.run(command.split())
    assert error.value.status == status
    assert not kernel.interrupt.log


def test_members_of_a_running_array_are_busy(active: FakeKernel) -> None:
    run = active.host.commands.run
    for command in (
        "mdadm --zero-superblock /dev/sda",
        "wipefs --all --quiet /dev/sda",
        f"wipefs --all --quiet {ARRAY.device}",
    ):
        with pytest.raises(CommandError, match="Device or resource busy"):
            run(command.split())
    with pytest.raises(CommandError, match="active volume group"):
        run(["mdadm", "--stop", ARRAY.device])


def test_assembly_aborts_at_a_disk_without_superblock(active: FakeKernel) -> None:
    active.reboot()
    argv = ["mdadm", "--assemble", f"/dev/md/{ARRAY.name}", f"--uuid={ARRAY.uuid}"]
    with pytest.raises(CommandError, match="no superblock - assembly aborted"):
        active.host.commands.run([*argv, *ARRAY.disks, "/dev/sde"])


def test_a_member_that_missed_writes_is_left_out(active: FakeKernel) -> None:
    active.remove_disk("sda")
    active.storage.arrays.written(ARRAY.device.removeprefix("/dev/"))
    active.reboot()
    active.add_disk("sda")
    md.ensure_running(active.host, ARRAY)
    group = md.status(active.host, AGGREGATE, 0)
    assert group is not None
    assert "sda" not in {member.device for member in group.members}


def test_a_reboot_keeps_what_is_on_disks_and_nothing_else(active: FakeKernel) -> None:
    thin.ensure_thin(active.host, names.pool_device(AGGREGATE), 1)
    active.reboot()
    assert active.host.mapper.devices() == []
    assert not active.storage.arrays.running
    md.ensure_running(active.host, ARRAY)
    lvm.ensure_active(active.host, GROUP)
    with pytest.raises(RequestError) as error:
        active.host.mapper.message(names.pool_device(AGGREGATE), "create_thin 1")
    assert error.value.errno == errno.EEXIST


def test_a_table_takes_effect_with_the_resume(active: FakeKernel) -> None:
    mapper = active.host.mapper
    pool = mapper.state(names.pool_device(AGGREGATE))
    assert pool is not None
    thin.ensure_thin(active.host, names.pool_device(AGGREGATE), 1)
    mapper.create("x", "X")
    mapper.load("x", [Target(0, 8, "thin", f"253:{pool.device.minor} 1")])
    assert mapper.table("x") == []
    mapper.resume("x")
    assert [target.length for target in mapper.table("x")] == [8]


@pytest.mark.parametrize(
    ("target", "number"),
    [
        (Target(0, 8, "thin", "253:99 1"), errno.EINVAL),
        (Target(0, 8, "frob", ""), errno.EINVAL),
        (Target(0, 9, "crypt", "cipher_null-ecb - 0 8:16 0 1 sector_size:4096"), errno.EINVAL),
        (Target(0, 8, "crypt", "cipher_null-ecb - 0 9:99 0 1 sector_size:4096"), errno.EINVAL),
    ],
)
def test_an_impossible_table_is_refused(kernel: FakeKernel, target: Target, number: int) -> None:
    kernel.host.mapper.create("x", "X")
    with pytest.raises(RequestError) as error:
        kernel.host.mapper.load("x", [target])
    assert error.value.errno == number


def test_a_table_that_does_not_fit_its_device_is_not_installed(kernel: FakeKernel) -> None:
    mapper = kernel.host.mapper
    mapper.create("x", "X")
    mapper.load("x", [Target(0, 2**40, "crypt", "cipher_null-ecb - 0 8:16 0")])
    with pytest.raises(RequestError) as error:
        mapper.resume("x")
    assert error.value.errno == errno.EINVAL
    assert mapper.table("x") == []


def test_names_and_uuids_of_devices_are_unique(kernel: FakeKernel) -> None:
    mapper = kernel.host.mapper
    mapper.create("x", "X")
    for name, uuid in (("x", "Y"), ("y", "X")):
        with pytest.raises(RequestError) as error:
            mapper.create(name, uuid)
        assert error.value.errno == errno.EBUSY
    with pytest.raises(RequestError) as error:
        mapper.remove("z")
    assert error.value.errno == errno.ENXIO
    with pytest.raises(RequestError) as error:
        mapper.resume("x")
    assert error.value.errno == errno.EINVAL


def test_a_group_cannot_take_an_array_of_another(active: FakeKernel) -> None:
    argv = ["lvm", "vgcreate", "--devices", ARRAY.device, "--yes", "other", ARRAY.device]
    with pytest.raises(CommandError, match="already in volume group"):
        active.host.commands.run(argv)


def test_larger_sectors_of_a_new_member_come_with_the_next_start(active: FakeKernel) -> None:
    """As of RAID 6 on Linux 6.12: an array keeps its sectors while it runs."""
    sectors = f"/sys/block/{ARRAY.device.removeprefix('/dev/')}/queue/logical_block_size"
    active.storage.fail_disk("sda")
    active.storage.disks.present["sde"].logical_block_size = 4096
    active.host.commands.run(["mdadm", "--manage", ARRAY.device, "--add", "/dev/sde"])
    assert active.host.files.read(sectors) == "512"
    active.reboot()
    md.ensure_running(active.host, replace(ARRAY, disks=("/dev/sde", *ARRAY.disks[1:])))
    assert active.host.files.read(sectors) == "4096"


def test_a_pulled_disk_keeps_its_content(active: FakeKernel) -> None:
    before = active.storage.disks.present["sda"].superblock
    active.remove_disk("sda")
    assert active.host.files.block_number("/dev/sda") is None
    name = active.add_disk("sda")
    assert active.storage.disks.present[name].superblock == before


def test_a_pulled_disk_is_in_sync_until_md_writes(active: FakeKernel) -> None:
    active.remove_disk("sda")
    md_of = f"/sys/block/{ARRAY.device.removeprefix('/dev/')}/md/dev-sda"
    assert active.host.files.read(f"{md_of}/state") == "in_sync"
    with pytest.raises(CommandError, match="stat failed for /dev/sda"):
        argv = ["mdadm", "--manage", ARRAY.device, "--replace", "/dev/sda", "--with", "/dev/sde"]
        active.host.commands.run(argv)
    active.storage.arrays.written(ARRAY.device.removeprefix("/dev/"))
    assert active.host.files.read(f"{md_of}/state") == "faulty"
    active.host.commands.run(["mdadm", "--manage", ARRAY.device, "--remove", "sda"])
    assert not active.host.files.exists(md_of)


def test_no_member_is_failed_without_which_the_array_would_fail(active: FakeKernel) -> None:
    argv = ["mdadm", "--manage", ARRAY.device, "--fail"]
    for name in ("sda", "sdb"):
        active.host.commands.run([*argv, name])
    with pytest.raises(CommandError, match="array will be failed"):
        active.host.commands.run([*argv, "sdc"])


def test_machines_with_the_same_history_have_the_same_dump(kernel: FakeKernel) -> None:
    other = FakeKernel()
    for machine in (kernel, other):
        md.ensure_created(machine.host, ARRAY)
        lvm.ensure_created(machine.host, GROUP)
    assert kernel.dump() == other.dump()
    thin.ensure_thin(other.host, names.pool_device(AGGREGATE), 1)
    assert kernel.dump() != other.dump()


def test_an_interrupted_history_has_the_dump_of_an_undisturbed_one(kernel: FakeKernel) -> None:
    """How often superblocks were written and which numbers devices got is no difference."""
    other = FakeKernel()
    md.ensure_created(kernel.host, ARRAY)
    lvm.ensure_created(kernel.host, GROUP)
    scratch = replace(ARRAY, number=1, raid_type="raid1", disks=("/dev/sde", "/dev/sdf"))
    md.ensure_created(other.host, scratch)
    md.ensure_created(other.host, ARRAY)
    md.ensure_removed(other.host, scratch)
    lvm.ensure_created(other.host, GROUP)
    assert kernel.dump() == other.dump()
