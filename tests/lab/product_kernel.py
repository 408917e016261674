"""The product's own kernel, for machines that QEMU emulates: its options and its patches.

The options are those that Buildroot gives it (`configs/`), without the drivers of hardware that no
machine of the lab has, in `product_kernel.config`. The source is that of `kernel_source`: Debian's
of the same line. Its last number differs from the pinned one.

Where SANSTONE_KERNEL is "product", arrays boot it; else, or with "debian", they boot Debian's,
which takes no time to build.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from pathlib import Path

from lab import commands, initrd, kernel_source, layer, paths
from lab.image import Image

VARIABLE = "SANSTONE_KERNEL"
PRODUCT = "product"
DEBIAN = "debian"
PROGRAM = "bzImage"
MODULES = "modules.squashfs"
INITRD = "initrd"
CONFIG = paths.REPOSITORY / "configs/sanstone_x86_64_defconfig"
ADDED = Path(__file__).with_suffix(".config")
WORK = "build-product"
MAKE = ("make", "ARCH=x86_64", "LOCALVERSION=-sanstone")


class UnknownKernel(Exception):
    """The environment names a kernel that the lab does not have."""


def is_selected() -> bool:
    """Return whether arrays boot it. Raises UnknownKernel."""
    variant = os.environ.get(VARIABLE) or DEBIAN
    if variant not in (PRODUCT, DEBIAN):
        raise UnknownKernel(f"{VARIABLE} is {variant}, not {PRODUCT} or {DEBIAN}")
    return variant == PRODUCT


def fragments() -> list[Path]:
    """Return the files of options that Buildroot configures the kernel by, in their order."""
    value = re.search(r'^BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES="(.*)"$', CONFIG.read_text(), re.M)
    if value is None:
        raise ValueError(f"{CONFIG}: names no fragments of the kernel's options")
    tree = "$(BR2_EXTERNAL_SANSTONE_PATH)"
    return [Path(name.replace(tree, str(paths.REPOSITORY))) for name in value[1].split()]


def parts() -> list[str | Path]:
    """Return the inputs of the kernel, as parts of its fingerprint."""
    inputs = [*kernel_source.inputs(), *kernel_source.patches(of_user_mode=False)]
    return [*inputs, *fragments(), ADDED, *MAKE, *initrd.parts()]


def build(folder: Path) -> None:
    """Build it into `folder`: itself, a squashfs of its modules, and an initrd.

    Takes root, and the source as `kernel_source.chroot` does. Raises commands.CommandFailed.
    """
    chroot = kernel_source.chroot()
    kernel_source.configure(chroot, MAKE, WORK, [*fragments(), ADDED])
    # Silent, or what an error says would not be among the last lines.
    compile_: commands.Argv = ["chroot", chroot, *MAKE, "--silent", "-C", f"/{WORK}"]
    commands.run([*compile_, kernel_source.PARALLEL, PROGRAM, "modules"])
    install = f"/{WORK}/installed"
    commands.run([*compile_, "modules_install", f"INSTALL_MOD_PATH={install}/usr"])
    installed = chroot / install.lstrip("/")
    (modules,) = (installed / "usr/lib/modules").iterdir()
    (modules / "build").unlink(missing_ok=True)
    layer.squash(installed, folder / MODULES)
    initrd.pack(modules, folder / INITRD)
    shutil.copy(chroot / WORK / "arch/x86/boot" / PROGRAM, folder / PROGRAM)


def prepare(image: Image, kernel: Path) -> Image:
    """Return the same with the product's kernel, which is in the folder `kernel`."""
    return dataclasses.replace(
        image,
        layers=(kernel / MODULES, *image.layers),
        kernel=kernel / PROGRAM,
        initrd=kernel / INITRD,
    )
