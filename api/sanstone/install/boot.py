"""The boot loaders of a system disk, for a BIOS and UEFI.

UEFI starts EFI/BOOT/BOOTX64.EFI of the EFI system partition by itself (UEFI 2.10, 3.5.1.1). A BIOS
loads the first sector, and continues from there by sector numbers, which are written into GRUB's
two programs for it in the same way as grub-bios-setup does (GRUB 2.12: util/setup.c,
include/grub/i386/pc/boot.h, grub-core/boot/i386/pc/{boot,diskboot}.S):

* the first sector, GRUB's boot.img (`mbr.img` here): at 0x5c the 64-bit sector of the core image;
  at 0x66 a jump over the repair of the drive's number, which some BIOSes pass wrongly for hard
  disks: two no-operations in its place let the repair happen. Its first 440 bytes are code, the
  rest belongs to the partition table;
* the core image, in a partition of its own: the first sector reads the others, by a list that ends
  at 0x1f4 with the 64-bit sector of the second one. grub-mkimage has written their number there.

Sectors are of 512 bytes, as a BIOS and GRUB's programs for it use them; a disk with larger ones
boots with UEFI alone.

`grub/grubenv` on the EFI system partition selects the slot to boot (`system.boot_order`). Its
`CONSOLE=serial` makes the installed system use the serial line, if it was installed over that.
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
    """The medium's boot loader is invalid; the text says why."""


@dataclass(frozen=True)
class Loader:
    """The boot loader on the medium, its folder `grub`."""

    efi: bytes
    core: bytes
    first_sector: bytes
    menu: bytes


def read_loader(folder: Path) -> Loader:
    """Read the boot loader. Raises WrongLoader when it does not fit its partitions, or OSError."""
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
    """Return the first sector's 440 bytes of code, to load a core image at a sector."""
    code = bytearray(first_sector[: layout.BOOT_CODE])
    struct.pack_into("<Q", code, CORE_SECTOR, core_sector)
    code[DRIVE_CHECK : DRIVE_CHECK + 2] = _NO_OPERATIONS
    return bytes(code)


def placed_core(core: bytes, core_sector: int) -> bytes:
    """Return a core image with its own sector number written into it."""
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
    """Make every disk bootable; file systems are mounted at `folder` meanwhile.

    `slots` are those that may boot. Raises HostError or OSError.
    """
    console = {"CONSOLE": "serial"} if _speaks_on_serial(host) else {}
    environment = grub_environment.render(slots | console)
    for disk in targets.disks:
        _install_on(host, disk, loader, environment, folder)


def copy(host: Host, disk: str, onto: str, folder: Path) -> None:
    """Make another disk boot the same systems, with the same tries left.

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
        # UEFI's program comes last: until then UEFI skips this disk for the other one.
        for name, content in (
            (_ENVIRONMENT, environment),
            (_MENU, loader.menu),
            (_EFI, loader.efi),
        ):
            file = folder / name
            host.files.make_folder(str(file.parent))
            host.files.store(str(file), content, 0o600)
    # Last: after a write to the disk itself, udev makes the kernel read its table again, and its
    # partitions disappear for a moment.
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
