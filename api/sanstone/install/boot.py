"""What a BIOS, UEFI and GRUB find on a system disk.

UEFI starts EFI/BOOT/BOOTX64.EFI of the EFI system partition by itself (UEFI 2.10, 3.5.1.1). A BIOS
loads the first sector, and has to be led on from there by sector numbers, which are written into
GRUB's two programs for it as grub-bios-setup does (GRUB 2.12: util/setup.c,
include/grub/i386/pc/boot.h, grub-core/boot/i386/pc/{boot,diskboot}.S):

* the first sector, GRUB's boot.img (`mbr.img` here): at 0x5c the 64-bit sector of the core image;
  at 0x66 a jump over the repair of the drive's number, which some BIOSes pass wrongly for hard
  disks: two no-operations in its place let the repair happen. Its first 440 bytes are code, what
  follows is the partition table's;
* the core image, in a partition of its own: the first sector reads the others, by a list that ends
  at 0x1f4 with the 64-bit sector of the second one. grub-mkimage has written their number there.

Sectors are those of 512 bytes that a BIOS and GRUB's programs for it know; a disk with larger ones
is started by UEFI alone.

`grub/grubenv` on the EFI system partition says which slot boots (`system.boot_order`). Its
`CONSOLE=serial` has the installed system speak on the serial line, where whoever installed it sat.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sanstone.install.mounts import mounted
from sanstone.install.targets import Targets, partition_path
from sanstone.kernel.host import Host
from sanstone.system import boot_order, grub_environment, layout
from sanstone.system.grub_environment import Environment

SECTOR = 512
CONSOLES = "/sys/class/tty/console/active"
CORE_SECTOR, DRIVE_CHECK, NEXT_SECTOR = 0x5C, 0x66, 0x1F4
_EFI, _MENU, _ENVIRONMENT = "EFI/BOOT/BOOTX64.EFI", "grub/grub.cfg", "grub/grubenv"
_NO_OPERATIONS = b"\x90\x90"


class WrongLoader(Exception):
    """The medium's boot loader cannot be what it should be; the text says why."""


@dataclass(frozen=True)
class Loader:
    """The boot loader on the medium, its folder `grub`."""

    efi: bytes
    core: bytes
    first_sector: bytes
    menu: bytes


def read_loader(folder: Path) -> Loader:
    """Read the boot loader. Raises WrongLoader when it does not fit its places, or OSError."""
    loader = Loader(
        (folder / "BOOTX64.EFI").read_bytes(),
        (folder / "core.img").read_bytes(),
        (folder / "mbr.img").read_bytes(),
        (folder / "grub.cfg").read_bytes(),
    )
    if not 2 * SECTOR <= len(loader.core) <= layout.BIOS.size:
        raise WrongLoader(f"{folder}/core.img: {len(loader.core)} bytes do not fit its partition.")
    if not layout.BOOT_CODE <= len(loader.first_sector) <= SECTOR:
        raise WrongLoader(f"{folder}/mbr.img: {len(loader.first_sector)} bytes are no boot sector.")
    return loader


def boot_code(first_sector: bytes, core_sector: int) -> bytes:
    """Return the 440 bytes of the first sector's code that load a core image at a sector."""
    code = bytearray(first_sector[: layout.BOOT_CODE])
    struct.pack_into("<Q", code, CORE_SECTOR, core_sector)
    code[DRIVE_CHECK : DRIVE_CHECK + 2] = _NO_OPERATIONS
    return bytes(code)


def placed_core(core: bytes, core_sector: int) -> bytes:
    """Return a core image that knows at which sector it lies."""
    placed = bytearray(core)
    struct.pack_into("<Q", placed, NEXT_SECTOR, core_sector + 1)
    return bytes(placed)


def install(
    host: Host,
    targets: Targets,
    loader: Loader,
    folder: Path,
    slots: Environment = boot_order.FIRST,
) -> None:
    """Make every disk bootable; `folder` is where file systems are mounted meanwhile.

    `slots` says which may boot. Raises HostError or OSError.
    """
    console = {"CONSOLE": "serial"} if _speaks_on_serial(host) else {}
    environment = grub_environment.render(slots | console)
    for disk in targets.disks:
        _install_on(host, disk, loader, environment, folder)


def copy(host: Host, disk: str, onto: str, folder: Path) -> None:
    """Make another disk boot what this one does, with the same tries left.

    Raises HostError or OSError.
    """
    with mounted(host, partition_path(disk, layout.ESP), folder, "-o", "ro"):
        environment = (folder / _ENVIRONMENT).read_bytes()
        loader = Loader(
            efi=(folder / _EFI).read_bytes(),
            core=host.blocks.read(partition_path(disk, layout.BIOS), 0, layout.BIOS.size),
            first_sector=host.blocks.read(disk, 0, layout.BOOT_CODE),
            menu=(folder / _MENU).read_bytes(),
        )
    _install_on(host, onto, loader, environment, folder)


def _install_on(host: Host, disk: str, loader: Loader, environment: bytes, folder: Path) -> None:
    path = partition_path(disk, layout.ESP)
    host.commands.run(["mkfs.vfat", "-F", "32", "-n", "SANSTONE", path])
    with mounted(host, path, folder):
        # What UEFI starts comes last: until then it goes on to the other disk.
        for name, content in (
            (_ENVIRONMENT, environment),
            (_MENU, loader.menu),
            (_EFI, loader.efi),
        ):
            file = folder / name
            host.files.make_folder(str(file.parent))
            host.files.store(str(file), content, 0o600)
    # Last: once a disk itself was written to, udev has the kernel read its table again, and its
    # partitions are gone for a moment.
    _install_for_bios(host, disk, loader)


def _speaks_on_serial(host: Host) -> bool:
    """Return whether /dev/console, the last of the active ones, is a serial line."""
    consoles = host.files.read(CONSOLES).split() if host.files.exists(CONSOLES) else []
    return bool(consoles) and not consoles[-1].removeprefix("tty").isdigit()


def _install_for_bios(host: Host, disk: str, loader: Loader) -> None:
    path = partition_path(disk, layout.BIOS)
    # In sectors of 512 bytes, whatever the disk has (Linux: block/partitions/core.c).
    start = int(host.files.read(f"/sys/class/block/{PurePosixPath(path).name}/start"))
    host.blocks.write(path, 0, placed_core(loader.core, start))
    host.blocks.write(disk, 0, boot_code(loader.first_sector, start))
