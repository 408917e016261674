"""Disks: which are listed, which are free, and which are never touched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from fakes import FakeKernel
from fakes.commands import FakeCommands
from fakes.disks import Foreign
from fakes.files import Directory, SymbolicLink, Text
from sanstone.kernel.host import Commands, CommandTimeout, Host
from sanstone.kernel.storage import block, md
from sanstone.kernel.storage.block import ContentError, Disk


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with three data disks."""
    return FakeKernel(disks=3)


def disk(kernel: FakeKernel, name: str) -> Disk:
    """Return one disk as the driver sees it."""
    return {each.name: each for each in block.disks(kernel.host)}[name]


def test_empty_disks_are_free_and_the_system_disk_is_not(kernel: FakeKernel) -> None:
    obstacles = {each.name: each.obstacle for each in block.disks(kernel.host)}
    assert obstacles == {"sda": "", "sdb": "", "sdc": "", "nvme0n1": "mounted at /"}


@pytest.mark.parametrize(
    ("foreign", "content"),
    [
        (Foreign("ext4", "filesystem", "home"), "ext4 file system home"),
        (Foreign("gpt", "partition-table"), "gpt partition table"),
        (Foreign("LVM2_member", "raid", uuid="x"), "LVM physical volume"),
        (Foreign("linux_raid_member", "raid", "nas:0", "u"), "md member of nas:0"),
        (Foreign("zfs_member", "raid"), "zfs_member"),
    ],
)
def test_a_disk_with_content_is_described_and_refused(
    kernel: FakeKernel, foreign: Foreign, content: str
) -> None:
    kernel.storage.disks.present["sdb"].foreign.append(foreign)
    assert disk(kernel, "sdb").content == content
    with pytest.raises(ContentError, match="/dev/sdb: holds data that is not ours"):
        block.require_empty(kernel.host, ["/dev/sda", "/dev/sdb"])


def second_path(kernel: FakeKernel, name: str) -> str:
    """Have a disk be reached by another device too, and return its name."""
    own = kernel.storage.disks.present[name]
    kernel.storage.disks.plug(replace(own, name="sdz"))
    return "sdz"


def test_two_paths_to_a_disk_are_one_disk(kernel: FakeKernel) -> None:
    second_path(kernel, "sda")
    sda = disk(kernel, "sda")
    assert (sda.other_paths, sda.obstacle) == (("/dev/sdz",), "")
    assert "sdz" not in {each.name for each in block.disks(kernel.host)}


def test_the_path_that_is_in_use_stays_the_one(kernel: FakeKernel) -> None:
    other = second_path(kernel, "sda")
    array = md.Array("aaaaaaaa-1111-4111-8111-111111111111", 0, "raid1", ("/dev/sdz", "/dev/sdb"))
    md.ensure_created(kernel.host, array)
    present = kernel.storage.disks.present
    present["sda"].superblock = present["sdz"].superblock
    assert disk(kernel, other).other_paths == ("/dev/sda",)


def test_a_stranger_with_all_names_of_a_member_is_no_path_to_it(kernel: FakeKernel) -> None:
    second_path(kernel, "sda")
    array = md.Array("aaaaaaaa-1111-4111-8111-111111111111", 0, "raid1", ("/dev/sda", "/dev/sdb"))
    md.ensure_created(kernel.host, array)
    conflicts = {each.name: each.identity_conflict for each in block.disks(kernel.host)}
    assert conflicts["sda"]
    assert conflicts["sdz"]


def test_two_disks_of_one_identity_are_both_refused(kernel: FakeKernel) -> None:
    disks = kernel.storage.disks.present
    disks["sdb"].wwn = disks["sda"].wwn
    obstacles = {each.name: each.obstacle for each in block.disks(kernel.host)}
    assert obstacles["sda"] == obstacles["sdb"] == "another disk has the same identity"
    assert obstacles["sdc"] == ""


def test_a_disk_is_known_by_its_world_wide_name_then_by_its_serial_number(
    kernel: FakeKernel,
) -> None:
    present = kernel.storage.disks.present
    assert disk(kernel, "sda").identity == f"wwn:{present['sda'].wwn}"
    present["sda"].wwn = ""
    assert disk(kernel, "sda").identity == "serial:FAKE DISK:SERIAL-sda"
    present["sda"].serial = ""
    assert disk(kernel, "sda").obstacle == "tells neither a world-wide name nor a serial number"


def test_identity_stays_when_names_change(kernel: FakeKernel) -> None:
    before = disk(kernel, "sda").identity
    kernel.storage.disks.swap_names("sda", "sdb")
    kernel.reboot()
    assert disk(kernel, "sdb").identity == before


def test_one_unreadable_disk_does_not_hide_the_others(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sda"].broken = True
    assert "Input/output error" in disk(kernel, "sda").content
    assert disk(kernel, "sdb").obstacle == ""


class Hanging:
    """Commands on a machine in which one disk does not answer."""

    def __init__(self, commands: Commands, disk: str) -> None:
        self._commands, self._disk = commands, disk

    def run(self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None) -> str:
        """See `host.Commands`."""
        if argv[0] == "wipefs" and self._disk in argv:
            assert time_limit is not None
            raise CommandTimeout(argv, time_limit)
        return self._commands.run(argv, stdin=stdin, time_limit=time_limit)

    def run_on_terminal(self, argv: Sequence[str]) -> None:
        """See `host.Commands`."""
        self._commands.run_on_terminal(argv)

    def require(self, programs: Iterable[str]) -> None:
        """See `host.Commands`."""
        self._commands.require(programs)


def test_a_silent_disk_is_reported_and_does_not_hide_the_others() -> None:
    kernel = FakeKernel(disks=block.PORTION + 3)
    commands = Hanging(kernel.host.commands, "/dev/sdb")
    steps = []
    host = replace(kernel.host, commands=commands)
    by_name = {each.name: each for each in block.disks(host, lambda: steps.append(1))}
    assert "no answer within 20 s" in by_name["sdb"].content
    assert all(not each.content for each in by_name.values() if each.name not in ("sdb", "nvme0n1"))
    # The watchdog waits for no more than one disk at a time.
    assert len(steps) > block.PORTION


class Listing(FakeCommands):
    """Commands that answer with a given listing and no signatures."""

    def __init__(self, *rows: dict[str, object]) -> None:
        super().__init__()
        self.rows = rows

    def run(self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None) -> str:
        """See `host.Commands`."""
        if argv[0] == "lsblk":
            return json.dumps({"blockdevices": [row for row in self.rows if row["path"] in argv]})
        return '{"signatures": []}'


def row(name: str, **others: object) -> dict[str, object]:
    """Return a line of lsblk for an empty virtio disk."""
    return {
        "name": name,
        "path": f"/dev/{name}",
        "size": 2**30,
        "serial": name,
        "wwn": None,
        "vendor": "0x1af4",
        "model": None,
        "rev": None,
        "rota": True,
        "ro": False,
        "tran": "virtio",
        "log-sec": 512,
        "disc-max": 0,
        "phy-sec": 512,
        "mountpoints": [None],
        "partlabel": None,
        "fstype": None,
        **others,
    }


def listed(kernel: FakeKernel, *rows: dict[str, object]) -> list[Disk]:
    """Return the disks of a machine whose kernel has `rows`, and whose lsblk lists them."""
    lines = ["major minor  #blocks  name", ""]
    for number, each in enumerate(rows):
        lines.append(f" 8 {16 * number} 1048576 {each['name']}")
        kernel.files.place(f"/sys/class/block/{each['name']}/holders", Directory())
    kernel.files.place("/proc/partitions", Text("\n".join(lines)))
    host: Host = replace(kernel.host, commands=Listing(*rows))
    return block.disks(host)


def hold(kernel: FakeKernel, device: str, holder: str) -> None:
    """Let the kernel show a device on top of another."""
    kernel.files.place(f"/sys/class/block/{device}/holders/{holder}", Directory())


def hold_mapped(kernel: FakeKernel, device: str, name: str) -> None:
    """Let the kernel show a device of device-mapper's on top of another."""
    hold(kernel, device, f"dm-{kernel.mapper.create(name, name).minor}")


@pytest.mark.parametrize(
    "name", ["loop0", "ram1", "zram0", "sr0", "md127", "dm-3", "nbd0", "nvme0c0n1", "sda1", "fd0"]
)
def test_partitions_and_other_devices_are_not_listed(kernel: FakeKernel, name: str) -> None:
    assert listed(kernel, row(name)) == []


def test_a_mounted_partition_is_content(kernel: FakeKernel) -> None:
    [vda] = listed(kernel, row("vda"), row("vda1", mountpoints=["[SWAP]"]))
    assert vda.content == "mounted at [SWAP]"


def test_a_mounted_mapped_device_is_content(kernel: FakeKernel) -> None:
    kernel.files.place("/proc/self/mountinfo", Text("36 35 253:0 / /srv rw - ext4 /dev/dm-0 rw"))
    mapped, partition = SymbolicLink("../../devices/virtual/block/dm-0"), "../../virtio/vda/vda1"
    kernel.files.place("/sys/dev/block/253:0", mapped)
    kernel.files.place("/sys/dev/block/253:0/slaves/vda1", SymbolicLink(partition))
    hold_mapped(kernel, "vda1", "crypt")
    [vda] = listed(kernel, row("vda"), row("vda1"))
    assert vda.content == "mounted at /srv"


def test_a_disk_under_something_unknown_is_in_use(kernel: FakeKernel) -> None:
    hold_mapped(kernel, "sdaa", "mpatha")
    hold(kernel, "sdb1", "md9")
    disks = listed(kernel, row("sdaa"), row("sdb"), row("sdb1"))
    assert [disk.content for disk in disks] == ["in use by md9", "in use by mpatha"]


def test_erasable_and_busy_disks_are_distinguished(kernel: FakeKernel) -> None:
    for name in ("sda", "sdb"):
        kernel.storage.disks.present[name].foreign.append(Foreign("ext4", "filesystem"))
    kernel.files.place("/sys/class/block/sdb/holders/md9", Directory())
    kernel.storage.disks.present["sdc"].broken = True
    assert disk(kernel, "sda").busy == ""
    assert disk(kernel, "sdb").content == "ext4 file system"
    assert disk(kernel, "sdb").busy == "in use by md9"
    assert disk(kernel, "sdc").busy.startswith("unreadable: ")
    assert disk(kernel, "nvme0n1").busy == "mounted at /"


def test_a_disk_that_goes_while_it_is_looked_at_does_not_hide_the_others(
    kernel: FakeKernel,
) -> None:
    class Pulling(Listing):
        """Commands of a machine whose sda is pulled before lsblk gets to it."""

        def run(
            self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None
        ) -> str:
            if "/dev/sda" in argv and "sda" in kernel.storage.disks.present:
                kernel.storage.remove_disk("sda")
            return kernel.host.commands.run(argv, stdin=stdin)

    disks = block.disks(replace(kernel.host, commands=Pulling()))
    assert [disk.name for disk in disks] == ["sdb", "sdc", "nvme0n1"]


def test_a_write_protected_disk_is_refused(kernel: FakeKernel) -> None:
    [sda] = listed(kernel, row("sda", ro=True))
    assert sda.obstacle == "write-protected"


def test_absent_facts_are_empty_texts(kernel: FakeKernel) -> None:
    [vdb] = listed(kernel, row("vdb"))
    assert (vdb.vendor, vdb.model, vdb.firmware, vdb.wwn) == ("", "", "", "")
    assert vdb.transport == "virtio"


def test_disks_are_in_the_order_in_which_people_count(kernel: FakeKernel) -> None:
    assert [d.name for d in listed(kernel, row("sdaa"), row("sdb"), row("sda"))] == [
        "sda",
        "sdb",
        "sdaa",
    ]


@pytest.mark.parametrize(
    ("rotational", "offloads", "zeroes"),
    [(False, True, True), (False, False, False), (True, True, False)],
)
def test_only_a_disk_that_clears_itself_quickly_zeroes_itself(
    kernel: FakeKernel, rotational: bool, offloads: bool, zeroes: bool
) -> None:
    queue = "/sys/block/sda/queue"
    kernel.files.write(f"{queue}/rotational", str(int(rotational)))
    kernel.files.write(f"{queue}/write_zeroes_max_bytes", "2147483136" if offloads else "0")
    assert block.zeroes_itself(kernel.host, "/dev/sda") is zeroes
