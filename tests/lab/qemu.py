"""A machine's hardware, and the QEMU command line that makes it.

    system    the image's layers are CD-ROMs, lowest first, so that the product never takes them
              for disks; a state disk that is kept; or a system disk that the product's image was
              installed on; data disks
    network   e0M on QEMU's user network, reached only through ports forwarded from 127.0.0.1 and
              without a way out; the others are cables to the lab's switches
    control   the console is a socket and goes to a file, the agent has virtio-serial ports, QEMU
              itself a monitor
    secrets   go in as systemd credentials, from files

A MAC address is 52:54:00:5a:<machine's number>:<port's number>; 70-lab-ports.rules in guest/common
names the ports after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lab import patience
from lab.agent import PORTS
from lab.engine import Engine
from lab.image import Drives, Image

PORT_NUMBERS = {"e0M": 0, "e0a": 1, "e0b": 2, "e0c": 3, "e0d": 4, "d1": 0x11, "d2": 0x12}
GUEST_ADDRESS = "10.0.2.15"
UEFI = "/usr/share/OVMF/OVMF"
DISK_DEVICES = {"virtio": "virtio-blk-pci", "nvme": "nvme", "scsi": "scsi-hd,bus=data.0"}
BAYS = ("bay-1", "bay-2")
"""Where NVMe disks of a server come and go: PCIe ports, each with a slot of its own."""


@dataclass(frozen=True)
class Disk:
    """A disk of `size` bytes backed by the file `path`, in QEMU's format where it ends in .qcow2.

    `bus` is "virtio", "nvme" or "scsi". A `label` makes the lab put an empty ext4 on a new disk;
    one with a `base` begins as a copy of that disk. Firmware tries the `bootable` ones, in order.
    """

    path: Path
    size: int
    serial: str
    bus: str = "virtio"
    label: str = ""
    base: Path | None = None
    bootable: bool = False

    @property
    def format(self) -> str:
        """The format of the file, as QEMU calls it."""
        return "qcow2" if self.path.suffix == ".qcow2" else "raw"


@dataclass(frozen=True)
class Hardware:
    """The parts of a machine; `memory` in MiB. A `medium` lies in a drive for CDs, which the
    firmware tries last, or first.

    `cables` maps a port to the socket of the switch it is plugged into, `forwards` a port of
    127.0.0.1 to a TCP port of the machine, `credentials` a name to a file with the secret. One that
    is a `server` has a management controller, with the sensors of this file, and BAYS.
    """

    name: str
    number: int
    memory: int
    processors: int = 2
    disks: tuple[Disk, ...] = ()
    cables: Mapping[str, Path] = field(default_factory=dict)
    forwards: Mapping[int, int] = field(default_factory=dict)
    credentials: Mapping[str, Path] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    medium: Path | None = None
    medium_first: bool = False
    server: Path | None = None

    def address(self, port: str) -> str:
        """Return the MAC address of `port`."""
        return f"52:54:00:5a:{self.number:02x}:{PORT_NUMBERS[port]:02x}"


def command_line(
    hardware: Hardware, image: Image | Drives, engine: Engine, sockets: Path, console: Path
) -> list[str]:
    """Return the argv that powers the machine on."""
    words = ["qemu-system-x86_64", "-name", hardware.name, "-machine", "q35,usb=off"]
    words += [*engine.options, "-smp", str(hardware.processors), "-m", str(hardware.memory)]
    words += ["-nodefaults", "-no-user-config", "-display", "none", "-rtc", "base=utc"]
    words += [
        "-smbios",
        f"type=1,manufacturer=Sanstone,product=Lab,serial=LAB{hardware.number:05d}",
    ]
    words += ["-uuid", f"5a{hardware.number:06x}-0000-4000-8000-000000000000"]
    # The chipset's watchdog would restart a machine that only waits for its processors. This is the
    # default of QEMU 7 and before.
    words += ["-global", "ICH9-LPC.noreboot=true"]
    words += ["-object", "rng-random,id=rng,filename=/dev/urandom"]
    words += ["-device", "virtio-rng-pci,rng=rng"]
    words += ["-device", "virtio-scsi-pci,id=system"]
    if isinstance(image, Drives):
        words += _firmware(image)
    else:
        words += ["-kernel", str(image.kernel), "-initrd", str(image.initrd)]
        words += ["-append", " ".join(_parameters(hardware, image, engine))]
        words += _layers(image)
    parts = _control(sockets, console), _server(hardware), _disks(hardware), _network(hardware)
    return words + [word for part in parts for word in part]


def _parameters(hardware: Hardware, image: Image, engine: Engine) -> list[str]:
    return [
        "console=ttyS0",
        "quiet",
        "loglevel=4",
        "mitigations=off",
        "nokaslr",
        "random.trust_cpu=on",
        # A machine that limped on would be noticed only when something no longer answers.
        "oops=panic",
        *engine.parameters,
        *patience.PARAMETERS,
        f"lab.layers={len(image.layers)}",
        f"lab.number={hardware.number}",
        f"systemd.hostname={hardware.name}",
        # The image was brought up to date when it was built.
        "systemd.condition-needs-update=no",
        "systemd.firstboot=no",
        *hardware.parameters,
    ]


def _control(sockets: Path, console: Path) -> list[str]:
    chardev = f"socket,id=console,path={sockets}/console,server=on,wait=off,logfile={console}"
    words = ["-chardev", chardev, "-serial", "chardev:console"]
    words += ["-qmp", f"unix:{sockets}/monitor,server=on,wait=off"]
    words += ["-device", "virtio-serial-pci"]
    for number in range(PORTS):
        name = f"lab.{number}"
        words += ["-chardev", f"socket,id={name},path={sockets}/{name},server=on,wait=off"]
        words += ["-device", f"virtserialport,chardev={name},name={name}"]
    return words


def _server(hardware: Hardware) -> list[str]:
    if hardware.server is None:
        return []
    words = ["-device", f"ipmi-bmc-sim,id=controller,sdrfile={hardware.server}"]
    words += ["-device", "isa-ipmi-kcs,bmc=controller"]
    for number, bay in enumerate(BAYS, 1):
        words += ["-device", f"pcie-root-port,id={bay},chassis={number},slot={number}"]
    return words


def _firmware(drives: Drives) -> list[str]:
    words = []
    if drives.uefi:
        # The firmware's variables are forgotten: a system disk has to boot in any machine.
        words += ["-drive", f"file={UEFI}_CODE_4M.fd,if=pflash,format=raw,readonly=on"]
        words += ["-drive", f"file={UEFI}_VARS_4M.fd,if=pflash,format=raw,snapshot=on"]
    for file in drives.strings:
        words += ["-smbios", f"type=11,path={file}"]
    return words


def _layers(image: Image) -> list[str]:
    words = []
    for number, layer in enumerate(image.layers):
        words += ["-drive", f"file={layer},id=layer{number},if=none,format=raw,readonly=on"]
        words += ["-device", f"scsi-cd,bus=system.0,scsi-id={number},drive=layer{number}"]
    return words


def _disks(hardware: Hardware) -> list[str]:
    words: list[str] = []
    if any(disk.bus == "scsi" for disk in hardware.disks):
        words += ["-device", "virtio-scsi-pci,id=data"]
    if hardware.medium:
        words += ["-drive", f"file={hardware.medium},id=medium,if=none,format=raw,readonly=on"]
        turn = 0 if hardware.medium_first else len(hardware.disks) + 1
        words += ["-device", f"scsi-cd,bus=system.0,drive=medium,bootindex={turn}"]
    for number, disk in enumerate(hardware.disks, 1):
        # Zeroes take no space: building a RAID group writes whole disks full of them. A raw disk
        # would have them reserve it (mdadm asks for zeroes that may not be unmapped).
        options = "if=none,cache=writeback,aio=threads,discard=unmap,detect-zeroes=unmap"
        options += f",format={disk.format}"
        words += ["-drive", f"file={disk.path},id={disk.serial},{options}"]
        device = f"{DISK_DEVICES[disk.bus]},drive={disk.serial},serial={disk.serial}"
        words += ["-device", f"{device},bootindex={number}" if disk.bootable else device]
    return words


def _network(hardware: Hardware) -> list[str]:
    user = "user,id=e0M,restrict=on"
    for outside, inside in hardware.forwards.items():
        user += f",hostfwd=tcp:127.0.0.1:{outside}-{GUEST_ADDRESS}:{inside}"
    words = ["-netdev", user, *_card(hardware, "e0M")]
    for port, switch in hardware.cables.items():
        words += ["-netdev", f"stream,id={port},addr.type=unix,addr.path={switch}"]
        words += _card(hardware, port)
    for name, file in hardware.credentials.items():
        words += ["-fw_cfg", f"name=opt/io.systemd.credentials/{name},file={file}"]
    return words


def _card(hardware: Hardware, port: str) -> list[str]:
    mac = hardware.address(port)
    # Without a boot ROM: these machines never boot from the network. LACP needs to know the speed.
    kind = "virtio-net-pci,speed=10000,duplex=full,romfile="
    return ["-device", f"{kind},netdev={port},id=card-{port},mac={mac}"]
