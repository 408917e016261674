"""An installation: the disks afterwards, refusals, and the disks after an error."""

from __future__ import annotations

import errno
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from installation import install, rows
from machine import BOOT, EFI, HASH, SYSTEM, Machine, answers
from migrated_database import UPGRADE

from fakes import Killed
from fakes.disks import FakePartition, Foreign, Superblock
from fakes.files import Text
from sanstone import migrate
from sanstone.core.database import store
from sanstone.install import disks, installer
from sanstone.install.answers import Address
from sanstone.install.boot import WrongLoader
from sanstone.install.disks import WrongDisk
from sanstone.install.images import WrongImage
from sanstone.install.installer import CannotInstall, Medium
from sanstone.kernel.host import CommandError, FileError, HostError
from sanstone.system import layout

OURS = "sanstone:sanstone-1a2b3c4d-0"


def content_of(machine: Machine, path: str, length: int) -> bytes:
    return bytes(machine.contents[path][:length])


def test_an_installation_on_one_disk(machine: Machine, content: Medium) -> None:
    note, reported = install(machine, content, answers("/dev/sda", timezone="Europe/Vienna"))
    assert note == ""
    names = [machine.partitions[f"/dev/sda{p.number}"] for p in layout.PARTITIONS]
    assert names == [p.name for p in layout.PARTITIONS]
    assert content_of(machine, "/dev/sda3", len(BOOT)) == BOOT
    assert content_of(machine, "/dev/sda5", len(SYSTEM)) == SYSTEM
    assert not {"/dev/sda4", "/dev/sda6"} & machine.contents.keys()
    esp = machine.file_system("/dev/sda2")
    assert (esp / "EFI/BOOT/BOOTX64.EFI").read_bytes() == EFI
    environment = (esp / "grub/grubenv").read_bytes()
    assert len(environment) == 1024
    assert b"\nORDER=a b\na_OK=1\na_TRY=0\nb_OK=0\nb_TRY=0\nTRIAL=\n#####" in environment
    assert machine.labels["/dev/sda7"] == "sanstone-state"
    state = machine.file_system("/dev/sda7")
    assert len((state / "machine-id").read_text().strip()) == 32
    assert rows(machine, "/dev/sda7", "SELECT name, timezone FROM cluster") == [
        ("san1", "Europe/Vienna")
    ]
    assert rows(machine, "/dev/sda7", "SELECT name, password FROM account") == [("admin", HASH)]
    assert rows(machine, "/dev/sda7", "SELECT * FROM ip_interface") == []
    assert (state / "tls/server.pem").exists()
    assert machine.clean
    whole = 2 * (len(BOOT) + len(SYSTEM))
    assert f"Writing the system {whole}/{whole}" in reported


def test_a_bios_finds_the_core_image(machine: Machine, content: Medium) -> None:
    install(machine, content, answers("/dev/sda"))
    sector = 2048
    first = content_of(machine, "/dev/sda", 512)
    assert len(first) == 440
    assert struct.unpack_from("<Q", first, 0x5C) == (sector,)
    assert first[0x66:0x68] == b"\x90\x90"
    core = content_of(machine, "/dev/sda1", 512)
    assert struct.unpack_from("<Q", core, 0x1F4) == (sector + 1,)
    assert core[:0x1F4] == content.loader.core[:0x1F4]


@pytest.mark.parametrize(("consoles", "serial"), [("ttyS0 tty0", False), ("tty0 ttyS0", True)])
def test_the_installed_system_speaks_where_the_medium_did(
    machine: Machine, content: Medium, light: None, consoles: str, serial: bool
) -> None:
    machine.kernel.files.place("/sys/class/tty/console/active", Text(consoles))
    install(machine, content, answers("/dev/sda"))
    environment = (machine.file_system("/dev/sda2") / "grub/grubenv").read_bytes()
    assert (b"\nCONSOLE=serial\n#" in environment) == serial
    assert len(environment) == 1024


def test_two_disks_mirror_each_other(
    machine: Machine, content: Medium, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "upgrade", UPGRADE)
    install(machine, content, answers("/dev/sda", "/dev/sdc"))
    for disk in ("/dev/sda", "/dev/sdc"):
        assert content_of(machine, f"{disk}5", len(SYSTEM)) == SYSTEM
        assert (machine.file_system(f"{disk}2") / "grub/grub.cfg").read_text() == "# menu\n"
        assert struct.unpack_from("<Q", content_of(machine, disk, 440), 0x5C) == (2048,)
    creations = [
        call for call in machine.kernel.commands.calls if call[:2] == ("mdadm", "--create")
    ]
    assert [(call[-2], call[-1]) for call in creations] == [
        (f"/dev/sda{p.number}", f"/dev/sdc{p.number}") for p in layout.PARTITIONS if p.mirrored
    ]
    assert all({"--metadata=1.0", "--level=1"} <= set(call) for call in creations)
    assert machine.labels["/dev/md_state"] == "sanstone-state"
    assert rows(machine, "/dev/md_state", "SELECT name FROM cluster") == [("san1",)]
    assert machine.clean


def test_a_static_address_is_the_arrays_own(machine: Machine, content: Medium) -> None:
    static = Address("192.0.2.10", 24, "192.0.2.1")
    install(machine, content, answers("/dev/sda", management=static))
    query = "SELECT name, address, prefix_length, port, service_policy, svm_uuid FROM ip_interface"
    assert rows(machine, "/dev/sda7", query) == [
        ("mgmt1", "192.0.2.10", 24, "e0M", "default-management", None)
    ]
    query = "SELECT address, prefix_length, gateway, svm_uuid FROM ip_route"
    assert rows(machine, "/dev/sda7", query) == [("0.0.0.0", 0, "192.0.2.1", None)]
    command = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in"]
    certificate = machine.file_system("/dev/sda7") / "tls/certificate.pem"
    names = subprocess.run([*command, certificate], check=True, capture_output=True, text=True)
    assert "DNS:san1" in names.stdout
    assert "IP Address:192.0.2.10" in names.stdout


def test_servers_of_names_and_of_time_are_the_arrays(machine: Machine, content: Medium) -> None:
    servers = {"name_servers": ("192.0.2.54", "192.0.2.53"), "time_servers": ("ntp.example.org",)}
    install(machine, content, answers("/dev/sda", **servers))
    query = "SELECT name_servers, dns_domains FROM cluster"
    assert rows(machine, "/dev/sda7", query) == [('["192.0.2.54", "192.0.2.53"]', "[]")]
    assert rows(machine, "/dev/sda7", "SELECT server FROM ntp_server") == [("ntp.example.org",)]


def test_no_password_and_no_key_lies_open(machine: Machine, content: Medium) -> None:
    install(machine, content, answers("/dev/sda"))
    state = machine.file_system("/dev/sda7")
    assert {p.stat().st_mode & 0o007 for p in state.glob("s*")} == {0}
    assert (state / "tls/server.pem").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("rule", ["/dev/sdb", "serial:SERIAL-sdb"])
def test_a_disk_of_an_aggregate_is_refused(
    machine: Machine, content: Medium, rule: str, light: None
) -> None:
    disk = machine.kernel.storage.disks.present["sdb"]
    disk.superblock = Superblock("1a2b3c4d-0000-5000-8000-000000000000", OURS, "0", 1, 0)
    before = machine.kernel.dump()
    with pytest.raises(WrongDisk, match=r"sdb .*is a disk of an aggregate .*Nothing was changed"):
        install(machine, content, answers("/dev/sda", rule))
    assert machine.kernel.dump() == before
    assert not machine.contents
    install(machine, content, answers("/dev/sda", rule, erase_aggregates=True))
    assert content_of(machine, "/dev/sdb5", len(SYSTEM)) == SYSTEM


@pytest.mark.parametrize("rule", ["/dev/sdb", "serial:SERIAL-sdb", "first", "smallest"])
@pytest.mark.parametrize("before", [("/dev/sdb",), ("/dev/sda", "/dev/sdb")])
def test_an_installed_system_is_not_erased_unasked(
    machine: Machine, content: Medium, rule: str, before: tuple[str, ...], light: None
) -> None:
    """A rule does not turn to the data disks either."""
    install(machine, content, answers(*before))
    content_before, written_before = machine.kernel.dump(), dict(machine.contents)
    with pytest.raises(WrongDisk, match=r"installed already, on /dev/sd.*Nothing was changed"):
        install(machine, content, answers(rule))
    assert machine.kernel.dump() == content_before
    assert machine.contents == written_before
    install(machine, content, answers(rule, erase_installed=True, host_name="san2"))
    disk = "/dev/sdb" if "sdb" in rule else "/dev/sda"
    assert (machine.file_system(f"{disk}7") / store.FILE).read_text() == "san2"


def test_a_disk_lists_the_content_of_its_partitions(machine: Machine) -> None:
    plugged = machine.kernel.storage.disks
    plugged.present["sda"].foreign = [Foreign("dos", "partition-table")]
    contents = [Foreign("ntfs", "filesystem"), Foreign("LVM2_member", "raid")]
    plugged.divide("sda", [FakePartition(foreign=[each]) for each in contents])
    sda, sdb, *_ = disks.candidates(machine.host)
    assert sda.holds == "dos partition table (ntfs, LVM2_member)"
    assert sdb.holds == "empty"


def test_a_state_that_cannot_be_read_is_not_erased_unasked(
    machine: Machine, content: Medium, light: None
) -> None:
    machine.kernel.storage.disks.divide("sda", [FakePartition(layout.STATE.name)])

    def wipefs(argv: Sequence[str], _stdin: str) -> str:
        if "/dev/sda1" in argv:
            raise CommandError(argv, 1, "Input/output error")
        return '{"signatures": []}'

    machine.kernel.commands.register("wipefs", wipefs)
    with pytest.raises(WrongDisk, match="installed already"):
        install(machine, content, answers("/dev/sda"))


@pytest.mark.parametrize(
    ("disks", "why"),
    [
        (("/dev/nvme0n1",), "mounted at /"),
        (("/dev/sdd",), "smaller than 4421 MiB"),
        (("/dev/sdz",), "No disk has this name"),
        (("serial:NOBODY",), "No disk has this name"),
        (("/dev/sda", "serial:SERIAL-sda"), "a second time"),
    ],
)
def test_disks_that_cannot_be(
    machine: Machine, content: Medium, disks: tuple[str, ...], why: str
) -> None:
    machine.kernel.storage.disks.present["sdd"].size = layout.SMALLEST_DISK - 1
    with pytest.raises(WrongDisk, match=why):
        install(machine, content, answers(*disks))
    assert not machine.contents


def test_rules_pass_by_what_must_not_be_taken(
    machine: Machine, content: Medium, light: None
) -> None:
    present = machine.kernel.storage.disks.present
    present["sda"].superblock = Superblock("1a2b3c4d-0000-5000-8000-000000000000", OURS, "0", 1, 0)
    present["sdb"].foreign = [Foreign("ext4", "filesystem")]
    present["sdd"].size = 6 << 30
    choices = answers("smallest", "first", erase_aggregates=True, configuration="new")
    install(machine, content, choices)
    assert {path for path in machine.contents if path[-1].isalpha()} == {"/dev/sdd", "/dev/sdb"}


def test_two_paths_to_one_disk_do_not_become_its_mirror(
    machine: Machine, content: Medium, light: None
) -> None:
    present = machine.kernel.storage.disks.present
    present["sdb"].wwn = present["sda"].wwn
    with pytest.raises(WrongDisk, match=r"sda .*another disk has the same identity"):
        install(machine, content, answers("/dev/sda", "/dev/sdb"))
    assert not machine.contents
    install(machine, content, answers("first", "first"))
    assert {path for path in machine.contents if path[-1].isalpha()} == {"/dev/sdc", "/dev/sdd"}


@pytest.mark.parametrize("transport", ["usb", "fc", "iscsi"])
def test_rules_pass_by_what_may_be_unplugged_or_anothers(
    machine: Machine, content: Medium, light: None, transport: str
) -> None:
    for disk in ("sda", "sdb", "sdc"):
        machine.kernel.storage.disks.present[disk].transport = transport
    with pytest.raises(WrongDisk, match=rf"first: no disk .*/dev/sda .*: attached by {transport}"):
        install(machine, content, answers("smallest", "first"))
    assert not machine.contents
    install(machine, content, answers("first", "serial:SERIAL-sda"))
    assert {path for path in machine.contents if path[-1].isalpha()} == {"/dev/sda", "/dev/sdd"}


@pytest.mark.parametrize("controller", ["device", "device/nvme1"])
@pytest.mark.parametrize(("transport", "is_candidate"), [("pcie", True), ("tcp", False)])
def test_rules_pass_by_nvme_over_a_network(
    machine: Machine, controller: str, transport: str, is_candidate: bool
) -> None:
    machine.kernel.storage.add_disk("nvme1n1")
    machine.kernel.storage.disks.present["nvme1n1"].size = 8 << 30
    place = f"/sys/block/nvme1n1/{controller}/transport"
    machine.kernel.files.place(place, Text(transport))
    candidates = [each for each in disks.candidates(machine.host) if each.path == "/dev/nvme1n1"]
    if is_candidate:
        assert disks.choose(candidates, ["first"], erase_aggregates=False, erase_installed=False)
    else:
        with pytest.raises(WrongDisk, match="attached by tcp"):
            disks.choose(candidates, ["first"], erase_aggregates=False, erase_installed=False)


def test_a_damaged_medium_is_refused_before_any_write(
    machine: Machine, medium_folder: Path
) -> None:
    (medium_folder / "system.img").write_bytes(b"")
    with pytest.raises(WrongImage, match=r"system\.img: 0 bytes"):
        installer.read_medium(medium_folder)
    (medium_folder / "system.img").unlink()
    with pytest.raises(CannotInstall, match=r"not complete: .*system\.img: No such file"):
        installer.read_medium(medium_folder)
    (medium_folder / "grub/core.img").write_bytes(bytes(layout.BIOS.size + 1))
    with pytest.raises(WrongLoader, match=r"core\.img"):
        installer.read_medium(medium_folder)


def test_an_installed_system_is_not_installed_over(machine: Machine, content: Medium) -> None:
    machine.kernel.files.place("/proc/cmdline", Text("sanstone.slot=a console=ttyS0"))
    with pytest.raises(CannotInstall, match="Boot the medium"):
        install(machine, content, answers("/dev/sda"))
    assert not machine.contents


def test_a_write_that_fails_leaves_nothing_mounted_and_no_mirror(
    machine: Machine, content: Medium, light: None
) -> None:
    error = FileError("write", "/dev/md_system-a", errno.EIO)
    machine.kernel.fail_when(lambda text: "to /dev/md_system-a at 4194304" in text, error)
    with pytest.raises(FileError, match="md_system-a: Input/output error"):
        install(machine, content, answers("/dev/sda", "/dev/sdb"))
    assert machine.clean
    machine.restart()
    install(machine, content, answers("/dev/sda", "/dev/sdb"))
    assert content_of(machine, "/dev/sdb5", len(SYSTEM)) == SYSTEM


@pytest.mark.parametrize("program", ["mkfs.ext4", "mkfs.vfat", "mount", "sfdisk"])
def test_a_program_that_fails_leaves_nothing_mounted(
    machine: Machine, content: Medium, light: None, program: str
) -> None:
    machine.kernel.fail_when(lambda text: text.startswith(program), HostError("broken"))
    with pytest.raises(HostError, match="broken"):
        install(machine, content, answers("/dev/sda", "/dev/sdb"))
    assert machine.clean


def test_an_image_that_reads_back_differently_is_an_error(
    machine: Machine, content: Medium, light: None
) -> None:
    machine.lie = b"rot"
    with pytest.raises(WrongImage, match="/dev/sda3: reads back differently"):
        install(machine, content, answers("/dev/sda"))
    assert machine.clean


def test_an_installation_that_failed_starts_nothing_that_was_there(
    machine: Machine, content: Medium, light: None
) -> None:
    machine.contents["/dev/sda"] = bytearray(b"\xeb" * 512)
    failure = HostError("the disk fails")
    machine.kernel.interrupt.fail_when(lambda step: "mkfs.ext4" in step, failure)
    with pytest.raises(HostError, match="the disk fails"):
        install(machine, content, answers("/dev/sda"))
    assert content_of(machine, "/dev/sda", layout.BOOT_CODE) == bytes(layout.BOOT_CODE)


@pytest.mark.parametrize("power_cut", [False, True])
def test_an_installation_killed_anywhere_can_start_again(
    tmp_path: Path, medium_folder: Path, light: None, power_cut: bool
) -> None:
    content = installer.read_medium(medium_folder)
    steps = 0
    while True:
        steps += 1
        machine = Machine(tmp_path / str(steps))
        machine.kernel.kill_after(steps, done=bool(steps % 2))
        try:
            install(machine, content, answers("/dev/sda", "/dev/sdb"))
            break
        except Killed:
            bootable = machine.file_system("/dev/sda2") / "grub/grubenv"
            if bootable.exists():
                assert content_of(machine, "/dev/sda5", len(SYSTEM)) == SYSTEM
            if power_cut:
                machine.power_cycle()
            machine.restart()
        # Once there is a state on the disks, they count as installed.
        is_installed = "/dev/md_state" in machine.labels
        install(machine, content, answers("/dev/sda", "/dev/sdb", erase_installed=is_installed))
        assert machine.clean
        assert content_of(machine, "/dev/sdb5", len(SYSTEM)) == SYSTEM
        assert (machine.file_system("/dev/md_state") / store.FILE).read_text() == "san1"
    assert steps > 20


def test_the_password_is_never_shown() -> None:
    assert HASH not in repr(answers("/dev/sda"))


def test_a_bios_starts_from_sectors_of_512_bytes_alone(machine: Machine, content: Medium) -> None:
    present = machine.kernel.storage.disks.present
    present["sda"].logical_block_size = 4096
    with pytest.raises(WrongDisk, match="sectors of 4096 bytes, and this machine was started by"):
        install(machine, content, answers("/dev/sda"))
    machine.kernel.files.place("/sys/firmware/efi", Text(""))
    with pytest.raises(WrongDisk, match="cannot mirror each other: /dev/sda: 4096 bytes, /dev/sdb"):
        install(machine, content, answers("/dev/sda", "/dev/sdb"))
    assert not machine.contents
    install(machine, content, answers("/dev/sda"))


def test_a_disk_that_got_the_name_of_another_is_not_erased(
    machine: Machine, content: Medium
) -> None:
    """As when one is pulled after the screens had shown it."""
    candidates = [disk for disk in disks.candidates(machine.host) if disk.path == "/dev/sda"]
    machine.kernel.storage.disks.swap_names("sda", "sdb")
    with pytest.raises(WrongDisk, match="no longer at /dev/sda"):
        installer.install(
            machine.host, content, answers("/dev/sda"), lambda *_: None, machine.folder, candidates
        )
    assert not machine.contents
