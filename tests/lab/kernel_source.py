"""Linux's source for the lab's kernels: Debian's package for the line of the images.

It is unpacked in a chroot of the system that the images have in common and a compiler, so that
compiler and source are of one age, with the product's own driver, the product's patches and those
of User-mode Linux, which concern nothing else. The chroot takes 2 GB, so it is there only while
kernels are built.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from lab import commands, debian, fingerprint, paths

BUILD = paths.CACHE / "kernels"
LINE = "6.12"
"""Of Linux; the product's patches are those of the same line."""
SOURCE = f"linux-source-{LINE}"
PRODUCT = paths.REPOSITORY / "board/common"
DRIVER = paths.REPOSITORY / "package/dm-sanstone-qos/src/dm-sanstone-qos.c"
"""The product's own, a module beside its kernel. Outside of the source of User-mode Linux no module
can be built, so that the lab's kernels have it among device-mapper's targets."""
DRIVERS = "drivers/md"
USER_MODE = paths.LAB_SOURCE / "uml.d"
COMPILER = USER_MODE / "compiler"
TOOLS = (
    *("gcc", "make", "libc6-dev", "flex", "bison", "bc", "xz-utils", "zstd", "patch"),
    # objtool, and keys, of the x86 kernel
    *("libelf-dev", "libssl-dev"),
)
# Most of the source. The build reads only its options.
UNUSED = (
    *("drivers/gpu/drm/*", "drivers/media", "drivers/net/ethernet", "drivers/net/wireless"),
    "sound",
)
PARALLEL = f"-j{os.cpu_count() or 1}"
_OFF = re.compile("# (CONFIG_.*) is not set")


class OptionsRefused(Exception):
    """The kernel's configuration did not take all options."""


def patches(of_user_mode: bool) -> list[Path]:
    """Return the patches of a kernel in their order: the product's, then the lab's own.

    The product's are those of all lines of Linux, then those of LINE.
    """
    folders = [PRODUCT / "patches/common/linux", PRODUCT / "patches" / LINE / "linux"]
    if of_user_mode:
        folders.append(USER_MODE)
    return [patch for folder in folders for patch in sorted(folder.glob("*.patch"))]


def inputs() -> list[str | Path]:
    """Return what any kernel depends on, as parts of its fingerprint, but for patches."""
    return [debian.SUITE, SOURCE, *TOOLS, DRIVER]


def chroot() -> Path:
    """Return the chroot, and create it where it is missing. Raises commands.CommandFailed.

    The caller holds the lock "build" of BUILD, and calls `drop` after the last kernel.
    """
    key = fingerprint.of([*inputs(), *UNUSED, *patches(of_user_mode=True)])
    folder = BUILD / f"chroot-{key}"
    if folder.exists():
        return folder
    drop()
    partial = folder.with_suffix(".partial")
    debian.copy_common(partial)
    debian.add((*TOOLS, SOURCE), partial)
    unpack: commands.Argv = ["chroot", partial, "tar", "-C", "/usr/src"]
    unused = [f"--exclude={SOURCE}/{directory}/*.[ch]" for directory in UNUSED]
    commands.run([*unpack, *unused, "-xf", f"/usr/src/{SOURCE}.tar.xz"])
    for patch in patches(of_user_mode=True):
        apply: commands.Argv = ["chroot", partial, "patch", "-p1", "-d", f"/usr/src/{SOURCE}"]
        commands.run(apply, text=patch.read_text())
    _add_driver(partial / "usr/src" / SOURCE / DRIVERS)
    partial.rename(folder)
    return folder


def _add_driver(folder: Path) -> None:
    """Have the product's driver built wherever device-mapper is: into the kernel or as a module."""
    shutil.copy(DRIVER, folder)
    with (folder / "Makefile").open("a") as file:
        file.write(f"obj-$(CONFIG_BLK_DEV_DM) += {DRIVER.stem}.o\n")


def drop() -> None:
    """Delete the chroot, and the remains of a build that was cut short."""
    for each in BUILD.glob("chroot-*"):
        shutil.rmtree(each)


def configure(chroot: Path, make: Sequence[str | Path], work: str, options: Iterable[Path]) -> None:
    """Write .config in `work`, a folder of the chroot's: the defaults, then what `options` have.

    Of several lines about one option the last counts. Raises OptionsRefused, where one is not
    obtained, and commands.CommandFailed.
    """
    (chroot / work).mkdir(exist_ok=True)
    enter: commands.Argv = ["chroot", chroot, *make, "-C", f"/usr/src/{SOURCE}", f"O=/{work}"]
    commands.run([*enter, "defconfig"])
    lines = [line for file in options for line in file.read_text().splitlines()]
    requested = dict(answer for line in lines if (answer := _answer(line)))
    config = chroot / work / ".config"
    with config.open("a") as file:
        file.writelines(f"{name}={value}\n" for name, value in requested.items())
    commands.run([*enter, "olddefconfig"])
    got = dict(answer for line in config.read_text().splitlines() if (answer := _answer(line)))
    refused = [
        f"{name}={value}" for name, value in requested.items() if got.get(name, "n") != value
    ]
    if refused:
        raise OptionsRefused(f"not taken: {' '.join(refused)}")


def _answer(line: str) -> tuple[str, str] | None:
    """Return the name of an option and its value, "n" where it is off."""
    if off := _OFF.fullmatch(line):
        return off[1], "n"
    name, is_answer, value = line.partition("=")
    return (name, value) if is_answer and name.startswith("CONFIG_") else None
